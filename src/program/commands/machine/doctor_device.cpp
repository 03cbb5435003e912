// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis doctor --device: is the device there, are its results right, and how fast is it?
#include <lacis/error.hpp>

#include "commands/machine/device_report.hpp"
#include "commands/machine/doctor.hpp"
#include "commands/verify/request.hpp"
#include "console/exit_code.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"

namespace lacis::app {

void run_doctor_device(const doctor_request& request) {
  if (request.measure || !request.profile.empty())
    throw error(errc::invalid_argument, "--measure and --profile are for the processor; leave them or --device out");
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

}  // namespace lacis::app
