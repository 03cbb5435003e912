// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversion between any two formats.
#pragma once

#include <type_traits>

#include <lacis/bsr.hpp>
#include <lacis/coo.hpp>
#include <lacis/csc.hpp>
#include <lacis/csr.hpp>
#include <lacis/dia.hpp>
#include <lacis/ell.hpp>
#include <lacis/export.hpp>
#include <lacis/format.hpp>
#include <lacis/hyb.hpp>
#include <lacis/jds.hpp>
#include <lacis/sell.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

namespace detail {

// One pair of functions per format; src/core/formats has one file for each.
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const coo_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const csr_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const csc_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const ell_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const hyb_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const jds_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const sell_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const bsr_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> to_csr(const dia_view<Value, Index>& a);

template <class Value, class Index>
LACIS_API coo_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                            std::type_identity<coo_matrix<Value, Index>>);
template <class Value, class Index>
LACIS_API csc_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                            std::type_identity<csc_matrix<Value, Index>>);
template <class Value, class Index>
LACIS_API ell_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                            std::type_identity<ell_matrix<Value, Index>>);
template <class Value, class Index>
LACIS_API hyb_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                            std::type_identity<hyb_matrix<Value, Index>>);
template <class Value, class Index>
LACIS_API jds_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                            std::type_identity<jds_matrix<Value, Index>>);
template <class Value, class Index>
LACIS_API sell_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                             std::type_identity<sell_matrix<Value, Index>>);
template <class Value, class Index>
LACIS_API bsr_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                            std::type_identity<bsr_matrix<Value, Index>>);
template <class Value, class Index>
LACIS_API dia_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options& options,
                                            std::type_identity<dia_matrix<Value, Index>>);

template <class T> inline constexpr bool is_csr = false;
template <value Value, index Index> inline constexpr bool is_csr<csr_matrix<Value, Index>> = true;
template <value Value, index Index, index Offset> inline constexpr bool is_csr<csr_view<Value, Index, Offset>> = true;
/// Formats that convert_options shape: converting one to itself may change it.
template <class T> inline constexpr bool has_options = false;
template <value Value, index Index> inline constexpr bool has_options<sell_matrix<Value, Index>> = true;
template <value Value, index Index> inline constexpr bool has_options<bsr_matrix<Value, Index>> = true;

}  // namespace detail

/// The same matrix in another format: `convert<sell_matrix<double>>(a)`. Every stored entry is kept, explicit zeros and
/// the bits of every value included; an iso matrix stays iso. Between formats that keep the order of a row (COO grouped
/// by row, CSR, ELL, HYB, JDS, SELL) rows may be unsorted and hold duplicates, and keep them. CSC sorts rows by column
/// and keeps duplicates in their order. BSR and DIA have one slot for each place, so they need canonical rows and
/// refuse others. Value and index types do not change here: see cast_values and cast_indices in structure.hpp.
template <class To, class From> [[nodiscard]] To convert(const From& from, const convert_options& options = {}) {
  if constexpr (std::is_same_v<To, From> && !detail::has_options<To>) {
    return from;
  } else if constexpr (detail::is_csr<From> && !detail::is_csr<To>) {
    return detail::from_csr(detail::wide(from).view(), options, std::type_identity<To>{});
  } else if constexpr (detail::is_csr<To>) {
    return detail::to_csr(detail::wide(from).view());
  } else {
    const auto rows = detail::to_csr(detail::wide(from).view());
    return detail::from_csr(rows.view(), options, std::type_identity<To>{});
  }
}

}  // namespace lacis
