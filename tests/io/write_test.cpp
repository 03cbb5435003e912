// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files by their endings, written and read back.
#include <gtest/gtest.h>

#include "io/files_support.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

#ifdef LACIS_WITH_ARCHIVE
constexpr bool with_archive = true;
#else
constexpr bool with_archive = false;
#endif

/// Whether this build cannot write files of that name.
bool needs_archive(std::string_view name) {
  return !with_archive && (name.ends_with("npz") || name.ends_with(".gz") || name.ends_with(".zst"));
}

csr_matrix<double> grid() {
  auto a = from_rows<double, std::int32_t>(100, 100, entries::integers, [](auto i) {
    auto columns = grid_neighbours(i, 10, 1, true);
    std::erase(columns, i);
    return columns;
  });
  for (double& v : a.values.data) v = 3;
  return a;
}

TEST(Write, EveryEndingIsReadBackInItsFormat) {
  const scratch directory;
  const auto a = grid();
  const std::pair<const char*, file_format> rows[] = {
      {"a.mtx", file_format::matrix_market},      {"a.npz", file_format::npz},
      {"a.wel", file_format::edge_list},          {"a.txt", file_format::edge_list},
      {"a.tsv", file_format::edge_list},          {"a.graph", file_format::metis},
      {"a.anything", file_format::matrix_market}, {"a.mtx.gz", file_format::matrix_market},
      {"a.mtx.zst", file_format::matrix_market},  {"a.wel.gz", file_format::edge_list},
      {"a.graph.zst", file_format::metis},
  };
  for (const auto& [name, format] : rows) {
    if (needs_archive(name)) continue;
    read_report report;
    read_options options;
    options.report = &report;
    write(directory / name, a);
    EXPECT_EQ(difference(a, read<double>(directory / name, options)), "") << name;
    EXPECT_EQ(report.format, format) << name;
  }
}

TEST(Write, CompressedEndingsCompress) {
  if (!with_archive) GTEST_SKIP() << "this build has no libarchive";
  const scratch directory;
  write(directory / "a.mtx.gz", grid());
  EXPECT_TRUE(content_of(directory / "a.mtx.gz").starts_with("\x1f\x8b"));
  write(directory / "a.mtx.zst", grid());
  EXPECT_TRUE(content_of(directory / "a.mtx.zst").starts_with("\x28\xb5\x2f\xfd"));
  const std::string first = content_of(directory / "a.mtx.gz");
  write(directory / "a.mtx.gz", grid());
  EXPECT_EQ(content_of(directory / "a.mtx.gz"), first) << "no time stamp";
}

TEST(Write, TheFormatAskedForWinsOverTheEnding) {
  const scratch directory;
  write_options options;
  options.format = file_format::edge_list;
  write(directory / "a.mtx", grid(), options);
  EXPECT_TRUE(content_of(directory / "a.mtx").starts_with("# Nodes: 100 Edges: 360\n"));
}

TEST(Write, EndingsAreTheSameInCapitals) {
  const scratch directory;
  for (const auto& [name, start] : {std::pair("A.GRAPH", "100 180"), std::pair("A.WEL", "# Nodes"),
                                    std::pair("A.NPZ", "PK"), std::pair("A.MTX.GZ", "\x1f\x8b")}) {
    if (needs_archive(name) || (!with_archive && std::string_view(name).ends_with("Z"))) continue;
    write(directory / name, grid());
    EXPECT_TRUE(content_of(directory / name).starts_with(start)) << name;
  }
}

TEST(Write, EndingsOfFormatsThatAreNotWrittenAreRefused) {
  const scratch directory;
  for (const char* name : {"a.npy", "a.mat", "a.H5", "a.csv", "a.mtx.bz2", "a.mtx.xz", "a.tar.gz", "a.zip", "a.tgz"}) {
    const std::string failure = failure_of([&] { write(directory / name, grid()); });
    EXPECT_TRUE(failure.starts_with("invalid_argument: ")) << name << ": " << failure;
    EXPECT_NE(failure.find(" are not written; end the name with .mtx"), std::string::npos) << failure;
  }
  EXPECT_EQ(directory.entries(), 0);
  write(directory / "a.csv", grid(), {.format = file_format::edge_list});
  EXPECT_NE(failure_of([&] { write(directory / "a.xz", grid(), {.format = file_format::edge_list}); }).find(".xz"),
            std::string::npos)
      << "a format says nothing of compression";
}

TEST(Write, AGraphWithoutVerticesIsReadBackAsOne) {
  const scratch directory;
  write(directory / "none.graph", csr_matrix<double>{0, 0, buffer<std::int64_t>(1, 0), {}, {}});
  EXPECT_EQ(read<double>(directory / "none.graph").rows, 0);
}

TEST(Write, AMatrixThatTheFormatCannotHoldLeavesTheOldFile) {
  const scratch directory;
  const auto path = directory.file("a.graph", "precious");
  auto a = grid();
  a.values.data[7] = 0.5;
  EXPECT_TRUE(failure_of([&] { write(path, a); }).starts_with("invalid_argument: "));
  EXPECT_EQ(content_of(path), "precious");
  EXPECT_EQ(directory.entries(), 1);
  EXPECT_NE(failure_of([&] { write(directory / "a.npz.gz", a); }).find("compressed already"), std::string::npos);
  EXPECT_NE(failure_of([&] { write(directory / "a.el", a); }).find("write .wel"), std::string::npos);
  EXPECT_EQ(directory.entries(), 1);
}

TEST(Write, AThrowingProgressEndsItAndLeavesTheOldFile) {
  const scratch directory;
  for (const char* name : {"a.wel", "a.npz", "a.graph"}) {
    if (needs_archive(name)) continue;
    const auto path = directory.file(name, "precious");
    write_options options;
    options.progress = [](std::string_view, double) { throw error(errc::invalid_argument, "enough"); };
    EXPECT_EQ(failure_of([&] { write(path, grid(), options); }), "invalid_argument: enough") << name;
    EXPECT_EQ(content_of(path), "precious");
  }
  EXPECT_EQ(directory.entries(), with_archive ? 3 : 2);
}

TEST(Write, AFullDiskIsAnErrorInEveryFormat) {
  for (const auto format : {file_format::matrix_market, file_format::npz, file_format::edge_list, file_format::metis}) {
    if (needs_archive(name_of(format))) continue;
    write_options options;
    options.format = format;
    const std::string failure = failure_of([&] { write("/dev/full", grid(), options); });
    EXPECT_TRUE(failure.starts_with("io: /dev/full: writing failed: ")) << name_of(format) << ": " << failure;
  }
}

}  // namespace
}  // namespace lacis::test
