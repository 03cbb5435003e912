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

std::vector<simt::schedule> schedules(bool all) {
  std::vector<simt::schedule> turns = {{simt::turns::forward, 0}, {simt::turns::reverse, 0}};
  for (std::uint64_t seed = 1; seed <= (all ? 8 : 1); ++seed) turns.push_back({simt::turns::shuffled, seed});
  return turns;
}

kernel_ledger::kernel_ledger(const kernel_verify_options& options, std::vector<simt::schedule> schedules)
    : all_(options.all),
      schedules_(std::move(schedules)),
      launches_(static_cast<std::size_t>(kernels::kernel_numbers), 0) {
  if (options.device.kind == device_kind::simt) {
#ifdef LACIS_WITH_SIMT
    const device::simt_options how{{}, options.threads};
    host_.emplace(how);
    report_.schedules = static_cast<int>(schedules_.size());
#else
    throw error(errc::unsupported, "this program was built without the host executor (LACIS_WITH_SIMT)");
#endif
  } else {
    gpu_ = device::core_of(options.device);
    report_.schedules = 1;
  }
}

void kernel_ledger::check(const kernel_trial& t, const std::function<std::string(device::runtime&)>& work) {
  if (gpu_ != nullptr) return run(t, name_of(gpu_->id()), work);
  for (const simt::schedule& turns : schedules_) {
#ifdef LACIS_WITH_SIMT
    host_->set_turns(turns);
#endif
    run(t, schedule_text(turns), work);
  }
}

void kernel_ledger::run(const kernel_trial& t, const std::string& schedule,
                        const std::function<std::string(device::runtime&)>& work) {
  kernel_count& count = count_of(t);
  ++report_.runs;
  ++count.runs;
  std::string apart;
  try {
    std::optional<device::visit> here;
    if (gpu_ != nullptr) here.emplace(*gpu_);
#ifdef LACIS_WITH_SIMT
    device::runtime device(gpu_ != nullptr ? gpu_->table() : host_->table());
#else
    device::runtime device(gpu_->table());
#endif
    device.count_launches(launches_);
    apart = work(device);
  } catch (const std::exception& failure) {
    apart = failure.what();
  }
  if (apart.empty()) return;
  ++report_.differing;
  ++count.differing;
  if (report_.faults.size() < most_faults)
    report_.faults.push_back(detail::text(t.what, ", ", t.types, ", ", t.matrix.empty() ? "" : "matrix '", t.matrix,
                                          t.matrix.empty() ? "" : "', ", t.form, ", ", schedule, ": ", apart));
}

kernel_count& kernel_ledger::count_of(const kernel_trial& t) {
  for (kernel_count& count : report_.table)
    if (count.what == t.what) return count;
  report_.table.push_back({t.what, t.order, 0, 0});
  return report_.table.back();
}

}  // namespace lacis::verification
