// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From a matrix to a plan: canonical rows, the choice of a layout, and new values for an old pattern.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/format.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "cpu/kernels.hpp"
#include "formats/layout.hpp"
#include "formats/rows.hpp"
#include "plan/layout.hpp"
#include "summation/sum.hpp"

namespace lacis {
namespace detail {
namespace {

/// What decides between the layouts.
struct features {
  std::int64_t short_entries = 0;  ///< in rows that the order sums from left to right
  std::int64_t long_rows = 0;
  std::int64_t slots = 0;  ///< of the short rows as SELL, padding included
};

/// Lengths of at most short_limit are counted window by window, so the slots are exact without building anything.
features features_of(std::span<const std::int64_t> offsets, std::int64_t height) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  constexpr std::int64_t limit = summation::canonical.short_limit;
  const std::int64_t windows = (rows + sort_window - 1) / sort_window;
  std::vector<features> parts(static_cast<std::size_t>(threads_for(rows)));
  on_threads(static_cast<int>(parts.size()), [&](int t, int threads) {
    features& mine = parts[static_cast<std::size_t>(t)];
    for (std::int64_t w = even_cut(windows, t, threads); w < even_cut(windows, t + 1, threads); ++w) {
      std::array<std::int64_t, static_cast<std::size_t>(limit) + 1> counts{};
      for (std::int64_t i = w * sort_window; i < std::min(rows, (w + 1) * sort_window); ++i) {
        const std::int64_t length = offsets[static_cast<std::size_t>(i + 1)] - offsets[static_cast<std::size_t>(i)];
        if (length > limit)
          ++mine.long_rows;
        else
          ++counts[static_cast<std::size_t>(length)];
      }
      std::int64_t place = 0;
      for (std::int64_t length = limit; length > 0; --length) {
        const std::int64_t count = counts[static_cast<std::size_t>(length)];
        mine.short_entries += length * count;
        const std::int64_t slices_begun = (place + count + height - 1) / height - (place + height - 1) / height;
        mine.slots += slices_begun * height * length;
        place += count;
      }
    }
  });
  return std::accumulate(parts.begin(), parts.end(), features{}, [](features a, const features& b) {
    return features{a.short_entries + b.short_entries, a.long_rows + b.long_rows, a.slots + b.slots};
  });
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return text(whole == 0 ? 0 : (200 * part + whole) / (2 * whole), " %");
}

struct choice {
  bool is_sell = false;
  std::string reason;
};

/// SELL where it takes several rows at once and pads little: short rows hold a quarter of the entries or more, and
/// padding adds at most a quarter to them.
choice choose(std::span<const std::int64_t> offsets, std::int64_t height, const plan_options& options) {
  const std::int64_t entries = offsets.back();
  const features f = features_of(offsets, height);
  const std::string facts =
      text(percent(f.short_entries, entries), " of the entries are in rows of at most ",
           summation::canonical.short_limit, ", which SELL-", height, " would pad by ",
           percent(f.slots - f.short_entries, f.short_entries), "; ", f.long_rows, " rows are longer");
  if (options.layout) {
    if (*options.layout != format::csr && *options.layout != format::sell)
      throw error(errc::unsupported, text("a plan keeps csr or sell, not ", name_of(*options.layout)));
    return {*options.layout == format::sell, text(name_of(*options.layout), " was asked for: ", facts)};
  }
  if (4 * f.short_entries < entries) return {false, text("CSR: ", facts, ", and those fill the lanes by themselves")};
  if (4 * (f.slots - f.short_entries) > f.short_entries) return {false, text("CSR: ", facts, ", too much")};
  return {true, text("SELL-", height, ": ", facts, f.long_rows > 0 ? " and kept apart as CSR" : "")};
}

}  // namespace

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
  const choice chosen = choose(source.row_offsets, slice_height<Value>, options);
  data->reason = chosen.reason;
  if (!in_order)
    data->reason += text(". Rows were not canonical: they were sorted, and ", a.nnz() - source.nnz(),
                         " entries were added to others at their place");
  data->plain = make_layout(source, chosen.is_sell);
  const auto other_side = [&](bool conjugate) {
    const auto turned = transpose(source, conjugate);
    return make_layout(turned.view(), choose(turned.row_offsets, slice_height<Value>, options).is_sell);
  };
  if (options.transpose) data->transposed = other_side(false);
  if (options.conjugate_transpose) data->conjugate_transposed = other_side(true);
  return plan<Value, Index>(std::move(data));
}

template <class Value, class Index> void update_values(plan<Value, Index>& p, std::span<const Value> values) {
  const auto& held = *p.data();
  const std::int64_t needs = held.given_pattern ? held.given_pattern->nnz() : held.plain.nnz();
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
    canonical_rows = csr_of(data.plain);
    source = canonical_rows.view();
    source.values = values_view<Value>(values);
  }
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
template <value Value, index Index> std::int64_t plan<Value, Index>::nnz() const { return data_->plain.nnz(); }

template <value Value, index Index> std::string plan<Value, Index>::layout() const {
  return data_->plain.is_sell ? detail::text("sell-", detail::slice_height<Value>) : std::string("csr");
}

template <value Value, index Index> std::int64_t plan<Value, Index>::storage_bytes() const {
  std::int64_t bytes = detail::bytes_of(data_->plain);
  for (const auto& other : {&data_->transposed, &data_->conjugate_transposed})
    if (*other) bytes += detail::bytes_of(**other);
  if (data_->given_pattern)
    bytes +=
        (data_->given_pattern->rows + 1) * 8 + data_->given_pattern->nnz() * static_cast<std::int64_t>(sizeof(Index));
  return bytes;
}

template <value Value, index Index> std::string plan<Value, Index>::explain() const {
  std::string text =
      data_->reason + detail::text(". Instructions: ", name_of(data_->set), "; ", storage_bytes(), " bytes");
  if (data_->transposed || data_->conjugate_transposed) text += ", the transpose included";
  return text + '.';
}

#define LACIS_PLAN(Value, Index) template class plan<Value, Index>;
LACIS_FOR_EACH_TYPE(LACIS_PLAN)

}  // namespace lacis
