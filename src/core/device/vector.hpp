// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors on a device: updates, dot products and norms in the canonical order, and the texts' reductions.
#pragma once

#include <cstdint>

#include <lacis/device_vector.hpp>

#include "base/internal.hpp"
#include "device/runtime.hpp"

namespace lacis::device {

/// y = alpha x + beta y, with the bits of summation::axpby; what is multiplied by 0 is not read.
template <class Value>
LACIS_INTERNAL void axpby(runtime& device, std::int64_t count, Value alpha, const device_of<Value>* x, Value beta,
                          device_of<Value>* y);

/// Sums over vectors of up to `most` elements, with the bits of summation::dot, dotc and norm. Holds the sums of
/// blocks, so one stream uses it at a time.
template <class Value> class LACIS_INTERNAL vector_sums {
 public:
  using number = device_of<Value>;
  using real = real_of<Value>;

  vector_sums(runtime& device, std::int64_t most);
  [[nodiscard]] std::int64_t most() const { return most_; }

  [[nodiscard]] Value dot(std::int64_t count, const number* x, const number* y);   ///< x^T y
  [[nodiscard]] Value dotc(std::int64_t count, const number* x, const number* y);  ///< x^H y
  [[nodiscard]] real norm(std::int64_t count, const number* x);                    ///< of the whole vector, rescued
  /// The largest |re| or |im|, numbers before NaN; 0 without elements.
  [[nodiscard]] real largest(std::int64_t count, const number* x);

 private:
  template <class Kernel> Value sum_of_products(std::int64_t count, const number* x, const number* y);
  template <class T> T joined(std::int64_t blocks, const device_array<T>& sums, const device_array<T>& nodes);
  void require_room(std::int64_t count) const;

  runtime* device_;
  std::int64_t most_;
  device_array<number> sums_;
  device_array<number> nodes_;
  device_array<real> squares_;
  device_array<real> square_nodes_;
};

/// The sum of the elements and the dot product as the texts reduce, in no certain order: exact on integers only.
template <class Value>
[[nodiscard]] LACIS_INTERNAL Value plus_reduce(runtime& device, std::int64_t count, const device_of<Value>* x);
template <class Value>
[[nodiscard]] LACIS_INTERNAL Value dot_atomic(runtime& device, std::int64_t count, const device_of<Value>* x,
                                              const device_of<Value>* y);
template <class Value>
[[nodiscard]] LACIS_INTERNAL Value shuffle_reduce(runtime& device, std::int64_t count, const device_of<Value>* x);
/// Of integers; a sum that leaves Number wraps.
template <class Number>
[[nodiscard]] LACIS_INTERNAL Number plus_reduce_whole(runtime& device, std::int64_t count, const Number* x);

}  // namespace lacis::device

namespace lacis::detail {

/// The largest |re| or |im| of x, numbers before NaN; waits for it.
template <class T> [[nodiscard]] real_of<T> largest(const device_vector<T>& x, const device_stream& s);

}  // namespace lacis::detail
