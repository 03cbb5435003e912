// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the commands ask of liblacis_ranks, the part of the program that links MPI. Nothing here needs MPI.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/eigs.hpp>
#include <lacis/export.hpp>
#include <lacis/generate.hpp>
#include <lacis/io.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/solve_auto.hpp>

#include "io/vector_read.hpp"

namespace lacis::app {

/// A matrix by its name: a file or a description.
struct named_matrix {
  std::string name;
  std::string type = "double";  ///< of its values, as --type spells it
  generate_options generate = {};
  read_options read = {};
};

/// What all commands find out.
struct spread_facts {
  int processes = 1;
  int threads = 1;  ///< of each
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::string value_type;
  double read_seconds = 0;
  double prepare_seconds = 0;
  std::string explanation;           ///< of the first process
  std::int64_t sent_bytes = 0;       ///< in a product, by all processes
  std::int64_t most_sent_bytes = 0;  ///< by the busiest
  std::int64_t messages = 0;         ///< in a product, of all processes
  std::int64_t most_bytes = 0;       ///< that a process holds for the matrix
  double exchange_seconds = 0;       ///< alone, the median of the slowest process
  std::string exchange;              ///< which kind
};

using detail::any_vector;

struct spread_solution {
  spread_facts facts;
  auto_report report;
  std::uint64_t hash = 0;
  any_vector x;  ///< whole, on the first process when it was asked for
};

struct spread_eigen {
  spread_facts facts;
  std::string preconditioner;   ///< in words; empty: none
  eigen_result<double> result;  ///< without its vectors
  any_vector vectors;           ///< one after the other, on the first process when they were asked for
};

struct spread_product_result {
  spread_facts facts;
  double seconds = 0;  ///< the median of a product, of the slowest process
  int runs = 0;
  std::uint64_t hash = 0;
};

struct spread_spgemm_result {
  spread_facts facts;
  double seconds = 0;
  std::int64_t entries = 0;  ///< of the product
  std::uint64_t hash_of_values = 0;
  std::uint64_t hash_of_columns = 0;
  std::uint64_t hash_of_row_offsets = 0;
};

struct distributed_pagerank_result {
  spread_facts facts;
  pagerank_result result;  ///< without its ranks
  std::int64_t pages = 0;
  std::uint64_t hash = 0;
  std::vector<ranked_page> best;
};

struct spread_cut {
  spread_facts facts;
  std::int64_t parts = 0;          ///< that resulted
  std::int64_t ghosts_before = 0;  ///< of these processes, rows in the order that was given
  std::int64_t ghosts_after = 0;
  double cut_seconds = 0;
  double write_seconds = 0;
};

/// The processes that were started together. Every function is called by all of them.
class cluster {
 public:
  virtual ~cluster() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Processes on this machine.
  [[nodiscard]] virtual int neighbours() const = 0;

  /// Solves A x = b; b is whole on every process, or null for A times ones. Without a method in the options: what the
  /// matrix suggests.
  [[nodiscard]] virtual spread_solution solve(const named_matrix& a, const any_vector* b, const auto_options& options,
                                              bool wants_x) = 0;
  /// `pairs` eigenvalues of a Hermitian matrix, or for 0 the default number; of the options what has no type. `how`:
  /// the preconditioner, if there is one.
  [[nodiscard]] virtual spread_eigen eigs(const named_matrix& a, std::int64_t pairs,
                                          const eigen_options<double>& options,
                                          const std::optional<preconditioner_options>& how, bool wants_vectors) = 0;
  /// y = A x with x_j = number(j).
  [[nodiscard]] virtual spread_product_result multiply(const named_matrix& a,
                                                       const std::function<double(std::int64_t)>& number) = 0;
  /// A B, or A A without a name for B.
  [[nodiscard]] virtual spread_spgemm_result multiply(const named_matrix& a, const named_matrix& b) = 0;
  [[nodiscard]] virtual distributed_pagerank_result pagerank(const named_matrix& links, const pagerank_options& options,
                                                             std::int64_t top) = 0;

  /// Cuts A into nested parts and writes it in their order to a .csr directory.
  [[nodiscard]] virtual spread_cut cut(const named_matrix& a, std::int64_t parts, const std::string& output) = 0;

  /// work() on all of them. Where it throws on one, all throw: rank_error, except what is the program's own.
  virtual void together(const std::function<void()>& work) = 0;
  /// error(invalid_argument) where one was started with other arguments.
  virtual void require_same_arguments(std::string_view arguments) = 0;

  /// Ends MPI; nothing may be asked after that.
  virtual void finish() = 0;
  /// Ends all processes at once.
  virtual void abort(int exit_code) = 0;
};

}  // namespace lacis::app

/// The processes, after MPI has been started; null where `version` is not that of this build. Program and module are
/// built and installed together, so C++ types may pass between them.
extern "C" LACIS_API lacis::app::cluster* lacis_ranks_cluster(const char* version);
