// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis doctor: what this machine offers, and what could be better.
#include "commands/machine/doctor.hpp"

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <omp.h>
#include <vector>

#include <lacis/device.hpp>
#include <lacis/error.hpp>
#include <lacis/isa.hpp>
#include <lacis/solve_direct.hpp>
#include <lacis/version.hpp>

#include "commands/cluster/cluster.hpp"
#include "commands/cluster/mpi.hpp"
#include "commands/machine/machine.hpp"
#include "commands/machine/measure_machine.hpp"
#include "commands/machine/topology.hpp"
#include "console/console.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

enum class mark { ok, note, warn };

struct finding {
  mark how = mark::ok;
  std::string name;
  std::string state;
  std::string advice;  ///< empty when nothing is to be done
};

std::string_view word_of(mark how) {
  constexpr std::array<std::string_view, 3> words = {"ok", "note", "warn"};
  return words[static_cast<std::size_t>(how)];
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

std::string counted(int number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// The kernels that products use, and the others that could be used instead.
finding kernels() {
  std::vector<std::string> all;
  for (const isa set : supported_isas()) all.emplace_back(name_of(set));
  try {
    return {mark::ok, "kernels", fmt::format("{}, of {}", name_of(default_isa()), joined(all)), ""};
  } catch (const error& problem) {
    return {mark::warn, "kernels", problem.what(), "unset LACIS_ISA, or set it to one of " + joined(all)};
  }
}

/// Whether there is a plugin whose kernels this lacis would launch, with a device or without.
bool has_cuda_kernels(const device_report& found) {
  return found.state != device_state::no_plugin && found.state != device_state::corrupt_plugin &&
         found.state != device_state::other_plugin;
}

std::vector<finding> features() {
  const auto state = [](const char* name, bool in) { return fmt::format("{}{}", in ? "+" : "-", name); };
  bool png = false;
  bool topology = false;
  bool archive = false;
#ifdef LACIS_WITH_PNG
  png = true;
#endif
#ifdef LACIS_WITH_HWLOC
  topology = true;
#endif
#ifdef LACIS_WITH_ARCHIVE
  archive = true;
#endif
  const std::string text =
      joined({state("archive", archive), state("png", png), state("hwloc", topology), state("klu", has_direct_solver()),
              state("cholmod", has_cholmod()), state("cuda", has_cuda_kernels(look_for(devices::cuda()))),
              state("mpi", has_cluster_library())});
  const bool all = png && topology && archive;
  return {{mark::ok, "version", fmt::format("lacis {}", version()), ""},
          {all ? mark::ok : mark::note, "features", text,
           all ? "" : "configure with LACIS_WITH_ARCHIVE, LACIS_WITH_PNG and LACIS_WITH_HWLOC for the missing ones"}};
}

std::vector<finding> processor(const topology& machine) {
  std::vector<finding> all;
  const std::string model = processor_model();
  all.push_back({mark::ok, "processor", model.empty() ? "unknown" : model, ""});
  const int allowed = allowed_processors();
  if (machine.known) {
    const bool all_allowed = allowed >= machine.hardware_threads;
    all.push_back({all_allowed ? mark::ok : mark::note, "cores",
                   fmt::format("{} in {}, {}; this process may use {}", counted(machine.cores, "core"),
                               counted(machine.packages, "package"),
                               counted(machine.hardware_threads, "hardware thread"), allowed),
                   all_allowed ? "" : "an affinity mask (taskset, a batch system) keeps the others away"});
  } else {
    all.push_back({mark::note, "cores", fmt::format("this process may use {}", counted(allowed, "hardware thread")),
                   "configure with LACIS_WITH_HWLOC to see cores, caches and NUMA"});
  }
  all.push_back({mark::ok, "instructions", joined(instruction_sets()), ""});
  all.push_back(kernels());
  return all;
}

std::vector<finding> memory(const topology& machine) {
  std::vector<finding> all;
  if (machine.known) {
    std::string caches;
    for (const cache& c : machine.caches)
      caches +=
          fmt::format("{}{} {}{}", caches.empty() ? "" : ", ", c.name, plot::bytes_text(static_cast<double>(c.bytes)),
                      c.instances > 1 ? fmt::format(" x {}", c.instances) : "");
    all.push_back({caches.empty() ? mark::note : mark::ok, "caches", caches.empty() ? "unknown" : caches,
                   caches.empty() ? "a virtual machine may hide them" : ""});
    all.push_back({mark::ok, "NUMA", counted(machine.memory_nodes, "memory node"), ""});
  }
  const memory_state state = memory_of_machine();
  const bool scarce = state.available < state.total / 4;
  all.push_back({scarce ? mark::warn : mark::ok, "memory",
                 fmt::format("{}, {} available, {}", plot::bytes_text(static_cast<double>(state.total)),
                             plot::bytes_text(static_cast<double>(state.available)),
                             state.swap == 0 ? "no swap" : plot::bytes_text(static_cast<double>(state.swap)) + " swap"),
                 scarce ? "less than a quarter is free; end other programs before large work" : ""});
  const std::string pages = huge_page_mode();
  const bool good = pages == "always" || pages == "madvise";
  all.push_back({good ? mark::ok : mark::warn, "huge pages", pages.empty() ? "unknown" : "transparent, " + pages,
                 good ? "" : "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled makes random access faster"});
  return all;
}

std::vector<finding> limits() {
  std::vector<finding> all;
  const group_limits group = limits_of_groups();
  if (group.processors) {
    const bool tight = *group.processors < omp_get_max_threads();
    all.push_back({tight ? mark::warn : mark::note, "cgroup CPU",
                   fmt::format("{} processors' worth of time", plot::significant(*group.processors)),
                   tight ? fmt::format("more threads than that wait for each other; use --threads {}",
                                       std::max(1, static_cast<int>(*group.processors)))
                         : ""});
  }
  if (group.memory)
    all.push_back({mark::note, "cgroup memory", plot::bytes_text(static_cast<double>(*group.memory)),
                   "a process that exceeds it is killed without a message"});
  if (const auto space = address_space_limit())
    all.push_back({mark::note, "ulimit -v", plot::bytes_text(static_cast<double>(*space)),
                   "larger allocations fail; ulimit -v unlimited lifts it"});
  if (all.empty()) all.push_back({mark::ok, "limits", "none on processors, memory or address space", ""});
  return all;
}

std::vector<finding> threads(const topology& machine) {
  const int count = omp_get_max_threads();
  const char* number = std::getenv("OMP_NUM_THREADS");
  finding team{mark::ok, "OpenMP",
               counted(count, "thread") + (number != nullptr ? fmt::format(" (OMP_NUM_THREADS={})", number) : ""), ""};
  const int allowed = allowed_processors();
  if (count > allowed) {
    team.how = mark::warn;
    team.advice = fmt::format("more threads than processors wait for each other; use --threads {}", allowed);
  } else if (count < allowed) {
    team.how = mark::note;
    team.advice = fmt::format("{} processors are left idle", allowed - count);
  }
  const omp_proc_bind_t binding = omp_get_proc_bind();
  finding place{mark::ok, "affinity",
                binding == omp_proc_bind_false ? "threads may move" : "threads are bound to places", ""};
  if (binding == omp_proc_bind_false && machine.memory_nodes > 1) {
    place.how = mark::note;
    place.advice = "with more than one memory node, OMP_PROC_BIND=close OMP_PLACES=cores keeps data near its thread";
  }
  return {team, place};
}

std::string cuda_version(int number) { return fmt::format("CUDA {}.{}", number / 1000, number % 1000 / 10); }

finding gpu() {
  const device_report found = look_for(devices::cuda());
  constexpr std::string_view prefix = "CUDA: ";  // the line has that name already
  std::string text = found.problem.starts_with(prefix) ? found.problem.substr(prefix.size()) : found.problem;
  if (found.ready())
    text = fmt::format("{}, compute capability {}.{}, {}", found.name, found.architecture / 10, found.architecture % 10,
                       plot::bytes_text(static_cast<double>(found.memory_bytes)));
  if (has_cuda_kernels(found))
    text += fmt::format("{}; plugin {}, compiled with {}",
                        found.driver_version == 0 ? "" : "; driver for " + cuda_version(found.driver_version),
                        found.plugin, cuda_version(found.toolkit_version));
  const bool absent = found.state == device_state::no_plugin || found.state == device_state::no_driver ||
                      found.state == device_state::no_device;
  return {found.ready() ? mark::ok : absent ? mark::note : mark::warn, "CUDA", text, found.advice};
}

std::vector<finding> beyond() {
  const mpi_state mpi = look_for_mpi();
  finding cluster{mark::note, "MPI", "no mpirun on the PATH", "lacis runs on one machine"};
  if (!mpi.launcher.empty())
    cluster = {mark::ok, "MPI", fmt::format("{}{}", mpi.launcher, mpi.version.empty() ? "" : ", " + mpi.version),
               has_cluster_library() ? "" : "configure with LACIS_WITH_MPI=ON, and 'mpirun lacis ... --mpi' uses it"};
  return {gpu(), cluster};
}

std::vector<finding> examine() {
  const topology machine = topology_of_machine();
  std::vector<finding> all;
  for (const auto& part : {features(), processor(machine), memory(machine), limits(), threads(machine), beyond()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::string screen(const std::vector<finding>& all, const terminal& where) {
  const painter paint{where.color};
  std::string text;
  for (const finding& f : all) {
    const std::string word(word_of(f.how));
    const std::string shown = f.how == mark::ok     ? paint.green(word)
                              : f.how == mark::note ? paint.cyan(word)
                                                    : paint.yellow(word);
    constexpr std::size_t indent = 21;
    const auto columns = static_cast<std::size_t>(where.columns);
    text += fmt::format("{}  {} {}\n", pad_left(shown, 4), paint.bold(pad_right(f.name, 14)),
                        wrapped(f.state, indent, columns));
    if (!f.advice.empty())
      text += std::string(indent, ' ') +
              paint.dim((where.unicode ? "→ " : "-> ") + wrapped(f.advice, indent + 2, columns)) + '\n';
  }
  return text;
}

void run_doctor(const doctor_request& request) {
  if (!request.device.empty()) return run_doctor_device(request);
  use_threads(request.common.threads);
  std::vector<finding> all = examine();
  std::optional<measure::machine_profile> profile;
  if (request.measure) {
    profile = measure_machine(request.common);
    all.push_back({mark::ok, "profile", keep_profile(*profile, request.profile), ""});
  } else {
    std::string remark;
    const std::filesystem::path file =
        request.profile.empty() ? measure::default_profile_path() : std::filesystem::path(request.profile);
    profile = measure::read_profile(file, remark);
    all.push_back({profile ? mark::ok : mark::note, "profile", profile ? file.string() : "none of this machine yet",
                   !remark.empty() ? remark
                   : profile       ? ""
                                   : "lacis doctor --measure times the memory once"});
  }
  if (!request.common.json) {
    const terminal where = terminal_of(1);
    print_screen(screen(all, where));
    if (profile) print_screen(profile_screen(*profile, where));
    return;
  }
  json findings = json::array();
  for (const finding& f : all)
    findings.push_back({{"mark", word_of(f.how)},
                        {"name", f.name},
                        {"state", f.state},
                        {"advice", f.advice.empty() ? json(nullptr) : json(f.advice)}});
  json result = {{"version", version()}, {"findings", std::move(findings)}};
  result["profile"] = profile ? json::parse(measure::profile_text(*profile)) : json(nullptr);
  print(json_text(result));
}

void add_options(option_list& options, doctor_request& request) {
  options.add("--device simt|cuda", request.device,
              "verify and time this device: simt is the host executor, cuda:1 the second GPU");
  options.add("--measure", request.measure,
              "measure memory bandwidth and latency (20 s) and save the machine's profile");
  options.add("--profile FILE", request.profile, "file of the profile").otherwise("~/.cache/lacis/machine.json");
  add_common(options, request.common);
}

}  // namespace

command doctor_command() {
  return make_command<doctor_request>(
      {.name = "doctor",
       .group = command_group::look,
       .summary = "processor, memory, GPU and MPI of this machine, with advice",
       .about = "Lists what matters for sparse matrices on this machine, one finding per line, each marked ok, note or "
                "warn, with advice where something can be improved. With --device it verifies every kernel, then times "
                "products and vector operations, interleaved with a copy of as many bytes and with cuSPARSE and cuBLAS "
                "where they are installed. Without the device the exit status is 5.",
       .examples = {{"lacis doctor", "what this machine offers"},
                    {"lacis doctor --measure", "rates of its memory, which plans use from then on"}}},
      add_options, run_doctor);
}

}  // namespace lacis::app
