// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in the memory of a device, and the operations on them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lacis/device_context.hpp>
#include <lacis/export.hpp>
#include <lacis/types.hpp>

namespace lacis {

namespace detail {
/// Zeros, freed when the last owner goes.
[[nodiscard]] LACIS_API std::shared_ptr<void> device_zeros(const device_context& where, std::int64_t size,
                                                           std::size_t element_size);
LACIS_API void copy_to_device(void* to, const void* from, std::int64_t bytes, const device_stream& s);
LACIS_API void copy_to_host(void* to, const void* from, std::int64_t bytes, const device_stream& s);
/// Throws error(invalid_argument) when a host array does not have the elements of the vector.
LACIS_API void require_elements(std::int64_t has, std::int64_t needs);
}  // namespace detail

/// A fixed number of elements on a device. Moved, not copied. Threads may share one while none of them, nor work that
/// is still in a stream, writes it.
template <value T> class device_vector {
 public:
  /// Type of the elements.
  using value_type = T;

  /// So many zeros.
  device_vector(const device_context& where, std::int64_t size)
      : where_(where), memory_(detail::device_zeros(where, size, sizeof(T))), size_(size) {}
  /// A copy of host memory, complete when the constructor returns.
  device_vector(const device_context& where, std::span<const T> host)
      : device_vector(where, static_cast<std::int64_t>(host.size())) {
    from_host(host);
  }
  /// Takes the elements over; `other` has none afterwards.
  device_vector(device_vector&& other) noexcept
      : where_(other.where_), memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  /// Exchanges the elements of both.
  device_vector& operator=(device_vector&& other) noexcept {
    std::swap(where_, other.where_);
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }

  /// The number of elements.
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// On the device, null without elements. Not data(): what takes host memory must not take this for it.
  [[nodiscard]] T* address() { return static_cast<T*>(memory_.get()); }
  /// The same to be read.
  [[nodiscard]] const T* address() const { return static_cast<const T*>(memory_.get()); }
  /// The device that holds the elements.
  [[nodiscard]] const device_context& context() const { return where_; }

  /// Copies all elements in the order of the stream, and waits for that.
  void from_host(std::span<const T> host, const device_stream& s) {
    detail::require_elements(static_cast<std::int64_t>(host.size()), size_);
    detail::copy_to_device(memory_.get(), host.data(), static_cast<std::int64_t>(host.size_bytes()), s);
  }
  /// The same in the null stream.
  void from_host(std::span<const T> host) { from_host(host, device_stream::null(where_)); }
  /// A copy of all elements in the order of the stream, complete on return.
  [[nodiscard]] std::vector<T> to_host(const device_stream& s) const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    detail::copy_to_host(host.data(), memory_.get(), size_ * static_cast<std::int64_t>(sizeof(T)), s);
    return host;
  }
  /// In the null stream: wait for other streams first.
  [[nodiscard]] std::vector<T> to_host() const { return to_host(device_stream::null(where_)); }

 private:
  device_context where_;
  std::shared_ptr<void> memory_;
  std::int64_t size_ = 0;
};

namespace detail {
template <class T> LACIS_API T dot(const device_vector<T>& x, const device_vector<T>& y, const device_stream& s);
template <class T> LACIS_API T dotc(const device_vector<T>& x, const device_vector<T>& y, const device_stream& s);
template <class T> LACIS_API real_of<T> norm(const device_vector<T>& x, const device_stream& s);
template <class T>
LACIS_API void axpby(T alpha, const device_vector<T>& x, T beta, device_vector<T>& y, const device_stream& s);
template <class T> LACIS_API void scale(T alpha, device_vector<T>& x, const device_stream& s);
}  // namespace detail

// As in vector.hpp, with the same bits. The vectors and the stream are on one device; x and y have one type and as many
// elements, otherwise error(invalid_argument). Sums wait for their result; the stream keeps the memory that they need,
// so it grows once. Updates return at once.

/// x^T y.
template <value T> [[nodiscard]] T dot(const device_vector<T>& x, const device_vector<T>& y, const device_stream& s) {
  return detail::dot(x, y, s);
}
/// The same in the null stream.
template <value T> [[nodiscard]] T dot(const device_vector<T>& x, const device_vector<T>& y) {
  return detail::dot(x, y, device_stream::null(x.context()));
}

/// x^H y.
template <value T> [[nodiscard]] T dotc(const device_vector<T>& x, const device_vector<T>& y, const device_stream& s) {
  return detail::dotc(x, y, s);
}
/// The same in the null stream.
template <value T> [[nodiscard]] T dotc(const device_vector<T>& x, const device_vector<T>& y) {
  return detail::dotc(x, y, device_stream::null(x.context()));
}

/// The 2-norm.
template <value T> [[nodiscard]] real_of<T> norm(const device_vector<T>& x, const device_stream& s) {
  return detail::norm(x, s);
}
/// The same in the null stream.
template <value T> [[nodiscard]] real_of<T> norm(const device_vector<T>& x) {
  return detail::norm(x, device_stream::null(x.context()));
}

/// y = alpha x + beta y. x and y are two vectors: one vector twice is error(invalid_argument), see scale.
template <value T>
void axpby(std::type_identity_t<T> alpha, const device_vector<T>& x, std::type_identity_t<T> beta, device_vector<T>& y,
           const device_stream& s) {
  detail::axpby(alpha, x, beta, y, s);
}
/// The same in the null stream.
template <value T>
void axpby(std::type_identity_t<T> alpha, const device_vector<T>& x, std::type_identity_t<T> beta,
           device_vector<T>& y) {
  detail::axpby(alpha, x, beta, y, device_stream::null(y.context()));
}

/// y = alpha x + y.
template <value T>
void axpy(std::type_identity_t<T> alpha, const device_vector<T>& x, device_vector<T>& y, const device_stream& s) {
  detail::axpby(alpha, x, T(1), y, s);
}
/// The same in the null stream.
template <value T> void axpy(std::type_identity_t<T> alpha, const device_vector<T>& x, device_vector<T>& y) {
  detail::axpby(alpha, x, T(1), y, device_stream::null(y.context()));
}

/// x = alpha x.
template <value T> void scale(std::type_identity_t<T> alpha, device_vector<T>& x, const device_stream& s) {
  detail::scale(alpha, x, s);
}
/// The same in the null stream.
template <value T> void scale(std::type_identity_t<T> alpha, device_vector<T>& x) {
  detail::scale(alpha, x, device_stream::null(x.context()));
}

}  // namespace lacis
