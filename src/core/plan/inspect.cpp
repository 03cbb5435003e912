// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From a matrix to a plan: canonical rows, the choice of a layout, and new values for an old pattern.
#include <atomic>
#include <chrono>
#include <complex>
#include <optional>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cpu/spmv/kernels.hpp"
#include "formats/rows.hpp"
#include "plan/borrow_rows.hpp"
#include "plan/choose.hpp"
#include "plan/device_plan.hpp"
#include "plan/layout.hpp"
#include "plan/this_machine.hpp"
#include "plan/update.hpp"
#include "summation/parallel.hpp"

namespace lacis {
namespace detail {
namespace {

/// Of the pattern as it was given, where a plan keeps it.
template <class Value, class Index> std::int64_t pattern_bytes(const std::optional<csr_matrix<Value, Index>>& pattern) {
  return pattern ? (pattern->rows + 1) * 8 + pattern->nnz() * static_cast<std::int64_t>(sizeof(Index)) : 0;
}

/// Whether the columns of every row ascend strictly: they may descend where a row ends and nowhere else, so it is
/// enough to count.
template <class Value, class Index> bool rows_ascend(const csr_view<Value, Index>& a, isa set) {
  const auto descents = cpu::kernels_for<Value, Index, Value>(set).descents;
  std::atomic<bool> ascend = true;
  parallel_rows(a.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t first = a.row_offsets[static_cast<std::size_t>(begin)];
    const std::int64_t last = a.row_offsets[static_cast<std::size_t>(end)];
    const Index* columns = a.columns.data();
    std::int64_t allowed = 0;
    for (std::int64_t i = begin + 1; i < end; ++i) {
      const std::int64_t at = a.row_offsets[static_cast<std::size_t>(i)];
      const bool begins = at < a.row_offsets[static_cast<std::size_t>(i + 1)] && at > first;
      allowed += begins && columns[at - 1] >= columns[at] ? 1 : 0;
    }
    if (descents(columns + first, last - first, a.cols) != allowed) ascend = false;
  });
  return ascend;
}

/// Values of double precision rounded to single; others as they are.
template <class Value> values_array<Value> rounded_to_float(values_view<Value> values) {
  using narrow = std::conditional_t<is_complex<Value>, std::complex<float>, float>;
  values_array<Value> rounded(buffer<Value>(static_cast<std::int64_t>(values.data.size())), values.iso);
  summation::parallel_for(rounded.data.size(), [&](std::int64_t k) {
    rounded.data[k] = static_cast<Value>(static_cast<narrow>(values.data[static_cast<std::size_t>(k)]));
  });
  return rounded;
}

/// Row k is row order[k] of the matrix, with columns reordered likewise and in the order in which they stood: the sums
/// keep their order. Of two entries the one with the smaller column comes first: two numbers have the same sum either
/// way.
template <class Value, class Index>
csr_matrix<Value, Index> permuted(const csr_view<Value, Index>& a, std::span<const std::int64_t> order) {
  buffer<Index> place(a.cols);
  parallel_for(a.cols, [&](std::int64_t k) { place[order[static_cast<std::size_t>(k)]] = static_cast<Index>(k); });
  csr_matrix<Value, Index> b{.rows = a.rows,
                             .cols = a.cols,
                             .row_offsets = buffer<std::int64_t>(a.rows + 1),
                             .columns = buffer<Index>(a.nnz()),
                             .values = values_array<Value>::like(a.values, a.nnz())};
  const auto from = [&](std::int64_t k) {
    return a.row_offsets[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])];
  };
  parallel_for(a.rows, [&](std::int64_t k) {
    b.row_offsets[k] = a.row_offsets[static_cast<std::size_t>(order[static_cast<std::size_t>(k)] + 1)] - from(k);
  });
  counts_to_offsets(b.row_offsets);
  parallel_each_row(b.row_offsets, [&](std::int64_t k) {
    for (std::int64_t e = b.row_offsets[k]; e < b.row_offsets[k + 1]; ++e) {
      const auto old = static_cast<std::size_t>(from(k) + e - b.row_offsets[k]);
      b.columns[e] = place[a.columns[old]];
      if (!a.values.iso) b.values.data[e] = a.values.data[old];
    }
    const std::int64_t first = b.row_offsets[k];
    if (b.row_offsets[k + 1] - first != 2 || b.columns[first] < b.columns[first + 1]) return;
    std::swap(b.columns[first], b.columns[first + 1]);
    if (!a.values.iso) std::swap(b.values.data[first], b.values.data[first + 1]);
  });
  return b;
}

