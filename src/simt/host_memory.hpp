// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Pointers that know where their array ends: every access of a kernel under the host executor is checked.
#pragma once

#include "simt/memory.hpp"

namespace lacis::simt {

template <class T> class checked_pointer {
 public:
  checked_pointer() = default;
  checked_pointer(T* data, int64_t size) : data_(data), size_(size) {}

  T& operator[](placed_index index) const {
    if (static_cast<uint64_t>(index.value) >= static_cast<uint64_t>(size_))
      out_of_bounds("an array", index.value, size_, index.site);
    return data_[index.value];
  }

 private:
  T* data_ = nullptr;
  int64_t size_ = 0;
};

struct host_memory {
  template <class T> using in = checked_pointer<const T>;
  template <class T> using out = checked_pointer<T>;
};

}  // namespace lacis::simt
