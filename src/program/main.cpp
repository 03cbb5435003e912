// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The lacis program: runs the command line and turns what went wrong into a message and an exit code.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <lacis/error.hpp>

#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "parse/command_line.hpp"

namespace {

constexpr const char* spins_before_sleep = "1000";

/// What is wrong with a command line is wrong with it on every rank that mpirun starts, and one message is enough: when
/// the first rank has ended with an error, mpirun ends the others.
void let_first_rank_speak(const std::vector<std::string>& arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--mpi") == arguments.end()) return;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name); rank != nullptr && std::string_view(rank) != "0")
      return std::this_thread::sleep_for(std::chrono::seconds(3));
}

int report(const std::vector<std::string>& arguments, const char* problem, int code) {
  let_first_rank_speak(arguments);
  lacis::app::complain(problem);
  return code;
}

int run_and_report(const std::vector<std::string>& arguments) {
  using namespace lacis;
  using namespace lacis::app;
  try {
    run(arguments);
    finish_output();
    return exit_ok;
  } catch (const interrupted& stop) {
    std::signal(stop.signal, SIG_DFL);
    std::raise(stop.signal);
  } catch (const lacis::error& problem) {
    return report(arguments, problem.what(), exit_code_of(problem.code()));
  } catch (const not_verified& problem) {
    return report(arguments, problem.what(), exit_not_verified);
  } catch (const not_converged& problem) {
    return report(arguments, problem.what(), exit_not_verified);
  } catch (const std::bad_alloc&) {
    return report(arguments, "out of memory", exit_no_resource);
  } catch (const std::length_error&) {  // of a standard container: more elements than an address space has
    return report(arguments, "out of memory: a size is larger than any memory", exit_no_resource);
  } catch (const std::exception& problem) {
    return report(arguments, problem.what(), exit_failure);
  }
  return exit_failure;
}

/// How threads wait for each other, where the user has not said it. OpenMP's threads spin for milliseconds; beside
/// other programs, whose turn it is then, a solve takes fifty times as long. Some tens of microseconds are enough
/// between products. Verification runs more threads than there are processors and does not spin at all. OpenMP reads
/// these variables when a program starts, so this starts it again; if that fails, it is only slower.
void choose_how_threads_wait(int count, char** arguments) {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
  const bool is_verifying = count > 1 && std::string_view(arguments[1]) == "verify";
  const int failed =
      is_verifying ? setenv("OMP_WAIT_POLICY", "passive", 0) : setenv("GOMP_SPINCOUNT", spins_before_sleep, 0);
  if (failed == 0) execv("/proc/self/exe", arguments);
}

/// Kernels hold blocks of numbers on the stack, of which threads that OpenMP starts get as much as the main one. Raises
/// a smaller limit where the system allows that; whether there is enough.
bool has_enough_stack() {
  constexpr rlim_t enough = rlim_t{256} << 10;
  constexpr rlim_t usual = rlim_t{8} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= enough) return true;
  const rlimit raised{usual, std::max(limit.rlim_max, usual)};
  const rlimit allowed{limit.rlim_max, limit.rlim_max};
  if (setrlimit(RLIMIT_STACK, &raised) != 0 && (limit.rlim_max < enough || setrlimit(RLIMIT_STACK, &allowed) != 0))
    return false;
  pthread_attr_t attributes;
  return pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, usual) == 0 &&
         pthread_setattr_default_np(&attributes) == 0;
}

}  // namespace

int main(int count, char** arguments) {
  lacis::app::open_standard_streams();
  // A reader that has seen enough ends us quietly, also when our parent ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // A write beyond the limit on file sizes fails then, with a message; otherwise the signal would end us.
  std::signal(SIGXFSZ, SIG_IGN);
  if (!has_enough_stack()) {
    lacis::app::complain("the stack may not grow to 256 kB, which computing needs; raise the limit (ulimit -s 8192)");
    return lacis::exit_no_resource;
  }
  choose_how_threads_wait(count, arguments);
  return run_and_report({arguments + 1, arguments + count});
}
