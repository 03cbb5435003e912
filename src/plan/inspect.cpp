// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From a matrix to a plan: canonical rows, the choice of a layout, and new values for an old pattern.
#include <utility>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "cpu/kernels.hpp"
#include "formats/rows.hpp"
#include "plan/device_plan.hpp"
#include "plan/layout.hpp"

namespace lacis {
namespace detail {
template <class Value, class Index>
plan<Value, Index> multiply_inspect(const csr_view<Value, Index>& a, const plan_options& options) {
  if (options.isa && !cpu::is_supported(*options.isa))
    throw error(errc::unsupported, text("this processor or this build has no ", name_of(*options.isa)));
  auto data = std::make_shared<plan_data<Value, Index>>();
  data->options = options;
  data->set = options.isa ? *options.isa : default_isa();
  const bool in_order = is_canonical(a);
  csr_matrix<Value, Index> sorted;
  if (!in_order) {
    sorted = canonical(a, duplicates::sum);
    data->given_pattern = {.rows = a.rows,
                           .cols = a.cols,
                           .row_offsets = parallel_copy_of(a.row_offsets),
                           .columns = parallel_copy_of(a.columns),
                           .values = {}};
  }
  const csr_view<Value, Index> source = in_order ? a : sorted.view();
  const std::string disorder = in_order ? ""
                                        : text(". Rows were not canonical: they were sorted, and ",
                                               a.nnz() - source.nnz(), " entries were added to others at their place");
  if (options.device.kind != device_kind::cpu) {
    data->on_device = make_device_part(source, options, data->reason);
    data->reason += disorder;
    data->plain.rows = a.rows;
    data->plain.cols = a.cols;
    return plan<Value, Index>(std::move(data));
  }
  const layout_choice chosen = choose_layout(source, options);
  data->reason = chosen.reason + disorder;
  data->plain = make_layout(source, chosen);
  const auto other_side = [&](bool conjugate) {
    const auto turned = transpose(source, conjugate);
    return make_layout(turned.view(), choose_layout(turned.view(), options));
  };
  if (options.transpose) data->transposed = other_side(false);
  if (options.conjugate_transpose) data->conjugate_transposed = other_side(true);
  return plan<Value, Index>(std::move(data));
}

template <class Value, class Index> void update_values(plan<Value, Index>& p, std::span<const Value> values) {
  const auto& held = *p.data();
  const std::int64_t needs = held.given_pattern ? held.given_pattern->nnz() : p.nnz();
  if (static_cast<std::int64_t>(values.size()) != needs)
    throw error(errc::invalid_argument,
                text("the inspected matrix had ", needs, " entries; these are ", values.size(), " values"));
  if (p.data().use_count() > 1) p = plan<Value, Index>(std::make_shared<plan_data<Value, Index>>(held));
  plan_data<Value, Index>& data = *p.data();
  csr_matrix<Value, Index> canonical_rows;
  csr_view<Value, Index> source;
  if (data.given_pattern) {
    source = data.given_pattern->view();
    source.values = values_view<Value>(values);
    canonical_rows = canonical(source, duplicates::sum);
    source = canonical_rows.view();
  } else {
    canonical_rows = data.on_device != nullptr ? pattern_of(*data.on_device) : csr_of(data.plain);
    source = canonical_rows.view();
    source.values = values_view<Value>(values);
  }
  if (data.on_device != nullptr) return set_values(data.on_device, source, data.options);
  set_values(data.plain, source);
  if (data.transposed) set_values(*data.transposed, transpose(source, false).view());
  if (data.conjugate_transposed) set_values(*data.conjugate_transposed, transpose(source, true).view());
}

#define LACIS_INSPECT(Value, Index)                                                                           \
  template LACIS_API plan<Value, Index> multiply_inspect(const csr_view<Value, Index>&, const plan_options&); \
  template LACIS_API void update_values(plan<Value, Index>&, std::span<const Value>);
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
  return data_->plain.is_sell ? detail::text("sell-", cpu::slice_height<Value>) : std::string("csr");
}

template <value Value, index Index> std::int64_t plan<Value, Index>::storage_bytes() const {
  std::int64_t bytes =
      data_->on_device != nullptr ? detail::bytes_of(*data_->on_device) : detail::bytes_of(data_->plain);
  for (const auto& other : {&data_->transposed, &data_->conjugate_transposed})
    if (*other) bytes += detail::bytes_of(**other);
  if (data_->given_pattern)
    bytes +=
        (data_->given_pattern->rows + 1) * 8 + data_->given_pattern->nnz() * static_cast<std::int64_t>(sizeof(Index));
  return bytes;
}

template <value Value, index Index> const plan_report& plan<Value, Index>::report() const { return data_->report; }

template <value Value, index Index> std::int64_t plan<Value, Index>::moved_bytes() const {
  return storage_bytes() + (rows() + cols()) * static_cast<std::int64_t>(sizeof(Value));
}

template <value Value, index Index> std::span<const std::int64_t> plan<Value, Index>::permutation() const {
  return data_->order;
}

template <value Value, index Index> std::string plan<Value, Index>::explain() const {
  const plan_options& options = data_->options;
  const std::string where = data_->on_device != nullptr ? detail::text("Device: ", name_of(options.device))
                                                        : detail::text("Instructions: ", name_of(data_->set));
  std::string text = data_->reason + detail::text(". ", where, "; ", storage_bytes(), " bytes");
  if (options.transpose || options.conjugate_transpose) text += ", the transpose included";
  return text + '.';
}

std::string_view name_of(plan_layout layout) {
  constexpr std::string_view names[] = {"csr", "sell", "stencil", "staged"};
  return names[static_cast<std::size_t>(layout)];
}

#define LACIS_PLAN(Value, Index) template class plan<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_PLAN)

}  // namespace lacis
