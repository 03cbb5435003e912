// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Powers of a plan's matrix and three-term recurrences.
#include "plan/powers.hpp"

#include <algorithm>

#include <lacis/error.hpp>
#include <lacis/powers.hpp>

#include "base/instantiate.hpp"
#include "base/machine.hpp"
#include "base/text.hpp"
#include "cpu/spmv/spmv.hpp"
#include "cpu/vector/blocks.hpp"
#include "plan/multiply.hpp"
#include "plan/wave.hpp"

namespace lacis::detail {
namespace {

/// Products of one wave, at most.
constexpr std::int64_t most_fused = 16;

template <class T, class Index> const row_reach& reach_of(const plan<T, Index>& p) {
  return p.internals()->reach.get([&] {
    return std::visit(
        [](const auto& arrays) {
          if constexpr (requires { reach_of(arrays); }) return reach_of(arrays);
          row_reach none;
          none.obstacle = "this layout computes all rows together";
          return none;
        },
        p.internals()->plain.arrays);
  });
}

/// Whether the plan expects its products to take as long as their arithmetic.
bool is_busy(const plan_report& report) {
  return std::any_of(report.candidates.begin(), report.candidates.end(),
                     [](const plan_candidate& c) { return c.chosen && c.limit == "arithmetic"; });
}

template <class T, class Index>
wave_task task_of(const plan<T, Index>& p, const cpu::launch& how, std::int64_t products, int vectors,
                  std::int64_t cache) {
  const auto& l = p.internals()->plain;
  return {l.rows,
          static_cast<double>(bytes_of(l)),
          vectors * static_cast<std::int64_t>(sizeof(T)),
          static_cast<int>(std::min(products, most_fused)),
          how.threads,
          cache > 0 ? cache : l2_cache_bytes(),
          cache == 0 && vectors == 2 && is_busy(p.internals()->report)};  // more vectors are worth keeping near
}

template <class T> std::span<const T> column(const T* first, std::int64_t rows) {
  return {first, static_cast<std::size_t>(rows)};
}

/// A recurrence, or powers where there are no steps.
template <class T> class recurrence final : public product_chain<T> {
 public:
  recurrence(const cpu::vector_table<T>& kernels, const T* before, const T* x,
             std::span<const recurrence_step<T>> steps, const dense_view<T>& y)
      : kernels_(kernels), before_(before), x_(x), steps_(steps), y_(y) {}

  [[nodiscard]] const T* from(std::int64_t k) const override { return at(k - 1); }
  [[nodiscard]] T* to(std::int64_t k) const override { return y_.data + (k - 1) * y_.col_stride; }
  [[nodiscard]] bool finishes() const override { return !steps_.empty(); }
  void finish(std::int64_t k, std::int64_t begin, std::int64_t end) const override {
    const recurrence_step<T>& step = steps_[static_cast<std::size_t>(k - 1)];
    T* const y = to(k) + begin;
    if (step.alpha != T(1)) kernels_.axpby(T(0), y, step.alpha, y, end - begin);
    if (step.beta != T(0)) kernels_.axpby(step.beta, at(k - 1) + begin, T(1), y, end - begin);
    if (step.gamma != T(0)) kernels_.axpby(step.gamma, at(k - 2) + begin, T(1), y, end - begin);
  }

 private:
  [[nodiscard]] const T* at(std::int64_t k) const { return k < 0 ? before_ : k == 0 ? x_ : to(k); }

  const cpu::vector_table<T>& kernels_;
  const T* before_;
  const T* x_;
  std::span<const recurrence_step<T>> steps_;
  const dense_view<T>& y_;
};

template <class T, class Index> std::int64_t products_of(const plan<T, Index>& p, const dense_view<T>& y) {
  if (p.rows() != p.cols())
    throw error(errc::invalid_argument, text("powers need a square matrix; this one is ", p.rows(), " x ", p.cols()));
  if (y.rows != p.rows())
    throw error(errc::invalid_argument, text("y has ", y.rows, " rows, the matrix needs ", p.rows()));
  if ((y.rows > 1 && y.row_stride != 1) || (y.cols > 1 && y.col_stride < y.rows))
    throw error(errc::invalid_argument, "the columns of y must be contiguous: give powers a column_major view");
  return y.cols;
}

template <class T> void require_apart(std::span<const T> x, const dense_view<T>& y) {
  if (y.cols > 0)
    cpu::require_apart(x.data(), x.data() + x.size(), y.data, y.data + (y.cols - 1) * y.col_stride + y.rows);
}

}  // namespace

template <class T, class Index>
void multiply_chain(const plan<T, Index>& p, const product_chain<T>& chain, std::int64_t products, int vectors,
                    workspace& memory, std::int64_t cache) {
  const auto& l = p.internals()->plain;
  const cpu::launch how = launch_of(p, l);
  wave chosen;
  if (p.internals()->on_device == nullptr && products > 1)
    chosen = choose_wave(reach_of(p), task_of(p, how, products, vectors, cache));
  for (std::int64_t done = 0; done < products;) {
    wave w = chosen;
    w.products = static_cast<int>(std::min<std::int64_t>(w.products, products - done));
    if (w.products < 2) {
      const std::int64_t k = ++done;
      multiply(T(1), p, side::plain, column(chain.from(k), l.rows), T(0),
               std::span<T>(chain.to(k), static_cast<std::size_t>(l.rows)), memory);
      if (!chain.finishes()) continue;
      cpu::run(how, [&](int thread, int threads) {
        const std::int64_t begin = even_cut(l.rows, thread, threads);
        const std::int64_t end = even_cut(l.rows, thread + 1, threads);
        if (begin < end) chain.finish(k, begin, end);
      });
      continue;
    }
    const row_reach& reach = reach_of(p);
    std::visit(
        [&](const auto& arrays) {
          if constexpr (requires { multiply_range(how.set, arrays, reach, chain.from(1), 0, 0, chain.to(1)); })
            run_wave(how, w, [&](int k, std::int64_t begin, std::int64_t end) {
              multiply_range(how.set, arrays, reach, chain.from(done + k), begin, end, chain.to(done + k));
              if (chain.finishes()) chain.finish(done + k, begin, end);
            });
        },
        l.arrays);
    done += w.products;
  }
}

template <class T, class Index>
void multiply_powers(const plan<T, Index>& p, std::span<const T> x, const dense_view<T>& y, workspace& memory,
                     std::int64_t cache) {
  const std::int64_t products = products_of(p, y);
  cpu::require_size(static_cast<std::int64_t>(x.size()), p.cols(), "x");
  require_apart(x, y);
  multiply_chain(p, recurrence<T>(cpu::vector_kernels_for<T>(p.internals()->set), nullptr, x.data(), {}, y), products,
                 2, memory, cache);
}

template <class T, class Index>
void multiply_recurrence(const plan<T, Index>& p, std::span<const T> before, std::span<const T> x,
                         std::span<const recurrence_step<T>> steps, const dense_view<T>& y, workspace& memory,
                         std::int64_t cache) {
  const std::int64_t products = products_of(p, y);
  if (static_cast<std::int64_t>(steps.size()) != y.cols)
    throw error(errc::invalid_argument,
                text("the recurrence has ", steps.size(), " steps and y ", y.cols, " columns: it takes one per step"));
  cpu::require_size(static_cast<std::int64_t>(x.size()), p.cols(), "x");
  require_apart(x, y);
  if (!before.empty() || (!steps.empty() && steps[0].gamma != T(0))) {
    cpu::require_size(static_cast<std::int64_t>(before.size()), p.cols(), "the vector before x");
    require_apart(before, y);
  }
  multiply_chain(p, recurrence<T>(cpu::vector_kernels_for<T>(p.internals()->set), before.data(), x.data(), steps, y),
                 products, 3, memory, cache);
}

template <class T, class Index> std::string explain_powers(const plan<T, Index>& p, int power, std::int64_t cache) {
  if (p.internals()->on_device != nullptr) return "not fused: the plan is on a device";
  if (p.rows() != p.cols()) return "there are none: the matrix is not square";
  return explain_wave(reach_of(p), task_of(p, launch_of(p, p.internals()->plain), power, 2, cache));
}

#define LACIS_INSTANTIATE(T, Index)                                                                                    \
  template void multiply_chain(const plan<T, Index>&, const product_chain<T>&, std::int64_t, int, workspace&,          \
                               std::int64_t);                                                                          \
  template LACIS_API void multiply_powers(const plan<T, Index>&, std::span<const T>, const dense_view<T>&, workspace&, \
                                          std::int64_t);                                                               \
  template LACIS_API void multiply_recurrence(const plan<T, Index>&, std::span<const T>, std::span<const T>,           \
                                              std::span<const recurrence_step<T>>, const dense_view<T>&, workspace&,   \
                                              std::int64_t);                                                           \
  template LACIS_API std::string explain_powers(const plan<T, Index>&, int, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail
