// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that own their memory: a mapped file, or memory that grows without being copied.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace lacis::detail {

/// Either a file mapped read-only or pages of memory. Memory grows by moving pages, never by copying bytes, and never
/// holds more than twice the bytes that were put in (from 64 KiB on), whatever a header declares.
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

  /// The first `size` bytes of an open regular file; empty when the file cannot be mapped.
  [[nodiscard]] static byte_store map_file(int descriptor, std::size_t size);

  [[nodiscard]] std::string_view text() const { return {data_, size_}; }

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
