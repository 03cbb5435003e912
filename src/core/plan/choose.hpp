// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Choosing a layout and making it.
#pragma once

#include <string>

#include "plan/cost.hpp"
#include "plan/layout.hpp"

namespace lacis::detail {

/// A layout, how it was chosen and why.
template <class Value, class Index> struct chosen_layout {
  layout<Value, Index> made;
  plan_report report;
  std::string reason;
};

/// The layout for a matrix with canonical rows, or with rows in the order of their sums (`sorted` is false). Throws
/// error(out_of_memory) when nothing fits the options' limit, of which `held` bytes are taken already. `borrows`: csr
/// may refer to the columns and values of `a`.
template <class Value, class Index>
[[nodiscard]] chosen_layout<Value, Index> choose_layout(const csr_view<Value, Index>& a, const plan_options& options,
                                                        isa set, bool sorted, std::int64_t held, bool borrows);

/// The form in which a plan keeps values.
template <class Value> [[nodiscard]] cpu::value_form form_for(values_view<Value> values, const plan_options& options);

/// What remembers the matrix of a tuned plan: its sizes and a sample of its pattern.
template <class Value, class Index> [[nodiscard]] std::uint64_t fingerprint(const csr_view<Value, Index>& a);

/// The layout that a file remembers, by name; empty when it does not.
[[nodiscard]] std::string remembered(const std::string& file, const std::string& key);
/// Adds a line to the file; a file that cannot be written is left alone.
void remember(const std::string& file, const std::string& key, const std::string& layout);

/// Seconds of one product with a layout, the least of a few.
template <class Value, class Index>
[[nodiscard]] double seconds_of(const layout<Value, Index>& l, const plan_options& options, isa set);

/// Every layout that makes sense for the matrix, csr first.
[[nodiscard]] std::vector<costed_layout> candidates_for(const layout_models& models, const costing& c);
/// Why a candidate was chosen, in plain words.
[[nodiscard]] std::string reason_for(const layout_models& models, const features& f,
                                     const std::vector<costed_layout>& all, std::size_t chosen,
                                     const plan_options& options);

}  // namespace lacis::detail
