// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// New values of preconditioners: where they are refused everything is as before, and what they make of a matrix
// follows.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include <lacis/device_context.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/structure.hpp>

#include "device/context.hpp"
#include "simt/runtime.hpp"
#include "solve/assembled_otherwise.hpp"
#include "solve/convection.hpp"
#include "solve/elastic_plate.hpp"
#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

std::vector<double> applied(const preconditioner<double>& m, const std::vector<double>& r) {
  auto& space = m.space();
  const auto there = space.zeros(m.cols());
  const auto z = space.zeros(m.rows());
  space.from_host(r, there);
  m.apply(there, z);
  std::vector<double> host(r.size());
  space.to_host(z, host);
  return host;
}

void set_diagonal(csr_matrix<double>& a, std::int64_t row, double to) {
  for (std::int64_t k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
    if (a.columns[k] == row) a.values.data[k] = to;
}

struct made {
  std::string name;
  preconditioner_options options;
};
std::vector<made> every_kind() {
  std::vector<made> all;
  for (std::size_t k = 0; k < preconditioner_kinds; ++k) {
    const auto kind = static_cast<preconditioner_kind>(k);
    all.push_back({std::string(name_of(kind)), {.kind = kind}});
  }
  all.push_back({"amg, truncated", {.kind = preconditioner_kind::amg, .multigrid = {.truncation = 0.2}}});
  all.push_back({"amg, small", {.kind = preconditioner_kind::amg, .multigrid = {.coarsest_rows = 4, .narrow = false}}});
  const std::size_t on_devices = all.size();
  all.push_back({"amg, k", {.kind = preconditioner_kind::amg, .multigrid = {.cycle = multigrid_cycle::k}}});
  for (std::size_t k = 0; k < on_devices; ++k) {
    all.push_back({all[k].name + ", on a device", all[k].options});
    all.back().options.device = devices::simt();
  }
  return all;
}

/// While one exists, a device refuses what it is asked for the n-th time: memory, or a copy to it.
class refusal {
 public:
  explicit refusal(int n) : before_(table()) {
    left = n;
    ordinary = &before_;
    table().allocate = [](void* state, std::size_t bytes, void* stream, void** memory) {
      return --left == 0 ? std::int32_t{lacis_code_no_memory} : ordinary->allocate(state, bytes, stream, memory);
    };
    table().copy = [](void* state, void* to, const void* from, std::size_t bytes, lacis_copy_direction direction,
                      void* stream) {
      const bool is_refused = direction == lacis_copy_to_device && --left == 0;
      return is_refused ? std::int32_t{lacis_code_no_memory}
                        : ordinary->copy(state, to, from, bytes, direction, stream);
    };
  }
  refusal(const refusal&) = delete;
  refusal& operator=(const refusal&) = delete;
  ~refusal() { table() = before_; }

 private:
  static lacis_runtime& table() {
    return const_cast<lacis_runtime&>(device_context(devices::simt()).internals()->table());
  }
  static inline int left = 0;
  static inline const lacis_runtime* ordinary = nullptr;
  lacis_runtime before_;
};

TEST(NewValues, ThatAreRefusedLeaveEverythingAsItWas) {
  int refused = 0;
  for (const auto& [name, options] : every_kind()) {
    const auto a = laplacian(options.device.kind == device_kind::cpu ? "@poisson2d:40" : "@poisson2d:8");
    const auto r = right_side<double>(a.rows);
    const auto m = make_preconditioner(a, options);
    auto& space = m->space();
    const auto before = applied(*m, r);
    const std::string words = m->describe();
    for (const double bad : {0.0, std::nan(""), -4.0, -1e300})
      for (const std::int64_t row : {std::int64_t{0}, a.rows / 2, a.rows - 1}) {
        auto other = a;
        set_diagonal(other, row, bad);
        try {
          m->update_values(other.values.data);
        } catch (const error&) {
          ++refused;
          EXPECT_EQ(applied(*m, r), before) << name << ", " << bad << " in row " << row;
          EXPECT_EQ(m->describe(), words) << name;
          EXPECT_EQ(&m->space(), &space) << name;
          continue;
        }
        m->update_values(a.values.data);
        EXPECT_EQ(applied(*m, r), before) << name << ", " << bad << " in row " << row;
      }
    EXPECT_THROW(m->update_values(std::span<const double>(a.values.data).first(3)), error) << name;
    EXPECT_EQ(applied(*m, r), before) << name;
  }
  EXPECT_GT(refused, 30);
}

/// Whether a device had no memory for what `work` does, or was not asked n times.
template <class Work> bool is_refused(int n, Work&& work) {
  const refusal one(n);
  try {
    work();
    return false;
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::out_of_memory) << problem.what();
    return true;
  }
}

