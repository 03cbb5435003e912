// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The state of a solver on disk: two files that take turns, so that one is always whole.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "solve/iteration.hpp"

namespace lacis::solver {

/// A directory of states of one system. What is in it of another system, of another version or torn is not used.
class checkpoint {
 public:
  /// `system` tells systems apart. Makes the directory; throws error(io) where it cannot.
  checkpoint(const std::filesystem::path& directory, std::uint64_t system);

  struct state {
    std::int64_t iteration = 0;
    std::vector<double> history;
    std::string bytes;
  };
  /// The newest whole state of the system.
  [[nodiscard]] std::optional<state> newest();
  /// On disk when it returns.
  void save(const state& now);
  /// The system is solved: what is kept is of no use any more.
  void remove();

 private:
  [[nodiscard]] std::filesystem::path file(std::int64_t number) const;
  [[nodiscard]] std::optional<state> read(std::int64_t number, std::int64_t& saved) const;

  std::filesystem::path directory_;
  std::uint64_t system_;
  std::int64_t saved_ = 0;  ///< how often, which tells the newer file
};

/// Collects the parts of a state.
template <value T> class writing_archive final : public archive<T> {
 public:
  explicit writing_archive(vector_space<T>& space) : space_(space) {}

  using archive<T>::number;
  void vector(const space_vector<T>& x) override {
    std::vector<T> host(static_cast<std::size_t>(x.size()));
    space_.to_host(x, host);
    put(std::span<const T>(host));
  }
  void number(double& x) override { put(std::span<const double>(&x, 1)); }
  void numbers(std::vector<T>& x) override { put(std::span<const T>(x)); }

  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  template <class U> void put(std::span<const U> part) {
    bytes_.append(reinterpret_cast<const char*>(part.data()), part.size_bytes());
  }

  vector_space<T>& space_;
  std::string bytes_;
};

/// Hands the parts of a state out again.
template <value T> class reading_archive final : public archive<T> {
 public:
  reading_archive(vector_space<T>& space, std::string_view bytes) : space_(space), rest_(bytes) {}

  using archive<T>::number;
  void vector(const space_vector<T>& x) override {
    std::vector<T> host(static_cast<std::size_t>(x.size()));
    get(std::span<T>(host));
    space_.from_host(host, x);
  }
  void number(double& x) override { get(std::span<double>(&x, 1)); }
  void numbers(std::vector<T>& x) override { get(std::span<T>(x)); }

 private:
  template <class U> void get(std::span<U> part) {
    if (rest_.size() < part.size_bytes())
      throw error(errc::bad_input, "a checkpoint is shorter than the state that it should hold; remove it");
    std::memcpy(static_cast<void*>(part.data()), rest_.data(), part.size_bytes());
    rest_.remove_prefix(part.size_bytes());
  }

  vector_space<T>& space_;
  std::string_view rest_;
};

}  // namespace lacis::solver
