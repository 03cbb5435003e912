// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Inputs: files, pipes and standard input, plain and compressed.
#include "io/bytes/source.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "io/bytes/archive.hpp"
#include "io/files_support.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"
#ifdef LACIS_WITH_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

namespace lacis::test {
namespace {

constexpr const char* market = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 2 5\n2 3 -1\n";
constexpr const char* market_in_words = "2x3 (0,1)=5 (1,2)=-1";

std::string read_in_words(const std::filesystem::path& path) { return in_words(read<double>(path)); }

void write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::write(descriptor, content.data(), content.size());
    if (count <= 0) return;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// Runs `work` with standard input at the end of a pipe that carries `content`.
void with_standard_input(const std::string& content, const std::function<void()>& work) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  std::thread writer([&] {
    write_all(ends[1], content);
    close(ends[1]);
  });
  EXPECT_NO_THROW(work());
  writer.join();
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(Source, AMissingFileADirectoryAndAnEmptyFileAreNamed) {
  const scratch directory;
  EXPECT_NE(failure_of([&] {
              read_in_words(directory / "none.mtx");
            }).find("io: " + (directory / "none.mtx").string() + ": no such file"),
            std::string::npos);
  EXPECT_NE(failure_of([&] {
              read_in_words(directory.path());
            }).find("io: " + directory.path().string() + ": is a directory"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { read_in_words(directory.file("e.mtx", "")); }).find("the file is empty"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { read_in_words(directory / "a" / "b"); }).find("no such file"), std::string::npos);
  EXPECT_NE(failure_of([&] { read_in_words(directory.file("f", "") / "b"); }).find("cannot be opened"),
            std::string::npos);
}

TEST(Source, AnUnreadableFileIsNamed) {
  const scratch directory;
  const auto path = directory.file("secret.mtx", market);
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  ASSERT_EQ(chmod(directory.path().c_str(), 0755), 0);
  const bool root = geteuid() == 0;
  if (root && seteuid(65534) != 0) GTEST_SKIP() << "root reads everything and cannot become another user here";
  const std::string failure = failure_of([&] { read_in_words(path); });
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_NE(failure.find("io: " + path.string() + ": permission denied"), std::string::npos) << failure;
}

TEST(Source, StandardInputIsReadThroughAPipe) {
  with_standard_input(market, [] { EXPECT_EQ(read_in_words("-"), market_in_words); });
  with_standard_input("0 1\n1 x\n", [] {
    EXPECT_NE(failure_of([] { read_in_words("-"); }).find("standard input:2: 'x' is not an id"), std::string::npos);
  });
}

TEST(Source, ALongPipeArrivesWhole) {
  std::string content;
  for (std::int64_t k = 0; k < 300000; ++k) content += std::to_string(k) + ' ' + std::to_string(k % 1000) + '\n';
  with_standard_input(content, [] {
    const auto a = read<double>("-");
    EXPECT_EQ(a.nnz(), 300000);
    EXPECT_EQ(a.columns[299999], 999);
  });
}

TEST(Source, ANamedPipeIsReadToItsEnd) {
  const scratch directory;
  const auto path = directory / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    const int descriptor = open(path.c_str(), O_WRONLY);
    write_all(descriptor, market);
    close(descriptor);
  });
  EXPECT_EQ(read_in_words(path), market_in_words);
  writer.join();
}

TEST(Source, TheReportTellsBytesAndTime) {
  const scratch directory;
  read_report report;
  read_options options;
  options.report = &report;
  static_cast<void>(read<double>(directory.file("a.txt", "0 1\n1 2\n"), options));
  EXPECT_EQ(report.format, file_format::edge_list);
  EXPECT_EQ(report.bytes, 8);
  EXPECT_EQ(report.stored_entries, 2);
  EXPECT_GT(report.seconds, 0);
}