/// The pattern in the user's ordering of a matrix that was reordered.
template <class Value, class Index>
csr_matrix<Value, Index> numbered_back(const csr_matrix<Value, Index>& b, std::span<const std::int64_t> order) {
  buffer<std::int64_t> inverse(b.rows);
  parallel_for(b.rows, [&](std::int64_t k) { inverse[order[static_cast<std::size_t>(k)]] = k; });
  return permute(b, inverse, inverse);
}

}  // namespace

template <class Value, class Index>
plan<Value, Index> multiply_inspect(const csr_view<Value, Index>& a, const plan_options& options) {
  using clock = std::chrono::steady_clock;
  if (options.device.kind == device_kind::cpu)
    static_cast<void>(rates_for(a.rows + a.nnz(), options));  // once per process: no part of this inspection
  const auto begin = clock::now();
  if (options.isa && !cpu::is_supported(*options.isa))
    throw error(errc::unsupported, text("this processor or this build has no ", name_of(*options.isa)));
  auto data = std::make_shared<plan_data<Value, Index>>();
  data->options = options;
  data->set = options.isa ? *options.isa : default_isa();
  const bool in_order = rows_ascend(a, data->set);
  csr_matrix<Value, Index> sorted;
  if (!in_order) {
    sorted = canonical(a, duplicates::sum);
    data->given_pattern = {.rows = a.rows,
                           .cols = a.cols,
                           .row_offsets = parallel_copy_of(a.row_offsets),
                           .columns = parallel_copy_of(a.columns),
                           .values = {}};
  }
  csr_view<Value, Index> source = in_order ? a : sorted.view();
  const std::string disorder = in_order ? ""
                                        : text(". Rows were not canonical: they were sorted, and ",
                                               a.nnz() - source.nnz(), " entries were added to others at their place");
  values_array<Value> rounded;
  if (options.values == plan_values::as_float) {
    rounded = rounded_to_float(source.values);
    source.values = rounded.view();
  }
  if (options.device.kind != device_kind::cpu) {
    if (options.reorder != reordering::none)
      throw error(errc::unsupported, "a device keeps the user's ordering; reorder the matrix with permute() first");
    data->on_device = make_device_part(source, options, pattern_bytes(data->given_pattern), data->reason, data->report);
    data->reason += disorder;
    data->plain.rows = a.rows;
    data->plain.cols = a.cols;
    data->hash = hash_of(source);  // while the entries are here
    data->report.inspection_seconds = std::chrono::duration<double>(clock::now() - begin).count();
    return plan<Value, Index>(std::move(data));
  }
  csr_matrix<Value, Index> other_ordering;
  if (options.reorder != reordering::none) {
    data->order = reorder(source, options.reorder);
    other_ordering = permuted(source, data->order);
  }
  const bool reordered = options.reorder != reordering::none;
  const csr_view<Value, Index> kept = reordered ? other_ordering.view() : source;
  const std::int64_t other_bytes = data->order.size() * 8 + pattern_bytes(data->given_pattern);
  const bool borrows = options.borrow && in_order && !reordered && options.values != plan_values::as_float;
  auto chosen = choose_layout(kept, options, data->set, !reordered, other_bytes, borrows);
  data->plain = std::move(chosen.made);
  data->report = std::move(chosen.report);
  data->reason = chosen.reason + disorder;
  if (reordered)
    data->reason += text(". Rows and columns are in ", name_of(options.reorder),
                         " order: products take and give vectors in that order, see permutation()");
  const auto other_side = [&](bool conjugate) {
    csr_matrix<Value, Index> turned = transpose(source, conjugate);
    if (reordered) turned = permuted(turned.view(), data->order);
    return choose_layout(turned.view(), options, data->set, !reordered, other_bytes + bytes_of(data->plain), false)
        .made;
  };
  if (options.transpose) data->transposed = other_side(false);
  if (options.conjugate_transpose) data->conjugate_transposed = other_side(true);
  data->report.inspection_seconds = std::chrono::duration<double>(clock::now() - begin).count();
  return plan<Value, Index>(std::move(data));
}

