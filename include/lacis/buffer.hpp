// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// An owning array of numbers: uninitialised when made, on huge pages when large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lacis/export.hpp>

namespace lacis {

template <class T> class buffer;

namespace detail {
/// 64-byte aligned; from 2 MiB on aligned to 2 MiB and advised to use huge pages. Throws error(out_of_memory).
LACIS_API void* allocate_array(std::int64_t count, std::size_t element_size);
LACIS_API void release_array(void* data, std::int64_t count, std::size_t element_size) noexcept;
/// A buffer that owns an array of `size` elements which allocate_array gave.
template <class T> [[nodiscard]] buffer<T> adopt_array(T* data, std::int64_t size) noexcept;
template <class T> [[nodiscard]] std::span<const T> span_of(const buffer<T>& all) noexcept;

/// What an array that allocate_array did not give goes back with.
struct array_owner {
  virtual ~array_owner() = default;
};
template <class T> struct vector_owner final : array_owner {
  explicit vector_owner(std::vector<T>&& all) : elements(std::move(all)) {}
  std::vector<T> elements;
};
}  // namespace detail

/// A fixed number of trivially copyable elements. `buffer<T>(n)` leaves them uninitialised, so that the threads that
/// fill the array are the first to touch its pages; `buffer<T>(n, value)` and copies are filled by the caller's thread.
/// Threads may share one as they may share a std::vector: all may read, or each writes elements of its own.
template <class T> class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a buffer holds numbers, not objects");

 public:
  /// Type of the elements.
  using value_type = T;

  /// No elements; allocates nothing.
  buffer() = default;
  /// `size` elements, uninitialised. Throws error(out_of_memory).
  explicit buffer(std::int64_t size)
      : data_(size == 0 ? nullptr : static_cast<T*>(detail::allocate_array(size, sizeof(T)))), size_(size) {}
  /// `size` elements that equal `value`. Throws error(out_of_memory).
  buffer(std::int64_t size, T value) : buffer(size) {
    for (T& element : *this) element = value;
  }
  /// A copy of the elements. Throws error(out_of_memory).
  explicit buffer(std::span<const T> source) : buffer(static_cast<std::int64_t>(source.size())) {
    if (size_ != 0) std::memcpy(static_cast<void*>(data_), source.data(), source.size_bytes());
  }
  /// Takes a vector over, without a copy.
  buffer(std::vector<T>&& source) {
    auto* const owner = new detail::vector_owner<T>(std::move(source));
    data_ = owner->elements.data();
    size_ = static_cast<std::int64_t>(owner->elements.size());
    owner_ = owner;
  }
  /// A copy of the elements. Throws error(out_of_memory).
  buffer(const buffer& other) : buffer(std::span<const T>(other)) {}
  /// Takes the array over; `other` is empty afterwards.
  buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        owner_(std::exchange(other.owner_, nullptr)) {}
  /// Takes the array of `other`, which is a copy unless it was moved in.
  buffer& operator=(buffer other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  /// Frees the array, or the vector that was taken over.
  ~buffer() {
    if (owner_ != nullptr)
      delete owner_;
    else if (data_ != nullptr)
      detail::release_array(data_, size_, sizeof(T));
  }

  /// The number of elements.
  [[nodiscard]] std::int64_t size() const noexcept { return size_; }
  /// Whether there are none.
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// The first element, 64-byte aligned unless a vector was taken over; null where there was nothing to allocate.
  [[nodiscard]] T* data() noexcept { return data_; }
  /// The same to be read.
  [[nodiscard]] const T* data() const noexcept { return data_; }
  /// The first element.
  [[nodiscard]] T* begin() noexcept { return data_; }
  /// Behind the last element.
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  /// The first element, to be read.
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  /// Behind the last element, to be read.
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  /// Element i, from 0 to size() - 1; not checked.
  [[nodiscard]] T& operator[](std::int64_t i) noexcept { return data_[i]; }
  /// The same to be read.
  [[nodiscard]] const T& operator[](std::int64_t i) const noexcept { return data_[i]; }

  /// Whether all elements are equal, compared one after the other.
  [[nodiscard]] friend bool operator==(const buffer& a, const buffer& b) {
    if (a.size_ != b.size_) return false;
    for (std::int64_t i = 0; i < a.size_; ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }

  /// All elements, to be read; valid while the buffer keeps its array.
  operator std::span<const T>() const noexcept { return std::span<const T>(data(), static_cast<std::size_t>(size_)); }
  /// All elements, to be written; valid while the buffer keeps its array.
  operator std::span<T>() noexcept { return std::span<T>(data_, static_cast<std::size_t>(size_)); }

 private:
  friend buffer detail::adopt_array<T>(T* data, std::int64_t size) noexcept;

  T* data_ = nullptr;
  std::int64_t size_ = 0;
  detail::array_owner* owner_ = nullptr;  // of an array that was taken over
};

/// The conversion of a buffer to a span, without a choice between it and the constructors of a span, which takes a
/// compiler ten times as long.
template <class T> [[nodiscard]] std::span<const T> detail::span_of(const buffer<T>& all) noexcept {
  return std::span<const T>(all.data(), static_cast<std::size_t>(all.size()));
}
template <class T> buffer<T> detail::adopt_array(T* data, std::int64_t size) noexcept {
  buffer<T> all;
  all.data_ = data;
  all.size_ = size;
  return all;
}

}  // namespace lacis
