// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums of two matrices: their rows merged, once to count and once to write.
#include <algorithm>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "formats/pairs.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"
#include "summation/scale.hpp"

namespace lacis::detail {
namespace {

/// The entries of one operand with their scaled values.
template <value Value, index Index> class scaled_entries {
 public:
  scaled_entries(Value factor, const csr_view<Value, Index>& m)
      : offsets(m.row_offsets.data()), columns(m.columns.data()), factor_(factor), values_(m.values) {}

  [[nodiscard]] Value operator[](std::int64_t k) const { return summation::scale(factor_, values_[k]); }

  const std::int64_t* offsets;
  const Index* columns;

 private:
  Value factor_;
  values_view<Value> values_;
};

/// How many columns two ascending lists share. Which list goes on is a coin toss to the processor, so it is computed
/// rather than branched on, here and below; with pointers instead of numbers the compiler would branch.
template <index Index>
std::int64_t shared_columns(const Index* a, std::int64_t in_a, const Index* b, std::int64_t in_b) {
  std::int64_t shared = 0;
  for (std::int64_t k = 0, l = 0; k < in_a && l < in_b;) {
    const Index left = a[k];
    const Index right = b[l];
    shared += left == right ? 1 : 0;
    k += left <= right ? 1 : 0;
    l += right <= left ? 1 : 0;
  }
  return shared;
}

template <value Value, index Index>
void add_row(const scaled_entries<Value, Index>& a, const scaled_entries<Value, Index>& b, std::int64_t row,
             Index* columns, Value* values) {
  std::int64_t k = a.offsets[row];
  std::int64_t l = b.offsets[row];
  std::int64_t entry = 0;
  const std::int64_t a_end = a.offsets[row + 1];
  const std::int64_t b_end = b.offsets[row + 1];
  for (; k < a_end && l < b_end; ++entry) {
    const Index left = a.columns[k];
    const Index right = b.columns[l];
    const Value from_a = a[k];
    const Value from_b = b[l];
    const Value choice[] = {from_a, summation::add(from_a, from_b), from_b};
    columns[entry] = std::min(left, right);
    values[entry] = choice[(left >= right ? 1 : 0) + (left > right ? 1 : 0)];
    k += left <= right ? 1 : 0;
    l += right <= left ? 1 : 0;
  }
  for (; k < a_end; ++k, ++entry) {
    columns[entry] = a.columns[k];
    values[entry] = a[k];
  }
  for (; l < b_end; ++l, ++entry) {
    columns[entry] = b.columns[l];
    values[entry] = b[l];
  }
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> add(Value alpha, const csr_view<Value, Index>& a, Value beta,
                             const csr_view<Value, Index>& b) {
  if (a.rows != b.rows || a.cols != b.cols)
    throw error(errc::invalid_argument, text("add needs two matrices of one size, not ", a.rows, " x ", a.cols, " and ",
                                             b.rows, " x ", b.cols));
  require_canonical(a, "add");
  require_canonical(b, "add");
  const scaled_entries<Value, Index> left(alpha, a);
  const scaled_entries<Value, Index> right(beta, b);
  const buffer<std::int64_t> work = joint_offsets(a, b);
  auto result = with_row_lengths<Value, Index>(a.rows, a.cols, {}, work, [&](std::int64_t i) {
    return work[i + 1] - work[i] -
           shared_columns(left.columns + left.offsets[i], left.offsets[i + 1] - left.offsets[i],
                          right.columns + right.offsets[i], right.offsets[i + 1] - right.offsets[i]);
  });
  parallel_rows(work, [&](std::int64_t first, std::int64_t last) {
    const summation::rounding_guard guard;
    for (std::int64_t i = first; i < last; ++i)
      add_row(left, right, i, result.columns.data() + result.row_offsets[i],
              result.values.data.data() + result.row_offsets[i]);
  });
  return result;
}

#define LACIS_ADD(Value, Index)                                                                \
  template LACIS_API csr_matrix<Value, Index> add(Value, const csr_view<Value, Index>&, Value, \
                                                  const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_ADD)

}  // namespace lacis::detail