template <class Value, class Index>
plan<Value, Index> borrow_rows(const csr_view<Value, Index>& a, const plan_options& options) {
  auto data = std::make_shared<plan_data<Value, Index>>();
  data->options = options;
  data->set = options.isa ? *options.isa : default_isa();
  data->plain = make_layout(a, {plan_layout::csr, 1, cpu::value_form::full, true});
  data->reason = "rows one after the other in the caller's arrays";
  return plan<Value, Index>(std::move(data));
}

/// New values of `source`, which has the pattern of the plan.
template <class Value, class Index> void set_all_values(plan_data<Value, Index>& data, csr_view<Value, Index> source) {
  values_array<Value> rounded;
  if (data.options.values == plan_values::as_float) {
    rounded = rounded_to_float(source.values);
    source.values = rounded.view();
  }
  if (data.on_device != nullptr) {
    set_values(data.on_device, source, data.options);
    data.hash = hash_of(source);
    return;
  }
  // What takes memory comes first, so that no side has new values while another still has the old ones.
  const cpu::value_form form = form_for(source.values, data.options);
  const auto turned = [&](const std::optional<layout<Value, Index>>& l, bool conjugate) {
    if (!l) return csr_matrix<Value, Index>();
    csr_matrix<Value, Index> other = transpose(source, conjugate);
    return data.order.empty() ? std::move(other) : permuted(other.view(), data.order);
  };
  const csr_matrix<Value, Index> transposed = turned(data.transposed, false);
  const csr_matrix<Value, Index> conjugate = turned(data.conjugate_transposed, true);
  csr_matrix<Value, Index> other_ordering;
  if (!data.order.empty()) {
    other_ordering = permuted(source, data.order);
    source = other_ordering.view();
  }
  data.hash = 0;
  for (auto& rows : data.rows_of_sides) rows.forget();
  set_values(data.plain, source, form);
  if (data.transposed) set_values(*data.transposed, transposed.view(), form);
  if (data.conjugate_transposed) set_values(*data.conjugate_transposed, conjugate.view(), form);
}

template <class Value, class Index> void update_values(plan<Value, Index>& p, std::span<const Value> values) {
  const auto& held = *p.internals();
  const std::int64_t needs = held.given_pattern ? held.given_pattern->nnz() : p.nnz();
  if (static_cast<std::int64_t>(values.size()) != needs)
    throw error(errc::invalid_argument,
                text("the inspected matrix had ", needs, " entries; these are ", values.size(), " values"));
  if (p.internals().use_count() > 1) p = plan<Value, Index>(std::make_shared<plan_data<Value, Index>>(held));
  plan_data<Value, Index>& data = *p.internals();
  csr_matrix<Value, Index> canonical_rows;
  csr_view<Value, Index> source;
  if (data.given_pattern) {
    source = data.given_pattern->view();
    source.values = values_view<Value>(values);
    canonical_rows = canonical(source, duplicates::sum);
    source = canonical_rows.view();
  } else {
    canonical_rows = data.on_device != nullptr ? pattern_of(*data.on_device) : csr_of(data.plain);
    if (!data.order.empty()) canonical_rows = numbered_back(canonical_rows, data.order);
    source = canonical_rows.view();
    source.values = values_view<Value>(values);
  }
  set_all_values(data, source);
}

