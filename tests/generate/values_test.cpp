// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of generated entries.
#include <cmath>
#include <gtest/gtest.h>

#include <lacis/generate.hpp>

#include "generate/inspect.hpp"

namespace lacis::test {
namespace {

generate_options with(generated_values kind) {
  generate_options options;
  options.values = kind;
  return options;
}

TEST(GeneratedValues, PatternIsOneValueAndOnesAreMany) {
  for (const std::string& spec : threaded_specs()) {
    const auto pattern = generate<double>(spec, with(generated_values::pattern));
    EXPECT_TRUE(pattern.values.iso);
    EXPECT_EQ(pattern.values[0], 1);
    const auto ones = generate<double>(spec, with(generated_values::ones));
    EXPECT_FALSE(ones.values.iso);
    ASSERT_EQ(canonical_problem(ones), "");
    for (const double v : ones.values.data) ASSERT_EQ(v, 1);
  }
}

TEST(GeneratedValues, IntegersAreAllWholeNumbersFromMinus8To8Without0) {
  for (const std::string& spec : threaded_specs()) {
    const auto a = generate<std::complex<float>>(spec, with(generated_values::integer));
    std::vector<std::int64_t> seen(17);
    for (const auto v : a.values.data)
      for (const float part : {v.real(), v.imag()}) {
        ASSERT_EQ(part, std::round(part));
        ASSERT_LE(std::abs(part), 8);
        seen[static_cast<std::size_t>(part + 8)]++;
      }
    const double mean = static_cast<double>(a.nnz()) / 8;  // two parts, sixteen numbers; entries may be pairs
    for (int v = -8; v <= 8; ++v)
      EXPECT_NEAR(static_cast<double>(seen[static_cast<std::size_t>(v + 8)]), v == 0 ? 0 : mean, 9 * std::sqrt(mean));
    EXPECT_EQ(seen[8], 0);
  }
}

TEST(GeneratedValues, RandomOnesFillTheHalfOpenInterval) {
  for (const std::string& spec : threaded_specs()) {
    const auto a = generate<double>(spec, with(generated_values::random));
    const auto narrow = generate<float>(spec, with(generated_values::random));
    double sum = 0;
    double squares = 0;
    for (std::int64_t k = 0; k < a.nnz(); ++k) {
      ASSERT_GE(a.values[k], -1);
      ASSERT_LT(a.values[k], 1);
      ASSERT_EQ(narrow.values[k], std::floor(a.values[k] * 0x1p23) * 0x1p-23);
      sum += a.values[k];
      squares += a.values[k] * a.values[k];
    }
    const double count = static_cast<double>(a.nnz());
    EXPECT_NEAR(sum / count, 0, 9 / std::sqrt(3 * count));
    EXPECT_NEAR(squares / count, 1 / 3.0, 9 * std::sqrt(4 / 45.0 / count));
  }
}

TEST(GeneratedValues, AreSymmetricWhereThePatternAlwaysIs) {
  for (const std::string spec : {"@banded:300,4", "@kmer:3000", "@mesh3d:8", "@mesh3d:8,shuffled", "@poisson2d:20",
                                 "@poisson3d:9", "@stencil27:7"})
    for (const auto kind : {generated_values::natural, generated_values::integer, generated_values::random}) {
      EXPECT_TRUE(is_symmetric(generate<double>(spec, with(kind)))) << spec;
      EXPECT_TRUE(is_symmetric(generate<std::complex<double>>(spec, with(kind)))) << spec;
    }
  // A full matrix has a symmetric pattern, but was not asked to be symmetric.
  EXPECT_FALSE(is_symmetric(generate<double>("@density:30,1")));
}

TEST(GeneratedValues, SymmetricOnesDependOnThePairOfRowAndColumn) {
  for (const std::string spec : {"@density:30,1", "@poisson3d:9"}) {
    EXPECT_TRUE(is_symmetric(generate<double>(spec, with(generated_values::symmetric)))) << spec;
    EXPECT_TRUE(is_symmetric(generate<std::complex<float>>(spec, with(generated_values::symmetric)))) << spec;
  }
  EXPECT_FALSE(is_symmetric(generate<double>("@density:30,1", with(generated_values::random))));
  // The same for whoever makes some of the rows.
  const auto all = generate<double>("@rmat:9", with(generated_values::symmetric));
  auto options = with(generated_values::symmetric);
  options.rows = row_range{100, 300};
  const auto some = generate<double>("@rmat:9", options);
  for (std::int64_t k = 0; k < some.nnz(); ++k) ASSERT_EQ(some.values[k], all.values[all.row_offsets[100] + k]);
  options = with(generated_values::symmetric);
  options.seed = 2;
  EXPECT_NE(generate<double>("@poisson3d:9", options).values[0],
            generate<double>("@poisson3d:9", with(generated_values::symmetric)).values[0]);
}

TEST(GeneratedValues, NaturalMeansWhatTheGeneratorIsKnownFor) {
  for (const std::string spec : {"@kmer:100", "@rmat:5"}) EXPECT_TRUE(generate<double>(spec).values.iso);
  for (const std::string spec : {"@uniform:100,3", "@density:100,0.1", "@powerlaw:100,3,20"}) {
    const auto natural = generate<double>(spec);
    const auto integer = generate<double>(spec, with(generated_values::integer));
    EXPECT_FALSE(natural.values.iso);
    EXPECT_EQ(fingerprint(natural), fingerprint(integer));
  }
}

template <value Value, index Index> void expect_same_as_double(const std::string& spec, generated_values kind) {
  const auto a = generate<Value, Index>(spec, with(kind));
  const auto b = generate<double>(spec, with(kind));
  ASSERT_EQ(canonical_problem(a), "");
  ASSERT_EQ(a.nnz(), b.nnz());
  ASSERT_EQ(a.values.iso, b.values.iso);
  for (std::int64_t k = 0; k < a.nnz(); ++k) {
    ASSERT_EQ(a.columns[k], b.columns[k]);
    ASSERT_EQ(std::real(a.values[k]), static_cast<real_of<Value>>(b.values[k]));
    if (kind == generated_values::natural && spec == "@poisson3d:5") {
      ASSERT_EQ(std::imag(a.values[k]), 0);
    }
  }
}

TEST(GeneratedValues, EveryTypeGetsTheSameMatrix) {
  for (const std::string spec : {"@poisson3d:5", "@rmat:6", "@uniform:40,6"})
    for (const auto kind : {generated_values::natural, generated_values::ones, generated_values::integer}) {
      expect_same_as_double<float, std::int32_t>(spec, kind);
      expect_same_as_double<float, std::int64_t>(spec, kind);
      expect_same_as_double<double, std::int64_t>(spec, kind);
      expect_same_as_double<std::complex<float>, std::int32_t>(spec, kind);
      expect_same_as_double<std::complex<float>, std::int64_t>(spec, kind);
      expect_same_as_double<std::complex<double>, std::int32_t>(spec, kind);
      expect_same_as_double<std::complex<double>, std::int64_t>(spec, kind);
    }
}

}  // namespace
}  // namespace lacis::test
