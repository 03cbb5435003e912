// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The plan of a device: its arrays there, and new values for them.
#include "plan/device_plan.hpp"

#include <utility>
#include <variant>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"

namespace lacis::detail {
namespace {

using device::runtime;

/// make(matrix, side) for the sides that the options ask for.
template <class Value, class Index, class Make>
device_sides<Value, Index> make_sides(const csr_view<Value, Index>& a, const plan_options& options, Make&& make) {
  device_sides<Value, Index> sides;
  sides.plain = make(a, side::plain);
  const auto make_other = [&](side which) {
    const csr_matrix<Value, Index> turned = transpose(a, which == side::conjugate_transposed);
    return make(turned.view(), which);
  };
  if (options.transpose) sides.transposed = make_other(side::transposed);
  if (options.conjugate_transpose) sides.conjugate_transposed = make_other(side::conjugate_transposed);
  return sides;
}

template <class Value, class Index>
std::shared_ptr<device_part<Value, Index>> part_of(const device_context& where, device_sides<Value, Index> sides) {
  return std::shared_ptr<device_part<Value, Index>>(
      new device_part<Value, Index>{where, {where.internals(), std::move(sides)}});
}

template <class Value, class Index>
device_layout<Value, Index>& layout_in(device_sides<Value, Index>& sides, side which) {
  return which == side::plain        ? sides.plain
         : which == side::transposed ? *sides.transposed
                                     : *sides.conjugate_transposed;
}

template <class T> buffer<T> downloaded(runtime& home, const device::device_array<T>& array) {
  buffer<T> host(array.size());
  home.download<T>(array.data(), std::span<T>(host));
  return host;
}

template <class... Arrays> std::int64_t bytes_of_arrays(const Arrays&... arrays) {
  return ((arrays.size() * static_cast<std::int64_t>(sizeof(*arrays.data()))) + ... + 0);
}

std::int64_t bytes_of(const device::row_bins& bins) {
  return bytes_of_arrays(bins.chunk_rows, bins.chunk_numbers, bins.join_rows, bins.join_chunks);
}

}  // namespace

template <class Value, class Index>
device_layout<Value, Index> make_device_layout(runtime& home, const csr_view<Value, Index>& a,
                                               const device::sell_places<Index>* places, std::int64_t columns) {
  using device::spmv_method;
  device_layout<Value, Index> l;
  l.is_sell = places != nullptr;
  if (l.is_sell) l.by_vector = {spmv_method::sell_32, {}, {}, {}, device::upload_sell(home, a, *places)};
  if (!l.is_sell || columns > 1) {
    l.csr = device::upload(home, a);
    l.by_columns = device::plan_spmm(home, l.csr, columns);
  } else {
    l.csr.rows = a.rows;
    l.csr.cols = a.cols;
    l.csr.nnz = a.nnz();
    l.csr.iso = a.values.iso;
  }
  if (!l.is_sell) l.by_vector = device::plan_spmv(home, spmv_method::csr_stream, l.csr);
  home.wait();
  return l;
}

template <class Value, class Index> std::int64_t bytes_of(const device_layout<Value, Index>& l) {
  std::int64_t bytes =
      bytes_of_arrays(l.csr.row_offsets, l.csr.columns, l.csr.values, l.by_vector.sums) + bytes_of(l.by_vector.bins);
  if (const auto* sell = std::get_if<device::device_sell<Value, Index>>(&l.by_vector.stored))
    bytes += bytes_of_arrays(sell->permutation, sell->row_lengths, sell->slice_offsets, sell->columns, sell->values);
  if (l.by_columns) bytes += bytes_of_arrays(l.by_columns->sums) + bytes_of(l.by_columns->bins);
  return bytes;
}

template <class Value, class Index>
std::shared_ptr<device_part<Value, Index>> make_device_part(const csr_view<Value, Index>& a,
                                                            const plan_options& options, std::int64_t held,
                                                            std::string& reason, plan_report& report) {
  if (options.columns < 1)
    throw error(errc::invalid_argument, text("plan_options.columns is ", options.columns, "; it is at least 1"));
  if (options.column_blocks > 1)
    throw error(errc::unsupported, "a device does not cut a matrix into ranges of columns; leave column_blocks out");
  const device_context where(options.device);
  const device::visit here(*where.internals());
  return part_of(where, make_sides(a, options, [&](const csr_view<Value, Index>& matrix, side which) {
                   auto chosen = choose_device_layout(where.internals()->home(), matrix, options, held);
                   if (which == side::plain) {
                     reason = std::move(chosen.reason);
                     report = std::move(chosen.report);
                   }
                   held += bytes_of(chosen.made);
                   return std::move(chosen.made);
                 }));
}

template <class Value, class Index> csr_matrix<Value, Index> pattern_of(const device_part<Value, Index>& part) {
  const device::visit here(*part.where.internals());
  runtime& home = part.where.internals()->home();
  const device_layout<Value, Index>& l = part.held->plain;
  const auto* const sell = std::get_if<device::device_sell<Value, Index>>(&l.by_vector.stored);
  if (sell == nullptr)
    return {.rows = l.csr.rows,
            .cols = l.csr.cols,
            .row_offsets = downloaded(home, l.csr.row_offsets),
            .columns = downloaded(home, l.csr.columns),
            .values = {}};
  const sell_matrix<Value, Index> stored{.rows = sell->rows,
                                         .cols = sell->cols,
                                         .entries = sell->entries,
                                         .slice_height = sell->slice_height,
                                         .sort_window = sell->sort_window,
                                         .permutation = downloaded(home, sell->permutation),
                                         .row_lengths = downloaded(home, sell->row_lengths),
                                         .slice_offsets = downloaded(home, sell->slice_offsets),
                                         .columns = downloaded(home, sell->columns),
                                         .values = values_array<Value>::same(Value(1))};
  return to_csr(stored.view());
}

template <class Value, class Index>
void set_values(std::shared_ptr<device_part<Value, Index>>& part, const csr_view<Value, Index>& a,
                const plan_options& options) {
  const device_context where = part->where;
  const device::visit here(*where.internals());
  runtime& home = where.internals()->home();
  device_sides<Value, Index>& old = *part->held;
  const auto keeps_arrays = [&](const device_layout<Value, Index>& l) { return !l.is_sell && !l.csr.iso; };
  const bool shared = part.use_count() > 1;
  const bool in_place = !shared && !a.values.iso && keeps_arrays(old.plain) &&
                        (!old.transposed || keeps_arrays(*old.transposed)) &&
                        (!old.conjugate_transposed || keeps_arrays(*old.conjugate_transposed));
  if (in_place) {
    // What takes memory comes first, so that no side has new values while another still has the old ones.
    const auto turned = [&](const std::optional<device_layout<Value, Index>>& l, bool conjugate) {
      return l ? transpose(a, conjugate) : csr_matrix<Value, Index>();
    };
    const csr_matrix<Value, Index> transposed = turned(old.transposed, false);
    const csr_matrix<Value, Index> conjugate = turned(old.conjugate_transposed, true);
    const auto refill = [&](device_layout<Value, Index>& l, const csr_view<Value, Index>& matrix) {
      home.copy(l.csr.values.data(), matrix.values.data.data(), matrix.values.data.size_bytes(), lacis_copy_to_device);
      home.wait();
    };
    refill(old.plain, a);
    if (old.transposed) refill(*old.transposed, transposed.view());
    if (old.conjugate_transposed) refill(*old.conjugate_transposed, conjugate.view());
    return;
  }
  std::int64_t bytes = 0;
  device_sides<Value, Index> sides = make_sides(a, options, [&](const csr_view<Value, Index>& matrix, side which) {
    std::optional<device::sell_places<Index>> places;
    if (layout_in(old, which).is_sell) places.emplace(matrix.row_offsets);
    auto made = make_device_layout(home, matrix, places ? &*places : nullptr, options.columns);
    bytes += bytes_of(made);
    return made;
  });
  if (options.memory_limit > 0 && bytes > options.memory_limit)
    throw error(errc::out_of_memory, text("with these values the plan takes ", bytes,
                                          " bytes, and memory_limit allows ", options.memory_limit));
  if (shared)
    part = part_of(where, std::move(sides));
  else
    old = std::move(sides);
}

template <class Value, class Index> std::int64_t bytes_of(const device_part<Value, Index>& part) {
  const device_sides<Value, Index>& sides = *part.held;
  std::int64_t bytes = bytes_of(sides.plain);
  for (const auto* other : {&sides.transposed, &sides.conjugate_transposed})
    if (*other) bytes += bytes_of(**other);
  return bytes;
}

template <class Value, class Index>
const device_layout<Value, Index>& device_layout_of(const plan<Value, Index>& p, side which) {
  const auto& data = *p.internals();
  if (data.on_device == nullptr)
    throw error(errc::invalid_argument,
                "this plan is for the processor; make it with plan_options.device to multiply on a device");
  if (which == side::plain) return data.on_device->held->plain;
  const device_sides<Value, Index>& sides = *data.on_device->held;
  const auto& other = which == side::transposed ? sides.transposed : sides.conjugate_transposed;
  if (!other) throw_side_missing(which);
  return *other;
}

#define LACIS_DEVICE_PLAN(Value, Index)                                                                     \
  template device_layout<Value, Index> make_device_layout(runtime&, const csr_view<Value, Index>&,          \
                                                          const device::sell_places<Index>*, std::int64_t); \
  template std::int64_t bytes_of(const device_layout<Value, Index>&);                                       \
  template std::shared_ptr<device_part<Value, Index>> make_device_part(                                     \
      const csr_view<Value, Index>&, const plan_options&, std::int64_t, std::string&, plan_report&);        \
  template csr_matrix<Value, Index> pattern_of(const device_part<Value, Index>&);                           \
  template void set_values(std::shared_ptr<device_part<Value, Index>>&, const csr_view<Value, Index>&,      \
                           const plan_options&);                                                            \
  template std::int64_t bytes_of(const device_part<Value, Index>&);                                         \
  template const device_layout<Value, Index>& device_layout_of(const plan<Value, Index>&, side);
LACIS_FOR_EACH_TYPE(LACIS_DEVICE_PLAN)

}  // namespace lacis::detail
