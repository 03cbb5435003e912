// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Renamed parts of the interface: every old name compiles and is the same thing as the new one. A line goes with its
// alias (docs/compatibility.md).
#include <gtest/gtest.h>
#include <type_traits>

#include <lacis/lacis.hpp>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace lacis {
namespace {

TEST(OldNames, OfTypesAreAliases) {
  static_assert(std::is_same_v<lacis::format, matrix_format>);
  static_assert(std::is_same_v<lacis::generated_size, matrix_size>);
  static_assert(std::is_same_v<lacis::machine, machine_rates>);
  static_assert(std::is_same_v<lacis::stream, device_stream>);
}

TEST(OldNames, OfEnumeratorsAreEqual) {
  static_assert(solve_outcome::iterations == solve_outcome::max_iterations);
  static_assert(lacis::format::csr == matrix_format::csr);
  EXPECT_EQ(name_of(solve_outcome::iterations), "out of iterations");
}

TEST(OldNames, OfMembersAreTheSameMember) {
  const system_facts by_new{.square = true, .full_diagonal = true, .dominant = true};
  const system_facts by_old{.square = true, .whole_diagonal = true, .dominant = true};
  EXPECT_TRUE(by_new.whole_diagonal && by_old.full_diagonal);
  system_facts changed;
  EXPECT_FALSE(changed.whole_diagonal);
  changed.whole_diagonal = true;
  EXPECT_TRUE(system_facts(changed).full_diagonal);

  const device_spgemm_options limited{.memory_bytes = 1000};
  EXPECT_EQ(limited.memory_limit, 1000);
  EXPECT_EQ(device_spgemm_options{}.memory_bytes, 0);
}

TEST(OldNames, OfFunctionsCallTheNewOnes) {
  const auto a = generate<double>("@poisson2d:5");
  const auto plan = multiply_compute(a, a);
  EXPECT_EQ(plan.bytes(), plan.storage_bytes());
}

}  // namespace
}  // namespace lacis
