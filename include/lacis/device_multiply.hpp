// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with the plan of a device, of vectors and dense columns that are there too.
#pragma once

#include <cstdint>
#include <type_traits>

#include <lacis/dense.hpp>
#include <lacis/device_context.hpp>
#include <lacis/device_vector.hpp>
#include <lacis/export.hpp>
#include <lacis/plan.hpp>

namespace lacis {

namespace detail {
template <class T, class Index>
LACIS_API void multiply(T alpha, const plan<T, Index>& p, side which, const device_vector<T>& x, T beta,
                        device_vector<T>& y, const device_stream& s);
template <class T, class Index>
LACIS_API void multiply(T alpha, const plan<T, Index>& p, side which, const T* x, T beta, T* y, const device_stream& s);
template <class T, class Index>
LACIS_API void multiply(T alpha, const plan<T, Index>& p, side which, const dense_view<const T>& x, T beta,
                        const dense_view<T>& y, const device_stream& s);

template <class T> struct device_operand {
  using type = void;
};
template <class T> struct device_operand<device_vector<T>> {
  using type = T;
};
template <class T> struct device_operand<T*> {
  using type = std::remove_const_t<T>;
};
template <class T> struct device_operand<dense_view<T>> {
  using type = std::remove_const_t<T>;
};
/// The type of the elements, void for what is not an operand on a device.
template <class X> using device_element = typename device_operand<std::remove_cvref_t<X>>::type;
}  // namespace detail

/// What a product on a device takes: a device_vector, a pointer to device memory, or a dense_view of it.
template <class X>
concept device_range = !std::is_void_v<detail::device_element<X>>;

/// y = alpha A x + beta y, or Y = alpha A X + beta Y, in the order of the stream: the call allocates nothing and does
/// not wait. The bits and the rules of scaling are those of multiply(alpha, A, x, beta, y). x and y are two
/// device_vectors; two pointers to as many elements as the matrix has columns and rows, each aligned to its size; or
/// two dense_views of device memory with at most plan_options.columns columns. They do not overlap, have the type of
/// the matrix, and are on its device, as the stream is. For the other sides give transposed(plan) or
/// conjugate_transposed(plan).
/// Throws error(invalid_argument) for sizes, devices or numbers of columns that do not fit; what fails on the device
/// later is thrown by device_stream::wait().
template <value Value, index Index, device_range X, device_range Y>
void multiply(std::type_identity_t<Value> alpha, const plan_side<Value, Index>& p, const X& x,
              std::type_identity_t<Value> beta, Y&& y, const device_stream& s) {
  static_assert(std::is_same_v<detail::device_element<X>, Value> && std::is_same_v<detail::device_element<Y>, Value>,
                "on a device the elements of A, x and y have one type; cast_values() changes the type of a matrix");
  if constexpr (detail::is_dense_view<X>)
    detail::multiply<Value, Index>(alpha, p.plan, p.side, dense_view<const Value>(x), beta, y, s);
  else
    detail::multiply<Value, Index>(alpha, p.plan, p.side, x, beta, y, s);
}
/// The same for the plan's own matrix.
template <value Value, index Index, device_range X, device_range Y>
void multiply(std::type_identity_t<Value> alpha, const plan<Value, Index>& p, const X& x,
              std::type_identity_t<Value> beta, Y&& y, const device_stream& s) {
  multiply(alpha, plan_side<Value, Index>{p, side::plain}, x, beta, y, s);
}

/// y = A x.
template <value Value, index Index, device_range X, device_range Y>
void multiply(const plan_side<Value, Index>& p, const X& x, Y&& y, const device_stream& s) {
  multiply(Value(1), p, x, Value(0), y, s);
}
/// The same for the plan's own matrix.
template <value Value, index Index, device_range X, device_range Y>
void multiply(const plan<Value, Index>& p, const X& x, Y&& y, const device_stream& s) {
  multiply(Value(1), plan_side<Value, Index>{p, side::plain}, x, Value(0), y, s);
}

/// y = A x in the null stream of the device.
template <value Value, index Index>
void multiply(const plan_side<Value, Index>& p, const device_vector<Value>& x, device_vector<Value>& y) {
  multiply(Value(1), p, x, Value(0), y, device_stream::null(y.context()));
}
/// The same for the plan's own matrix.
template <value Value, index Index>
void multiply(const plan<Value, Index>& p, const device_vector<Value>& x, device_vector<Value>& y) {
  multiply(plan_side<Value, Index>{p, side::plain}, x, y);
}

}  // namespace lacis
