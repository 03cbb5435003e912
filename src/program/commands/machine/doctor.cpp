// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis doctor: the findings of doctor() on a terminal or as JSON.
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <lacis/doctor.hpp>
#include <lacis/version.hpp>

#include "commands/machine/measure_machine.hpp"
#include "commands/machine/topology.hpp"
#include "console/console.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "parse/workshop.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

struct doctor_request {
  common_options common;
  std::string device;                 ///< simt or cuda[:N]; empty: the machine
  std::vector<std::string> matrices;  ///< to time the device with; empty: generated ones
  bool measure = false;
  std::string profile;  ///< the file of the machine profile; empty: its usual place
};

/// What this program was built with beside the library.
finding program_features() {
  bool png = false;
  bool topology = false;
#ifdef LACIS_WITH_PNG
  png = true;
#endif
#ifdef LACIS_WITH_HWLOC
  topology = true;
#endif
  const bool all = png && topology;
  return {all ? finding_mark::ok : finding_mark::note, "program",
          fmt::format("{}png {}hwloc", png ? '+' : '-', topology ? '+' : '-'),
          all ? "" : "configure with LACIS_WITH_PNG for pictures, with LACIS_WITH_HWLOC for cores, caches and NUMA"};
}

std::string screen(const std::vector<finding>& all, const terminal& where) {
  const painter paint{where.color};
  std::string text;
  for (const finding& f : all) {
    const std::string word(name_of(f.mark));
    const std::string shown = f.mark == finding_mark::ok     ? paint.green(word)
                              : f.mark == finding_mark::note ? paint.cyan(word)
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

/// What verifies and times kernels is in lacis-workshop.
[[noreturn]] void examine_device(const doctor_request& request) {
  if (request.measure || !request.profile.empty())
    throw error(errc::invalid_argument, "--measure and --profile are for the processor; leave them or --device out");
  std::vector<std::string> arguments{"device", request.device};
  arguments.insert(arguments.end(), request.matrices.begin(), request.matrices.end());
  if (request.common.json) arguments.emplace_back("--json");
  if (request.common.quiet) arguments.emplace_back("--quiet");
  if (request.common.threads > 0)
    arguments.insert(arguments.end(), {"--threads", std::to_string(request.common.threads)});
  start_workshop(arguments);
}

void run_doctor(const doctor_request& request) {
  if (!request.device.empty()) examine_device(request);
  if (!request.matrices.empty())
    throw error(errc::invalid_argument, "matrices are for --device, which times products with them");
  use_threads(request.common.threads);
  std::vector<finding> all = doctor(topology_of_machine());
  all.push_back(program_features());
  std::optional<measure::machine_profile> profile;
  if (request.measure) {
    profile = measure_machine(request.common);
    all.push_back({finding_mark::ok, "profile", keep_profile(*profile, request.profile), ""});
  } else {
    std::string remark;
    const std::filesystem::path file =
        request.profile.empty() ? measure::default_profile_path() : std::filesystem::path(request.profile);
    profile = measure::read_profile(file, remark);
    all.push_back({profile ? finding_mark::ok : finding_mark::note, "profile",
                   profile ? file.string() : "none of this machine yet",
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
    findings.push_back({{"mark", name_of(f.mark)},
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
  options
      .add("MATRIX", request.matrices,
           "with --device: files or generated matrices to time products with; their values become integers")
      .otherwise("three generated matrices of up to 512 MiB")
      .names_file(file_use::read_matrix);
  options.add("--measure", request.measure,
              "measure memory bandwidth and latency (20 s) and save the machine's profile");
  options.add("--profile FILE", request.profile, "file of the profile")
      .otherwise("~/.cache/lacis/machine.json")
      .names_file(file_use::write);
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
                "products, sparse products by phase and vector operations, interleaved with a copy of as many bytes, "
                "with one and all threads of the processor, and with cuSPARSE and cuBLAS where they are installed. "
                "Without the device the exit status is 5.",
       .examples = {{"lacis doctor", "what this machine offers"},
                    {"lacis doctor --measure", "rates of its memory, which plans use from then on"}}},
      add_options, run_doctor);
}

}  // namespace lacis::app
