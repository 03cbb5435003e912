// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis doctor --device runs: is the device there, are its results right, and how fast is it?
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "commands/machine/device_report.hpp"
#include "commands/verify/request.hpp"
#include "console/exit_code.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::app {
namespace {

struct device_request {
  common_options common;
  std::string device;                 ///< simt or cuda[:N]
  std::vector<std::string> matrices;  ///< to time the device with; empty: generated ones
};

/// The pattern of a file or spec with integers: then sums in any order can be compared, and times are the same.
csr_matrix<double, std::int32_t> measured_matrix(const std::string& name, const common_options& common) {
  source_options source;
  source.matrix = name;
  const loaded given = load(source, common);
  return std::visit(
      [&]<class Matrix>(const Matrix& a) -> csr_matrix<double, std::int32_t> {
        if constexpr (std::is_same_v<typename Matrix::index_type, std::int32_t>) {
          const auto rows = canonical(a, duplicates::sum);
          csr_matrix<double, std::int32_t> whole{.rows = rows.rows,
                                                 .cols = rows.cols,
                                                 .row_offsets = rows.row_offsets,
                                                 .columns = rows.columns,
                                                 .values = values_array<double>(buffer<double>(rows.nnz()), false)};
          for (std::int64_t k = 0; k < rows.nnz(); ++k)
            whole.values.data[k] =
                verification::entry_value<double>(static_cast<std::uint64_t>(k), verification::entries::integers);
          return whole;
        } else {
          throw error(errc::invalid_argument, given.name + " has more columns than 32 bits can number");
        }
      },
      given.matrix);
}

void run_device(const device_request& request) {
  const device_id device = device_named(request.device);
  if (device.kind == device_kind::cpu)
    throw error(errc::invalid_argument, "--device takes simt or cuda; lacis doctor without it examines the processor");
  if (const device_report found = look_for(device); !found.ready())
    throw error(errc::no_device, found.problem + "; " + found.advice);
  use_threads(request.common.threads);
  device_diagnosis all;
  {
    progress_bar bar(request.common.quiet);
    kernel_verify_options checks;
    checks.device = device;
    checks.progress = bar.callback();
    end_when_hung(checks, verify_request{}.limit);
    all.kernels = verify_kernels(checks);
    if (!all.kernels.stopped.empty()) throw not_verified(all.kernels.stopped);
    device_measure_options options;
    for (const std::string& name : request.matrices)
      options.matrices.emplace_back(name, measured_matrix(name, request.common));
    options.progress = bar.callback();
    all.measured = measure_device(device, options);
  }
  if (request.common.json)
    print(device_json(all));
  else
    print_screen(device_screen(all, terminal_of(1)));
  if (!all.kernels.good() || !all.measured.good())
    throw not_verified("results of the device differ from the reference; please report the output of --json");
}

void add_options(option_list& options, device_request& request) {
  options.add("DEVICE", request.device, "simt, or cuda with the number of the GPU").required();
  options.add("MATRIX", request.matrices, "files or generated matrices to time products with")
      .names_file(file_use::read_matrix);
  add_common(options, request.common);
}

}  // namespace

command device_command() {
  return make_command<device_request>({.name = "device",
                                       .group = command_group::look,
                                       .summary = "verify and time a device",
                                       .about = "What 'lacis doctor --device' runs.",
                                       .examples = {{"lacis doctor --device simt", "the host executor"},
                                                    {"lacis doctor --device cuda:1", "the second GPU"}},
                                       .is_hidden = true},
                                      add_options, run_device);
}

}  // namespace lacis::app
