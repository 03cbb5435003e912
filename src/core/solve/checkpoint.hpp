// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The state of a solver on disk: two files that take turns, so that one is always whole.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "solve/methods/iteration.hpp"

namespace lacis::solver {

/// Bytes and where they belong in a file.
struct file_piece {
  std::int64_t offset = 0;
  std::string_view bytes;
};

/// Files in a directory that one process or several write and read together. Whatever is not told otherwise is done by
/// all of them at the same time and has the same result for all.
class state_files {
 public:
  explicit state_files(std::filesystem::path directory) : directory_(std::move(directory)) {}
  virtual ~state_files() = default;

  [[nodiscard]] virtual int process() const { return 0; }
  [[nodiscard]] virtual int processes() const { return 1; }
  /// The sum, modulo 2^64, over all processes.
  [[nodiscard]] virtual std::uint64_t sum_of_all(std::uint64_t mine) { return mine; }

  /// Makes the directory; error(io) where it cannot be made.
  virtual void make_directory() = 0;
  /// The size of a file, -1 where there is none.
  [[nodiscard]] virtual std::int64_t size_of(const std::string& name) = 0;
  /// The same bytes for all processes; error(io) where the file is shorter.
  virtual void read_same(const std::string& name, std::int64_t offset, std::span<char> bytes) = 0;
  /// Bytes for this process alone.
  virtual void read_own(const std::string& name, std::int64_t offset, std::span<char> bytes) = 0;
  /// A file of `size` bytes from the pieces of all processes; on disk under its name when it returns, whole or not at
  /// all.
  virtual void write(const std::string& name, std::int64_t size, std::span<const file_piece> mine) = 0;
  virtual void remove(const std::string& name) = 0;

 protected:
  std::filesystem::path directory_;
};

/// Of one process.
class local_state_files final : public state_files {
 public:
  using state_files::state_files;
  void make_directory() override;
  std::int64_t size_of(const std::string& name) override;
  void read_same(const std::string& name, std::int64_t offset, std::span<char> bytes) override;
  void read_own(const std::string& name, std::int64_t offset, std::span<char> bytes) override;
  void write(const std::string& name, std::int64_t size, std::span<const file_piece> mine) override;
  void remove(const std::string& name) override;
};

/// What a state consists of: what every process knows, and vectors of which each holds a part.
struct solver_state {
  std::int64_t iteration = 0;
  std::vector<double> history;
  std::string numbers;
  struct part {
    std::string bytes;
    std::int64_t first = 0;  ///< byte of the whole vector
    std::int64_t whole = 0;  ///< bytes of all processes
  };
  std::vector<part> vectors;
};

/// States of one system. What is in the directory of another system, of another version, torn or made up is not used:
/// files are untrusted, and every count in them is held against what is there.
class checkpoint {
 public:
  /// `system` tells systems apart. Makes the directory.
  LACIS_API checkpoint(std::unique_ptr<state_files> files, std::uint64_t system);

  /// The newest whole state of the system, without its vectors.
  [[nodiscard]] LACIS_API std::optional<solver_state> newest();
  /// This process's part of the next vector of that state, which begins at byte `first` of `whole`.
  LACIS_API void read_vector(std::int64_t first, std::int64_t whole, std::span<char> bytes);
  /// Whether all vectors of that state have been read.
  [[nodiscard]] bool is_at_end() const { return next_ == end_; }
  /// On disk when it returns.
  LACIS_API void save(const solver_state& now);
  /// The system is solved: what is kept is of no use any more.
  LACIS_API void remove();

 private:
  struct found;
  [[nodiscard]] std::optional<found> examine(std::int64_t number);

  std::unique_ptr<state_files> files_;
  std::uint64_t system_;
  std::int64_t saved_ = 0;  ///< how often, which tells the newer file
  std::string reading_;     ///< the file whose vectors are read
  std::int64_t next_ = 0;   ///< where the next one begins
  std::int64_t end_ = 0;
};

/// Collects the parts of a state.
template <value T> class writing_archive final : public archive<T> {
 public:
  writing_archive(vector_space<T>& space, solver_state& state) : space_(space), state_(state) {}

  using archive<T>::number;
  void vector(const space_vector<T>& x) override {
    std::string bytes(static_cast<std::size_t>(x.size()) * sizeof(T), '\0');
    space_.to_host(x, {reinterpret_cast<T*>(bytes.data()), static_cast<std::size_t>(x.size())});
    const vector_place place = space_.place(x);
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    state_.vectors.push_back({std::move(bytes), place.first * size, place.whole * size});
  }
  void number(double& x) override { put(std::span<const double>(&x, 1)); }
  void numbers(std::vector<T>& x) override { put(std::span<const T>(x)); }

 private:
  template <class U> void put(std::span<const U> part) {
    state_.numbers.append(reinterpret_cast<const char*>(part.data()), part.size_bytes());
  }

  vector_space<T>& space_;
  solver_state& state_;
};

/// Hands the parts of a state out again.
template <value T> class reading_archive final : public archive<T> {
 public:
  reading_archive(vector_space<T>& space, checkpoint& from, std::string_view numbers)
      : space_(space), from_(from), rest_(numbers) {}

  using archive<T>::number;
  void vector(const space_vector<T>& x) override {
    std::vector<T> host(static_cast<std::size_t>(x.size()));
    const vector_place place = space_.place(x);
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    from_.read_vector(place.first * size, place.whole * size,
                      {reinterpret_cast<char*>(host.data()), host.size() * sizeof(T)});
    space_.from_host(host, x);
  }
  void number(double& x) override { get(std::span<double>(&x, 1)); }
  void numbers(std::vector<T>& x) override { get(std::span<T>(x)); }
  /// error(bad_input) where more is there than has been handed out.
  void require_end() const {
    if (!rest_.empty() || !from_.is_at_end())
      throw error(errc::bad_input, "a checkpoint is longer than the state that it should hold; remove it");
  }

 private:
  template <class U> void get(std::span<U> part) {
    if (rest_.size() < part.size_bytes())
      throw error(errc::bad_input, "a checkpoint is shorter than the state that it should hold; remove it");
    std::memcpy(static_cast<void*>(part.data()), rest_.data(), part.size_bytes());
    rest_.remove_prefix(part.size_bytes());
  }

  vector_space<T>& space_;
  checkpoint& from_;
  std::string_view rest_;
};

}  // namespace lacis::solver
