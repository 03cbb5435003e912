// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with a plan: the chosen layout straight to its kernels.
#include <algorithm>
#include <array>

#include "base/instantiate.hpp"
#include "cpu/spmm.hpp"
#include "cpu/spmv.hpp"
#include "plan/device_plan.hpp"
#include "plan/layout.hpp"

namespace lacis::detail {
namespace {

template <class A, class Index> const layout<A, Index>& layout_of(const plan<A, Index>& p, side which) {
  const auto& data = *p.data();
  if (which == side::plain) return data.plain;
  const auto& other = which == side::transposed ? data.transposed : data.conjugate_transposed;
  if (!other) throw_side_missing(which);
  return *other;
}

template <class A, class Index> cpu::launch launch_of(const plan<A, Index>& p, const layout<A, Index>& l) {
  const int threads = p.data()->options.threads;
  return {threads > 0 ? threads : threads_for(l.rows + l.nnz()), p.data()->set};
}

template <class T> dense_view<T> as_column(std::span<T> vector) {
  const auto size = static_cast<std::int64_t>(vector.size());
  return {vector.data(), size, 1, 1, size};
}

/// The blocks one after the other, each going on from the sums of the one before: in y, where nothing else becomes of
/// them, or in memory of their own.
template <class A, class Index, class X, class T>
void multiply_short_rows(const cpu::launch& how, const cpu::scaling<T>& scale, const layout<A, Index>& l, const X* x,
                         T* y, workspace& memory) {
  const auto& kernels = cpu::kernels_for<A, Index, X>(how.set);
  const bool apart = l.blocks.size() > 1 && !scale.plain;
  T* sums = y;
  if (apart) sums = reinterpret_cast<T*>(memory.bytes(l.rows * static_cast<std::int64_t>(sizeof(T)), 1).data());
  const cpu::scaling<T> inner = apart ? cpu::scaling<T>(T(1), T(0)) : scale;
  for (const auto& block : l.blocks)
    cpu::run(how, [&](int thread, int threads) {
      kernels.packed_rows(block.view(), x + block.first_column, block.cut(thread, threads),
                          block.cut(thread + 1, threads), &block != &l.blocks.front(), inner, sums);
    });
  if (!apart) return;
  const auto& first = l.blocks.front();
  cpu::run(how, [&](int thread, int threads) {
    for (auto slice = first.cut(thread, threads); slice < first.cut(thread + 1, threads); ++slice)
      for (std::int64_t lane = 0; lane < first.headers[slice].count; ++lane) {
        const auto row = first.rows[slice * first.height + lane];
        scale.store(y[row], sums[row]);
      }
  });
}

template <class A, class Index, class X, class T>
void multiply_long_rows(const cpu::launch& how, const cpu::scaling<T>& scale, const layout<A, Index>& l, const X* x,
                        T* y, workspace& memory) {
  const std::int64_t count = l.long_rows.size();
  T* sums = reinterpret_cast<T*>(memory.bytes(count * static_cast<std::int64_t>(sizeof(T)), 1).data());
  static_cast<void>(cpu::spmv(how, cpu::scaling<T>(T(1), T(0)), l.rows_apart.view(), x, sums, memory));
  cpu::run(how, [&](int thread, int threads) {
    for (auto k = even_cut(count, thread, threads); k < even_cut(count, thread + 1, threads); ++k)
      scale.store(y[l.long_rows[k]], sums[k]);
  });
}

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

}  // namespace

void throw_side_missing(side which) {
  throw error(errc::invalid_argument,
              text("this plan does not hold the ", which == side::transposed ? "" : "conjugate ",
                   "transpose; make it with plan_options.",
                   which == side::transposed ? "transpose" : "conjugate_transpose", " = true"));
}

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, std::span<const X> x, T beta, std::span<T> y,
              workspace& memory) {
  if (p.data()->on_device != nullptr) return multiply_there(alpha, p, which, as_column(x), beta, as_column(y));
  const auto& l = layout_of(p, which);
  const cpu::launch how = launch_of(p, l);
  if (!l.is_sell) {
    cpu::checked_spmv(alpha, l.rows_apart.view(), x, beta, y, how, memory);
    return;
  }
  cpu::require_operands(l.rows, l.cols, x, y);
  if (alpha == T(0)) {
    cpu::scale_only(how, beta, y);
    return;
  }
  const cpu::scaling<T> scale(alpha, beta);
  multiply_short_rows(how, scale, l, x.data(), y.data(), memory);
  if (!l.long_rows.empty()) multiply_long_rows(how, scale, l, x.data(), y.data(), memory);
}

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
              const dense_view<T>& y, workspace& memory) {
  if (p.data()->on_device != nullptr) return multiply_there(alpha, p, which, x, beta, y);
  const auto& l = layout_of(p, which);
  const cpu::launch how = launch_of(p, l);
  const cpu::row_supply<A, Index> supply = [&](const cpu::row_work<A, Index>& work) {
    if (!l.is_sell) return cpu::on_rows(how, l.rows_apart.view(), work);
    for (const auto& block : l.blocks)
      cpu::run(how, [&](int thread, int threads) {
        packed_source<A, Index> source(block, &block != &l.blocks.front());
        work(source, thread, threads);
      });
    const cpu::row_work<A, Index> renamed = [&](cpu::row_source<A, Index>& source, int thread, int threads) {
      renamed_rows<A, Index> named(source, l.long_rows);
      work(named, thread, threads);
    };
    return cpu::on_rows(how, l.rows_apart.view(), renamed);
  };
  cpu::spmm(alpha, l.rows, l.cols, supply, l.blocks.size() > 1, x, beta, y, how, memory);
}

#define LACIS_INSTANTIATE_WITH(A, Index, X)                                                                   \
  template LACIS_API void multiply(product_of<A, X>, const plan<A, Index>&, side, std::span<const X>,         \
                                   product_of<A, X>, std::span<product_of<A, X>>, workspace&);                \
  template LACIS_API void multiply(product_of<A, X>, const plan<A, Index>&, side, const dense_view<const X>&, \
                                   product_of<A, X>, const dense_view<product_of<A, X>>&, workspace&);
#define LACIS_INSTANTIATE(A, Index)                     \
  LACIS_INSTANTIATE_WITH(A, Index, float)               \
  LACIS_INSTANTIATE_WITH(A, Index, double)              \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<float>) \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail
