// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Powers and recurrences: the bits of one product after the other, whether rows of several are computed together or
// not.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/powers.hpp>
#include <lacis/vector.hpp>

#include "plan/wave.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

using std::string;

/// Calls work() where every region of several threads runs on one: part after part.
template <class Work> void on_one_thread(Work&& work) {
#pragma omp parallel num_threads(2)
#pragma omp single
  work();
}

struct wave_shape {
  detail::wave w;
  std::int64_t in_plane;

  /// Whether a row may refer to another.
  [[nodiscard]] bool reaches(std::int64_t i, std::int64_t j) const {
    if (std::abs(i / w.period - j / w.period) > 1) return false;
    return w.strips() == 1 || std::abs(i % w.period - j % w.period) <= in_plane;
  }
};

void expect_order(const wave_shape& s, int threads) {
  const detail::wave& w = s.w;
  std::vector<int> done(static_cast<std::size_t>(w.rows), 0);  // products that have computed a row
  const auto step = [&](int k, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      ASSERT_EQ(done[static_cast<std::size_t>(i)], k - 1) << "row " << i;
      const std::int64_t last = std::min(w.rows, i + 2 * w.period);
      for (std::int64_t j = std::max<std::int64_t>(0, i - 2 * w.period); j < last; ++j) {
        if (!s.reaches(i, j)) continue;
        const bool own = j >= begin && j < end;
        ASSERT_GE(done[static_cast<std::size_t>(j)], k - 1) << "row " << i << " refers to " << j;
        ASSERT_LE(done[static_cast<std::size_t>(j)], own ? k - 1 : k) << "row " << j << " is overwritten before " << i;
      }
    }
    for (std::int64_t i = begin; i < end; ++i) ++done[static_cast<std::size_t>(i)];
  };
  on_one_thread([&] { detail::run_wave(cpu::launch{threads, isa::scalar}, w, step); });
  EXPECT_EQ(std::count(done.begin(), done.end(), w.products), w.rows);
}

TEST(Wave, ComputesEveryRowOfEveryProductOnceAndAfterTheRowsThatItRefersTo) {
  for (const int products : {2, 3, 5})
    for (const int threads : {1, 2, 3}) {
      SCOPED_TRACE(testing::Message() << products << " products, " << threads << " threads");
      // Strips of planes that are whole slices, and of planes that are not; whole planes; strips as narrow as can be.
      expect_order({{products, 4000, 96, 40, 14, 8}, 7}, threads);
      expect_order({{products, 3990, 101, 56, 16, 8}, 9}, threads);
      expect_order({{products, 1555, 50, 50, 0, 1}, 0}, threads);
      expect_order({{products, 1013, 33, 12, 6, 4}, 3}, threads);
    }
}

/// y by the definition: one product after the other.
template <class T> std::vector<T> one_by_one(const plan<T>& p, const std::vector<T>& x, std::int64_t products) {
  std::vector<T> y(x.size() * static_cast<std::size_t>(products));
  std::span<const T> last = x;
  for (std::size_t k = 0; k < static_cast<std::size_t>(products); ++k) {
    const std::span<T> next(y.data() + k * x.size(), x.size());
    multiply(p, last, next);
    last = next;
  }
  return y;
}

template <class T> class PowersOf : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(PowersOf, value_types);

TYPED_TEST(PowersOf, AreFusedInStripsAndHaveTheBitsOfSingleProducts) {
  using T = TypeParam;
  // Planes that are whole slices and planes that are not, of 7 and of 27 points.
  struct grid {
    std::int64_t n, depth;
    bool faces;
  };
  for (const grid g : {grid{24, 40, true}, grid{18, 41, true}, grid{14, 40, false}}) {
    const auto a = from_rows<T, std::int32_t>(g.n * g.n * g.depth, g.n * g.n * g.depth, entries::reals,
                                              [&](auto i) { return grid_neighbours(i, g.n, g.depth, g.faces); });
    const auto x = full_numbers<T>(a.cols);
    for (const int threads : {1, 2, 3}) {
      const auto p = multiply_inspect(a, {.threads = threads, .layout = plan_layout::stencil});
      // Room for half a plane of three products.
      const std::int64_t entries_of_row = g.faces ? 7 : 27;
      const std::int64_t cache = g.n * g.n * (3 * entries_of_row + 10) * static_cast<std::int64_t>(sizeof(T));
      const string how = detail::explain_powers(p, 3, cache);
      EXPECT_TRUE(how.starts_with("3 products read the matrix once, in strips of")) << g.n << ": " << how;
      const auto wanted = one_by_one(p, x, 3);
      std::vector<T> y(wanted.size(), T(std::numeric_limits<real_of<T>>::quiet_NaN()));
      workspace memory;
      detail::multiply_powers<T>(p, x, column_major(std::span<T>(y), a.rows, 3), memory, cache);
      EXPECT_EQ(y, wanted) << g.n << ", " << threads << " threads: " << how;
    }
  }
}

TEST(Powers, ReadsMatricesOnceInPlanesWhereRowsAreNear) {
  for (const plan_layout layout : {plan_layout::csr, plan_layout::sell, plan_layout::stencil, plan_layout::symmetric}) {
    const auto a = generate<double>("@banded:20000,5", {.values = generated_values::random});
    const auto p = multiply_inspect(a, {.threads = 2, .layout = layout});
    const auto x = full_numbers<double>(a.cols);
    std::vector<double> y(x.size() * 6);
    workspace memory;
    const string how = detail::explain_powers(p, 6, 128 << 10);
    EXPECT_TRUE(how.starts_with("6 products read the matrix once, in planes of")) << name_of(layout) << ": " << how;
    detail::multiply_powers<double>(p, x, column_major(std::span(y), a.rows, 6), memory, 128 << 10);
    EXPECT_EQ(y, one_by_one(p, x, 6)) << name_of(layout);
  }
}

