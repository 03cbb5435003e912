// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parts and their order beside a matrix in a directory: kept, refused, damaged.
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include <lacis/csr_directory.hpp>
#include <lacis/generate.hpp>
#include <lacis/row_ranges.hpp>
#include <lacis/structure.hpp>

#include "io/files_support.hpp"
#include "support/compare.hpp"

namespace lacis::test {
namespace {

using numbers = std::vector<std::int64_t>;

constexpr std::int64_t chunk = rows_in_chunk;

numbers in_a_vector(const buffer<std::int64_t>& all) { return {all.begin(), all.end()}; }

/// Rows in reverse order, in three parts, the last of which is no whole chunk.
class StoredParts : public ::testing::Test {
 protected:
  StoredParts() {
    std::iota(order_.rbegin(), order_.rend(), 0);
    save();
  }
  void save() { write(path_, a_, {.parts = parts_, .order = order_}); }
  void change(const std::string& file, std::size_t place, std::int64_t element) {
    save();
    std::string content = content_of(path_ / file);
    std::memcpy(content.data() + 128 + place * sizeof element, &element, sizeof element);
    std::ofstream(path_ / file, std::ios::binary) << content;
  }
  [[nodiscard]] std::string fault_in_parts() const {
    return failure_of([&] { static_cast<void>(read_parts(path_)); });
  }
  [[nodiscard]] std::string fault_in_order() const {
    return failure_of([&] { static_cast<void>(read_order(path_)); });
  }

  scratch directory_;
  std::filesystem::path path_ = directory_ / "a.csr";
  std::int64_t rows_ = 2 * chunk + 452;
  csr_matrix<double> a_ = generate<double>("@banded:" + std::to_string(rows_) + ",1");
  numbers parts_ = {0, chunk, 2 * chunk, rows_};
  numbers order_ = numbers(static_cast<std::size_t>(rows_));
};

TEST_F(StoredParts, ComeBackBesideTheMatrix) {
  EXPECT_EQ(in_a_vector(read_parts(path_)), parts_);
  EXPECT_EQ(in_a_vector(read_order(path_)), order_);
  EXPECT_EQ(difference(a_, read<double>(path_)), "");
  EXPECT_EQ(content_of(path_ / "parts.npy").size(), 128U + 4 * 8);
  EXPECT_NE(content_of(path_ / "order.npy")
                .find("{'descr': '<i8', 'fortran_order': False, 'shape': (" + std::to_string(rows_) + ",), }"),
            std::string::npos);
}

TEST_F(StoredParts, GoWithTheMatrixThatIsReplaced) {
  write(path_, a_);
  EXPECT_TRUE(read_parts(path_).empty());
  EXPECT_TRUE(read_order(path_).empty());
  EXPECT_FALSE(std::filesystem::exists(path_ / "parts.npy"));
  EXPECT_EQ(directory_.entries(), 1);
}

TEST_F(StoredParts, LeaveTheDescriptionAsItIs) {
  write(directory_ / "without.csr", a_);
  EXPECT_EQ(content_of(path_ / "matrix.json"), content_of(directory_ / "without.csr" / "matrix.json"));
}

TEST_F(StoredParts, AreThoseThatWereGivenLast) {
  csr_directory_writer<double> output(path_, a_.rows, a_.cols);
  output.append(a_);
  output.put_parts(parts_);
  output.put_parts(numbers{0, 2 * chunk, rows_});
  output.commit();
  EXPECT_EQ(in_a_vector(read_parts(path_)), (numbers{0, 2 * chunk, rows_}));
  EXPECT_TRUE(read_order(path_).empty());
}

TEST_F(StoredParts, AreNothingWhereNoDirectoryIs) {
  EXPECT_TRUE(read_parts(directory_.file("a.mtx", "text")).empty());
  EXPECT_TRUE(read_order(directory_ / "missing.csr").empty());
}

TEST_F(StoredParts, AreForDirectoriesAlone) {
  EXPECT_EQ(failure_of([&] { write(directory_ / "a.mtx", a_, {.parts = parts_}); }),
            "invalid_argument: " + (directory_ / "a.mtx").string() +
                ": only a directory of arrays keeps parts and their order; end its name with .csr");
  EXPECT_EQ(directory_.entries(), 1);
}

TEST_F(StoredParts, ThatDoNotFitAreNotWritten) {
  for (const numbers& parts :
       {numbers{0, 1000, rows_}, {0, 2 * chunk}, {chunk, rows_}, {0, 2 * chunk, chunk, rows_}, {rows_}})
    EXPECT_EQ(failure_of([&] { write(path_, a_, {.parts = parts}); }),
              "invalid_argument: parts must ascend from 0 to " + std::to_string(rows_) + " and begin at multiples of " +
                  std::to_string(chunk));
  EXPECT_EQ(failure_of([&] { write(path_, a_, {.order = numbers{0, 1, 2}}); }),
            "invalid_argument: an order of 3 rows for " + std::to_string(rows_));
  order_[1] = order_[0];
  EXPECT_EQ(failure_of([&] { write(path_, a_, {.order = order_}); }),
            "invalid_argument: position 1 of the list of rows is " + std::to_string(rows_ - 1) +
                " again (as position 0 is); rows may not repeat");
  EXPECT_EQ(in_a_vector(read_parts(path_)), parts_);
}

TEST_F(StoredParts, ThatAreDamagedAreRefused) {
  const std::string wrong =
      "parts.npy: does not ascend from 0 to " + std::to_string(rows_) + " rows in steps of " + std::to_string(chunk);
  for (const auto& [place, element] :
       {std::pair<std::size_t, std::int64_t>{1, chunk + 1}, {1, 3 * chunk}, {3, rows_ - 1}, {0, -chunk}}) {
    change("parts.npy", place, element);
    EXPECT_EQ(fault_in_parts(), "bad_input: " + (path_ / wrong).string());
  }
  change("order.npy", 7, rows_);
  EXPECT_NE(fault_in_order().find("order.npy: position 7"), std::string::npos) << fault_in_order();
  EXPECT_TRUE(fault_in_order().starts_with("bad_input: "));
  change("order.npy", 7, 0);
  EXPECT_NE(
      fault_in_order().find("order.npy: position " + std::to_string(rows_ - 1) + " of the list of rows is 0 again"),
      std::string::npos)
      << fault_in_order();
}

TEST_F(StoredParts, ThatAreCutShortOrOfAnotherTypeAreRefused) {
  std::filesystem::resize_file(path_ / "parts.npy", 128 + 4 * 8 - 1);
  EXPECT_NE(fault_in_parts().find("bad_input: "), std::string::npos);
  std::filesystem::copy_file(path_ / "values.npy", path_ / "parts.npy",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(fault_in_parts().find("parts.npy: holds float64, not int64"), std::string::npos) << fault_in_parts();
  std::filesystem::copy_file(path_ / "row_offsets.npy", path_ / "order.npy",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(
      fault_in_order().find("order.npy: has " + std::to_string(rows_ + 1) + " elements, but matrix.json declares"),
      std::string::npos)
      << fault_in_order();
}

}  // namespace
}  // namespace lacis::test