TEST(ReadAny, TakesTheTypesThatTheFileAsksFor) {
  const scratch directory;
  const auto any = [&](const std::string& content) { return read_any(directory.file("any", content)); };
  EXPECT_TRUE((std::holds_alternative<csr_matrix<double, std::int32_t>>(any(market))));
  EXPECT_TRUE((std::holds_alternative<csr_matrix<std::complex<double>, std::int32_t>>(
      any("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 2\n"))));
  EXPECT_TRUE((std::holds_alternative<csr_matrix<double, std::int64_t>>(
      any("%%MatrixMarket matrix coordinate real general\n2 3000000000 1\n1 1 1\n"))));
  EXPECT_TRUE((std::holds_alternative<csr_matrix<double, std::int32_t>>(any("0 1\n"))));
  EXPECT_TRUE((std::holds_alternative<csr_matrix<double, std::int32_t>>(any("2 1\n2\n1\n"))));
  EXPECT_NE(failure_of([&] { any("0 2147483647\n"); }).find("bad_input"), std::string::npos)
      << "64-bit indices would do, but the gaps would not";
}

TEST(ReadAny, AFormatThatIsAskedForIsNotSniffed) {
  const scratch directory;
  read_options options;
  options.format = file_format::edge_list;
  const auto a = read_any(directory.file("a.graph", "2 1\n1 0\n"), options);
  EXPECT_EQ(in_words(std::get<csr_matrix<double, std::int32_t>>(a)), "3x3 pattern (1,0) (2,1)");
}

TEST(FormatNames, GoBothWays) {
  for (const auto format : {file_format::matrix_market, file_format::npz, file_format::edge_list, file_format::metis})
    EXPECT_EQ(file_format_named(name_of(format)), format);
  EXPECT_EQ(file_format_named("zip"), std::nullopt);
}

#ifdef LACIS_WITH_ARCHIVE

std::string compressed(detail::compression method, std::string_view content) {
  std::string out;
  detail::compressor compressor(method, [&](std::string_view bytes) { out += bytes; });
  compressor.put(content);
  compressor.finish();
  return out;
}

