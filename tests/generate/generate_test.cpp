// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What all generators have in common: the same bits everywhere, canonical rows, limits and progress.
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <omp.h>
#include <stdexcept>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

#include "generate/inspect.hpp"

namespace lacis::test {
namespace {

TEST(Generate, GivesTheSameBitsForAnyNumberOfThreads) {
  generate_options options;
  options.values = generated_values::random;
  for (const std::string& spec : threaded_specs()) {
    omp_set_num_threads(1);
    const auto alone = generate<double>(spec, options);
    ASSERT_EQ(canonical_problem(alone), "") << spec;
    for (const int threads : {2, 3, 7}) {
      omp_set_num_threads(threads);
      EXPECT_EQ(fingerprint(generate<double>(spec, options)), fingerprint(alone)) << spec << ", " << threads;
    }
    EXPECT_EQ(fingerprint(generate<double, std::int64_t>(spec, options)), fingerprint(alone)) << spec;
  }
}

TEST(Generate, NeverChangesAMatrix) {
  const std::map<std::string, std::uint64_t> golden{
      {"@banded:40,3", 0x6c24b72dd9714e32u},       {"@density:50,0.07", 0xcded4a82ab00118du},
      {"@kmer:500", 0x5f7a115c720c534fu},          {"@mesh3d:4", 0xf66b2e05ef35cfd2u},
      {"@mesh3d:4,shuffled", 0x1fb6aa9a16fc78c6u}, {"@poisson2d:7", 0x6f13bf514eda1dbfu},
      {"@poisson3d:4", 0x2abebfe313d5bb22u},       {"@powerlaw:90,6.5,60", 0x499f2b100f928ca5u},
      {"@rmat:7,8", 0xde785af42e4aaf55u},          {"@rmat:7,8,seed=2", 0xdcc71326bf3a83dcu},
      {"@stencil27:4", 0x40173fa7006d541fu},       {"@uniform:60,7", 0x1fb510b75ec63546u},
      {"@uniform:60,45", 0x26d5fc337906dce5u},
  };
  generate_options options;
  options.values = generated_values::random;
  for (const auto& [spec, expected] : golden)
    EXPECT_EQ(fingerprint(generate<std::complex<double>>(spec, options)), expected) << spec;
}

TEST(Generate, TheSeedOfTheDescriptionReplacesTheOptions) {
  generate_options seven;
  seven.seed = 7;
  for (const std::string spec :
       {"@density:500,0.01", "@kmer:500", "@mesh3d:7", "@powerlaw:500,7,300", "@rmat:8", "@uniform:500,7"}) {
    const auto a = fingerprint(generate<double>(spec));
    EXPECT_NE(a, fingerprint(generate<double>(spec, seven))) << spec;
    EXPECT_EQ(fingerprint(generate<double>(spec, seven)), fingerprint(generate<double>(spec + ",seed=7")));
    EXPECT_EQ(a, fingerprint(generate<double>(spec + ",seed=1", seven)));
  }
}

TEST(Generate, RefusesColumnsThatTheIndexCannotHold) {
  try {
    static_cast<void>(generate<float>("@poisson2d:50000"));
    FAIL() << "made 2.5e9 rows with 32-bit columns";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::overflow);
    EXPECT_STREQ(e.what(),
                 "2500000000 rows of @poisson2d:50000 do not fit 32-bit indices; use 64-bit ones (std::int64_t)");
  }
}

TEST(Generate, SaysWhichMatrixDoesNotFitMemory) {
  const auto refused = [](std::string_view spec, errc code) {
    try {
      static_cast<void>(generate<double, std::int64_t>(spec));
      ADD_FAILURE() << spec << " was made";
    } catch (const error& e) {
      EXPECT_EQ(e.code(), code) << e.what();
      EXPECT_TRUE(std::string_view(e.what()).starts_with(spec)) << e.what();
      EXPECT_TRUE(std::string_view(e.what()).ends_with("; ask for a smaller matrix")) << e.what();
    }
  };
  refused("@kmer:1e17", errc::out_of_memory);
  refused("@rmat:50", errc::out_of_memory);
  refused("@uniform:2e18,1", errc::overflow);
}

TEST(Generate, AnyUsesDoubleWith32BitColumns) {
  const any_csr any = generate_any("@poisson2d:5");
  ASSERT_TRUE((std::holds_alternative<csr_matrix<double, std::int32_t>>(any)));
  EXPECT_EQ(fingerprint(std::get<csr_matrix<double>>(any)), fingerprint(generate<double>("@poisson2d:5")));
}

TEST(Generate, ReportsEveryStageFromNothingToAll) {
  omp_set_num_threads(3);
  for (const std::string& spec : threaded_specs()) {
    std::vector<std::string> stages;
    double last = 1;
    std::atomic<int> inside{0};
    generate_options options;
    options.values = generated_values::random;
    options.progress = [&](std::string_view stage, double share) {
      EXPECT_EQ(inside++, 0) << "two threads at once";
      if (stages.empty() || stages.back() != stage) {
        EXPECT_EQ(last, 1.0) << spec << ": the stage before " << stage << " did not end";
        EXPECT_EQ(share, 0.0);
        stages.emplace_back(stage);
      } else {
        EXPECT_GT(share, last);
      }
      last = share;
      inside--;
    };
    static_cast<void>(generate<double>(spec, options));
    EXPECT_EQ(last, 1.0);
    EXPECT_GE(stages.size(), 2u);
    EXPECT_EQ(stages.back(), "drawing values");
  }
}

TEST(Generate, EndsWhenTheReportThrows) {
  for (const int threads : {1, 3})
    for (const std::string& spec : threaded_specs())
      for (const double until : {0.0, 0.3}) {
        omp_set_num_threads(threads);
        int calls_after = 0;
        bool thrown = false;
        generate_options options;
        options.progress = [&](std::string_view, double share) {
          calls_after += thrown;
          if (share < until) return;
          thrown = true;
          throw std::runtime_error("enough");
        };
        EXPECT_THROW(static_cast<void>(generate<double>(spec, options)), std::runtime_error) << spec;
        EXPECT_EQ(calls_after, 0) << spec;
      }
}

}  // namespace
}  // namespace lacis::test
