// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The checks of doctor(): what this machine offers, and what could be improved.
#include <array>
#include <cstdlib>
#include <omp.h>

#include <lacis/device.hpp>
#include <lacis/doctor.hpp>
#include <lacis/error.hpp>
#include <lacis/isa.hpp>
#include <lacis/solve_direct.hpp>
#include <lacis/version.hpp>

#include "base/beside.hpp"
#include "base/machine.hpp"
#include "base/machine_memory.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "doctor/mpi.hpp"

namespace lacis {
namespace {

using detail::text;
using numbers::bytes_text;
using mark = finding_mark;

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

std::string counted(int number, const char* what) { return text(number, " ", what, number == 1 ? "" : "s"); }

/// The kernels that products use, and the others that could be used instead.
finding kernels() {
  std::vector<std::string> all;
  for (const isa set : supported_isas()) all.emplace_back(name_of(set));
  try {
    return {mark::ok, "kernels", text(name_of(default_isa()), ", of ", joined(all)), ""};
  } catch (const error& problem) {
    return {mark::warn, "kernels", problem.what(), "unset LACIS_ISA, or set it to one of " + joined(all)};
  }
}

/// Whether there is a plugin whose kernels this lacis would launch, with a device or without.
bool has_cuda_kernels(const device_report& found) {
  return found.state != device_state::no_plugin && found.state != device_state::corrupt_plugin &&
         found.state != device_state::other_plugin;
}

bool has_mpi_library() {
  return !detail::file_beside(reinterpret_cast<const void*>(&version), "liblacis_mpi.so").empty();
}

std::vector<finding> features() {
  const auto state = [](const char* name, bool in) { return text(in ? "+" : "-", name); };
#ifdef LACIS_WITH_ARCHIVE
  constexpr bool archive = true;
#else
  constexpr bool archive = false;
#endif
  const std::string all =
      joined({state("archive", archive), state("klu", has_direct_solver()), state("cholmod", has_cholmod()),
              state("cuda", has_cuda_kernels(look_for(devices::cuda()))), state("mpi", has_mpi_library())});
  return {{mark::ok, "version", text("lacis ", version()), ""},
          {archive ? mark::ok : mark::note, "features", all,
           archive ? "" : "configure with LACIS_WITH_ARCHIVE to read and write compressed files"}};
}

std::vector<finding> processor(const machine_topology& topology) {
  std::vector<finding> all;
  const std::string model = detail::processor_model();
  all.push_back({mark::ok, "processor", model.empty() ? "unknown" : model, ""});
  const int allowed = detail::allowed_processors();
  if (topology.known) {
    const bool all_allowed = allowed >= topology.hardware_threads;
    all.push_back({all_allowed ? mark::ok : mark::note, "cores",
                   text(counted(topology.cores, "core"), " in ", counted(topology.packages, "package"), ", ",
                        counted(topology.hardware_threads, "hardware thread"), "; this process may use ", allowed),
                   all_allowed ? "" : "an affinity mask (taskset, a batch system) keeps the others away"});
  } else {
    all.push_back({mark::ok, "cores", text("this process may use ", counted(allowed, "hardware thread")), ""});
  }
  all.push_back({mark::ok, "instructions", joined(detail::instruction_sets()), ""});
  all.push_back(kernels());
  return all;
}

std::vector<finding> memory(const machine_topology& topology) {
  std::vector<finding> all;
  if (topology.known) {
    std::string caches;
    for (const cache_level& c : topology.caches)
      caches += text(caches.empty() ? "" : ", ", c.name, " ", bytes_text(static_cast<double>(c.bytes)),
                     c.instances > 1 ? text(" x ", c.instances) : "");
    all.push_back({caches.empty() ? mark::note : mark::ok, "caches", caches.empty() ? "unknown" : caches,
                   caches.empty() ? "a virtual machine may hide them" : ""});
    all.push_back({mark::ok, "NUMA", counted(topology.memory_nodes, "memory node"), ""});
  }
  const detail::memory_state state = detail::memory_of_machine();
  const bool scarce = state.available < state.total / 4;
  all.push_back(
      {scarce ? mark::warn : mark::ok, "memory",
       text(bytes_text(static_cast<double>(state.total)), ", ", bytes_text(static_cast<double>(state.available)),
            " available, ", state.swap == 0 ? "no swap" : bytes_text(static_cast<double>(state.swap)) + " swap"),
       scarce ? "less than a quarter is free; end other programs before large work" : ""});
  const std::string pages = detail::huge_page_mode();
  const bool good = pages == "always" || pages == "madvise";
  all.push_back({good ? mark::ok : mark::warn, "huge pages", pages.empty() ? "unknown" : "transparent, " + pages,
                 good ? "" : "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled makes random access faster"});
  return all;
}

std::vector<finding> limits() {
  std::vector<finding> all;
  const detail::group_limits group = detail::limits_of_groups();
  if (group.processors) {
    const bool tight = *group.processors < omp_get_max_threads();
    all.push_back({tight ? mark::warn : mark::ok, "cgroup CPU",
                   text(numbers::significant(*group.processors), " processors' worth of time"),
                   tight ? text("more threads than that wait for each other; set OMP_NUM_THREADS=",
                                std::max(1, static_cast<int>(*group.processors)))
                         : ""});
  }
  if (group.memory)
    all.push_back({mark::note, "cgroup memory", bytes_text(static_cast<double>(*group.memory)),
                   "a process that exceeds it is killed without a message"});
  if (const auto space = detail::address_space_limit())
    all.push_back({mark::note, "ulimit -v", bytes_text(static_cast<double>(*space)),
                   "larger allocations fail; ulimit -v unlimited lifts it"});
  if (all.empty()) all.push_back({mark::ok, "limits", "none on processors, memory or address space", ""});
  return all;
}

std::vector<finding> threads(const machine_topology& topology) {
  const int count = omp_get_max_threads();
  const char* number = std::getenv("OMP_NUM_THREADS");
  finding team{mark::ok, "OpenMP",
               counted(count, "thread") + (number != nullptr ? text(" (OMP_NUM_THREADS=", number, ")") : ""), ""};
  const int allowed = detail::allowed_processors();
  if (count > allowed) {
    team.mark = mark::warn;
    team.advice = text("more threads than processors wait for each other; set OMP_NUM_THREADS=", allowed);
  } else if (count < allowed) {
    team.mark = mark::note;
    team.advice = text(allowed - count, " processors are left idle");
  }
  const omp_proc_bind_t binding = omp_get_proc_bind();
  finding place{mark::ok, "affinity",
                binding == omp_proc_bind_false ? "threads may move" : "threads are bound to places", ""};
  if (binding == omp_proc_bind_false && topology.memory_nodes > 1) {
    place.mark = mark::note;
    place.advice = "with more than one memory node, OMP_PROC_BIND=close OMP_PLACES=cores keeps data near its thread";
  }
  return {team, place};
}

std::string cuda_version(int number) { return text("CUDA ", number / 1000, ".", number % 1000 / 10); }

finding gpu() {
  const device_report found = look_for(devices::cuda());
  constexpr std::string_view prefix = "CUDA: ";  // the line has that name already
  std::string state = found.problem.starts_with(prefix) ? found.problem.substr(prefix.size()) : found.problem;
  if (found.ready())
    state = text(found.name, ", compute capability ", found.architecture / 10, ".", found.architecture % 10, ", ",
                 bytes_text(static_cast<double>(found.memory_bytes)));
  if (has_cuda_kernels(found))
    state += text(found.driver_version == 0 ? "" : "; driver for " + cuda_version(found.driver_version), "; plugin ",
                  found.plugin, ", compiled with ", cuda_version(found.toolkit_version));
  const bool absent = found.state == device_state::no_plugin || found.state == device_state::no_driver ||
                      found.state == device_state::no_device;
  return {found.ready() ? mark::ok : absent ? mark::note : mark::warn, "CUDA", state, found.advice};
}

std::vector<finding> beyond() {
  const detail::mpi_state mpi = detail::look_for_mpi();
  finding cluster{mark::note, "MPI", "no mpirun on the PATH", "lacis runs on one machine"};
  if (!mpi.launcher.empty())
    cluster = {mark::ok, "MPI", text(mpi.launcher, mpi.version.empty() ? "" : ", " + mpi.version),
               has_mpi_library() ? "" : "configure with LACIS_WITH_MPI=ON for matrices distributed over ranks"};
  return {gpu(), cluster};
}

}  // namespace

std::string_view name_of(finding_mark mark) {
  constexpr std::array<std::string_view, 3> names = {"ok", "note", "warn"};
  return names[static_cast<std::size_t>(mark)];
}

std::vector<finding> doctor(const machine_topology& topology) {
  std::vector<finding> all;
  for (const auto& part : {features(), processor(topology), memory(topology), limits(), threads(topology), beyond()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace lacis