std::string tar_gz(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string out;
  archive* handle = archive_write_new();
  archive_write_add_filter_gzip(handle);
  archive_write_set_format_ustar(handle);
  archive_write_open2(
      handle, &out, nullptr,
      [](archive*, void* to, const void* data, std::size_t size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
        return static_cast<la_ssize_t>(size);
      },
      nullptr, nullptr);
  for (const auto& [name, content] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_write_header(handle, entry);
    archive_write_data(handle, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_free(handle);
  return out;
}

TEST(Compressed, GzipAndZstdAreToldByTheirFirstBytes) {
  const scratch directory;
  EXPECT_EQ(read_in_words(directory.file("a.mtx", compressed(detail::compression::gzip, market))), market_in_words);
  EXPECT_EQ(read_in_words(directory.file("b", compressed(detail::compression::zstd, market))), market_in_words);
  with_standard_input(compressed(detail::compression::gzip, market),
                      [] { EXPECT_EQ(read_in_words("-"), market_in_words); });
}

TEST(Compressed, MembersOfAGzipFileFollowEachOther) {
  const scratch directory;
  const std::string both =
      compressed(detail::compression::gzip, "0 1\n") + compressed(detail::compression::gzip, "1 2\n");
  EXPECT_EQ(read_in_words(directory.file("a.el.gz", both)), "3x3 pattern (0,1) (1,2)");
}

TEST(Compressed, LargeContentArrivesWholeAndTellsItsProgress) {
  std::string content;
  for (std::uint64_t k = 0; k < 500000; ++k)
    content +=
        std::to_string(k % 1000) + ' ' + std::to_string(mix(k) % 1000) + ' ' + std::to_string(mix(k) >> 20) + '\n';
  const scratch directory;
  int calls = 0;
  double last = 0;
  read_options options;
  options.progress = [&](std::string_view stage, double share) {
    if (stage == "reading") return;
    EXPECT_EQ(stage, "decompressing");
    EXPECT_GE(share, last);
    EXPECT_LE(share, 1);
    last = share;
    ++calls;
  };
  const auto opened =
      detail::open_source(directory.file("a.gz", compressed(detail::compression::gzip, content)), options);
  EXPECT_EQ(opened.bytes.text(), content);
  EXPECT_GT(calls, 2);
}

TEST(Compressed, DamageAndDoubleCompressionAreRefused) {
  const scratch directory;
  const std::string once = compressed(detail::compression::gzip, market);
  const std::string twice = compressed(detail::compression::gzip, once);
  EXPECT_NE(failure_of([&] { read_in_words(directory.file("a.gz", twice)); }).find("compressed more than once"),
            std::string::npos);
  for (const auto method : {detail::compression::gzip, detail::compression::zstd}) {
    const std::string whole = compressed(method, market);
    const std::string failure =
        failure_of([&] { read_in_words(directory.file("a.gz", whole.substr(0, whole.size() / 2))); });
    EXPECT_TRUE(failure.starts_with("bad_input: ")) << failure;
    EXPECT_NE(failure.find("damaged"), std::string::npos) << failure;
  }
  EXPECT_NE(failure_of([&] {
              read_in_words(directory.file("a.gz", compressed(detail::compression::gzip, "")));
            }).find("the file is empty"),
            std::string::npos);
}

TEST(Compressed, EveryByteOfAGzipFileIsGuardedByItsChecksum) {
  const scratch directory;
  const std::string whole = compressed(detail::compression::gzip, market);
  std::size_t refused = 0;
  constexpr std::size_t header = 10;  // holds a time and the name of a system, which nothing depends on
  for (std::size_t at = header; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const std::string failure = failure_of([&] { read_in_words(directory.file("a.gz", damaged)); });
    refused += failure.starts_with("bad_input: ") && failure.find("damaged") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(refused, whole.size() - header);
}

TEST(Compressed, MembersInARowAreOneFile) {
  const scratch directory;
  const std::string both = compressed(detail::compression::gzip, std::string(market).substr(0, 20)) +
                           compressed(detail::compression::gzip, std::string(market).substr(20));
  EXPECT_EQ(read_in_words(directory.file("a.gz", both)), market_in_words);
  EXPECT_EQ(read_in_words(directory.file("a.gz", both + std::string(512, '\0'))), market_in_words);
  EXPECT_NE(failure_of([&] { read_in_words(directory.file("a.gz", both + "rest")); }).find("4 bytes that are not gzip"),
            std::string::npos);
}

TEST(Archive, TheMemberWithTheArchivesNameIsTaken) {
  const scratch directory;
  const std::string archive =
      tar_gz({{"bcs/", ""}, {"bcs/bcs_b.mtx", "rubbish"}, {"bcs/bcs.mtx", market}, {"bcs/notes.txt", "x"}});
  EXPECT_EQ(read_in_words(directory.file("bcs.tar.gz", archive)), market_in_words);
  EXPECT_EQ(read_in_words(directory.file("bcs.tgz", archive)), market_in_words);
  const std::string failure = failure_of([&] { read_in_words(directory.file("other.tar.gz", archive)); });
  EXPECT_NE(failure.find("no member of this archive is named other.mtx, and several end in .mtx"), std::string::npos);
  EXPECT_NE(failure.find("Members: bcs/bcs_b.mtx, bcs/bcs.mtx, bcs/notes.txt"), std::string::npos) << failure;
}

TEST(Archive, TwoMembersOfOneNameAreRefused) {
  const scratch directory;
  const std::string archive = tar_gz({{"y/x.mtx", market}, {"x/x.mtx", market}});
  const std::string failure = failure_of([&] { read_in_words(directory.file("x.tar.gz", archive)); });
  EXPECT_NE(failure.find("two members of this archive are named x.mtx: y/x.mtx and x/x.mtx"), std::string::npos)
      << failure;
}

TEST(Archive, TheOnlyMatrixIsTakenWhateverItsName) {
  const scratch directory;
  const std::string archive = tar_gz({{"a/read.me", "hello"}, {"a/a.mtx", market}});
  EXPECT_EQ(read_in_words(directory.file("renamed.tar.gz", archive)), market_in_words);
  with_standard_input(archive, [] { EXPECT_EQ(read_in_words("-"), market_in_words); });
  EXPECT_NE(failure_of([&] {
              read_in_words(directory.file("n.tar.gz", tar_gz({{"a.txt", "hello"}})));
            }).find("none ends in .mtx"),
            std::string::npos);
}

#endif

}  // namespace
}  // namespace lacis::test
