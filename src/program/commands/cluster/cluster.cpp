// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opening liblacis_ranks, and errors of one rank that end all.
#include "commands/cluster/cluster.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <exception>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <new>
#include <omp.h>
#include <optional>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <lacis/error.hpp>
#include <lacis/rank_error.hpp>
#include <lacis/version.hpp>

#include "base/beside.hpp"
#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/interrupt.hpp"
#include "input/load.hpp"

namespace lacis::app {
namespace {

constexpr const char* library_name = "liblacis_ranks.so";

/// Ends a rank whose start of MPI does not come to an end: another one was started without --mpi and is gone, or MPI
/// has no memory for itself. Nobody else would; a large machine may rightly take a while.
class start_guard {
 public:
  start_guard() {
    constexpr unsigned long_enough = 120;
    struct sigaction action{};
    action.sa_handler = [](int) {
      constexpr std::string_view words =
          "lacis: MPI has not started within two minutes; was every rank started with --mpi?\n";
      static_cast<void>(!::write(STDERR_FILENO, words.data(), words.size()));  // nothing else can report it
      _exit(exit_failure);
    };
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, &before_);
    alarm(long_enough);
  }
  ~start_guard() {
    alarm(0);
    sigaction(SIGALRM, &before_, nullptr);
  }
  start_guard(const start_guard&) = delete;
  start_guard& operator=(const start_guard&) = delete;

 private:
  struct sigaction before_{};
};

cluster& open_cluster() {
  // MPI's own plugins look for its symbols among those of the program.
  const std::string file = detail::file_beside(reinterpret_cast<const void*>(&lacis::version), library_name);
  void* const library = dlopen(file.empty() ? library_name : file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    throw error(errc::unsupported, fmt::format("--mpi needs liblacis_ranks.so, which cannot be opened: {}; configure "
                                               "with LACIS_WITH_MPI=ON to build it",
                                               dlerror()));
  const auto open = reinterpret_cast<decltype(&lacis_ranks_cluster)>(dlsym(library, "lacis_ranks_cluster"));
  const start_guard guard;
  cluster* const processes = open != nullptr ? open(std::string(version()).c_str()) : nullptr;
  if (processes == nullptr)
    throw error(errc::unsupported, "liblacis_ranks.so is not of this version of lacis; install both from one build");
  return *processes;
}

void share_threads(const common_options& common, const cluster& processes) {
  if (common.threads > 0 || std::getenv("OMP_NUM_THREADS") != nullptr) return use_threads(common.threads);
  const auto processors = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  omp_set_num_threads(std::clamp(processors / processes.neighbours(), 1, omp_get_max_threads()));
}

/// Says it once, and ends all. A rank that fails by itself waits for those before it: they may fail for the same
/// reason.
[[noreturn]] void fail(cluster& processes, const std::string& message, int code) {
  if (processes.rank() > 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + 20 * std::min(processes.rank(), 100)));
  complain(processes.size() > 1 ? fmt::format("rank {}: {}", processes.rank(), message) : message);
  processes.abort(code);
  std::abort();
}

/// What all ranks know of: the one that failed says it.
[[noreturn]] void fail(cluster& processes, const rank_error& problem) {
  constexpr auto long_enough = std::chrono::seconds(5);
  if (problem.rank() != processes.rank()) std::this_thread::sleep_for(long_enough);
  complain(problem.what());
  processes.abort(exit_code_of(problem.code()));
  std::abort();
}

/// The words after the program's name. Every rank must have the same.
std::string arguments_of_program() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return all.substr(std::min(all.find('\0'), all.size()));
}

}  // namespace

void on_cluster(const common_options& common, const std::function<void(cluster&)>& work) {
  cluster& processes = open_cluster();
  std::optional<not_converged> without_success;
  try {
    const interrupt_guard guard(interrupts::where_all_agree);
    processes.together([&] {
      processes.require_same_arguments(arguments_of_program());
      share_threads(common, processes);
      try {
        work(processes);
      } catch (const not_converged& problem) {
        without_success = problem;  // every rank has seen the same
      }
      flush_output();
    });
  } catch (const interrupted& stop) {
    fail(processes, "interrupted", 128 + stop.signal);
  } catch (const rank_error& problem) {
    fail(processes, problem);
  } catch (const lacis::error& problem) {
    fail(processes, with_flags(problem.what()), exit_code_of(problem.code()));
  } catch (const std::bad_alloc&) {
    fail(processes, "out of memory; use more ranks, on more machines", exit_no_resource);
  } catch (const std::exception& problem) {
    fail(processes, problem.what(), exit_failure);
  }
  if (without_success && processes.rank() == 0) complain(without_success->what());
  processes.finish();
  if (without_success) std::exit(exit_not_verified);
}

named_matrix named(const source_options& source, const std::string& name, const std::string& type) {
  named_matrix a;
  a.name = name;
  if (!type.empty()) a.type = type;
  a.generate = generate_options_of(source);
  a.read = read_options_of(source);
  return a;
}

std::string processes_text(const spread_facts& facts) {
  return fmt::format("{} rank{} with {} thread{} each", facts.processes, facts.processes == 1 ? "" : "s", facts.threads,
                     facts.threads == 1 ? "" : "s");
}

}  // namespace lacis::app
