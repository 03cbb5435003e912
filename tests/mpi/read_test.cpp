// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files that processes read together hold the matrix that one reads; columns that 32 bits cannot number.
#include <filesystem>
#include <fstream>

#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/io.hpp>
#include <lacis/spgemm.hpp>

#include "mpi/systems.hpp"

namespace lacis::test {
namespace {

/// A file that the first process writes, gone with the object.
class shared_file {
 public:
  shared_file(const std::string& name, const std::function<void(const std::filesystem::path&)>& write) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    long number = rank_ == 0 ? static_cast<long>(getpid()) : 0;
    MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::temp_directory_path() / ("lacis_dist_" + std::to_string(number) + "_" + name);
    if (rank_ == 0) write(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~shared_file() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) std::filesystem::remove_all(path_);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  int rank_ = 0;
  std::filesystem::path path_;
};

void expect_read(const shared_file& file) {
  expect_equal(collect(read_distributed<double>(MPI_COMM_WORLD, file.path())), read<double, std::int64_t>(file.path()));
}

TEST(SpreadRead, GeneralSymmetricAndPatternFiles) {
  for (const auto& [spec, values] :
       {std::pair{"@rmat:13", generated_values::random}, std::pair{"@mesh3d:20", generated_values::random},
        std::pair{"@kmer:9000", generated_values::pattern}}) {
    const auto a = generate<double>(spec, {.values = values});
    expect_read(shared_file("a.mtx", [&](const auto& path) { write(path, a); }));
  }
}

TEST(SpreadRead, DuplicatesAreSummedInTheOrderOfTheFile) {
  expect_read(shared_file("b.mtx", [&](const auto& path) {
    std::ofstream out(path);
    out << "%%MatrixMarket matrix coordinate real general\n% twice\n9000 9000 40000\n";
    for (int k = 0; k < 40000; ++k) out << k * 7 % 9000 + 1 << ' ' << k % 11 + 1 << ' ' << 0.1 * (k + 1) << '\n';
  }));
}

TEST(SpreadRead, DirectoriesByRowsWithTheirParts) {
  const auto a = generate<double>("@mesh3d:27", {.values = generated_values::random});
  const std::vector<std::int64_t> parts = {0, 4096, 4 * 4096, a.rows};
  const shared_file file("c.csr", [&](const auto& path) {
    csr_directory_writer<double> out(path, a.rows, a.cols);
    out.append(a);
    out.put_parts(parts);
    out.commit();
  });
  expect_read(file);
  const auto mine = read_distributed<double>(MPI_COMM_WORLD, file.path());
  EXPECT_EQ(mine.parts, parts);
  for (const std::int64_t begin : mine.row_ranges) EXPECT_TRUE(std::count(parts.begin(), parts.end(), begin) > 0);
}

TEST(SpreadRead, WhatCannotBeReadIsTheSameErrorForAll) {
  EXPECT_THROW(static_cast<void>(read_distributed<double>(MPI_COMM_WORLD, "/no/such/file.mtx")), error);
}

TEST(SpreadRead, OtherFormatsGoThroughTheFirstProcess) {
  const auto a = generate<double>("@mesh3d:20", {.values = generated_values::random});
  expect_read(shared_file("d.mtx.gz", [&](const auto& path) { write(path, a); }));
}

TEST(SpreadRead, GeneratedRowsAreThoseOfTheWhole) {
  for (const char* spec : {"@poisson2d:150", "@rmat:14", "@density:5000,0.002", "@powerlaw:20000,9,4000",
                           "@mesh3d:25,shuffled", "@uniform:9001,7", "@stencil27:22"}) {
    SCOPED_TRACE(spec);
    for (const bool by_entries : {true, false})
      expect_equal(collect(generate_distributed<double>(MPI_COMM_WORLD, spec, {.values = generated_values::random},
                                                        {.by_entries = by_entries})),
                   generate<double, std::int64_t>(spec, {.values = generated_values::random}));
  }
}

TEST(SpreadRead, ColumnsBeyondThirtyTwoBits) {
  // A process may own 2^31 columns; here three own more than 2^32 together.
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 3) GTEST_SKIP() << "for three processes or more";
  constexpr std::int64_t rows = 9000;
  constexpr std::int64_t cols = std::int64_t{5} << 30;
  const auto a = generate<double>("@banded:9000,2", {.values = generated_values::random});
  const auto column = [](std::int64_t i, std::int64_t k) { return (i * 596523 + k * 2684354567) % cols; };
  csr_matrix<double, std::int64_t> b{rows, cols, buffer<std::int64_t>(rows + 1), buffer<std::int64_t>(2 * rows),
                                     values_array<double>(2 * rows)};
  for (std::int64_t i = 0; i <= rows; ++i) b.row_offsets[i] = 2 * i;
  for (std::int64_t i = 0; i < rows; ++i) {
    b.columns[2 * i] = std::min(column(i, 1), column(i, 2));
    b.columns[2 * i + 1] = std::max(column(i, 1), column(i, 2));
    b.values.data[2 * i] = static_cast<double>(i + 1);
    b.values.data[2 * i + 1] = -static_cast<double>(i + 3);
  }
  const auto product = collect(multiply(spread(a, {.by_entries = false}), spread(b, {.by_entries = false})));
  // The same with columns squeezed to those that occur.
  std::vector<std::int64_t> names(b.columns.begin(), b.columns.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  csr_matrix<double> narrow{rows, static_cast<std::int64_t>(names.size()), b.row_offsets,
                            buffer<std::int32_t>(b.columns.size()), b.values};
  for (std::int64_t k = 0; k < narrow.columns.size(); ++k)
    narrow.columns[k] =
        static_cast<std::int32_t>(std::lower_bound(names.begin(), names.end(), b.columns[k]) - names.begin());
  auto expected = wide(multiply(a, narrow));
  expected.cols = cols;
  for (std::int64_t& one : expected.columns) one = names[static_cast<std::size_t>(one)];
  EXPECT_GT(*std::max_element(expected.columns.begin(), expected.columns.end()), std::int64_t{1} << 32);
  expect_equal(product, expected);
}

}  // namespace
}  // namespace lacis::test
