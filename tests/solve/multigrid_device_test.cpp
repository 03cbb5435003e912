// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cycles of multigrid on a device: the bits of those on the processor in full precision, and what they keep and say.
#include <gtest/gtest.h>

#include <lacis/device_context.hpp>
#include <lacis/eigs.hpp>
#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve_auto.hpp>

#include "device/context.hpp"
#include "simt/runtime.hpp"
#include "solve/convection.hpp"
#include "solve/elastic_plate.hpp"
#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

constexpr preconditioner_kind amg = preconditioner_kind::amg;
constexpr device_id there = devices::simt();

device::simt_runtime& executor() {
  return *static_cast<device::simt_runtime*>(device_context(there).internals()->table().state);
}

/// Launches in another order of threads while it exists.
class in_turns {
 public:
  explicit in_turns(const simt::schedule& turns) { executor().set_turns(turns); }
  in_turns(const in_turns&) = delete;
  in_turns& operator=(const in_turns&) = delete;
  ~in_turns() { executor().set_turns({}); }
};

template <class Matrix> auto made(const Matrix& a, multigrid_options options, device_id where) {
  options.narrow = false;
  return make_preconditioner(a, {.kind = amg, .device = where, .multigrid = options});
}

/// M x.
template <class T> std::vector<T> cycled(const preconditioner<T>& m, const std::vector<T>& x) {
  const auto from = m.space().zeros(m.cols());
  const auto to = m.space().zeros(m.rows());
  m.space().from_host(x, from);
  m.apply(from, to);
  std::vector<T> z(x.size());
  m.space().to_host(to, z);
  return z;
}

/// The bits, so that -0 is not 0.
template <class T> std::vector<std::byte> bits(const std::vector<T>& x) {
  const auto all = std::as_bytes(std::span(x));
  return {all.begin(), all.end()};
}

struct system_case {
  std::string name;
  csr_matrix<double> a;
  multigrid_options options;
  solve_method method = solve_method::cg;
  std::vector<double> motions = {};
};

/// Several levels each. The near null space is that of the case itself.
std::vector<system_case> cases() {
  constexpr std::int64_t plate = 14;
  std::vector<system_case> all;
  all.push_back({"poisson3d, V", laplacian("@poisson3d:9"), {.coarsest_rows = 20}});
  all.push_back({"poisson3d, W", laplacian("@poisson3d:11"), {.cycle = multigrid_cycle::w, .coarsest_rows = 4}});
  all.push_back({"poisson2d, W, one step",
                 laplacian("@poisson2d:30"),
                 {.cycle = multigrid_cycle::w, .degree = 1, .coarsest_rows = 4}});
  all.push_back({"poisson2d, three steps", laplacian("@poisson2d:24"), {.degree = 3, .coarsest_rows = 30}});
  all.push_back({"poisson2d, truncated", laplacian("@poisson2d:24"), {.truncation = 0.2, .coarsest_rows = 30}});
  all.push_back({"springs", springs(plate), {.block = 2, .coarsest_rows = 30}, solve_method::cg, rigid_motions(plate)});
  all.push_back({"springs, blocks", springs(plate), {.block = 2, .coarsest_rows = 30}});
  all.push_back({"a wind", convection(24, 3), {.coarsest_rows = 20}, solve_method::bicgstab});
  all.push_back({"a wind, W, three steps",
                 convection(28, 3),
                 {.cycle = multigrid_cycle::w, .degree = 3, .coarsest_rows = 4},
                 solve_method::fgmres});
  return all;
}

/// The options of a case, whose motions must stay where they are.
multigrid_options options_of(const system_case& one) {
  multigrid_options options = one.options;
  options.near_null_space = one.motions;
  return options;
}

TEST(MultigridOnADevice, CyclesHaveTheBitsOfTheProcessorInEveryOrderOfThreads) {
  for (const system_case& one : cases()) {
    const auto here = made(one.a, options_of(one), devices::cpu());
    const auto on_device = made(one.a, options_of(one), there);
    ASSERT_GE(here->hierarchy()->levels.size(), one.options.cycle == multigrid_cycle::w ? 4U : 3U) << one.name;
    const auto x = right_side<double>(one.a.rows);
    const auto expected = bits(cycled(*here, x));
    for (const simt::schedule& turns :
         {simt::schedule{}, {simt::turns::reverse}, {simt::turns::shuffled, 1}, {simt::turns::shuffled, 2}}) {
      const in_turns order(turns);
      EXPECT_EQ(bits(cycled(*on_device, x)), expected) << one.name;
    }
  }
}

