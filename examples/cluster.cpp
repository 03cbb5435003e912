// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A system on the processes of mpirun: each makes its rows, and all solve together.
//
//     mpirun -n 4 example_cluster
#include <cmath>
#include <cstdio>
#include <vector>

#include <lacis/mpi.hpp>
#include <lacis/solve.hpp>

/// Where it throws on one rank, together() throws on all.
void require_finite(const std::vector<double>& x) {
  for (const double element : x)
    if (!std::isfinite(element)) throw lacis::error(lacis::errc::invalid_argument, "x is not finite");
}

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  {
    // A chain of springs: 2 on the diagonal, -1 beside it, and a little more to hold them. Every rank brings its rows.
    const std::int64_t rows = 100000;
    const lacis::row_range mine = lacis::even_rows(MPI_COMM_WORLD, rows);  // which rows this rank brings
    std::vector<std::int64_t> offsets{0}, columns;
    std::vector<double> values;
    for (std::int64_t i = mine.first; i < mine.last; ++i) {
      for (std::int64_t j = i - 1; j <= i + 1; ++j)
        if (j >= 0 && j < rows) {
          columns.push_back(j);
          values.push_back(i == j ? 2.01 : -1);
        }
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
    using numbers = lacis::buffer<std::int64_t>;
    lacis::csr_matrix<double, std::int64_t> own{
        mine.last - mine.first, rows, numbers(std::span<const std::int64_t>(offsets)),
        numbers(std::span<const std::int64_t>(columns)),
        lacis::values_array<double>(lacis::buffer<double>(std::span<const double>(values)))};

    const auto a = lacis::distribute(MPI_COMM_WORLD, rows, std::move(own));  // csr_matrix with global columns
    const lacis::distributed_matrix<double> product(a);                      // plans, exchange
    const auto jacobi = lacis::make_distributed_preconditioner(a, product);
    std::vector<double> b(static_cast<std::size_t>(product.rows()), 1.0);  // of this rank: a.own_rows()
    std::vector<double> x(static_cast<std::size_t>(product.cols()), 0.0);
    const auto report = lacis::cg(product, b, x, {.preconditioner = jacobi});
    if (a.own_rows().first == 0 && !x.empty())
      std::printf("%s after %lld iterations, residual %.2e, x[0] = %.17g\n", report.reason.c_str(),
                  static_cast<long long>(report.iterations), report.true_residual, x[0]);

    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
      lacis::together(MPI_COMM_WORLD, [&] { require_finite(x); });  // your own code too
    } catch (const lacis::rank_error& problem) {
      if (problem.rank() == rank) std::fprintf(stderr, "%s\n", problem.what());  // "rank 2: ..."
    }
  }
  MPI_Finalize();
}
