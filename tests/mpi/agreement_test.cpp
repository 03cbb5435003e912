// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The failure of one rank is thrown by all, and they go on with the same matrix.
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

#include <lacis/solve.hpp>

#include "mpi/processes.hpp"
#include "mpi/systems.hpp"

namespace lacis::test {
namespace {

struct SpreadFailure : testing::Test {
  int rank = 0;
  int size = 1;
  int last = 0;  ///< the rank that fails
  csr_matrix<double> whole = solvable("@mesh3d:33");

  SpreadFailure() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    last = size - 1;
  }
  void SetUp() override {
    if (size == 1) GTEST_SKIP() << "one rank has no other to agree with";
  }

  /// All ranks throw the same, that of the last one.
  template <class Work> void expect_failure(errc code, const std::string& words, Work&& work) {
    try {
      work();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const rank_error& problem) {
      EXPECT_EQ(problem.code(), code);
      EXPECT_NE(std::string(problem.what()).find(words), std::string::npos) << problem.what();
      const std::string who = "rank " + std::to_string(last) + ": ";
      EXPECT_EQ(std::string(problem.what()).find(who), 0U) << problem.what();
    } catch (const std::exception& problem) {
      ADD_FAILURE() << problem.what();
    }
  }
};

TEST_F(SpreadFailure, OfOneRanksRowsIsThrownByAll) {
  expect_failure(errc::invalid_argument, "brings", [&] {
    auto mine = own_rows(whole);
    if (rank == last) mine = generate<double>("@poisson2d:3");
    static_cast<void>(distribute(MPI_COMM_WORLD, whole.rows, std::move(mine)));
  });
}

TEST_F(SpreadFailure, OfArgumentsNamesTheRankAndTheArgument) {
  expect_failure(errc::invalid_argument, "options.by_entries", [&] {
    static_cast<void>(distribute(MPI_COMM_WORLD, whole.rows, own_rows(whole), {.by_entries = rank != last}));
  });
  expect_failure(errc::invalid_argument, "description", [&] {
    static_cast<void>(generate_distributed<double>(MPI_COMM_WORLD, rank == last ? "@poisson2d:9" : "@poisson2d:8"));
  });
}

TEST_F(SpreadFailure, InTheMiddleOfMessagesLeavesTheMatrixInOrder) {
  const auto a = spread(whole);
  const auto expected = collect(transpose(a));
  for (int round = 0; round < 20; ++round) {
    expect_failure(errc::out_of_memory, "no more", [&] {
      a.group->together([&] {
        // Each rank is somewhere else when the last one fails: in a sum, in messages of some size, behind both.
        if (rank == last) {
          if (round % 3 > 0) static_cast<void>(a.group->sum(std::int64_t{1}));
          throw error(errc::out_of_memory, "no more");
        }
        static_cast<void>(a.group->sum(std::int64_t{1}));
        const std::vector<double> data(static_cast<std::size_t>(size) * 100000, 1.0);
        const std::vector<std::int64_t> counts(static_cast<std::size_t>(size), round % 2 == 0 ? 100000 : 10);
        static_cast<void>(dist::exchange<double>(*a.group, data, counts));
      });
    });
    if (testing::Test::HasFailure()) break;
    EXPECT_EQ(a.group->sum(std::int64_t{2}), 2 * size);
  }
  expect_equal(collect(transpose(a)), expected);
}

TEST_F(SpreadFailure, OfAFileThatOneRankDoesNotSee) {
  long number = rank == 0 ? static_cast<long>(getpid()) : 0;
  MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  const auto path = std::filesystem::temp_directory_path() / ("lacis_dist_seen_" + std::to_string(number) + ".csr");
  if (rank == 0) write(path, whole);
  MPI_Barrier(MPI_COMM_WORLD);
  expect_failure(errc::io, "no such directory", [&] {
    static_cast<void>(read_distributed<double>(MPI_COMM_WORLD, rank == last ? "/no/such/place.csr" : path));
  });
  expect_equal(collect(read_distributed<double>(MPI_COMM_WORLD, path)), wide(whole));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::filesystem::remove_all(path);
}

TEST_F(SpreadFailure, OfAMonitorComesWithTheNextSum) {
  const auto mine = spread(whole);
  const distributed_matrix<double> product(mine, {.adjoint = true});
  const auto b = part_of(numbers<double>(whole.rows, 5), mine.own_rows());
  for (std::size_t i = 0; i < solve_methods; ++i) {
    const auto method = static_cast<solve_method>(i);
    SCOPED_TRACE(name_of(method));
    const auto run = [&](std::function<bool(const solve_progress&)> monitor, std::int64_t most = 12) {
      std::vector<double> x(static_cast<std::size_t>(product.cols()), 0);
      const auto report =
          solve<double>(method, product, b, x,
                        {.tolerance = 1e-14, .max_iterations = most, .restart = 5, .monitor = std::move(monitor)});
      return std::pair{report, x};
    };
    for (const std::int64_t when : {std::int64_t{1}, std::int64_t{5}, std::int64_t{12}}) {
      const bool throws = rank == last;
      try {
        static_cast<void>(run([&](const solve_progress& now) {
          if (throws && now.iteration == when) throw std::length_error("too long");
          return true;
        }));
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::length_error&) {
        EXPECT_TRUE(throws);
      } catch (const rank_error& problem) {
        EXPECT_FALSE(throws);
        EXPECT_EQ(problem.what(), "rank " + std::to_string(last) + ": too long");
      }
      // One that asks to stop stops all, at that iteration, with the bits that all asking gives.
      const auto one = run([&](const solve_progress& now) { return rank != last || now.iteration != when; });
      const auto all = run([&](const solve_progress& now) { return now.iteration != when; });
      EXPECT_EQ(one.first.outcome, solve_outcome::stopped);
      EXPECT_EQ(one.first.iterations, when);
      EXPECT_EQ(all.first.iterations, when);
      EXPECT_EQ(one.second, all.second);
      const auto counted = run({}, when);
      EXPECT_EQ(counted.first.outcome, solve_outcome::max_iterations);
      EXPECT_EQ(one.second, counted.second);
    }
  }
}

TEST_F(SpreadFailure, IsFollowedByProductsWithVectorsThatOnlySomeRanksHaveUsedBefore) {
  const auto mine = spread(whole);
  const auto all = numbers<double>(whole.rows, 7);
  for (const auto kind : {exchange_kind::point_to_point, exchange_kind::neighbourhood, exchange_kind::all_to_all}) {
    const distributed_matrix<double> product(mine, {.exchange = kind});
    auto& space = product.space();
    const auto known = space.zeros(product.cols());
    const auto other = space.zeros(product.cols());
    const auto y = space.zeros(product.rows());
    std::vector<double> expected(static_cast<std::size_t>(product.rows()));
    std::vector<double> found(expected.size());
    space.from_host(part_of(all, mine.own_cols()), known);
    space.from_host(part_of(all, mine.own_cols()), other);
    product.apply(known, y);
    space.to_host(y, expected);
    expect_failure(errc::io, "mine", [&] {
      space.together("work", {}, [&] {
        if (rank == last) throw error(errc::io, "mine");
      });
    });
    product.apply(rank == last ? known : other, y);
    space.to_host(y, found);
    EXPECT_EQ(found, expected) << name_of(kind);
  }
}

TEST_F(SpreadFailure, OfTheCallersOwnWork) {
  expect_failure(errc::bad_input, "of mine", [&] {
    together(MPI_COMM_WORLD, [&] {
      if (rank == last) throw error(errc::bad_input, "a file of mine");
    });
  });
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(sum, size * (size - 1) / 2);
}

TEST_F(SpreadFailure, OfOneRankAloneIsThrownByItWhereTheCommunicatorReturnsErrors) {
  // The others wait inside MPI and cannot be told.
  MPI_Comm returning = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &returning);
  MPI_Comm_set_errhandler(returning, MPI_ERRORS_RETURN);
  if (rank == last) {
    EXPECT_THROW(
        {
          const auto group = std::make_shared<const dist::processes>(returning);
          group->together([] { throw error(errc::io, "alone"); });
        },
        error);
  } else {
    const auto group = std::make_shared<const dist::processes>(returning);
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace lacis::test
