// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Outputs: whole or not at all, and what the system refuses.
#include "io/bytes/sink.hpp"

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
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

TEST(Sink, NobodyReadsAnUnfinishedFileWhoMayNotReadWhatItReplaces) {
  const scratch directory;
  const auto path = directory.file("a.mtx", "old");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  const mode_t mask = umask(0);
  const sink output(path, compression::none);
  umask(mask);
  for (const auto& entry : std::filesystem::directory_iterator(directory.path()))
    EXPECT_EQ(static_cast<int>(entry.status().permissions()) & 077, 0) << entry.path();
  EXPECT_EQ(directory.entries(), 2);
}

TEST(Sink, TheTargetOfADanglingLinkIsMade) {
  const scratch directory;
  std::filesystem::create_directory(directory / "below");
  std::filesystem::create_symlink("below/second", directory / "first");
  std::filesystem::create_symlink("../target", directory / "below/second");
  sink output(directory / "first", compression::none);
  output.put("new");
  output.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "below/second"));
  EXPECT_EQ(content_of(directory / "target"), "new");
  EXPECT_EQ(directory.entries(), 3);
}

TEST(Sink, LinksInACircleAreNamed) {
  const scratch directory;
  std::filesystem::create_symlink("b", directory / "a");
  std::filesystem::create_symlink("a", directory / "b");
  const std::string failure = failure_of([&] { sink(directory / "a", compression::none); });
  EXPECT_NE(failure.find("; its symbolic links lead in a circle"), std::string::npos) << failure;
}

TEST(Sink, NamesMayBeAsLongAsTheFileSystemAllows) {
  const scratch directory;
  const auto path = directory / std::string(255, 'n');
  sink output(path, compression::none);
  output.put("new");
  output.commit();
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(directory.entries(), 1);
}

/// While one exists, a standard stream is closed.
class closed_stream {
 public:
  explicit closed_stream(int number) : number_(number), kept_(fcntl(number, F_DUPFD_CLOEXEC, 10)) { close(number); }
  closed_stream(const closed_stream&) = delete;
  closed_stream& operator=(const closed_stream&) = delete;
  ~closed_stream() {
    dup2(kept_, number_);
    close(kept_);
  }

 private:
  int number_;
  int kept_;
};

TEST(Sink, AFileNeverTakesTheNumberOfAClosedStream) {
  const scratch directory;
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const auto path = directory / std::to_string(number);
    std::string failure;
    bool is_free = false;
    {
      const closed_stream closed(number);
      failure = failure_of([&] {
        sink output(path, compression::none);
        is_free = fcntl(number, F_GETFD) < 0;
        output.put("whole");
        output.commit();
      });
    }
    EXPECT_EQ(failure, "nothing thrown");
    EXPECT_TRUE(is_free) << number;
    EXPECT_EQ(content_of(path), "whole") << number;
  }
}

TEST(Sink, AClosedStandardOutputIsNamed) {
  std::string failure;
  {
    const closed_stream closed(STDOUT_FILENO);
    failure = failure_of([] { sink("-", compression::none); });
  }
  EXPECT_TRUE(failure.starts_with("io: standard output: cannot be written: ")) << failure;
  EXPECT_NE(failure.find("; it is closed"), std::string::npos) << failure;
}

TEST(Sink, NamesOfDescriptorsAreWrittenWhereTheyStand) {
  const scratch directory;
  const auto path = directory.file("a.txt", "first ");
  const int number = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  ASSERT_GE(number, 0);
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    sink output(folder + std::to_string(number), compression::none);
    output.put("second ");
    output.commit();
  }
  close(number);
  EXPECT_EQ(content_of(path), "first second second ");
  EXPECT_EQ(directory.entries(), 1);
}

TEST(Sink, TheLimitOnFileSizesIsAnErrorAndNoSignal) {
  const scratch directory;
  const auto path = directory.file("a.mtx", "precious");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 1 << 20;
  ASSERT_EQ(signal(SIGXFSZ, SIG_DFL), SIG_DFL) << "the signal has its default action";
  for (const auto method : methods) {
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string failure = failure_of([&] {
      sink output(path, method);
      std::string noise(3 << 20, 'x');
      std::uint32_t state = 1;
      for (char& each : noise) each = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
      output.put(noise);
      output.commit();
    });
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_NE(failure.find(": writing failed: "), std::string::npos) << failure;
    EXPECT_NE(failure.find("; raise the limit on the size of files (ulimit -f)"), std::string::npos) << failure;
  }
  sigset_t left;
  sigemptyset(&left);
  EXPECT_EQ(sigpending(&left), 0);
  EXPECT_EQ(sigismember(&left, SIGXFSZ), 0);
  EXPECT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &left), 0);
  EXPECT_EQ(sigismember(&left, SIGXFSZ), 0);
  EXPECT_EQ(content_of(path), "precious");
  EXPECT_EQ(directory.entries(), 1);
}

TEST(Sink, AFullFileSystemKeepsWhatItHad) {
  const scratch directory;
  if (mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "only root may make a small file system";
  const auto path = directory.file("a.mtx", "precious");
  const std::string failure = failure_of([&] {
    sink output(path, compression::none);
    output.put(std::string(3 << 20, 'x'));
    output.commit();
  });
  const std::string content = content_of(path);
  const int entries = directory.entries();
  ASSERT_EQ(umount(directory.path().c_str()), 0);
  EXPECT_NE(failure.find("; free some space"), std::string::npos) << failure;
  EXPECT_EQ(content, "precious");
  EXPECT_EQ(entries, 1);
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
  if (root && seteuid(65534) != 0) GTEST_SKIP() << "root writes everywhere and cannot become another user here";
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
