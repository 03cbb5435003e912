// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files that another process cuts short or overwrites while they are read: an error or a matrix, never a signal.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <sys/stat.h>

#include <lacis/validate.hpp>

#include "io/csr_directory/csr_directory.hpp"
#include "io/files_support.hpp"
#include "io/matrix_market/part.hpp"

namespace lacis::test {
namespace {

constexpr std::int64_t edges = 400000;

/// Long enough for several blocks of reading and several chunks of parsing.
std::string edge_list() {
  std::string out;
  for (std::int64_t k = 0; k < edges; ++k) out += std::to_string(k) + ' ' + std::to_string(k / 3) + '\n';
  return out;
}

std::string market() {
  std::string out = "%%MatrixMarket matrix coordinate pattern general\n400000 400000 400000\n";
  for (std::int64_t k = 0; k < edges; ++k) out += std::to_string(k + 1) + ' ' + std::to_string(k / 3 + 1) + '\n';
  return out;
}

/// A cycle.
std::string metis() {
  std::string out = "400000 400000\n";
  for (std::int64_t k = 0; k < edges; ++k)
    out += std::to_string((k + edges - 1) % edges + 1) + ' ' + std::to_string((k + 1) % edges + 1) + '\n';
  return out;
}

/// Writes over the bytes that are there, as an editor or a copy onto the file does.
void overwrite(const std::filesystem::path& path, std::string_view content) {
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << content;
}

/// Reads with `change` done to the file at the first sign of progress in this stage (any for "").
std::string read_while(const std::filesystem::path& path, const std::string& stage,
                       const std::function<void()>& change) {
  omp_set_num_threads(1);  // it tells its progress between any two pieces
  bool done = false;
  read_options options;
  options.progress = [&](std::string_view now, double) {
    if (!done && (stage.empty() || now == stage)) {
      done = true;
      change();
    }
  };
  std::string result = "read";
  try {
    const auto a = read<double>(path, options);
    EXPECT_FALSE(validate(a).has_value());
  } catch (const error& problem) {
    result = problem.what();
  }
  omp_set_num_threads(omp_get_num_procs());
  EXPECT_TRUE(done);
  return result;
}

TEST(ChangingFile, CutShortWhileItIsParsedIsReadAsItWas) {
  const scratch directory;
  for (const auto& [content, stage] :
       {std::pair(edge_list(), "parsing"), std::pair(market(), "parse"), std::pair(metis(), "parsing")}) {
    const auto path = directory.file("a", content);
    EXPECT_EQ(read_while(path, stage, [&] { std::filesystem::resize_file(path, 100); }), "read");
  }
}

TEST(ChangingFile, CutShortWhileItIsReadIsAnError) {
  const scratch directory;
  for (const std::string& content : {edge_list(), market(), metis()}) {
    const auto path = directory.file("a", content);
    EXPECT_EQ(read_while(path, "reading", [&] { std::filesystem::resize_file(path, 100); }),
              path.string() + ": changed while it was read; read it again when nothing writes to it");
  }
}

TEST(ChangingFile, AnEdgeListThatGainsLinesBetweenItsPassesIsReadAsItWas) {
  const scratch directory;
  const auto path = directory.file("a", edge_list());
  const std::string shorter = [] {
    std::string lines;
    while (lines.size() < 4000000) lines += "0 1\n";
    return lines;
  }();
  EXPECT_EQ(read_while(path, "parsing", [&] { overwrite(path, shorter); }), "read");
}

TEST(ChangingFile, OverwrittenWhileItIsReadIsAnError) {
  const scratch directory;
  const auto path = directory.file("a", edge_list());
  EXPECT_NE(read_while(path, "reading", [&] { overwrite(path, "7 7\n"); }).find("changed while it was read"),
            std::string::npos);
}

/// A matrix of one entry in each of 100000 rows, in a directory.
class ChangingDirectory : public testing::Test {
 protected:
  void SetUp() override {
    csr_matrix<double> a;
    a.rows = a.cols = rows;
    a.row_offsets = buffer<std::int64_t>(rows + 1);
    a.columns = buffer<std::int32_t>(rows);
    a.values = values_array<double>(rows);
    for (std::int32_t i = 0; i < rows; ++i) {
      a.row_offsets[i] = i;
      a.columns[i] = i;
      a.values.data[i] = i;
    }
    a.row_offsets[rows] = rows;
    write(path_, a);
  }

