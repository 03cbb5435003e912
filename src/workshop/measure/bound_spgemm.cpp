// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of two products side by side; where values differ, the products that each entry is made of.
#include "measure/bound_spgemm.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <mutex>
#include <omp.h>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "measure/bound.hpp"

namespace lacis::measure {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

template <class Real> bool is_whole(Real x) { return std::isfinite(x) && std::trunc(x) == x; }
template <class Real> bool is_whole(std::complex<Real> x) { return is_whole(x.real()) && is_whole(x.imag()); }

template <class Value> bool are_whole(std::span<const Value> values) {
  for (const Value& v : values)
    if (!is_whole(v)) return false;
  return true;
}

/// Compares rows, each thread with one of its own.
template <class Value, class Index> class row_comparer {
 public:
  using view = csr_view<Value, Index>;
  using real = real_of<Value>;

  row_comparer(const view& a, const view& b, const view& first, const view& second, bool drops_zeros, bool whole)
      : a_(a), b_(b), first_(first), second_(second), drops_zeros_(drops_zeros), whole_(whole) {}

  std::optional<product_fault> compare(std::int64_t row) {
    row_ = row;
    if (is_same(row)) return std::nullopt;
    collect(row);
    std::int64_t k = first_.row_offsets[at(row)];
    std::int64_t other = second_.row_offsets[at(row)];
    const std::int64_t end = first_.row_offsets[at(row + 1)];
    const std::int64_t other_end = second_.row_offsets[at(row + 1)];
    std::optional<product_fault> found;
    for (; k < end && !found; ++k) {
      const Index column = first_.columns[at(k)];
      if (other < other_end && second_.columns[at(other)] == column)
        found = compare_values(column, first_.values[k], second_.values[other++]);
      else if (drops_zeros_ && (other == other_end || second_.columns[at(other)] > column))
        found = compare_values(column, first_.values[k], Value(0));
      else
        found = fault(other == other_end
                          ? detail::text("no column ", column)
                          : detail::text("column ", second_.columns[at(other)], " where ", column, " should be"));
    }
    if (!found && other < other_end) found = fault(detail::text("column ", second_.columns[at(other)], " too many"));
    forget(row);
    return found;
  }

 private:
  [[nodiscard]] product_fault fault(std::string what) const { return {row_, std::move(what)}; }

  [[nodiscard]] bool is_same(std::int64_t row) const {
    const std::int64_t begin = first_.row_offsets[at(row)];
    const std::int64_t other = second_.row_offsets[at(row)];
    const std::int64_t size = first_.row_offsets[at(row + 1)] - begin;
    if (second_.row_offsets[at(row + 1)] - other != size) return false;
    return size == 0 ||
           (std::memcmp(&first_.columns[at(begin)], &second_.columns[at(other)], at(size) * sizeof(Index)) == 0 &&
            std::memcmp(&first_.values.data[at(begin)], &second_.values.data[at(other)], at(size) * sizeof(Value)) ==
                0);
  }

  /// The products behind every entry of a row: how many, and the sum of their absolute values.
  void collect(std::int64_t row) {
    if (terms_.empty()) {
      terms_.resize(at(b_.cols));
      magnitudes_.resize(at(b_.cols));
      if constexpr (is_complex<Value>) imaginary_.resize(at(b_.cols));
    }
    each_product(row, [&](std::size_t column, Value v, Value w) {
      ++terms_[column];
      if constexpr (is_complex<Value>) {
        magnitudes_[column] += size_of(v.real(), w.real()) + size_of(v.imag(), w.imag());
        imaginary_[column] += size_of(v.real(), w.imag()) + size_of(v.imag(), w.real());
      } else {
        magnitudes_[column] += size_of(v, w);
      }
    });
  }

  void forget(std::int64_t row) {
    each_product(row, [&](std::size_t column, Value, Value) {
      terms_[column] = 0;
      magnitudes_[column] = 0;
      if constexpr (is_complex<Value>) imaginary_[column] = 0;
    });
  }

  template <class Visit> void each_product(std::int64_t row, const Visit& visit) const {
    for (std::int64_t p = a_.row_offsets[at(row)]; p < a_.row_offsets[at(row + 1)]; ++p) {
      const auto k = at(a_.columns[at(p)]);
      for (std::int64_t q = b_.row_offsets[k]; q < b_.row_offsets[k + 1]; ++q)
        visit(at(b_.columns[at(q)]), a_.values[p], b_.values[q]);
    }
  }

  static long double size_of(real v, real w) {
    return std::fabs(static_cast<long double>(v) * static_cast<long double>(w));
  }

  std::optional<product_fault> compare_values(Index column, Value ours, Value theirs) const {
    const std::size_t j = at(column);
    if constexpr (is_complex<Value>) {
      auto found = compare_parts(column, ours.real(), theirs.real(), magnitudes_[j], 2 * terms_[j]);
      return found ? found : compare_parts(column, ours.imag(), theirs.imag(), imaginary_[j], 2 * terms_[j]);
    } else {
      return compare_parts(column, ours, theirs, magnitudes_[j], terms_[j]);
    }
  }

  std::optional<product_fault> compare_parts(Index column, real ours, real theirs, long double magnitude,
                                             std::int64_t terms) const {
    if (whole_ && magnitude <= std::ldexp(1.0L, std::numeric_limits<real>::digits)) {
      if (ours == theirs) return std::nullopt;
      return fault(detail::text("column ", column, " is ", theirs, " and not ", ours, ", though every sum is exact"));
    }
    const auto beyond = beyond_bound_of_sum(ours, theirs, magnitude, terms);
    if (!beyond) return std::nullopt;
    return fault(
        detail::text("column ", column, " is off by ", beyond->difference, ", rounding explains ", beyond->allowed));
  }

  const view& a_;
  const view& b_;
  const view& first_;
  const view& second_;
  bool drops_zeros_;
  bool whole_;
  std::int64_t row_ = 0;
  std::vector<std::int64_t> terms_;
  std::vector<long double> magnitudes_;
  std::vector<long double> imaginary_;
};

}  // namespace

template <class Value, class Index>
std::optional<product_fault> compare_products(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                              const csr_view<Value, Index>& first, const csr_view<Value, Index>& second,
                                              bool second_drops_zeros) {
  if (first.rows != second.rows || first.cols != second.cols) return product_fault{0, "another size"};
  const bool whole = are_whole(a.values.data) && are_whole(b.values.data);
  std::mutex mutex;
  std::optional<product_fault> least;
  detail::on_threads(omp_get_max_threads(), [&](int thread, int team) {
    row_comparer<Value, Index> rows(a, b, first, second, second_drops_zeros, whole);
    // In turns: neighbours are often alike, and a part of the matrix may have most of the work.
    for (std::int64_t row = thread; row < first.rows; row += team)
      if (auto found = rows.compare(row)) {
        const std::scoped_lock lock(mutex);
        if (!least || found->row < least->row) least = std::move(found);
        return;
      }
  });
  return least;
}

#define LACIS_COMPARE_PRODUCTS(Value, Index)                                                                           \
  template std::optional<product_fault> compare_products(const csr_view<Value, Index>&, const csr_view<Value, Index>&, \
                                                         const csr_view<Value, Index>&, const csr_view<Value, Index>&, \
                                                         bool);
LACIS_FOR_EACH_TYPE(LACIS_COMPARE_PRODUCTS)

}  // namespace lacis::measure
