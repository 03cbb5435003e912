// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The lacis program: runs the command line and turns what went wrong into a message and an exit code.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

#include <lacis/error.hpp>

#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "parse/command_line.hpp"

namespace {

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
  } catch (const std::exception& problem) {
    return report(arguments, problem.what(), exit_failure);
  }
  return exit_failure;
}

/// Verification runs more threads than there are processors, and waiting threads that spin would cost minutes. OpenMP
/// reads the variable when a program starts, so this starts it again; if that fails, it is only slower.
void let_waiting_threads_sleep(char** arguments) {
  if (setenv("OMP_WAIT_POLICY", "passive", 0) == 0) execv("/proc/self/exe", arguments);
}

}  // namespace

int main(int count, char** arguments) {
  lacis::app::open_standard_streams();
  // A reader that has seen enough ends us quietly, also when our parent ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // A write beyond the limit on file sizes fails then, with a message; otherwise the signal would end us.
  std::signal(SIGXFSZ, SIG_IGN);
  if (count > 1 && std::string_view(arguments[1]) == "verify" && std::getenv("OMP_WAIT_POLICY") == nullptr)
    let_waiting_threads_sleep(arguments);
  return run_and_report({arguments + 1, arguments + count});
}
