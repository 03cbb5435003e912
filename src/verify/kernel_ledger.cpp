// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Counting runs of kernels.
#include "verify/kernel_ledger.hpp"

#include "base/text.hpp"

namespace lacis::verification {
namespace {

std::string schedule_text(const simt::schedule& turns) {
  switch (turns.order) {
    case simt::turns::forward:
      return "forward turns";
    case simt::turns::reverse:
      return "reverse turns";
    case simt::turns::shuffled:
      break;
  }
  return detail::text("shuffled turns ", turns.seed);
}

}  // namespace

kernel_ledger::kernel_ledger(const kernel_verify_options& options, std::vector<simt::schedule> schedules)
    : all_(options.all), schedules_(std::move(schedules)), host_({{}, options.threads}) {
  report_.schedules = static_cast<int>(schedules_.size());
}

void kernel_ledger::check(const kernel_trial& t, const std::function<std::string(device::runtime&)>& work) {
  kernel_count& count = count_of(t);
  for (const simt::schedule& turns : schedules_) {
    host_.set_turns(turns);
    ++report_.runs;
    ++count.runs;
    std::string apart;
    try {
      device::runtime device(host_.table());
      apart = work(device);
    } catch (const std::exception& failure) {
      apart = failure.what();
    }
    if (apart.empty()) continue;
    ++report_.differing;
    ++count.differing;
    if (report_.faults.size() < most_faults)
      report_.faults.push_back(detail::text(t.what, ", ", t.types, ", ", t.matrix.empty() ? "" : "matrix '", t.matrix,
                                            t.matrix.empty() ? "" : "', ", t.form, ", ", schedule_text(turns), ": ",
                                            apart));
  }
}

kernel_count& kernel_ledger::count_of(const kernel_trial& t) {
  for (kernel_count& count : report_.table)
    if (count.what == t.what) return count;
  report_.table.push_back({t.what, t.order, 0, 0});
  return report_.table.back();
}

}  // namespace lacis::verification
