// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How far the entries of a matrix are from its diagonal: what decides in which order rows of several products may come.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace lacis::detail {

/// A row that a layout keeps apart from the others, and where.
struct row_apart {
  std::int64_t row = 0;
  std::int64_t place = 0;
};

/// Which ranges of rows a layout computes by themselves, and which others their entries refer to.
struct row_reach {
  std::int64_t step = 1;         ///< ranges begin at its multiples and end there or with the matrix
  std::int64_t slice = 1;        ///< those that begin and end at its multiples are the fastest
  std::int64_t band = 0;         ///< no entry is farther from the diagonal
  std::int64_t period = 0;       ///< rows of a plane, where entries are in the plane of their row or beside; 0: no grid
  std::int64_t in_plane = 0;     ///< no entry is farther from the place of its row in the plane
  std::vector<row_apart> apart;  ///< rows that a range computes one by one, ascending
  std::string_view obstacle;     ///< why ranges of rows are not computed by themselves; empty: they are
};

/// Something that is computed when it is first asked for. Several threads may ask; copies begin without.
template <class T> class made_once {
 public:
  made_once() = default;
  made_once(const made_once&) {}
  made_once& operator=(const made_once&) = delete;
  ~made_once() { delete held_.load(); }

  template <class Make> [[nodiscard]] const T& get(Make&& make) const {
    if (const T* const held = held_.load(std::memory_order_acquire)) return *held;
    auto made = std::make_unique<const T>(make());
    const T* expected = nullptr;
    if (held_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
    return *expected;
  }
  /// What was made, or nullptr.
  [[nodiscard]] const T* made() const { return held_.load(std::memory_order_acquire); }
  /// For those who change what it was made of; no other thread may ask meanwhile.
  void forget() { delete held_.exchange(nullptr); }

 private:
  mutable std::atomic<const T*> held_ = nullptr;
};

}  // namespace lacis::detail