TEST(Powers, FollowNewValues) {
  const auto a = generate<double>("@poisson3d:24");
  const auto b = generate<double>("@poisson3d:24", {.values = generated_values::random});
  auto p = multiply_inspect(a, {.threads = 2, .layout = plan_layout::stencil});
  const auto x = full_numbers<double>(a.cols);
  std::vector<double> y(x.size() * 4);
  workspace memory;
  const auto columns = column_major(std::span(y), a.rows, 4);
  detail::multiply_powers<double>(p, x, columns, memory, 16 << 10);
  update_values(p, b.values.data);
  detail::multiply_powers<double>(p, x, columns, memory, 32 << 10);
  EXPECT_EQ(y, one_by_one(multiply_inspect(b), x, 4));
}

TEST(Powers, SayWhyTheyAreNotFused) {
  const auto reason = [](const char* spec, plan_options options, std::int64_t cache) {
    return detail::explain_powers(multiply_inspect(generate<double>(spec), options), 4, cache);
  };
  EXPECT_EQ(reason("@poisson2d:10", {}, 0), "not fused: the matrix stays in the cache");
  EXPECT_NE(reason("@uniform:9000,8", {}, 4096).find("columns from the diagonal"), string::npos);
  EXPECT_EQ(reason("@poisson2d:60", {.layout = plan_layout::staged}, 4096),
            "not fused: this layout computes all rows together");
  EXPECT_NE(reason("@poisson3d:24", {.threads = 7, .layout = plan_layout::stencil}, 8192).find("too few or too large"),
            string::npos);
}

TEST(Powers, AreNotFusedWhereArithmeticBoundsAProduct) {
  detail::row_reach near;
  near.band = 1000;
  detail::wave_task task{1'000'000, 8e6, 16, 4, 1, 1 << 20, false};
  EXPECT_EQ(detail::choose_wave(near, task).products, 4);
  task.is_busy = true;
  EXPECT_EQ(detail::choose_wave(near, task).products, 1);
  EXPECT_EQ(detail::explain_wave(near, task), "not fused: a product is bound by arithmetic, not by memory bandwidth");
}

TEST(Recurrence, HasTheBitsOfProductsAndUpdates) {
  const auto a = generate<double>("@poisson3d:24", {.values = generated_values::random});
  const auto n = static_cast<std::size_t>(a.rows);
  const std::vector<recurrence_step<double>> steps = {
      {0.7, 0.3, -1.1}, {1, 0, 2}, {-0.3, 1, 0}, {0, 0.9, 1}, {2, 3, 4}};
  for (const int threads : {1, 2}) {
    const auto p = multiply_inspect(a, {.threads = threads, .layout = plan_layout::stencil});
    const auto before = full_numbers<double>(a.cols, 8);
    const auto x = full_numbers<double>(a.cols);
    std::vector<double> wanted(n * steps.size());
    const auto vector = [&](std::size_t k) {  // 0: the vector before x, 1: x
      return k == 0   ? std::span<const double>(before)
             : k == 1 ? std::span<const double>(x)
                      : std::span<const double>(wanted.data() + (k - 2) * n, n);
    };
    workspace memory;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::span<double> next(wanted.data() + k * n, n);
      multiply(steps[k].alpha, p, vector(k + 1), 0.0, next, memory);
      axpy(steps[k].beta, vector(k + 1), next);
      axpy(steps[k].gamma, vector(k), next);
    }
    std::vector<double> y(wanted.size());
    const auto columns = column_major(std::span(y), a.rows, static_cast<std::int64_t>(steps.size()));
    multiply_recurrence(p, before, x, steps, columns, memory);
    EXPECT_EQ(y, wanted) << "one by one";
    std::fill(y.begin(), y.end(), 0.0);
    detail::multiply_recurrence<double>(p, before, x, steps, columns, memory, 32 << 10);
    EXPECT_EQ(y, wanted) << "fused";
  }
}

TEST(Powers, RefuseWhatDoesNotFit) {
  const auto p = multiply_inspect(generate<double>("@poisson2d:10"));
  const std::vector<double> x(100), shorter(99);
  std::vector<double> y(300);
  workspace memory;
  const auto columns = column_major(std::span(y), 100, 3);
  EXPECT_EQ(code_of([&] { multiply_powers(p, shorter, columns, memory); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { multiply_powers(p, x, column_major(std::span(y), 99, 3), memory); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { multiply_powers(p, x, row_major(std::span(y), 100, 3), memory); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { multiply_powers(p, std::span(y).subspan(200), columns, memory); }), errc::invalid_argument);
  const std::vector<recurrence_step<double>> steps = {{1, 0, 1}, {}, {}};
  EXPECT_EQ(code_of([&] { multiply_recurrence(p, std::vector<double>{}, x, steps, columns, memory); }),
            errc::invalid_argument);
  EXPECT_EQ(code_of([&] { multiply_recurrence(p, x, x, std::span(steps).first(2), columns, memory); }),
            errc::invalid_argument);
  const auto wide =
      from_rows<double, std::int32_t>(4, 5, entries::reals, [](std::int64_t) { return consecutive(0, 5); });
  const auto q = multiply_inspect(wide);
  std::vector<double> z(12);
  EXPECT_EQ(code_of([&] { multiply_powers(q, std::vector<double>(5), column_major(std::span(z), 4, 3), memory); }),
            errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test
