// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the opaque types of lacis.h are, and views with types from those without.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <lacis/any_csr.hpp>
#include <lacis/csr.hpp>
#include <lacis/operator.hpp>
#include <lacis/plan.hpp>
#include <lacis/product_memory.hpp>
#include <lacis/structure.hpp>
#include <lacis/wide_offsets.hpp>

#include "base/parallel.hpp"
#include "c_api/status.hpp"

struct lacis_matrix {
  lacis::any_csr all;
};

struct lacis_plan {
  std::variant<lacis::plan<float, std::int32_t>, lacis::plan<float, std::int64_t>, lacis::plan<double, std::int32_t>,
               lacis::plan<double, std::int64_t>, lacis::plan<std::complex<float>, std::int32_t>,
               lacis::plan<std::complex<float>, std::int64_t>, lacis::plan<std::complex<double>, std::int32_t>,
               lacis::plan<std::complex<double>, std::int64_t>>
      typed;
  std::string layout;
  std::string reason;
};

struct lacis_product_memory {
  lacis::product_memory held;
};

struct lacis_operator {
  template <class T> using of = std::shared_ptr<lacis::linear_operator<T>>;
  std::variant<of<float>, of<double>, of<std::complex<float>>, of<std::complex<double>>> typed;
};

namespace lacis::c_api {

/// The caller's number of threads is a limit: small work takes fewer, by the rule of threads_for_work(). 0 and negative
/// ones stay what they are.
[[nodiscard]] inline int threads_at_most(int threads, std::int64_t work) {
  if (threads <= 1) return threads;
  if (work < detail::parallel_threshold) return 1;
  return static_cast<int>(std::min<std::int64_t>(threads, work / detail::work_per_thread));
}

template <class T>
inline constexpr lacis_type type_of = std::is_same_v<T, float>                 ? LACIS_FLOAT32
                                      : std::is_same_v<T, double>              ? LACIS_FLOAT64
                                      : std::is_same_v<T, std::complex<float>> ? LACIS_COMPLEX64
                                                                               : LACIS_COMPLEX128;

/// f(T{}) with the type that `type` stands for.
template <class F> decltype(auto) with_type(lacis_type type, F&& f) {
  switch (type) {
    case LACIS_FLOAT32:
      return f(float{});
    case LACIS_FLOAT64:
      return f(double{});
    case LACIS_COMPLEX64:
      return f(std::complex<float>{});
    case LACIS_COMPLEX128:
      return f(std::complex<double>{});
  }
  throw error(errc::invalid_argument, detail::text("there is no lacis_type ", static_cast<int>(type)));
}

/// The caller's view, its members checked one by one.
[[nodiscard]] lacis_view checked_view(const lacis_view* given);

/// The arrays as they are stored: of a CSC matrix, the rows of its transpose.
template <class Value, class Index, class Offset> csr_view<Value, Index, Offset> stored_rows(const lacis_view& a) {
  const bool by_rows = a.format == LACIS_CSR;
  const std::int64_t rows = by_rows ? a.rows : a.cols;
  const auto entries = static_cast<std::size_t>(a.nnz);
  return {rows,
          by_rows ? a.cols : a.rows,
          {static_cast<const Offset*>(a.offsets), static_cast<std::size_t>(rows) + 1},
          {static_cast<const Index*>(a.indices), entries},
          {{static_cast<const Value*>(a.values), a.iso != 0 ? 1 : entries}, a.iso != 0}};
}

/// f(csr_view of the arrays as they are stored), with the types that products read.
template <class F> void with_stored_rows(const lacis_view& a, F&& f) {
  with_type(a.type, [&](auto value) {
    using Value = decltype(value);
    if (a.index_bits == 32 && a.offset_bits == 32)
      f(stored_rows<Value, std::int32_t, std::int32_t>(a));
    else if (a.index_bits == 32)
      f(stored_rows<Value, std::int32_t, std::int64_t>(a));
    else if (a.offset_bits == 64)
      f(stored_rows<Value, std::int64_t, std::int64_t>(a));
    else
      f(detail::wide(stored_rows<Value, std::int64_t, std::int32_t>(a)).view());
  });
}

/// f(csr_view with 64-bit offsets); a CSC matrix is transposed for it.
template <class F> void with_csr(const lacis_view& a, F&& f) {
  with_stored_rows(a, [&](const auto& rows) {
    const auto wide = detail::wide(rows);
    if (a.format == LACIS_CSR) {
      f(wide.view());
    } else {
      require_valid(wide);
      const auto by_rows = transpose(wide);
      f(by_rows.view());
    }
  });
}

/// Another operator of the same type, or nullptr where none is given.
template <class T> const linear_operator<T>* same_type(const lacis_operator* other, const char* message) {
  if (other == nullptr) return nullptr;
  const auto* same = std::get_if<lacis_operator::of<T>>(&other->typed);
  require(same != nullptr, message);
  return same->get();
}

/// A new object for the caller.
template <class Object, class... Parts> void give(Object** where, Parts&&... parts) {
  *where = new Object{std::forward<Parts>(parts)...};
}

}  // namespace lacis::c_api
