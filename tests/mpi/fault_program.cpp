// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A program that uses lacis::mpi and in which one rank fails: tests/mpi/faults.py runs it and waits for its end.
//
//     mpirun -n 3 fault_program KIND RANK STEP
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <lacis/mpi.hpp>
#include <lacis/solve.hpp>

namespace {

using namespace lacis;

/// How the program is to fail: which rank, and after how many steps.
struct fault {
  std::string kind;
  int rank = 0;
  int step = 0;
  bool is_mine = false;

  [[nodiscard]] bool is(const char* name) const { return is_mine && kind == name; }
};

struct own_exception {};

/// What ends a process in the middle of its work.
void happen(const fault& one) {
  if (one.is("throw")) throw std::runtime_error("thrown between two calls");
  if (one.is("exit0")) std::exit(0);
  if (one.is("exit3")) std::exit(3);
  if (one.is("quick_exit")) std::_Exit(7);
  if (one.is("abort")) std::abort();
  if (one.is("terminate")) std::terminate();
  if (one.is("sigkill")) std::raise(SIGKILL);
  if (one.is("sigsegv")) std::raise(SIGSEGV);
  if (one.is("sigterm")) std::raise(SIGTERM);
  if (one.is("sigint")) std::raise(SIGINT);
}

/// Less memory than the next large array takes, and enough for messages.
void want_memory(const fault& one) {
  if (!one.is("memory")) return;
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + (1 << 20));
  setrlimit(RLIMIT_AS, &limit);
}

/// This rank's rows of a chain of springs.
csr_matrix<double, std::int64_t> own_rows(const fault& one, std::int64_t rows) {
  const row_range mine = even_rows(MPI_COMM_WORLD, rows);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> columns;
  std::vector<double> values;
  for (std::int64_t i = mine.first; i < mine.last; ++i) {
    for (std::int64_t j = i - 1; j <= i + 1; ++j)
      if (j >= 0 && j < rows) {
        columns.push_back(j);
        values.push_back(i == j ? 2.01 : -1);
      }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  using numbers = buffer<std::int64_t>;
  const std::int64_t count = mine.last - mine.first;
  if (one.is("bad_rows") && !columns.empty()) columns[columns.size() / 2] = rows + 7;
  csr_matrix<double, std::int64_t> own{count, rows, numbers(std::span<const std::int64_t>(offsets)),
                                       numbers(std::span<const std::int64_t>(columns)),
                                       values_array<double>(buffer<double>(std::span<const double>(values)))};
  if (one.is("too_few_rows") && own.rows > 0) --own.rows;
  return own;
}

void work(const fault& one) {
  const std::int64_t rows = one.is("other_size") ? 40000 : one.kind == "memory" ? 2000000 : 50000;
  if (one.step == 0) happen(one);
  auto own = own_rows(one, rows);
  if (one.step == 0) want_memory(one);
  const auto a = distribute(MPI_COMM_WORLD, rows, std::move(own), {.by_entries = !one.is("other_options")});
  if (one.step == 1) happen(one);
  if (one.step == 1) want_memory(one);
  if (one.is("other_call")) static_cast<void>(transpose(a));
  const distributed_matrix<double> product(a, {.adjoint = one.is("other_adjoint")});
  if (one.step == 2) happen(one);
  if (one.step == 2) want_memory(one);
  const auto jacobi = make_distributed_preconditioner(
      a, product, {.kind = one.is("other_kind") ? preconditioner_kind::chebyshev : preconditioner_kind::jacobi});
  std::vector<double> b(static_cast<std::size_t>(product.rows()), 1.0);
  std::vector<double> x(static_cast<std::size_t>(product.cols()), 0.0);
  if (one.is("short_b") && !b.empty()) b.pop_back();
  if (one.is("bad_b") && !b.empty()) b[b.size() / 2] = std::numeric_limits<double>::quiet_NaN();
  solve_options options{.tolerance = 1e-12, .max_iterations = 400};
  if (one.is("other_method_options")) options.max_iterations = 3;
  options.monitor = [&](const solve_progress& now) {
    if (now.iteration != 5 + one.step) return true;
    if (one.is("monitor_throws")) throw std::runtime_error("the monitor threw");
    if (one.is("monitor_throws_own")) throw own_exception{};
    if (one.is("monitor_memory")) throw std::bad_alloc();
    happen({one.kind == "throw" ? "" : one.kind, one.rank, one.step, one.is_mine && one.step >= 3});
    return !one.is("monitor_stops");
  };
  const auto method = one.is("other_method") ? solve_method::bicgstab : solve_method::cg;
  const auto report = solve<double>(method, product, b, x, options, jacobi.get());
  if (one.step == 3 && one.kind == "throw") happen(one);
  const auto again = multiply(a, a);
  if (again.rows() != a.rows()) throw std::logic_error("the product has other rows");
  if (one.kind == "monitor_stops" && report.outcome != solve_outcome::stopped)
    throw std::logic_error("not every rank has stopped");
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  if (count != 4) return 1;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  fault one{arguments[1], std::atoi(arguments[2]), std::atoi(arguments[3])};
  one.is_mine = one.rank == rank;
  // What a careful program does: says it once, and ends in order, or all at once when it fails alone.
  try {
    together(MPI_COMM_WORLD, [&] { work(one); });
  } catch (const rank_error& problem) {
    if (rank == problem.rank()) std::fprintf(stderr, "fault_program: %s\n", problem.what());
    MPI_Finalize();
    return 10 + static_cast<int>(problem.code());
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "fault_program: rank %d: %s\n", rank, problem.what());
    MPI_Finalize();
    return 10;
  } catch (const own_exception&) {
    std::fprintf(stderr, "fault_program: rank %d: an exception of its own\n", rank);
    MPI_Finalize();
    return 10;
  }
  MPI_Finalize();
  return 0;
}
