// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues and vectors of any number of processes have the bits of one.
#include <lacis/eigs.hpp>
#include <lacis/hash.hpp>

#include "mpi/systems.hpp"

namespace lacis::test {
namespace {

template <class T> void expect_same_eigenvalues(const std::string& spec, eigen_method method) {
  SCOPED_TRACE(spec + ' ' + std::string(name_of(method)));
  const auto a = generate<T>(spec);
  const auto spread_a = spread(a);
  const distributed_matrix<T> product(spread_a);
  eigen_options<T> options;
  options.part = eigen_part::largest;
  options.method = method;
  options.max_iterations = method == eigen_method::lobpcg ? 8 : 40;
  const auto expected = eigs(multiply_inspect(a), 3, options);
  const auto found = eigs<T>(product, 3, options);
  EXPECT_EQ(found.values, expected.values);
  EXPECT_EQ(found.residuals, expected.residuals);
  EXPECT_EQ(found.hash, expected.hash);
  EXPECT_EQ(found.vectors.size(), 3 * product.rows());
}

TEST(Eigs, EveryNumberOfProcessesHasTheBitsOfOne) {
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    expect_same_eigenvalues<double>("@poisson3d:25", method);
    expect_same_eigenvalues<std::complex<float>>("@poisson2d:120", method);
    expect_same_eigenvalues<double>("@poisson2d:5", method);  // fewer rows than ranks have blocks
  }
}

TEST(Eigs, AMonitorOfOneRankStopsAll) {
  const auto spread_a = spread(generate<double>("@poisson3d:25"));
  const distributed_matrix<double> product(spread_a);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    eigen_options<double> options;
    options.method = method;
    options.monitor = [&](const eigen_progress& now) { return rank != 0 || now.iteration < 5; };
    const auto found = eigs<double>(product, 2, options);
    EXPECT_EQ(found.outcome, solve_outcome::stopped);
    EXPECT_EQ(found.values.size(), 2U);
  }
}

TEST(Svds, EveryNumberOfProcessesHasTheBitsOfOne) {
  const auto a = generate<double>("@banded:17000,5", {.values = generated_values::random});
  const auto spread_a = spread(a);
  const distributed_matrix<double> product(spread_a, {.adjoint = true});
  for (const auto method : {singular_method::normal, singular_method::bidiagonal}) {
    singular_options<double> options;
    options.method = method;
    options.max_iterations = 30;
    const auto expected = svds(multiply_inspect(a, {.transpose = true}), 2, options);
    const auto found = svds<double>(product, 2, options);
    EXPECT_EQ(found.values, expected.values);
    EXPECT_EQ(found.hash, expected.hash);
  }
}

}  // namespace
}  // namespace lacis::test
