// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that own their memory, which grows without being copied.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace lacis::detail {

/// Pages of memory. They grow by being moved, never by copying bytes, and never hold more than twice the bytes that
/// were put in (from 64 KiB on), whatever a header declares.
class byte_store {
 public:
  byte_store() = default;
  byte_store(byte_store&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  byte_store& operator=(byte_store other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~byte_store();

  /// So many bytes, which the caller fills. Throws error(out_of_memory).
  [[nodiscard]] static byte_store of_size(std::size_t size);

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }
  [[nodiscard]] std::span<char> bytes() { return {data_, size_}; }

  /// Free space behind the bytes, at least 64 KiB; what is written there counts once grow() is told.
  /// Throws error(out_of_memory).
  [[nodiscard]] std::span<char> room();
  void grow(std::size_t bytes) { size_ += bytes; }
  void append(std::string_view bytes);

 private:
  void reserve(std::size_t capacity);

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace lacis::detail
