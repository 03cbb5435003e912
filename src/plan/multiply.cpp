// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with a plan: the chosen layout straight to its kernels.
#include "base/instantiate.hpp"
#include "cpu/spmm.hpp"
#include "cpu/spmv.hpp"
#include "plan/layout.hpp"

namespace lacis::detail {
namespace {

template <class A, class Index> const layout<A, Index>& layout_of(const plan<A, Index>& p, side which) {
  const auto& data = *p.data();
  if (which == side::plain) return data.plain;
  const auto& other = which == side::transposed ? data.transposed : data.conjugate_transposed;
  if (!other)
    throw error(errc::invalid_argument,
                text("this plan does not hold the ", which == side::transposed ? "" : "conjugate ",
                     "transpose; make it with plan_options.",
                     which == side::transposed ? "transpose" : "conjugate_transpose", " = true"));
  return *other;
}

template <class A, class Index> cpu::launch launch_of(const plan<A, Index>& p, const layout<A, Index>& l) {
  const int threads = p.data()->options.threads;
  return {threads > 0 ? threads : threads_for(l.rows + l.nnz()), p.data()->set};
}

}  // namespace

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, std::span<const X> x, T beta, std::span<T> y,
              workspace& memory) {
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
  static_cast<void>(cpu::spmv(how, scale, l.short_rows.view(), x.data(), y.data(), memory));
  const std::int64_t count = l.long_rows.size();
  if (count == 0) return;
  const auto bytes = memory.bytes(count * static_cast<std::int64_t>(sizeof(T)), 1);
  T* sums = reinterpret_cast<T*>(bytes.data());
  static_cast<void>(cpu::spmv(how, cpu::scaling<T>(T(1), T(0)), l.rows_apart.view(), x.data(), sums, memory));
  cpu::run(how, [&](int thread, int threads) {
    for (auto k = even_cut(count, thread, threads); k < even_cut(count, thread + 1, threads); ++k)
      scale.store(y[static_cast<std::size_t>(l.long_rows[k])], sums[k]);
  });
}

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

}  // namespace

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, const dense_view<const X>& x, T beta,
              const dense_view<T>& y, workspace& memory) {
  const auto& l = layout_of(p, which);
  const cpu::launch how = launch_of(p, l);
  const cpu::row_supply<A, Index> supply = [&](const cpu::row_work<A, Index>& work) {
    if (!l.is_sell) return cpu::on_rows(how, l.rows_apart.view(), work);
    const cpu::row_work<A, Index> renamed = [&](cpu::row_source<A, Index>& source, int thread, int threads) {
      renamed_rows<A, Index> named(source, l.long_rows);
      work(named, thread, threads);
    };
    return cpu::on_rows(how, l.short_rows.view(), work) && cpu::on_rows(how, l.rows_apart.view(), renamed);
  };
  cpu::spmm(alpha, l.rows, l.cols, supply, x, beta, y, how, memory);
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
