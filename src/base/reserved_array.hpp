// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// An array whose size is known when it is full: address space for the most it may take, cut to what it took.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>

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
      small_ = buffer<T>(most);
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
  }

  [[nodiscard]] T* data() { return pages_.data != nullptr ? static_cast<T*>(pages_.data) : small_.data(); }

  /// The first `size` elements; the array is empty afterwards.
  [[nodiscard]] buffer<T> finish(std::int64_t size) {
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T);
    if (pages_.data != nullptr && has_own_pages(bytes)) {
      const page_range all = std::exchange(pages_, {});
      trim_pages(all, bytes);
      return buffer<T>::adopt(static_cast<T*>(all.data), size);
    }
    return buffer<T>(std::span<const T>(data(), static_cast<std::size_t>(size)));
  }

 private:
  buffer<T> small_;
  page_range pages_;
};

}  // namespace lacis::detail
