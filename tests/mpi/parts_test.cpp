// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parts that processes cut together: the matrix is the same under other numbers, and fewer elements travel.
#include "mpi/parts.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <unistd.h>

#include <lacis/csr_directory.hpp>
#include <lacis/partition.hpp>

#include "mpi/systems.hpp"

namespace lacis::test {
namespace {

TEST(SpreadParts, AreTheMatrixInAnotherOrder) {
  const auto a = generate<double>("@mesh3d:32,shuffled", {.values = generated_values::random});
  const auto cut = dist::cut_into_parts(spread(a), 8);
  EXPECT_TRUE(are_parts(a.rows, cut.matrix.parts));
  EXPECT_GT(cut.matrix.parts.size(), 4u);

  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long number = rank == 0 ? static_cast<long>(getpid()) : 0;
  MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  const auto path = std::filesystem::temp_directory_path() / ("lacis_dist_parts_" + std::to_string(number) + ".csr");
  dist::write_cut(path, cut);
  const buffer<std::int64_t> order = read_order(path);
  std::vector<std::int64_t> sorted(order.begin(), order.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> all(sorted.size());
  std::iota(all.begin(), all.end(), std::int64_t{0});
  EXPECT_EQ(sorted, all);
  const auto expected = permute(a, order, order);
  expect_equal(collect(cut.matrix), wide(expected));
  expect_equal(read<double, std::int64_t>(path), wide(expected));
  const buffer<std::int64_t> parts = read_parts(path);
  EXPECT_EQ(std::vector<std::int64_t>(parts.begin(), parts.end()), cut.matrix.parts);

  // Nearly every entry of the shuffled mesh leaves its part; of the cut one few do.
  const auto ranges = cut_rows(a.rows, weights_of_chunks(a.row_offsets), {}, 4);
  EXPECT_LT(
      4 * exchange_of(expected, cut_rows(a.rows, weights_of_chunks(expected.row_offsets), cut.matrix.parts, 4)).ghosts,
      exchange_of(a, ranges).ghosts);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::filesystem::remove_all(path);
}

/// What `lacis partition` predicts is what is sent.
TEST(SpreadParts, ExchangeIsAsCounted) {
  for (const char* spec : {"@poisson3d:32", "@mesh3d:30", "@rmat:15"}) {
    SCOPED_TRACE(spec);
    const auto a = generate<double>(spec, {.values = generated_values::random});
    const auto mine = spread(a);
    const distributed_matrix<double> product(mine);
    const row_exchange counted = exchange_of(a, mine.row_ranges);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const range_exchange& here = counted.ranges[static_cast<std::size_t>(rank)];
    EXPECT_EQ(product.exchange().received_elements, here.ghosts);
    EXPECT_EQ(product.exchange().sent_elements, here.sent);
    EXPECT_EQ(product.exchange().neighbours_in, here.messages_in);
    EXPECT_EQ(product.exchange().neighbours_out, here.messages_out);
  }
}

}  // namespace
}  // namespace lacis::test
