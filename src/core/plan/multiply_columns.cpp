// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a plan with dense columns: the rows of its layout to the kernels for columns.
#include <algorithm>
#include <array>
#include <functional>
#include <type_traits>

#include "base/instantiate.hpp"
#include "cpu/spmv/spmm.hpp"
#include "plan/device_plan.hpp"
#include "plan/layout.hpp"
#include "plan/multiply.hpp"

namespace lacis::detail {
namespace {

/// A source whose rows are those that `rows` names.
template <class A, class Index> class renamed_rows final : public cpu::row_source<A, Index> {
 public:
  renamed_rows(cpu::row_source<A, Index>& source, std::span<const Index> rows) : source_(source), rows_(rows) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override { return source_.cut(part, parts); }
  std::int64_t start(std::int64_t place) override { return source_.start(place); }
  [[nodiscard]] std::int64_t row() const override { return rows_[static_cast<std::size_t>(source_.row())]; }
  cpu::stored_entries<A, Index> read(std::int64_t count) override { return source_.read(count); }

 private:
  cpu::row_source<A, Index>& source_;
  std::span<const Index> rows_;
};

/// The rows of a stencil, in its order.
template <class A, class Index> class stencil_source final : public cpu::row_source<A, Index> {
 public:
  explicit stencil_source(const stencil_rows<A>& st) : st_(st) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override {
    return part >= parts ? st_.rows() : st_.runs.empty() ? 0 : st_.first_place[st_.cut(part, parts)];
  }
  std::int64_t start(std::int64_t place) override {
    if (place < st_.first_place[run_] || place >= st_.first_place[run_ + 1])
      run_ = std::upper_bound(st_.first_place.begin(), st_.first_place.end(), place) - st_.first_place.begin() - 1;
    row_ = st_.runs[run_].first_row + place - st_.first_place[run_];
    if (!st_.has_lane(st_.runs[run_], (place - st_.first_place[run_]) % st_.height)) return -1;
    std::size_t count = 0;
    for_each_entry(st_, st_.runs[run_], row_, [&](std::int64_t slot, std::int64_t column) {
      values_[count] = st_.values[slot];
      columns_[count++] = static_cast<Index>(column);
    });
    return static_cast<std::int64_t>(count);
  }
  [[nodiscard]] std::int64_t row() const override { return row_; }
  cpu::stored_entries<A, Index> read(std::int64_t) override { return {values_.data(), false, columns_.data()}; }

 private:
  const stencil_rows<A>& st_;
  std::int64_t run_ = 0;
  std::int64_t row_ = 0;
  std::array<A, static_cast<std::size_t>(cpu::short_limit)> values_;
  std::array<Index, static_cast<std::size_t>(cpu::short_limit)> columns_;
};

/// The rows of a packed block; a place is a lane of a slice.
template <class A, class Index> class packed_source final : public cpu::row_source<A, Index> {
 public:
  packed_source(const packed_rows<A, Index>& block, bool goes_on) : block_(block), goes_on_(goes_on) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override {
    return std::min(block_.cut(part, parts) * block_.height, block_.places());
  }
  std::int64_t start(std::int64_t place) override {
    place_ = place;
    return block_.lengths[place];
  }
  [[nodiscard]] std::int64_t row() const override { return block_.rows[place_]; }
  cpu::stored_entries<A, Index> read(std::int64_t) override {
    std::size_t k = 0;
    for_each_entry(block_, place_ / block_.height, place_ % block_.height, [&](std::int64_t slot, std::int64_t column) {
      values_[k] = block_.values[slot];
      columns_[k++] = static_cast<Index>(column);
    });
    return {values_.data(), false, columns_.data()};
  }
  [[nodiscard]] bool goes_on() const override { return goes_on_; }

 private:
  const packed_rows<A, Index>& block_;
  bool goes_on_;
  std::int64_t place_ = 0;
  std::array<A, static_cast<std::size_t>(cpu::short_limit)> values_;
  std::array<Index, static_cast<std::size_t>(cpu::short_limit)> columns_;
};

/// One column after the other, copied where its elements are not contiguous: a staged product is one of vectors.
template <class A, class Index, class X, class T>
void multiply_by_columns(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
                         const dense_view<T>& y, workspace& memory) {
  const auto copied = [](std::int64_t count, auto&& at) { parallel_for(count, at); };
  const auto copy_of = [&]<class Element>(const dense_view<Element>& columns, int area) {
    using element = std::remove_const_t<Element>;
    if (columns.row_stride == 1) return static_cast<element*>(nullptr);
    const auto size = static_cast<std::int64_t>(sizeof(element));
    return reinterpret_cast<element*>(memory.bytes(columns.rows * size, area).data());
  };
  X* const from = copy_of(x, 2);  // a product of vectors has areas 0 and 1
  T* const to = copy_of(y, 3);
  for (std::int64_t c = 0; c < x.cols; ++c) {
    if (from != nullptr) copied(x.rows, [&](std::int64_t i) { from[i] = x(i, c); });
    if (to != nullptr && beta != T(0)) copied(y.rows, [&](std::int64_t i) { to[i] = y(i, c); });
    const std::span<const X> column{from != nullptr ? from : x.data + c * x.col_stride,
                                    static_cast<std::size_t>(x.rows)};
    const std::span<T> target{to != nullptr ? to : y.data + c * y.col_stride, static_cast<std::size_t>(y.rows)};
    multiply(alpha, p, which, column, beta, target, memory);
    if (to != nullptr) copied(y.rows, [&](std::int64_t i) { y(i, c) = to[i]; });
  }
}

}  // namespace

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
              const dense_view<T>& y, workspace& memory) {
  if (p.data()->on_device != nullptr) return multiply_there(alpha, p, which, x, beta, y);
  const auto& l = layout_of(p, which);
  const cpu::launch how = launch_of(p, l);
  if (l.kind == plan_layout::staged) {
    cpu::require_operands(l.rows, l.cols, x, y);
    return multiply_by_columns(alpha, p, which, x, beta, y, memory);
  }
  const auto supply_rows = [&](const cpu::row_work<A, Index>& work) {
    if (l.kind == plan_layout::csr) return cpu::on_rows(how, l.rows_apart.view(), work);
    if (l.stencil.rows() > 0)
      cpu::run(how, [&](int thread, int threads) {
        stencil_source<A, Index> source(l.stencil);
        work(source, thread, threads);
      });
    for (const auto& block : l.blocks)
      cpu::run(how, [&](int thread, int threads) {
        packed_source<A, Index> source(block, &block != &l.blocks.front());
        work(source, thread, threads);
      });
    const auto rename = [&](cpu::row_source<A, Index>& source, int thread, int threads) {
      renamed_rows<A, Index> named(source, l.long_rows);
      work(named, thread, threads);
    };
    return cpu::on_rows(how, l.rows_apart.view(), cpu::row_work<A, Index>(std::cref(rename)));
  };
  const cpu::row_supply<A, Index> supply = std::cref(supply_rows);  // by reference: a copy would be allocated
  static_cast<void>(cpu::spmm(alpha, l.rows, l.cols, supply, {.in_parts = l.blocks.size() > 1, .known_order = true}, x,
                              beta, y, how, memory));
}

#define LACIS_INSTANTIATE_WITH(A, Index, X)                                                                   \
  template LACIS_API void multiply(product_of<A, X>, const plan<A, Index>&, side, const dense_view<const X>&, \
                                   product_of<A, X>, const dense_view<product_of<A, X>>&, workspace&);
#define LACIS_INSTANTIATE(A, Index)                     \
  LACIS_INSTANTIATE_WITH(A, Index, float)               \
  LACIS_INSTANTIATE_WITH(A, Index, double)              \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<float>) \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail
