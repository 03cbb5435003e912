// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Outputs: whole or not at all, and what the system refuses.
#include "io/sink.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/files_support.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

using detail::compression;
using detail::sink;

#ifdef LACIS_WITH_ARCHIVE
constexpr compression methods[] = {compression::none, compression::gzip, compression::zstd};
#else
constexpr compression methods[] = {compression::none};

TEST(Sink, ABuildWithoutLibarchiveSaysSo) {
  const scratch directory;
  EXPECT_NE(failure_of([&] {
              sink(directory / "a.mtx.gz", compression::gzip);
            }).find("unsupported: this build has no libarchive"),
            std::string::npos);
  EXPECT_EQ(directory.entries(), 0);
}
#endif

TEST(Sink, AFileAppearsWhenItIsCommittedAndNotBefore) {
  const scratch directory;
  const auto path = directory / "a.mtx";
  {
    sink output(path, compression::none);
    output.put("one ");
    output.put("two");
    EXPECT_FALSE(std::filesystem::exists(path));
    output.commit();
  }
  EXPECT_EQ(content_of(path), "one two");
  EXPECT_EQ(directory.entries(), 1) << "nothing else is left behind";
}

TEST(Sink, WhatWasThereStaysWhenWritingIsGivenUp) {
  const scratch directory;
  const auto path = directory.file("a.mtx", "precious");
  for (const auto method : methods) {
    sink output(path, method);
    output.put(std::string(3 << 20, 'x'));
  }
  EXPECT_EQ(content_of(path), "precious");
  EXPECT_EQ(directory.entries(), 1);
}

TEST(Sink, PermissionsAndSymbolicLinksStay) {
  const scratch directory;
  const auto path = directory.file("a.mtx", "old");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  std::filesystem::create_symlink("a.mtx", directory / "link.mtx");
  sink output(directory / "link.mtx", compression::none);
  output.put("new");
  output.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link.mtx"));
  EXPECT_EQ(content_of(path), "new");
  struct stat status{};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(Sink, AFullDiskIsNamedWhenItIsMet) {
  for (const auto method : methods) {
    sink output("/dev/full", method);
    const std::string failure = failure_of([&] {
      output.put(std::string(100, 'x'));
      output.commit();
    });
    EXPECT_TRUE(failure.starts_with("io: /dev/full: writing failed: ")) << failure;
    EXPECT_NE(failure.find("free some space"), std::string::npos) << failure;
  }
}

TEST(Sink, DevicesAreWrittenDirectly) {
  sink output("/dev/null", compression::none);
  output.put("gone");
  EXPECT_NO_THROW(output.commit());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Sink, ADirectoryAndAMissingDirectoryAreNamed) {
  const scratch directory;
  EXPECT_NE(failure_of([&] { sink(directory.path(), compression::none); }).find(": is a directory"), std::string::npos);
  const std::string failure = failure_of([&] { sink(directory / "no/a.mtx", compression::none); });
  EXPECT_NE(failure.find("; make the directory " + (directory / "no").string() + " first"), std::string::npos)
      << failure;
}

TEST(Sink, AReadOnlyDirectoryIsNamed) {
  const scratch directory;
  ASSERT_EQ(chmod(directory.path().c_str(), 0555), 0);
  const bool root = geteuid() == 0;
  if (root && seteuid(65534) != 0) GTEST_SKIP() << "root writes everywhere and cannot become nobody here";
  const std::string failure = failure_of([&] { sink(directory / "a.mtx", compression::none); });
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_NE(failure.find("no new file may be made in " + directory.path().string()), std::string::npos) << failure;
  EXPECT_EQ(directory.entries(), 0);
}

TEST(Sink, StandardOutputIsADash) {
  ::testing::internal::CaptureStdout();
  sink output("-", compression::none);
  output.put("data\n");
  output.commit();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "data\n");
}

}  // namespace
}  // namespace lacis::test
