// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every way to multiply a sparse matrix with a vector on a device, against the order that it states.
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/instantiate.hpp"
#include "device/spmv.hpp"
#include "summation/scale.hpp"
#include "summation/sum.hpp"
#include "verify/cases.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/numbers.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::verification {
namespace {

using device::spmv_facts;
using device::spmv_update;

std::string order_text(const spmv_facts& facts) {
  if (!facts.order) return "any: integers";
  if (*facts.order == summation::canonical) return "canonical";
  if (*facts.order == summation::serial) return "left to right";
  return std::to_string(facts.order->lanes) + " lanes";
}

template <value Value> struct scalars {
  const char* form;
  Value alpha;
  Value beta;
};

/// The scalars that a method can do; each matrix takes those of its turn.
template <value Value> std::vector<scalars<Value>> scalars_of(spmv_update update, bool whole) {
  const Value alpha = whole ? Value(2) : full_number<Value>(21);
  const Value beta = whole ? Value(-3) : full_number<Value>(22);
  switch (update) {
    case spmv_update::assign:
      return {{"y = A x", Value(1), Value(0)}};
    case spmv_update::add:
      return {{"y = A x + y", Value(1), Value(1)}};
    case spmv_update::scale:
      break;
  }
  return {{"y = A x", Value(1), Value(0)},
          {"y = alpha A x + beta y", alpha, beta},
          {"y = 0 A x + beta y", Value(0), beta},
          {"y = alpha A x", alpha, Value(0)}};
}

/// Vectors for one kind of entries, and what no entry reads is NaN.
template <value Value, index Index> struct operands {
  csr_matrix<Value, Index> matrix;
  std::vector<Value> x;
  std::vector<Value> y;

  operands(csr_matrix<Value, Index> a, bool whole)
      : matrix(std::move(a)),
        x(whole ? whole_numbers<Value>(matrix.cols, 1) : full_numbers<Value>(matrix.cols)),
        y(whole ? whole_numbers<Value>(matrix.rows, 2) : full_numbers<Value>(matrix.rows, 9)) {
    poison_unread<Value>(x, columns_read(matrix.view()));
  }
};

template <value Value, index Index>
std::vector<Value> expected_of(const operands<Value, Index>& o, const summation::order& order,
                               const scalars<Value>& s) {
  std::vector<Value> result;
  for (std::int64_t i = 0; i < o.matrix.rows; ++i)
    result.push_back(summation::combine(
        s.alpha,
        [&] { return summation::row_sum<Value, Index, Value>(o.matrix.view(), i, std::span<const Value>(o.x), order); },
        s.beta, [&] { return o.y[static_cast<std::size_t>(i)]; }));
  return result;
}

template <value Value, index Index>
void verify_method(kernel_ledger& book, const spmv_facts& facts, const std::string& name,
                   const operands<Value, Index>& o, std::size_t turn) {
  const auto forms = scalars_of<Value>(facts.update, !facts.order);
  const scalars<Value>& s = forms[turn % forms.size()];
  const auto expected = expected_of(o, facts.order.value_or(summation::serial), s);
  const std::vector<Value> unset(o.y.size(), poison<Value>());
  const auto& before = s.beta == Value(0) ? unset : o.y;
  book.compare<Value>({std::string(facts.name), order_text(facts), types_text<Value, Index>(), name, s.form}, expected,
                      [&](device::runtime& device) {
                        const auto a = device::upload(device, o.matrix.view());
                        const auto x = device.upload<Value>(o.x);
                        const auto y = device.upload<Value>(before);
                        device::spmv(device, facts.method, a, s.alpha, x.data(), s.beta, y.data());
                        return device.download<Value>(y);
                      });
}

/// Rows whose sums are subnormal: of one entry, and of two that nearly cancel. Atomic additions in the global memory of
/// a GPU flush such sums in single precision, and in no other.
template <value Value, index Index> void verify_subnormal_sums(kernel_ledger& book) {
  using real = real_of<Value>;
  constexpr real least = std::numeric_limits<real>::min();
  const std::vector<std::int64_t> row_offsets{0, 1, 3};
  const std::vector<Index> columns{0, 0, 1};
  const std::vector<Value> values{Value(least / 2), Value(3 * (least / 2)), Value(-least)};
  const std::vector<Value> x(2, Value(1));
  const std::vector<Value> expected(2, sizeof(real) == 4 ? Value(0) : Value(least / 2));
  const csr_view<Value, Index> a{2, 2, row_offsets, columns, values_view<Value>(std::span<const Value>(values))};
  const spmv_facts& facts = device::facts_of(device::spmv_method::coo_atomic);
  book.compare<Value>(
      {std::string(facts.name), order_text(facts), types_text<Value, Index>(), "subnormal sums", "y = A x"}, expected,
      [&](device::runtime& device) {
        const auto device_a = device::upload(device, a);
        const auto device_x = device.upload<Value>(x);
        const auto y = device.zeros<device::device_of<Value>>(2);
        device::spmv(device, facts.method, device_a, Value(1), device_x.data(), Value(0), y.data());
        return device.download<Value>(y);
      });
}

/// COO with its entries in any order, as the textbook chapter has it: coo_atomic does not need rows together.
template <value Value, index Index>
void verify_shuffled_entries(kernel_ledger& book, const std::string& name, const operands<Value, Index>& o) {
  const auto& a = o.matrix;
  std::vector<std::size_t> order(static_cast<std::size_t>(a.nnz()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [](std::size_t k, std::size_t l) { return mix(k) < mix(l); });
  std::vector<Index> rows_in_order;
  for (std::int64_t i = 0; i < a.rows; ++i)
    rows_in_order.insert(rows_in_order.end(), static_cast<std::size_t>(a.row_offsets[i + 1] - a.row_offsets[i]),
                         static_cast<Index>(i));
  std::vector<Index> row_indices;
  std::vector<Index> columns;
  std::vector<Value> values;
  for (const std::size_t k : order) {
    row_indices.push_back(rows_in_order[k]);
    columns.push_back(a.columns[static_cast<std::int64_t>(k)]);
    values.push_back(a.values.data[a.values.iso ? 0 : static_cast<std::int64_t>(k)]);
  }
  const spmv_facts& facts = device::facts_of(device::spmv_method::coo_atomic);
  const scalars<Value> s{"y = A x of shuffled entries", Value(1), Value(0)};
  book.compare<Value>({std::string(facts.name), order_text(facts), types_text<Value, Index>(), name, s.form},
                      expected_of(o, summation::serial, s), [&](device::runtime& device) {
                        const auto given = device::upload(device, a.view());
                        device::spmv_plan<Value, Index> plan{facts.method, {}, {}, {}, {}};
                        plan.stored = device::device_coo<Value, Index>{a.rows,
                                                                       a.cols,
                                                                       false,
                                                                       device.upload<Index>(row_indices),
                                                                       device.upload<Index>(columns),
                                                                       device.upload<Value>(values)};
                        const auto x = device.upload<Value>(o.x);
                        const auto y = device.upload<Value>(std::vector<Value>(o.y.size(), poison<Value>()));
                        device::spmv(device, plan, given, s.alpha, x.data(), s.beta, y.data());
                        return device.download<Value>(y);
                      });
}

/// Rows whose last chunk has one to four steps of a warp, half a warp in the last, so that every copy of a loop that
/// nvcc unrolls by four is reached. The chunk before it sums to zero, or it would hide one rounding more or less.
template <value Value, index Index> void verify_last_chunks(kernel_ledger& book) {
  constexpr std::int64_t chunk = 1024;
  auto a = from_rows<Value, Index>(4, 1200, entries::reals,
                                   [](std::int64_t i) { return random_columns(i, chunk + 32 * i + 16, 1200, 15); });
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i] + chunk; ++k) a.values.data[k] = Value(0);
  const operands<Value, Index> rounded(std::move(a), false);
  for (const spmv_facts& facts : device::all_spmv_methods)
    if (facts.order) verify_method(book, facts, "lengths 1040 to 1136", rounded, 0);
}

}  // namespace

template <value Value, index Index> void verify_spmv_kernels(kernel_ledger& book) {
  verify_subnormal_sums<Value, Index>(book);
  verify_last_chunks<Value, Index>(book);
  auto reals = test_matrices<Value, Index>(entries::reals);
  auto integers = test_matrices<Value, Index>(entries::integers);
  const std::size_t stride = book.all() ? 1 : 5;
  for (std::size_t k = 0; k < reals.size(); k += stride) {
    const std::string name = reals[k].name;
    const operands<Value, Index> rounded(std::move(reals[k].matrix), false);
    const operands<Value, Index> exact(std::move(integers[k].matrix), true);
    for (const spmv_facts& facts : device::all_spmv_methods) {
      if (!facts.order && name == "zeros, subnormals, Inf and NaN") continue;  // not integers
      verify_method(book, facts, name, facts.order ? rounded : exact, k / stride);
    }
    if (name != "zeros, subnormals, Inf and NaN") verify_shuffled_entries(book, name, exact);
  }
}

#define LACIS_VERIFY(Value, Index) template void verify_spmv_kernels<Value, Index>(kernel_ledger&);
LACIS_FOR_EACH_TYPE(LACIS_VERIFY)

}  // namespace lacis::verification
