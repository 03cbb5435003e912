// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reads /proc.
#include "measure/quiet.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

#include "base/text.hpp"
#include "measure/clock.hpp"

namespace lacis::measure {
namespace {

using namespace std::chrono_literals;
constexpr auto look_again = 1ms;
constexpr auto patience = 100ms;
// The thread that asks runs a little itself.
constexpr double idle_share = 0.2;

// A thread that is woken waits for the processor of the one that woke it, before its clock starts.
constexpr std::int64_t wake_up = 100'000;

double nanoseconds_since(clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(clock::now() - begin).count();
}

}  // namespace

std::map<int, scheduler_times> thread_times(pid_t process) {
  std::map<int, scheduler_times> all;
  const std::string folder = process == 0 ? "/proc/self/task" : detail::text("/proc/", process, "/task");
  std::error_code gone;
  for (std::filesystem::directory_iterator task(folder, gone), end; !gone && task != end; task.increment(gone)) {
    std::ifstream file(task->path() / "schedstat");
    scheduler_times one;
    if (file >> one.running >> one.waiting) all[std::atoi(task->path().filename().c_str())] = one;
  }
  return all;
}

std::int64_t stolen_time() {
  std::ifstream file("/proc/stat");
  std::string name;
  std::int64_t ticks = 0;
  file >> name;
  constexpr int steal_field = 8;
  for (int i = 0; i < steal_field; ++i) file >> ticks;
  if (!file) return 0;
  return ticks * (1'000'000'000 / sysconf(_SC_CLK_TCK));
}

double observe(pid_t process, const std::function<void()>& work) {
  const auto before = thread_times(process);
  const std::int64_t stolen_before = stolen_time();
  const auto begin = clock::now();
  work();
  const double elapsed = nanoseconds_since(begin);
  const double processors = std::max(1U, std::thread::hardware_concurrency());
  const auto stolen = static_cast<double>(stolen_time() - stolen_before) / processors;
  std::int64_t waited = 0;
  for (const auto& [thread, times] : thread_times(process)) {
    const auto known = before.find(thread);
    waited = std::max(waited, times.waiting - (known == before.end() ? 0 : known->second.waiting));
  }
  return (static_cast<double>(std::max<std::int64_t>(0, waited - wake_up)) + stolen) / elapsed;
}

void settle(pid_t process) {
  const auto running = [&] {
    std::int64_t sum = 0;
    for (const auto& [thread, times] : thread_times(process)) sum += times.running;
    return sum;
  };
  const auto begin = clock::now();
  while (clock::now() - begin < patience) {
    const auto from = clock::now();
    const std::int64_t before = running();
    std::this_thread::sleep_for(look_again);
    if (static_cast<double>(running() - before) < idle_share * nanoseconds_since(from)) return;
  }
}

}  // namespace lacis::measure
