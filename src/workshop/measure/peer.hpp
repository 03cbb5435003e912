// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Another library, in a process of its own: with its own threads and huge pages, and free to crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "measure/columns.hpp"

namespace lacis::measure {

/// How the script of the peers is run.
struct peer_command {
  std::string python;            ///< the interpreter
  std::filesystem::path script;  ///< peer.py, or one that speaks as it does
};

/// $LACIS_PEER_PYTHON, the environment of tools/install-peers when `program` is in a build tree, or python3; and
/// share/lacis/peers/peer.py beside the folder of the program.
[[nodiscard]] peer_command find_peers(const std::filesystem::path& program);

/// The names that the script knows for an operation: "spmv", "spmm", "spgemm", "cg", "pagerank", "trsv", "ilu0" or
/// "ic0".
[[nodiscard]] const std::vector<std::string>& peer_names(const std::string& operation = "spmv");

/// A child process that answers one line for each line it is told. Every call throws error(unsupported) with the peer's
/// words when it cannot do what it is asked, and error(io) when the process ends or stays silent.
class peer {
 public:
  /// Starts it for an operation and waits until it says what it is.
  peer(std::string name, const peer_command& command, int threads, const std::string& operation = "spmv");
  ~peer();
  peer(const peer&) = delete;
  peer& operator=(const peer&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] pid_t process() const { return process_; }

  /// Takes the matrix and the vector from a file of the form of matrix_file.hpp. Returns what the peer made of it, as
  /// one word: "csr", "iso".
  std::string load(const std::filesystem::path& file);
  /// spmm: the product is Y = A X with that many dense columns from now on, X and Y in that order. The peer makes X
  /// itself, element by element as column_element (columns.hpp) does, so that no file has to hold it.
  void columns(std::int64_t count, dense_order order);
  /// cg, pagerank: how many iterations there are from now on.
  void steps(int count);
  /// Does the work once and writes the result into the file, as raw numbers.
  void product(const std::filesystem::path& file);
  /// spgemm: takes B, too; without it B is A.
  void second(const std::filesystem::path& file);
  /// spgemm: multiplies and writes C into the file as raw numbers, the offsets of its rows (int64), its columns (in the
  /// type of A's) and its values. Returns how many entries there are.
  [[nodiscard]] std::int64_t sparse_product(const std::filesystem::path& file);
  /// Does the work so many times; the seconds of one product, iteration or whatever it is, as the peer's clock saw
  /// them.
  [[nodiscard]] double run(int times);

 private:
  [[nodiscard]] std::string ask(std::string_view question);
  [[nodiscard]] std::string answer();
  [[noreturn]] void ended();

  std::string name_;
  std::string version_;
  pid_t process_ = -1;
  int channel_ = -1;
  std::string unread_;
};

}  // namespace lacis::measure