void expect_refusals_to_change_nothing(const made& one, const csr_matrix<double>& a, const csr_matrix<double>& other) {
  SCOPED_TRACE(one.name);
  const auto r = right_side<double>(a.rows);
  const auto m = make_preconditioner(a, one.options);
  const auto before = applied(*m, r);
  const std::string words = m->describe();
  int refused = 0;
  while (is_refused(refused + 1, [&] { m->update_values(other.values.data); })) {
    ++refused;
    ASSERT_EQ(applied(*m, r), before) << "refusal " << refused;
    ASSERT_EQ(m->describe(), words) << "refusal " << refused;
  }
  // The only level of a small matrix is on the processor.
  EXPECT_TRUE(refused > 0 || (m->hierarchy() != nullptr && m->hierarchy()->levels.size() == 1));
  const auto undisturbed = make_preconditioner(a, one.options);
  undisturbed->update_values(other.values.data);
  EXPECT_EQ(applied(*m, r), applied(*undisturbed, r));
  EXPECT_NE(applied(*m, r), before);
}

TEST(NewValues, ThatADeviceRefusesLeaveEverythingAsItWas) {
  const auto a = laplacian("@poisson2d:8");
  auto scaled = a;
  for (double& value : scaled.values.data) value *= 3;
  for (const made& one : every_kind()) {
    if (one.options.device.kind == device_kind::cpu) continue;
    expect_refusals_to_change_nothing(one, a, scaled);
    if (one.options.kind == preconditioner_kind::amg)  // which makes everything anew for this one
      expect_refusals_to_change_nothing(one, a, convection(8, 1));
  }
}

TEST(NewValues, VectorsStayWithTheSpaceThatMadeThem) {
  const auto a = laplacian("@poisson2d:12");
  for (const auto& [name, options] : every_kind()) {
    const auto m = make_preconditioner(a, options);
    auto& space = m->space();
    const auto x = space.zeros(a.rows);
    m->update_values(a.values.data);
    EXPECT_EQ(&m->space(), &space) << name;
    const auto y = space.zeros(a.rows);
    space.from_host(right_side<double>(a.rows), x);
    m->apply(x, y);
    EXPECT_GT(space.norm(y), 0) << name;
  }
}

std::int64_t iterations_with(const csr_matrix<double>& a, const preconditioner<double>& m, solve_method method) {
  std::vector<double> x(static_cast<std::size_t>(a.rows), 0.0);
  const auto report = solve<double>(method, *make_operator(multiply_inspect(a)), right_side<double>(a.rows),
                                    std::span<double>(x), {}, &m);
  EXPECT_TRUE(report.converged()) << report.reason;
  return report.iterations;
}

TEST(NewValues, MayEndOrBeginTheSymmetryOfTheMatrix) {
  const auto even = laplacian("@poisson2d:60");
  const auto windy = convection(60, 1);
  for (const double truncation : {0.0, 0.1}) {
    const preconditioner_options options{.kind = preconditioner_kind::amg, .multigrid = {.truncation = truncation}};
    const auto fresh = make_preconditioner(windy, options);
    const auto m = make_preconditioner(even, options);
    m->update_values(windy.values.data);
    EXPECT_FALSE(m->hierarchy()->hermitian);
    const auto r = right_side<double>(even.rows);
    EXPECT_EQ(applied(*m, r), applied(*fresh, r));
    EXPECT_LE(iterations_with(windy, *m, solve_method::bicgstab), 15);
    m->update_values(even.values.data);
    EXPECT_TRUE(m->hierarchy()->hermitian);
    EXPECT_EQ(applied(*m, r), applied(*make_preconditioner(even, options), r));
    EXPECT_LE(iterations_with(even, *m, solve_method::cg), 25);
  }
}

TEST(Symmetry, IsNotLostByRoundingErrors) {
  const auto exact = springs(14);
  const auto a = assembled_otherwise(exact);
  const auto facts = detail::facts_of(a.view());
  EXPECT_FALSE(find_symmetry(a).hermitian);
  EXPECT_TRUE(facts.hermitian);
  EXPECT_GT(facts.asymmetry, 0);
  EXPECT_LT(facts.asymmetry, 1e-15);
  EXPECT_EQ(detail::facts_of(exact.view()).asymmetry, 0);
  EXPECT_EQ(choices_for(facts).front().method, solve_method::cg);
  EXPECT_NE(choices_for(facts).front().why.find("but for rounding errors"), std::string::npos);
  const auto motions = rigid_motions(14);
  const preconditioner_options options{.kind = preconditioner_kind::amg,
                                       .multigrid = {.block = 2, .near_null_space = motions}};
  const auto m = make_preconditioner(a, options);
  EXPECT_TRUE(m->hierarchy()->hermitian);
  EXPECT_LE(iterations_with(a, *m, solve_method::cg),
            iterations_with(exact, *make_preconditioner(exact, options), solve_method::cg) + 2);
}

TEST(Symmetry, IsMissedWhereMoreThanRoundingIsMissing) {
  auto a = springs(14);
  for (std::int64_t k = a.row_offsets[6]; k < a.row_offsets[7]; ++k)
    if (a.columns[k] > 6) a.values.data[k] *= 1 + 1e-12;
  EXPECT_FALSE(detail::facts_of(a.view()).hermitian);
  const auto windy = convection(10, 1e-3);
  EXPECT_FALSE(detail::facts_of(windy.view()).hermitian);
}

}  // namespace
}  // namespace lacis::test
