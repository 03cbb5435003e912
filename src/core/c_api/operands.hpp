// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors and dense columns of products, with types from those without.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <lacis/dense.hpp>
#include <lacis/types.hpp>

#include "c_api/objects.hpp"

namespace lacis::c_api {

/// The number that `given` points to, or the default.
template <class T> T number(const void* given, int otherwise) {
  return given == nullptr ? static_cast<T>(static_cast<real_of<T>>(otherwise)) : *static_cast<const T*>(given);
}

inline lacis_product_options checked_options(const lacis_product_options* given) {
  const lacis_product_options all = read_struct(given, "lacis_product_options");
  require(all.transpose >= 0 && all.transpose <= 2, "transpose of lacis_product_options is 0, 1 or 2");
  require(all.threads >= 0, "threads of lacis_product_options is not negative");
  return all;
}

/// A function that gives f(x, y) the vectors of a product with a matrix of rows x cols, whose values have the type of
/// its first argument.
inline auto vectors(lacis_type x_type, const void* x, void* y) {
  return [=](auto value, std::int64_t rows, std::int64_t cols, auto&& f) {
    require(x != nullptr || cols == 0, "x is NULL");
    require(y != nullptr || rows == 0, "y is NULL");
    with_type(x_type, [&](auto element) {
      using X = decltype(element);
      using Y = product_of<decltype(value), X>;
      f(std::span(static_cast<const X*>(x), static_cast<std::size_t>(cols)),
        std::span(static_cast<Y*>(y), static_cast<std::size_t>(rows)));
    });
  };
}

/// The same with dense columns.
inline auto columns(const lacis_dense* x, const lacis_dense* y) {
  const lacis_dense from = read_struct(&required(x, "X"), "lacis_dense");
  const lacis_dense to = read_struct(&required(y, "Y"), "lacis_dense");
  require(from.data != nullptr || from.rows == 0 || from.cols == 0, "the data of X is NULL");
  require(to.data != nullptr || to.rows == 0 || to.cols == 0, "the data of Y is NULL");
  require(from.rows >= 0 && from.cols >= 0 && to.rows >= 0 && to.cols >= 0, "the sizes of X and Y are not negative");
  return [=](auto value, std::int64_t, std::int64_t, auto&& f) {
    with_type(from.type, [&](auto element) {
      using X = decltype(element);
      using Y = product_of<decltype(value), X>;
      require(to.type == type_of<Y>, "Y has the product type of A and X: lacis_product_type()");
      f(dense_view<const X>{static_cast<const X*>(from.data), from.rows, from.cols, from.row_stride, from.col_stride},
        dense_view<Y>{static_cast<Y*>(to.data), to.rows, to.cols, to.row_stride, to.col_stride});
    });
  };
}

/// A vector of the caller; `name` is for the message where it is missing.
template <class T, class Void> auto vector_at(Void* data, std::int64_t size, const char* name) {
  using Element = std::conditional_t<std::is_const_v<Void>, const T, T>;
  if (data == nullptr && size != 0) throw error(errc::invalid_argument, detail::text(name, " is NULL"));
  return std::span<Element>(static_cast<Element*>(data), static_cast<std::size_t>(size));
}

}  // namespace lacis::c_api
