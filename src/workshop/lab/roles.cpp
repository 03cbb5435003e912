// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The arrays of every format by name.
#include "lab/roles.hpp"

#include <variant>

namespace lacis::lab {
namespace {

constexpr std::array<role_facts, role_count> all_roles = {{
    {"values", true, false},
    {"columns", true, false},
    {"x", true, false},
    {"y", false, true},
    {"row_offsets", false, true},
    {"row_indices", false, false},
    {"row_lengths", false, true},
    {"permutation", false, true},
    {"slice_offsets", false, true},
    {"diagonal_offsets", false, false},
    {"mask", false, false},
    {"rest_values", true, false},
    {"rest_columns", true, false},
    {"rest_rows", false, false},
    {"rest_offsets", false, true},
    {"chunk_rows", false, false},
    {"chunk_numbers", false, false},
    {"join_rows", false, false},
    {"join_chunks", false, false},
    {"chunk_sums", false, false},
    {"a_offsets", false, false},
    {"a_columns", false, false},
    {"a_values", false, false},
    {"b_offsets", false, false},
    {"b_columns", true, false},
    {"b_values", true, false},
    {"c_offsets", false, false},
    {"c_columns", false, false},
    {"c_values", false, false},
    {"row_list", false, false},
    {"row_counts", false, false},
    {"block_counts", false, false},
    {"table_keys", false, false},
    {"table_sums", false, false},
    {"counters", false, false},
    {"other", false, false},
}};

using device::device_bsr;
using device::device_coo;
using device::device_csr;
using device::device_ell;
using device::device_hyb;
using device::device_jds;
using device::device_sell;

/// Adds the arrays of a matrix in any format.
struct matrix_arrays {
  address_map& map;

  void operator()(std::monostate) const {}
  template <class V, class I> void operator()(const device_csr<V, I>& a) const {
    map.add(role::row_offsets, a.row_offsets);
    map.add(role::columns, a.columns);
    map.add(role::values, a.values);
  }
  template <class V, class I> void operator()(const device_coo<V, I>& a) const {
    map.add(role::row_indices, a.row_indices);
    map.add(role::columns, a.columns);
    map.add(role::values, a.values);
  }
  template <class V, class I> void operator()(const device_ell<V, I>& a) const {
    map.add(role::row_lengths, a.row_lengths);
    map.add(role::columns, a.columns);
    map.add(role::values, a.values);
  }
  template <class V, class I> void operator()(const device_hyb<V, I>& a) const {
    (*this)(a.ell);
    map.add(role::rest_rows, a.coo.row_indices);
    map.add(role::rest_columns, a.coo.columns);
    map.add(role::rest_values, a.coo.values);
    map.add(role::rest_offsets, a.rest_offsets);
  }
  template <class V, class I> void operator()(const device_jds<V, I>& a) const {
    map.add(role::permutation, a.permutation);
    map.add(role::diagonal_offsets, a.diagonal_offsets);
    map.add(role::columns, a.columns);
    map.add(role::values, a.values);
  }
  template <class V, class I> void operator()(const device_sell<V, I>& a) const {
    map.add(role::permutation, a.permutation);
    map.add(role::row_lengths, a.row_lengths);
    map.add(role::slice_offsets, a.slice_offsets);
    map.add(role::columns, a.columns);
    map.add(role::values, a.values);
  }
  template <class V, class I> void operator()(const device_bsr<V, I>& a) const {
    map.add(role::row_offsets, a.row_offsets);
    map.add(role::columns, a.block_columns);
    map.add(role::mask, a.mask);
    map.add(role::values, a.values);
  }
};

}  // namespace

const role_facts& facts_of(role which) { return all_roles[static_cast<std::size_t>(which)]; }

void address_map::add(role which, const void* data, std::int64_t bytes) {
  if (data == nullptr) return;
  const bool known = which == role::x && has_x_;
  const std::uint64_t address = known ? x_address_ : reserve(bytes);
  arrays_.push_back({which, static_cast<const char*>(data), bytes, address});
  if (known) return;
  if (which == role::x) x_address_ = address;
  if (which == role::x) has_x_ = true;
}

std::uint64_t address_map::reserve(std::int64_t bytes) {
  constexpr std::uint64_t alignment = 256;
  const std::uint64_t address = end_;
  end_ += (static_cast<std::uint64_t>(bytes) + alignment - 1) / alignment * alignment;
  return address;
}

void address_map::next_product(bool keep_x) {
  arrays_.clear();
  has_x_ = has_x_ && keep_x;
}

address_map::array address_map::find(const void* pointer) const {
  const char* const at = static_cast<const char*>(pointer);
  for (const array& one : arrays_)
    if (at >= one.begin && at < one.begin + one.bytes) return one;
  return {role::other, at, 0, 0};
}

template <class Value>
void map_arrays(address_map& map, const device_csr<Value, std::int32_t>& a,
                const device::spmv_plan<Value, std::int32_t>& plan, const device::device_array<Value>& x,
                const device::device_array<Value>& y) {
  map.add(role::x, x);
  map.add(role::y, y);
  const matrix_arrays add{map};
  if (std::holds_alternative<std::monostate>(plan.stored))
    add(a);
  else
    std::visit(add, plan.stored);
  map.add(role::values, plan.spread);
  map.add(role::chunk_rows, plan.bins.chunk_rows);
  map.add(role::chunk_numbers, plan.bins.chunk_numbers);
  map.add(role::join_rows, plan.bins.join_rows);
  map.add(role::join_chunks, plan.bins.join_chunks);
  map.add(role::chunk_sums, plan.sums);
}

template void map_arrays(address_map&, const device_csr<float, std::int32_t>&,
                         const device::spmv_plan<float, std::int32_t>&, const device::device_array<float>&,
                         const device::device_array<float>&);
template void map_arrays(address_map&, const device_csr<double, std::int32_t>&,
                         const device::spmv_plan<double, std::int32_t>&, const device::device_array<double>&,
                         const device::device_array<double>&);

}  // namespace lacis::lab
