// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Pointers that know where their array ends: every access of a kernel under the host executor is checked.
#pragma once

#include <type_traits>

#include "team/memory.hpp"

namespace lacis::simt {

/// What a pointer does not decide by itself: an index outside of the array ends the running kernel with a fault, any
/// other is an access of a traced launch.
struct undecided_access {
  const void* array;
  int64_t size;
  int element_bytes;
  bool input;
};
void decide_access(undecided_access access, int64_t index, call_site site);

/// In a traced launch the limit is 0, so that every access is decided elsewhere and other launches pay nothing for it.
template <class T> class checked_pointer {
 public:
  checked_pointer() = default;
  checked_pointer(T* data, int64_t size, bool traced = false) : data_(data), limit_(traced ? 0 : size), size_(size) {}

  T& operator[](placed_index index) const {
    if (static_cast<uint64_t>(index.value) >= static_cast<uint64_t>(limit_)) [[unlikely]]
      decide_access({data_, size_, static_cast<int>(sizeof(T)), std::is_const_v<T>}, index.value, index.site);
    return data_[index.value];
  }

 private:
  T* data_ = nullptr;
  int64_t limit_ = 0;
  int64_t size_ = 0;
};

struct host_memory {
  template <class T> using in = checked_pointer<const T>;
  template <class T> using out = checked_pointer<T>;
};

}  // namespace lacis::simt
