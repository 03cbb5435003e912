// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// validate() names what is broken and where: each invariant of each format is broken once.
#include <gtest/gtest.h>
#include <omp.h>

#include <lacis/validate.hpp>

#include "support/matrices.hpp"

namespace lacis::test {
namespace {

csr_matrix<double> sample() {
  return from_rows<double, std::int32_t>(10, 12, entries::integers, [](auto i) {
    return i == 3 ? std::vector<std::int64_t>{} : random_columns(i, 2 + i % 4, 12, 1);
  });
}

/// Breaks a fresh copy with `change` and expects the message and the row.
template <class Format, class Change>
void expect_broken(Change&& change, std::int64_t row, const std::string& message) {
  Format a = convert<Format>(sample(), {.slice_height = 4, .sort_window = 4, .block_size = 3});
  ASSERT_EQ(validate(a), std::nullopt);
  change(a);
  const auto found = validate(a);
  ASSERT_TRUE(found) << message;
  EXPECT_EQ(found->message, message);
  EXPECT_EQ(found->row, row) << message;
  EXPECT_THROW(require_valid(a), error);
}

using csr = csr_matrix<double>;
using csc = csc_matrix<double>;
using coo = coo_matrix<double>;
using ell = ell_matrix<double>;
using hyb = hyb_matrix<double>;
using jds = jds_matrix<double>;
using sell = sell_matrix<double>;
using bsr = bsr_matrix<double>;
using dia = dia_matrix<double>;

TEST(Validate, NamesWhatIsBrokenInCsr) {
  expect_broken<csr>([](csr& a) { a.rows = -1; }, -1, "the sizes -1 x 12 are negative");
  expect_broken<csr>([](csr& a) { a.rows = 9; }, -1, "there are 11 offsets for 9 rows; one more than rows is needed");
  expect_broken<csr>([](csr& a) { a.row_offsets[0] = 1; }, 0, "the offsets begin at 1, not at 0");
  expect_broken<csr>([](csr& a) { a.row_offsets[5] = 1; }, 4, "row 4 ends at offset 1, before its begin 9");
  expect_broken<csr>([](csr& a) { a.row_offsets[10] += 1; }, 9, "the offsets end at 29, but there are 28 columns");
  expect_broken<csr>([](csr& a) { a.columns[a.row_offsets[7]] = 12; }, 7, "row 7 has column 12, outside 0 to 11");
  expect_broken<csr>([](csr& a) { a.columns[a.row_offsets[2]] = -1; }, 2, "row 2 has column -1, outside 0 to 11");
  expect_broken<csr>([](csr& a) { a.values = values_array<double>(3); }, -1, "there are 3 values for 28 columns");
  expect_broken<csr>([](csr& a) { a.values.iso = true; }, -1, "an iso matrix stores one value, this one stores 28");
}

TEST(Validate, NamesTheLowestRowWhateverTheThreads) {
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    auto a = from_rows<float, std::int64_t>(50000, 50000, entries::integers, [](auto i) { return std::vector{i}; });
    a.columns[49999] = 70000;
    a.columns[30001] = 80000;
    ASSERT_TRUE(validate(a));
    EXPECT_EQ(validate(a)->row, 30001);
  }
}

TEST(Validate, NamesWhatIsBrokenInCscAndCoo) {
  expect_broken<csc>([](csc& a) { a.row_indices[a.column_offsets[5]] = 10; }, 5, "column 5 has row 10, outside 0 to 9");
  expect_broken<csc>([](csc& a) { a.column_offsets[0] = 2; }, 0, "the offsets begin at 2, not at 0");
  expect_broken<coo>([](coo& a) { a.row_indices[4] = 10; }, 10, "entry 4 at (10, 7) lies outside 10 x 12");
  expect_broken<coo>([](coo& a) { a.columns = buffer<std::int32_t>(2, 0); }, -1,
                     "there are 28 row indices and 2 columns");
}

TEST(Validate, NamesWhatIsBrokenInPaddedFormats) {
  expect_broken<ell>([](ell& a) { a.row_lengths[6] = 6; }, 6, "row 6 has 6 entries in 5 slots");
  expect_broken<ell>([](ell& a) { a.row_lengths[6] -= 1; }, -1, "the row lengths add up to 27, not to the 28 entries");
  expect_broken<ell>([](ell& a) { a.columns[13] = 12; }, -1, "slot 13 has column 12, outside 0 to 11");
  expect_broken<ell>([](ell& a) { a.width = -4; }, -1, "a width of -4 for 10 rows");
  expect_broken<hyb>([](hyb& a) { a.coo.rows = 3; }, -1, "a part is 3 x 12, the whole 10 x 12");
  expect_broken<hyb>([](hyb& a) { std::swap(a.coo.row_indices[0], a.coo.row_indices[a.coo.nnz() - 1]); }, 2,
                     "entry 1 of coo, in row 2, comes after a later row");
  expect_broken<hyb>([](hyb& a) { a.coo.row_indices[0] = 3; }, 3,
                     "row 3 goes on in coo before its 2 slots in ell are full");
  expect_broken<sell>([](sell& a) { a.permutation[2] = a.permutation[1]; }, 1,
                      "the permutation names row 1 more than once");
  expect_broken<sell>([](sell& a) { a.permutation[2] = 10; }, 2, "place 2 of the permutation names row 10 of 10");
  expect_broken<sell>([](sell& a) { a.row_lengths[0] = 9; }, 0, "row 0 has 9 entries in 4 slots");
  expect_broken<sell>([](sell& a) { a.slice_offsets[1] += 1; }, 4,
                      "slice 1 begins at 17, not at a multiple of the slice height 4");
}

TEST(Validate, NamesWhatIsBrokenInJdsBsrAndDia) {
  expect_broken<jds>([](jds& a) { a.diagonal_offsets[1] = 2; }, -1,
                     "jagged diagonal 1 has 16 entries; lengths start at 10 or less, never grow and never reach 0");
  expect_broken<jds>([](jds& a) { a.permutation[9] = 0; }, 0, "the permutation names row 0 more than once");
  expect_broken<bsr>([](bsr& a) { std::swap(a.block_columns[0], a.block_columns[1]); }, 0,
                     "block row 0 has block columns that do not ascend");
  expect_broken<bsr>([](bsr& a) { a.block_columns[0] = 4; }, 0, "block row 0 has block column 4, outside 0 to 3");
  expect_broken<bsr>([](bsr& a) { a.mask[a.mask.size() - 1] |= 1; }, 3,
                     "block row 3 has an occupied slot outside the matrix");
  expect_broken<bsr>([](bsr& a) { a.entries = 1; }, -1, "the mask has 28 occupied slots for 1 entries");
  expect_broken<dia>([](dia& a) { a.diagonals[0] = -10; }, -1,
                     "diagonal -10 lies outside the matrix or does not ascend");
  expect_broken<dia>([](dia& a) { a.entries = 31; }, -1, "the mask has 28 occupied slots for 31 entries");
  expect_broken<dia>([](dia& a) { a.mask[0] |= 1; }, 0, "row 0 has an occupied slot outside the matrix");
  expect_broken<dia>([](dia& a) { a.mask[a.mask.size() - 1] |= std::uint64_t{1} << 40; }, 40,
                     "row 40 has an occupied slot outside the matrix");
}

}  // namespace
}  // namespace lacis::test