template <class Value, class Index>
void update_values_in_pattern(plan<Value, Index>& p, const csr_view<Value, Index>& a) {
  if (p.internals().use_count() > 1) p = plan<Value, Index>(std::make_shared<plan_data<Value, Index>>(*p.internals()));
  set_all_values(*p.internals(), a);
}

#define LACIS_INSPECT(Value, Index)                                                                           \
  template LACIS_API plan<Value, Index> multiply_inspect(const csr_view<Value, Index>&, const plan_options&); \
  template plan<Value, Index> borrow_rows(const csr_view<Value, Index>&, const plan_options&);                \
  template LACIS_API void update_values(plan<Value, Index>&, std::span<const Value>);                         \
  template void update_values_in_pattern(plan<Value, Index>&, const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSPECT)

}  // namespace detail

template <value Value, index Index> std::int64_t plan<Value, Index>::rows() const { return data_->plain.rows; }
template <value Value, index Index> std::int64_t plan<Value, Index>::cols() const { return data_->plain.cols; }
template <value Value, index Index> std::int64_t plan<Value, Index>::nnz() const {
  return data_->on_device != nullptr ? data_->on_device->held->plain.csr.nnz : data_->plain.nnz();
}

template <value Value, index Index> std::string plan<Value, Index>::layout() const {
  if (data_->on_device != nullptr)
    return detail::text(name_of(data_->options.device), data_->on_device->held->plain.is_sell ? " sell-32" : " csr");
  return detail::label_of(data_->plain);
}

template <value Value, index Index> std::int64_t plan<Value, Index>::storage_bytes() const {
  std::int64_t bytes =
      data_->on_device != nullptr ? detail::bytes_of(*data_->on_device) : detail::bytes_of(data_->plain);
  for (const auto& other : {&data_->transposed, &data_->conjugate_transposed})
    if (*other) bytes += detail::bytes_of(**other);
  for (const auto& rows : data_->rows_of_sides)
    if (rows.made() != nullptr) bytes += detail::bytes_of(*rows.made());
  bytes += data_->order.size() * 8 + detail::pattern_bytes(data_->given_pattern);
  return bytes;
}

template <value Value, index Index> const plan_report& plan<Value, Index>::report() const& { return data_->report; }

template <value Value, index Index> std::int64_t plan<Value, Index>::moved_bytes() const {
  if (data_->on_device == nullptr) return detail::moved_bytes_of(data_->plain);
  return detail::bytes_of(*data_->on_device) + (rows() + cols()) * static_cast<std::int64_t>(sizeof(Value));
}

template <value Value, index Index> std::span<const std::int64_t> plan<Value, Index>::permutation() const& {
  return data_->order;
}

template <value Value, index Index> std::string plan<Value, Index>::explain() const {
  const plan_options& options = data_->options;
  const std::string where = data_->on_device != nullptr ? detail::text("Device: ", name_of(options.device))
                                                        : detail::text("Instructions: ", name_of(data_->set));
  const std::string_view remark = detail::remark_of(data_->plain);
  std::string text =
      data_->reason + detail::text(remark.empty() ? "" : ". ", remark, ". ", where, "; ", storage_bytes(), " bytes");
  if (options.transpose || options.conjugate_transpose) text += ", the transpose included";
  return text + '.';
}

std::string_view name_of(plan_layout layout) {
#define LACIS_LAYOUT_NAME(name, words) #name,
  constexpr std::string_view names[] = {LACIS_FOR_EACH_PLAN_LAYOUT(LACIS_LAYOUT_NAME)};
  return names[static_cast<std::size_t>(layout)];
}
std::string_view words_of(plan_layout layout) {
#define LACIS_LAYOUT_WORDS(name, words) words,
  constexpr std::string_view all[] = {LACIS_FOR_EACH_PLAN_LAYOUT(LACIS_LAYOUT_WORDS)};
  return all[static_cast<std::size_t>(layout)];
}

#define LACIS_PLAN(Value, Index) template class plan<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_PLAN)

}  // namespace lacis
