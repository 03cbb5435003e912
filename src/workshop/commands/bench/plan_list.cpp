// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The matrices of lacis bench plan --all, and those in a folder.
#include <algorithm>
#include <filesystem>

#include <lacis/error.hpp>

#include "commands/bench/plan.hpp"

namespace lacis::app {
namespace {

/// A kind of matrix in three sizes: about a megabyte, which the cache of a core holds; tens of megabytes, which most
/// last levels do not; half a gigabyte.
struct family {
  const char* small;
  const char* medium;
  const char* large;
  bool natural;  ///< with natural values as well: few different ones, so that plans can store less
  bool pattern;  ///< with one value for all as well
};

constexpr family families[] = {
    {"@banded:10k,5", "@banded:200k,8", "@banded:2M,12", true, false},
    {"@banded:1k,40", "@banded:30k,50", "@banded:300k,80", false, false},
    {"@density:3k,0.01", "@density:20k,0.008", "@density:100k,0.004", false, false},
    {"@kmer:40k", "@kmer:1500k", "@kmer:20M", false, true},
    {"@mesh3d:14", "@mesh3d:48", "@mesh3d:110", true, false},
    {"@mesh3d:14,shuffled", "@mesh3d:48,shuffled", "@mesh3d:110,shuffled", false, true},
    {"@poisson2d:120", "@poisson2d:800", "@poisson2d:3000", true, false},
    {"@poisson3d:22", "@poisson3d:75", "@poisson3d:185", true, false},
    {"@powerlaw:8k,10,500", "@powerlaw:300k,10,5k", "@powerlaw:4M,10,50k", true, false},
    {"@powerlaw:4k,20,4k", "@powerlaw:99k,20,99k", "@powerlaw:2M,20,999k", false, false},
    {"@rmat:13", "@rmat:18", "@rmat:21", false, true},
    {"@rmat:15,4", "@rmat:20,4", "@rmat:23,4", false, false},
    {"@stencil27:15", "@stencil27:50", "@stencil27:120", true, false},
    {"@uniform:10k,8", "@uniform:400k,8", "@uniform:5M,8", true, true},
    {"@uniform:40k,2", "@uniform:1500k,2", "@uniform:20M,2", false, false},
    {"@uniform:800,100", "@uniform:30k,100", "@uniform:400k,100", false, false},
};

constexpr std::int64_t small_entries = 120'000;
constexpr std::int64_t medium_entries = 5'000'000;
constexpr std::int64_t large_entries = 60'000'000;

}  // namespace

std::vector<plan_case> all_plan_cases() {
  std::vector<plan_case> cases;
  for (const family& f : families) {
    cases.push_back({f.small, "random", small_entries});
    cases.push_back({f.medium, "random", medium_entries});
    cases.push_back({f.large, "random", large_entries});
    for (const auto& [wanted, values] : {std::pair{f.natural, "natural"}, std::pair{f.pattern, "pattern"}})
      if (wanted) {
        cases.push_back({f.medium, values, medium_entries});
        cases.push_back({f.large, values, large_entries});
      }
  }
  return cases;
}

std::vector<plan_case> plan_cases_in(const std::string& folder) {
  std::vector<plan_case> cases;
  std::error_code fault;
  std::filesystem::directory_iterator files(folder, fault);
  for (; !fault && files != std::filesystem::directory_iterator(); files.increment(fault)) {
    std::error_code no_file;
    if (files->is_regular_file(no_file) && !files->path().filename().string().starts_with('.'))
      cases.push_back({files->path().string(), "", 0});
  }
  if (fault)
    throw error(errc::bad_input, folder + ": " + fault.message() + "; --files takes a folder with files of matrices");
  if (cases.empty())
    throw error(errc::invalid_argument,
                folder + " has no files; bench/real_matrices.py fetches matrices into a folder");
  std::sort(cases.begin(), cases.end(),
            [](const plan_case& one, const plan_case& other) { return one.matrix < other.matrix; });
  return cases;
}

}  // namespace lacis::app
