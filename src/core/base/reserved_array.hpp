// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// An array whose size is known when it is full: address space for the most it may take, cut to what it took.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

#include "base/blocks.hpp"
#include "base/checked.hpp"
#include "base/pages.hpp"

namespace lacis::detail {

template <class T> class reserved_array {
 public:
  /// Of the pages that wait to be recycled it takes at most that share: another array may grow beside it.
  explicit reserved_array(std::int64_t most, double share_of_recycled = 1) {
    const auto bytes =
        static_cast<std::size_t>(checked_multiply(most, static_cast<std::int64_t>(sizeof(T)), "the bytes of an array"));
    if (!has_own_pages(bytes)) {
      small_size_ = most;
      small_ = static_cast<T*>(allocate_array(most, sizeof(T)));
      return;
    }
    pages_ = reserve_pages(bytes, share_of_recycled);
    if (pages_.data == nullptr)
      throw error(errc::out_of_memory,
                  text("no address space for up to ", most, " elements (", bytes, " bytes); see ulimit -v"));
  }
  reserved_array(const reserved_array&) = delete;
  reserved_array& operator=(const reserved_array&) = delete;
  ~reserved_array() {
    if (pages_.data != nullptr) trim_pages(pages_, 0);
    if (small_ != nullptr) release_array(small_, small_size_, sizeof(T));
  }

  [[nodiscard]] T* data() { return pages_.data != nullptr ? static_cast<T*>(pages_.data) : small_; }

  /// The first `size` elements; the array is empty afterwards.
  [[nodiscard]] buffer<T> finish(std::int64_t size) {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    if (pages_.data != nullptr && has_own_pages(bytes)) {
      const page_range all = std::exchange(pages_, {});
      trim_pages(all, bytes);
      return detail::adopt_array(static_cast<T*>(all.data), size);
    }
    const std::size_t reserved = static_cast<std::size_t>(small_size_) * sizeof(T);
    if (small_ != nullptr && bytes >= reserved / 2 && takes_as_much(bytes, reserved))
      return detail::adopt_array(std::exchange(small_, nullptr), size);
    return buffer<T>(std::span<const T>(data(), static_cast<std::size_t>(size)));
  }

 private:
  T* small_ = nullptr;
  std::int64_t small_size_ = 0;
  page_range pages_;
};

}  // namespace lacis::detail