TEST(MultigridOnADevice, SolversTakeTheSameIterationsToTheSameBits) {
  for (const system_case& one : cases()) {
    const auto b = right_side<double>(one.a.rows);
    const auto solved = [&](device_id where, std::vector<double>& x) {
      x.assign(b.size(), 0);
      const auto m = made(one.a, options_of(one), where);
      return solve<double>(one.method, *make_operator(multiply_inspect(one.a, {.device = where})), b, x,
                           {.tolerance = 1e-8, .max_iterations = 60}, m.get());
    };
    std::vector<double> expected;
    std::vector<double> x;
    const auto here = solved(devices::cpu(), expected);
    const auto on_device = solved(there, x);
    EXPECT_TRUE(on_device.converged()) << one.name << ": " << on_device.reason;
    EXPECT_EQ(on_device.history, here.history) << one.name;
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << one.name;
  }
}

template <class T> class MultigridTypesOnADevice : public ::testing::Test {};
using every_type = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MultigridTypesOnADevice, every_type);

TYPED_TEST(MultigridTypesOnADevice, CyclesHaveTheBitsOfTheProcessorAtEveryScale) {
  using T = TypeParam;
  using real = real_of<T>;
  auto a = cast_values<T>(laplacian("@poisson2d:24"));
  if constexpr (is_complex<T>)  // Hermitian, with a phase from column to column
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        if (a.columns[k] != i) a.values.data[k] *= T(real(0.6), a.columns[k] > i ? real(0.8) : real(-0.8));
  for (const int exponent : {-100, 0, 90}) {
    auto scaled = a;
    for (T& value : scaled.values.data) value *= std::ldexp(real(1), exponent);
    const auto here = made(scaled, {.coarsest_rows = 20}, devices::cpu());
    const auto on_device = made(scaled, {.coarsest_rows = 20}, there);
    ASSERT_GE(here->hierarchy()->levels.size(), 3U);
    auto x = right_side<T>(a.rows);
    x[3] = T(0);
    x[5] = T(-real(0));
    for (const int size : {-120, 0, 110}) {
      auto sized = x;
      for (T& value : sized) value *= std::ldexp(real(1), size);
      EXPECT_EQ(bits(cycled(*on_device, sized)), bits(cycled(*here, sized))) << exponent << ' ' << size;
    }
    const std::vector<T> zeros(x.size(), T(0));
    EXPECT_EQ(bits(cycled(*on_device, zeros)), bits(cycled(*here, zeros)));
  }
}

TEST(MultigridOnADevice, WideIndicesGiveTheSameBits) {
  const auto a = generate<double, std::int64_t>("@poisson2d:24");
  const auto x = right_side<double>(a.rows);
  EXPECT_EQ(bits(cycled(*made(a, {.coarsest_rows = 20}, there), x)),
            bits(cycled(*made(laplacian("@poisson2d:24"), {.coarsest_rows = 20}, devices::cpu()), x)));
}

TEST(MultigridOnADevice, NewValuesAreCopiedThere) {
  for (const system_case& one : cases()) {
    const auto x = right_side<double>(one.a.rows);
    const auto here = made(one.a, options_of(one), devices::cpu());
    const auto on_device = made(one.a, options_of(one), there);
    const auto first = bits(cycled(*on_device, x));
    auto other = one.a;
    const auto factor = [](std::int64_t i) { return 1 + static_cast<double>(i * i % 7); };
    for (std::int64_t i = 0; i < other.rows; ++i)
      for (std::int64_t k = other.row_offsets[i]; k < other.row_offsets[i + 1]; ++k)
        other.values.data[k] *= factor(i) * factor(other.columns[k]);
    here->update_values(other.values.data);
    on_device->update_values(other.values.data);
    const auto second = bits(cycled(*on_device, x));
    EXPECT_NE(second, first) << one.name;
    EXPECT_EQ(second, bits(cycled(*here, x))) << one.name;
    on_device->update_values(one.a.values.data);
    EXPECT_EQ(bits(cycled(*on_device, x)), first) << one.name;
  }
}

TEST(MultigridOnADevice, ACycleAllocatesNothingThere) {
  const auto a = laplacian("@poisson3d:9");
  const auto m = made(a, {.coarsest_rows = 20}, there);
  const auto x = m->space().zeros(a.rows);
  const auto y = m->space().zeros(a.rows);
  m->space().from_host(right_side<double>(a.rows), x);
  m->apply(x, y);
  const std::int64_t before = executor().allocations_made();
  for (int k = 0; k < 3; ++k) m->apply(x, y);
  EXPECT_EQ(executor().allocations_made(), before);
}

