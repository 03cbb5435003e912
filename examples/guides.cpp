// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The samples of README.md and docs/guide, compiled and run: tools/test-docs checks that each is a part of a program.
#include <cstdio>
#include <iostream>
#include <span>
#include <vector>

#include <lacis/batch.hpp>
#include <lacis/lacis.hpp>

namespace {

using numbers = std::vector<double>;

void plans(const lacis::csr_matrix<double>& A, const numbers& x, numbers& y) {
  auto plan = lacis::multiply_inspect(A, {.expected_uses = 500, .memory_limit = 8'000'000'000});
  lacis::multiply(plan, x, y);
  std::cout << plan.explain();
  for (const auto& c : plan.report().candidates) std::cout << c.layout << ": " << c.seconds << " s\n";
}

void powers_of(const lacis::plan<double>& plan, const numbers& x) {
  std::vector<double> powers(x.size() * 4);
  lacis::multiply_powers(plan, x, lacis::column_major(std::span(powers), plan.rows(), 4));
  std::cout << lacis::explain_powers(plan, 4) << '\n';  // whether, and why or why not
}

void solving(const lacis::csr_matrix<double>& a, const numbers& b, numbers& x) {
  const auto chosen = lacis::solve(a, b, x);  // as the command: method and preconditioner are chosen from the matrix
  std::cout << lacis::name_of(chosen.attempts.back().choice) << ": " << chosen.result().reason << '\n';

  const auto plan = lacis::multiply_inspect(a);  // for several right-hand sides: inspected once, the method named
  const auto m = lacis::make_preconditioner(a, {.kind = lacis::preconditioner_kind::ic0});
  const auto report = lacis::cg(plan, b, x, {.tolerance = 1e-10, .preconditioner = m});
  if (!report.converged()) std::cerr << report.reason << '\n';
}

void multigrid(const lacis::csr_matrix<double>& a, const numbers& b, numbers& x) {
  const auto plan = lacis::multiply_inspect(a);
  const auto m = lacis::make_preconditioner(a, {.kind = lacis::preconditioner_kind::amg});
  const auto report = lacis::cg(plan, b, x, {.tolerance = 1e-8, .preconditioner = m});
  m->update_values(a.values.data);  // another time step: new values, the same levels
  std::cout << m->describe() << ": " << report.iterations << " iterations\n";
}

void eigenvalues(const lacis::csr_matrix<double>& a) {
  const auto plan = lacis::multiply_inspect(a);
  const auto m = lacis::make_preconditioner(a, {.kind = lacis::preconditioner_kind::ic0});
  const auto found = lacis::eigs(plan, 4, {.tolerance = 1e-10, .preconditioner = m});  // the four smallest
  if (!found.converged()) std::cerr << found.reason << '\n';
  for (std::size_t k = 0; k < found.values.size(); ++k)
    std::cout << found.values[k] << ", off by at most " << found.residuals[k] << '\n';

  const auto both = lacis::multiply_inspect(a, {.transpose = true});  // products with A and with its transpose
  std::cout << "largest singular value " << lacis::svds(both, 1).values[0] << '\n';
}

void batches(const lacis::csr_matrix<double>& pattern, const numbers& values, const numbers& b, numbers& x) {
  // values: entries of system 0 in the order of the pattern, then those of system 1, ...; b and x: one vector per
  // system
  auto report = lacis::solve_batch(
      pattern, values, b, x,
      {.method = lacis::batch_method::bicgstab, .preconditioner = lacis::batch_preconditioner::jacobi});
  for (const auto& system : report.systems)
    if (!system.converged()) std::cerr << system.reason << '\n';
}

void sparse_products(const lacis::csr_matrix<double>& a, const lacis::csr_matrix<double>& b) {
  const auto c = lacis::multiply(a, b);  // CSR, columns ascend in every row
  lacis::spgemm_report report;
  const auto d = lacis::multiply(a, b, {.threads = 2}, &report);  // with methods, times and memory
  std::cout << c.nnz() << " entries, " << report.products << " products, " << d.nnz() << " entries\n";
}

void arrays_of_yours(int rows, int cols, const numbers& x, numbers& y) {
  std::vector<int> offsets{0}, columns;  // 32-bit or 64-bit, as they are
  std::vector<double> values;
  for (int i = 0; i < rows; ++i) {
    columns.push_back(i);
    values.push_back(2);
    offsets.push_back(i + 1);
  }
  lacis::csr_view a(rows, cols, offsets, columns, values);  // nothing is copied; sizes are checked
  lacis::multiply(a, x, y);
  for (const auto [column, value] : a.row(3)) std::printf("%d %g\n", column, value);
}

/// Where there is no GPU it throws.
void devices(const lacis::csr_matrix<double>& A, const lacis::csr_matrix<double>& B, const numbers& host_x) {
  using namespace lacis::devices;      // cpu(), simt(), cuda(n)
  lacis::device_context gpu(cuda(0));  // throws error(no_device) with what is missing and what to do
  auto plan = lacis::multiply_inspect(A, {.device = cuda(0)});  // the matrix is copied there
  lacis::device_stream s(gpu);
  lacis::device_vector<double> x(gpu, host_x), y(gpu, A.rows);
  lacis::multiply(plan, x, y, s);                                // also multiply(alpha, plan, x, beta, y, s)
  lacis::multiply(1.0, plan, x.address(), 0.0, y.address(), s);  // or your own pointers to device memory
  double length = lacis::norm(y, s);                             // dot, dotc, norm, axpby, axpy, scale
  s.wait();
  auto host_y = y.to_host();
  std::cout << length << ' ' << host_y.size() << '\n';

  auto C = lacis::multiply(gpu, A, B);  // from and to host memory, bits of multiply(A, B)
  auto D = lacis::multiply(gpu, A, B, {.memory_limit = 2'000'000'000});  // within two gigabytes of the device
  std::cout << C.nnz() << ' ' << D.nnz() << '\n';
}

}  // namespace

int main() {
  const auto a = lacis::generate<double>("@poisson2d:30");
  const auto n = static_cast<std::size_t>(a.rows);
  const numbers ones(n, 1.0);
  numbers y(n), x(n);
  plans(a, ones, y);
  powers_of(lacis::multiply_inspect(a), ones);
  solving(a, y, x);
  multigrid(a, y, x);
  eigenvalues(a);
  numbers values(a.values.data.begin(), a.values.data.end()), solution(n);
  batches(a, values, y, solution);
  sparse_products(a, a);
  arrays_of_yours(900, 900, ones, y);
  try {
    devices(a, a, ones);
  } catch (const lacis::error& problem) {
    std::cout << problem.what() << '\n';
    return problem.code() == lacis::errc::no_device ? 0 : 1;
  }
}
