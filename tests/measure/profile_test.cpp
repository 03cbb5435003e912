// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The machine profile there and back, and files that are none.
#include "measure/profile.hpp"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace lacis::measure {
namespace {

class Profile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  void put(const std::string& text) const { std::ofstream(path_) << text; }
  std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / ("profile." + std::to_string(getpid()) + ".json");
  std::string remark_;
};

machine_profile example() {
  return {"A processor", 300, 1200, 2, {{1, 12.5, 11.25, 10}, {2, 25, 22, 20}}, {{1, 4096, 30}, {2, 1 << 30, 0.125}}};
}

TEST_F(Profile, SurvivesTheFile) {
  put(profile_text(example()));
  const auto found = read_profile(path_, remark_);
  ASSERT_TRUE(found);
  EXPECT_EQ(remark_, "");
  EXPECT_EQ(found->processor, "A processor");
  EXPECT_EQ(found->cache_bytes, 300);
  EXPECT_EQ(found->stream_bytes, 1200);
  EXPECT_EQ(found->disturbed, 2);
  ASSERT_EQ(found->streams.size(), 2U);
  EXPECT_EQ(found->streams[0].copy, 11.25);
  EXPECT_EQ(found->streams[1].threads, 2);
  ASSERT_EQ(found->gathers.size(), 2U);
  EXPECT_EQ(found->gathers[1].bytes, 1 << 30);
  EXPECT_EQ(found->gathers[1].rate, 0.125);
  EXPECT_EQ(profile_text(*found), profile_text(example()));
}

TEST_F(Profile, MissingFileIsNothingWithoutARemark) {
  EXPECT_FALSE(read_profile(path_, remark_));
  EXPECT_EQ(remark_, "");
}

TEST_F(Profile, IgnoresWhatItCannotTrustAndSaysSo) {
  const std::string good = profile_text(example());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& bad :
       {std::string(), std::string("{"), good.substr(0, good.size() / 2), std::string("[1]"),
        with("\"profile_version\": 1", "\"profile_version\": 0"), with("12.5", "0"), with("12.5", "-1"),
        with("12.5", "\"fast\""), with("\"threads\": 1", "\"threads\": 0"), with("read_gbs", "reed_gbs")}) {
    put(bad);
    remark_.clear();
    EXPECT_FALSE(read_profile(path_, remark_)) << bad;
    EXPECT_NE(remark_.find("is ignored"), std::string::npos) << bad;
    EXPECT_EQ(remark_.find('\n'), std::string::npos) << remark_;
  }
}

TEST_F(Profile, IsKeptInTheCacheFolder) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const std::string before = cache == nullptr ? "" : cache;
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(default_profile_path(), "/somewhere/lacis/machine.json");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(default_profile_path(), "/home/someone/.cache/lacis/machine.json");
  if (cache == nullptr)
    unsetenv("XDG_CACHE_HOME");
  else
    setenv("XDG_CACHE_HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace lacis::measure