TEST(MultigridOnADevice, SaysWhereItWorks) {
  const auto a = laplacian("@poisson2d:40");
  const auto m = make_preconditioner(a, {.kind = amg, .device = there});
  const multigrid_report& report = *m->hierarchy();
  EXPECT_FALSE(report.narrow);
  EXPECT_EQ(report.levels.front().layout, "simt sell-32");
  EXPECT_EQ(report.levels.back().layout, "dense");
  EXPECT_EQ(report.phases.back().name, "upload");
  for (const char* words : {"full precision", "cycles on simt", "set up on the processor", "the processor solves"})
    EXPECT_NE(m->describe().find(words), std::string::npos) << m->describe();
  EXPECT_GT(m->storage_bytes(), make_preconditioner(a, {.kind = amg, .multigrid = {.narrow = false}})->storage_bytes());
  EXPECT_GT(m->moved_bytes(), 0);
  m->update_values(a.values.data);
  EXPECT_EQ(m->hierarchy()->levels.front().layout, "simt sell-32");
  // Rows that no connection joins: nothing is solved by factors.
  const auto apart = with_large_diagonal(from_rows<double, std::int32_t>(
      5000, 5000, entries::integers, [](std::int64_t i) { return std::vector<std::int64_t>{i}; }));
  const auto smoothed = made(apart, {}, there);
  EXPECT_NE(smoothed->describe().find("smoothed, not solved"), std::string::npos) << smoothed->describe();
  EXPECT_EQ(smoothed->describe().find("the processor solves"), std::string::npos) << smoothed->describe();
  const auto x = right_side<double>(apart.rows);
  EXPECT_EQ(bits(cycled(*smoothed, x)), bits(cycled(*made(apart, {}, devices::cpu()), x)));
}

TEST(MultigridOnADevice, SmallMatricesWork) {
  for (const char* spec : {"@poisson2d:1", "@poisson2d:5"}) {
    const auto a = laplacian(spec);
    const auto x = right_side<double>(a.rows);
    EXPECT_EQ(bits(cycled(*made(a, {}, there), x)), bits(cycled(*made(a, {}, devices::cpu()), x))) << spec;
  }
  const csr_matrix<double> nothing;
  EXPECT_EQ(cycled(*made(nothing, {}, there), {}), std::vector<double>());
}

TEST(MultigridOnADevice, IsTriedWhereNoMethodIsNamed) {
  const auto a = laplacian("@poisson2d:40");
  const auto b = right_side<double>(a.rows);
  std::vector<double> x(b.size());
  const auto report =
      solve_auto(a, std::span<const double>(b), std::span<double>(x), {.preconditioner = amg, .device = there});
  EXPECT_TRUE(report.result().converged());
  ASSERT_TRUE(report.attempts.back().hierarchy.has_value());
  EXPECT_NE(report.attempts.back().preconditioner.find("cycles on simt"), std::string::npos);
}

TEST(MultigridOnADevice, OtherCyclesAreRefused) {
  const auto a = laplacian("@poisson2d:12");
  const multigrid_options other{.cycle = static_cast<multigrid_cycle>(2)};
  expect_error(errc::unsupported, "cycles on devices are v and w", [&] { static_cast<void>(made(a, other, there)); });
}

TEST(MultigridOnADevice, APreconditionerElsewhereIsRefused) {
  const auto a = laplacian("@poisson2d:12");
  const auto b = right_side<double>(a.rows);
  std::vector<double> x(b.size());
  const auto p = multiply_inspect(a);
  const auto p_there = multiply_inspect(a, {.device = there});
  const auto m = make_preconditioner(a, {.kind = amg});
  const auto m_there = make_preconditioner(a, {.kind = amg, .device = there});
  expect_error(errc::invalid_argument, "A is on simt, the preconditioner on cpu",
               [&] { static_cast<void>(cg(p_there, b, x, {.preconditioner = m})); });
  expect_error(errc::invalid_argument, "A is on cpu, the preconditioner on simt",
               [&] { static_cast<void>(cg(p, b, x, {.preconditioner = m_there})); });
  EXPECT_TRUE(cg(p_there, b, x, {.preconditioner = m_there}).converged());
  expect_error(errc::invalid_argument, "A is on simt, B or the preconditioner on cpu",
               [&] { static_cast<void>(eigs(p_there, 2, {.preconditioner = m})); });
}

TEST(MultigridOnADevice, EigenvaluesHaveTheSameBits) {
  const auto a = laplacian("@poisson2d:24");
  const auto found = [&](device_id where) {
    const auto m = made(a, {.coarsest_rows = 20}, where);
    return eigs(multiply_inspect(a, {.device = where}), 2, {.preconditioner = m});
  };
  const auto here = found(devices::cpu());
  const auto on_device = found(there);
  EXPECT_TRUE(on_device.converged());
  EXPECT_EQ(on_device.iterations, here.iterations);
  EXPECT_EQ(on_device.hash, here.hash);
}

}  // namespace
}  // namespace lacis::test
