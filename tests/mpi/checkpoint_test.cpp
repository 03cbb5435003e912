// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers that all processes leave and some go on with end with the same bits.
#include <filesystem>
#include <fstream>

#include <lacis/solve.hpp>

#include "mpi/systems.hpp"

namespace lacis::test {
namespace {

struct SpreadCheckpoint : testing::Test {
  std::filesystem::path directory;
  int rank = 0;

  /// One name for all processes.
  SpreadCheckpoint() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long number = rank == 0 ? static_cast<long>(getpid()) : 0;
    MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    directory = std::filesystem::temp_directory_path() / ("lacis_dist_checkpoint_" + std::to_string(number));
  }
  void clean() const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) std::filesystem::remove_all(directory);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void SetUp() override { clean(); }
  void TearDown() override { clean(); }

  /// This process's part of x, on the processes of a communicator.
  std::vector<double> run(MPI_Comm communicator, const csr_matrix<double>& a, solve_method method, std::int64_t stop,
                          std::int64_t* resumed_at = nullptr) const {
    const auto mine = spread(a, {}, communicator);
    const distributed_matrix<double> product(mine, {.adjoint = true});
    const auto b = part_of(numbers<double>(a.rows, 5), mine.own_rows());
    std::vector<double> x(static_cast<std::size_t>(product.cols()), 0);
    // Farther than any method gets before it is stopped, and no checkpoint is removed because it is there.
    solve_options options{.tolerance = 1e-14,
                          .max_iterations = 30,
                          .restart = 5,
                          .checkpoint = directory.string(),
                          .checkpoint_every = 2};
    options.monitor = [&](const solve_progress& now) { return now.iteration != stop; };
    const auto report = solve<double>(method, product, b, x, options);
    if (resumed_at != nullptr) *resumed_at = report.resumed_at;
    return x;
  }
};

TEST_F(SpreadCheckpoint, GoesOnWithFewerProcesses) {
  const auto a = solvable("@mesh3d:27");
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm fewer = MPI_COMM_NULL;
  const bool goes_on = rank < (size + 1) / 2;
  MPI_Comm_split(MPI_COMM_WORLD, goes_on ? 0 : 1, rank, &fewer);
  for (std::size_t i = 0; i < solve_methods; ++i) {
    const auto method = static_cast<solve_method>(i);
    SCOPED_TRACE(name_of(method));
    clean();
    std::vector<double> undisturbed;
    if (goes_on) undisturbed = run(fewer, a, method, -1);
    clean();
    static_cast<void>(run(MPI_COMM_WORLD, a, method, 7));
    MPI_Barrier(MPI_COMM_WORLD);
    if (goes_on) {
      std::int64_t resumed_at = 0;
      const auto resumed = run(fewer, a, method, -1, &resumed_at);
      EXPECT_EQ(resumed_at, 6);
      ASSERT_EQ(resumed.size(), undisturbed.size());
      EXPECT_EQ(std::memcmp(resumed.data(), undisturbed.data(), resumed.size() * sizeof(double)), 0);
    }
  }
  MPI_Comm_free(&fewer);
}

TEST_F(SpreadCheckpoint, IsNotLedAstrayByLinksInItsWay) {
  if (rank == 0) {
    std::filesystem::create_directories(directory);
    std::ofstream(directory / "precious") << "precious";
    for (const std::string name : {"state-0.lacis", "state-1.lacis"})
      for (const std::string ending : {".unfinished", ".part"})
        std::filesystem::create_symlink("precious", directory / (name + ending));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  static_cast<void>(run(MPI_COMM_WORLD, solvable("@mesh3d:27"), solve_method::cg, 7));
  MPI_Barrier(MPI_COMM_WORLD);
  std::string kept;
  std::getline(std::ifstream(directory / "precious"), kept);
  EXPECT_EQ(kept, "precious");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), 7) << "and two states";
}

TEST_F(SpreadCheckpoint, OfOneProcessWithoutMpiGoesOnWithAll) {
  const auto a = solvable("@poisson3d:32");
  const auto b = numbers<double>(a.rows, 5);
  const auto serial = make_operator(multiply_inspect(a));
  std::vector<double> undisturbed(static_cast<std::size_t>(a.cols), 0);
  solve_options options{.tolerance = 1e-14, .max_iterations = 30, .restart = 5};
  static_cast<void>(solve<double>(solve_method::cg, *serial, b, undisturbed, options));
  if (rank == 0) {
    std::vector<double> x(static_cast<std::size_t>(a.cols), 0);
    options.checkpoint = directory.string();
    options.checkpoint_every = 4;
    options.monitor = [&](const solve_progress& now) { return now.iteration != 9; };
    static_cast<void>(solve<double>(solve_method::cg, *serial, b, x, options));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  std::int64_t resumed_at = 0;
  const auto mine = run(MPI_COMM_WORLD, a, solve_method::cg, -1, &resumed_at);
  EXPECT_EQ(resumed_at, 8);
  expect_same(mine, undisturbed, spread(a).own_cols());
}

}  // namespace
}  // namespace lacis::test