  static constexpr std::int32_t rows = 100000;
  const scratch directory_;
  const std::filesystem::path path_ = directory_ / "a.csr";
};

TEST_F(ChangingDirectory, FilesCutShortAfterTheyWereOpenedAreAnError) {
  for (const char* file : {"row_offsets.npy", "columns.npy", "values.npy"}) {
    SetUp();
    auto content = detail::load_csr_directory(path_);
    std::filesystem::resize_file(path_ / file, 1000);
    read_report report;
    EXPECT_NE(failure_of([&] {
                static_cast<void>(detail::to_csr<double, std::int32_t>(std::move(content), {}, report));
              }).find("bad_input: " + (path_ / file).string() + ": changed while it was read"),
              std::string::npos)
        << file;
  }
}

TEST_F(ChangingDirectory, ElementsAreCheckedAsTheyAreTaken) {
  auto content = detail::load_csr_directory(path_);
  const std::string wild(4 * rows, '\x7f');
  std::string columns = content_of(path_ / "columns.npy");
  columns.replace(128, wild.size(), wild);
  overwrite(path_ / "columns.npy", columns);
  read_report report;
  const std::string failure =
      failure_of([&] { static_cast<void>(detail::to_csr<double, std::int32_t>(std::move(content), {}, report)); });
  EXPECT_TRUE(failure.starts_with("bad_input: ")) << failure;
}

TEST_F(ChangingDirectory, APipeAmongItsFilesIsRefusedAtOnce) {
  std::filesystem::remove(path_ / "values.npy");
  ASSERT_EQ(mkfifo((path_ / "values.npy").c_str(), 0600), 0);
  EXPECT_EQ(failure_of([&] { static_cast<void>(read<double>(path_)); }),
            "bad_input: " + (path_ / "values.npy").string() + ": is no regular file");
}

TEST_F(ChangingDirectory, ALinkOutOfItIsRefused) {
  const std::filesystem::path outside = directory_ / "values.npy";
  std::filesystem::rename(path_ / "values.npy", outside);
  for (const std::filesystem::path& target : {outside, std::filesystem::path("../values.npy")}) {
    std::filesystem::remove(path_ / "values.npy");
    std::filesystem::create_symlink(target, path_ / "values.npy");
    EXPECT_NE(failure_of([&] { static_cast<void>(read<double>(path_)); }).find("values.npy: is a symbolic link out of"),
              std::string::npos);
  }
}

TEST(MatrixMarketPart, TakesOnlyItsBytesAndNamesTheLineOfTheFile) {
  const scratch directory;
  std::string content = "%%MatrixMarket matrix coordinate real general\n%" + std::string(200000, 'c') + "\n9 9 9\n";
  for (int k = 1; k <= 9; ++k) content += std::to_string(k) + ' ' + std::to_string(k) + " 1.5\n";
  const auto path = directory.file("a.mtx", content + "\n\n");
  for (const int parts : {1, 2, 5, 40}) {
    std::vector<std::int64_t> found;
    for (int part = 0; part < parts; ++part) {
      const auto one = detail::read_matrix_market_part<double>(path, part, parts, {});
      ASSERT_TRUE(one.has_value());
      EXPECT_EQ(one->declared, 9);
      found.insert(found.end(), one->entry_rows.begin(), one->entry_rows.end());
    }
    EXPECT_EQ(found, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8})) << parts;
  }
  const auto broken = directory.file("b.mtx", content.substr(0, content.size() - 8) + "9 x 1.5\n");
  EXPECT_NE(failure_of([&] {
              static_cast<void>(detail::read_matrix_market_part<double>(broken, 2, 3, {}));
            }).find("b.mtx:12: the column, 'x'"),
            std::string::npos);
}

}  // namespace
}  // namespace lacis::test
