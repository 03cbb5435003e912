// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Counting runs of kernels.
#include "verify/kernel_ledger.hpp"

#include <exception>
#include <numeric>

#include "base/text.hpp"
#include "interpreted/interpreted.hpp"
#include "kernels/names.hpp"

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

/// Lanes in step; lanes that part anywhere; lanes that run ahead among many resident blocks, with loads that return
/// what was there before a store that a thread need not know of. What is counted are lanes in step alone.
std::vector<device_schedule> interpreter_schedules(bool counted) {
  std::vector<device_schedule> all;
  const auto add = [&](const std::string& name, const lacis_ptx_options& how) {
    all.push_back({name, [how] { interpreted::set_options(how); }});
  };
  lacis_ptx_options in_step;
  in_step.count = counted ? 1 : 0;
  add("lanes in step", in_step);
  if (counted) return all;
  lacis_ptx_options apart;
  apart.turns = lacis_ptx_random;
  apart.resident_blocks = 4;
  add("lanes apart", apart);
  lacis_ptx_options ahead;
  ahead.turns = lacis_ptx_ahead;
  ahead.resident_blocks = 16;
  ahead.stale = 1;
  add("lanes ahead", ahead);
  return all;
}

}  // namespace

std::vector<simt::schedule> schedules(bool all) {
  std::vector<simt::schedule> turns = {{simt::turns::forward, 0}, {simt::turns::reverse, 0}};
  for (std::uint64_t seed = 1; seed <= (all ? 8 : 1); ++seed) turns.push_back({simt::turns::shuffled, seed});
  return turns;
}

kernel_ledger::kernel_ledger(const kernel_verify_options& options, const std::vector<simt::schedule>& schedules)
    : all_(options.all),
      interpreted_(options.interpreted),
      repeats_(options.repeats),
      launches_(static_cast<std::size_t>(kernels::kernel_numbers), 0),
      watch_(options.hung ? options.limit_seconds : 0, [this, hung = options.hung](double seconds) {
        const char* const kernel = kernel_.load(std::memory_order_relaxed);
        hung(detail::text(run_, ": not done after ", seconds, " seconds; ",
                          kernel != nullptr ? detail::text("the last kernel launched is ", kernel)
                                            : std::string("no kernel was launched")));
      }) {
  if (options.repeats < 1)
    throw error(errc::invalid_argument, detail::text("a run is repeated at least once, not ", options.repeats));
  if (options.interpreted) {
    table_ = &interpreted::runtime_for(options.architecture);
    schedules_ = interpreter_schedules(options.counted);
    in_turn_ = !options.all;
  } else if (options.device.kind == device_kind::simt) {
#ifdef LACIS_WITH_SIMT
    const device::simt_options how{{}, options.threads};
    host_.emplace(how);
    table_ = &host_->table();
    for (const simt::schedule& turns : schedules)
      schedules_.push_back({schedule_text(turns), [this, turns] { host_->set_turns(turns); }});
#else
    throw error(errc::unsupported, "this program was built without the host executor (LACIS_WITH_SIMT)");
#endif
  } else {
    gpu_ = device::core_of(options.device);
    table_ = &gpu_->table();
    schedules_.push_back({name_of(gpu_->id()), [] {}});
    constexpr std::int64_t most_of_multiprocessor = 64;
    resident_warps_ = look_for(options.device).multiprocessors * most_of_multiprocessor;
  }
  report_.schedules = static_cast<int>(schedules_.size());
}

std::string kernel_ledger::schedule_names() const {
  std::string text;
  for (std::size_t k = 0; k < schedules_.size(); ++k)
    text += (k == 0 ? "" : k + 1 < schedules_.size() ? ", " : " and ") + schedules_[k].name;
  return text;
}

void kernel_ledger::check(const kernel_trial& t, const std::function<std::string(device::runtime&)>& work) {
  for (std::size_t k = 0; k < schedules_.size(); ++k) {
    if (in_turn_ && k != trials_ % schedules_.size()) continue;
    schedules_[k].set();
    for (int repeat = 0; repeat < repeats_; ++repeat) run(t, schedules_[k].name, work);
  }
  ++trials_;
}

void kernel_ledger::run(const kernel_trial& t, const std::string& schedule,
                        const std::function<std::string(device::runtime&)>& work) {
  kernel_count& count = count_of(t);
  ++report_.runs;
  ++count.runs;
  run_ = detail::text(t.what, ", ", t.types, ", ", t.matrix.empty() ? "" : "matrix '", t.matrix,
                      t.matrix.empty() ? "" : "', ", t.form, ", ", schedule);
  std::string apart;
  bool lost = false;
  watch_.begin();
  try {
    std::optional<device::visit> here;
    if (gpu_ != nullptr) here.emplace(*gpu_);
    device::runtime device(*table_);
    device.count_launches(launches_);
    device.name_launches(kernel_);
    apart = work(device);
  } catch (const std::exception& failure) {
    apart = failure.what();
    lost = !answers();
  }
  watch_.end();
  if (apart.empty()) return;
  ++report_.differing;
  ++count.differing;
  if (lost) throw device_lost(detail::text(run_, ": ", apart));
  if (report_.faults.size() < most_faults) report_.faults.push_back(detail::text(run_, ": ", apart));
}

/// Some failures end a kernel, others everything: a device that fails again when there is nothing to do is lost.
bool kernel_ledger::answers() const {
  try {
    std::optional<device::visit> here;
    if (gpu_ != nullptr) here.emplace(*gpu_);
    return table_->wait(table_->state, nullptr) == lacis_code_ok;
  } catch (const error&) {
    return false;
  }
}

kernel_report& kernel_ledger::report_of(const std::function<void()>& sweep) {
  try {
    sweep();
  } catch (const device_lost& problem) {
    report_.stopped = detail::text("the device does not answer any more after ", problem.what());
  }
  report_.launches = std::accumulate(launches_.begin(), launches_.end(), std::int64_t{0});
  report_.compiler = compiler_text();
  return report_;
}

kernel_count& kernel_ledger::count_of(const kernel_trial& t) {
  for (kernel_count& count : report_.table)
    if (count.what == t.what) return count;
  report_.table.push_back({t.what, t.order, 0, 0});
  return report_.table.back();
}

}  // namespace lacis::verification
