// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis doctor --measure: bandwidth of streams and gathers.
#include "commands/machine/measure_machine.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <omp.h>

#include <lacis/error.hpp>

#include "commands/machine/machine.hpp"
#include "commands/machine/topology.hpp"
#include "console/progress_bar.hpp"
#include "console/write_file.hpp"
#include "measure/bandwidth.hpp"
#include "measure/interleave.hpp"
#include "measure/statistics.hpp"
#include "plot/bars.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

constexpr int rounds = 5;
constexpr std::int64_t smallest_gather = 64 << 10;
constexpr std::int64_t largest_gather = std::int64_t{1} << 30;
constexpr std::int64_t between_gathers = 4;

/// One thread, and all of them where that is more.
std::vector<int> team_sizes() {
  const int all = omp_get_max_threads();
  return all > 1 ? std::vector<int>{1, all} : std::vector<int>{1};
}

/// The contestants, each with the bytes it moves and where its rate goes.
class course {
 public:
  void add(std::function<double()> once, std::int64_t bytes, double& rate) {
    contestants_.push_back({"", [once = std::move(once)](int times) {
                              double seconds = 0;
                              for (int i = 0; i < times; ++i) seconds += once();
                              return seconds / times;
                            }});
    bytes_.push_back(bytes);
    rates_.push_back(&rate);
  }

  /// Returns how many samples stayed disturbed.
  int run(progress report) {
    measure::interleave_options options;
    options.seconds = 0;
    options.least_rounds = rounds;
    options.most_retakes_in_all = 2;
    options.report = std::move(report);
    const std::vector<measure::samples> taken = measure::interleave(contestants_, options);
    int disturbed = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      *rates_[i] = static_cast<double>(bytes_[i]) / measure::median(taken[i].seconds) * 1e-9;
      disturbed += taken[i].disturbed;
    }
    return disturbed;
  }

 private:
  std::vector<measure::contestant> contestants_;
  std::vector<std::int64_t> bytes_;
  std::vector<double*> rates_;
};

std::string tenths(double rate) { return fmt::format("{:.{}f}", rate, rate < 9.995 ? 2 : 1); }

std::string team_text(int threads) { return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"); }

}  // namespace

measure::machine_profile measure_machine(const common_options& common) {
  progress_bar bar(common.quiet);
  measure::machine_profile profile;
  profile.processor = processor_model();
  profile.cache_bytes = topology_of_machine().last_level_bytes();
  const std::int64_t available = std::min(memory_of_machine().available, usable_memory());
  const std::int64_t array = measure::stream_bytes(profile.cache_bytes, available);

  // One array for all streams; references into the deque and into the reserved profile stay good.
  bar.announce("filling memory");
  std::deque<measure::gather> gathers;
  profile.streams.reserve(team_sizes().size());
  course all;
  std::vector<std::int64_t> sizes;
  for (std::int64_t bytes = smallest_gather; bytes <= std::min(largest_gather, available / 8); bytes *= between_gathers)
    sizes.push_back(bytes);
  profile.gathers.reserve(sizes.size() * team_sizes().size());
  measure::stream memory(array, omp_get_max_threads());
  profile.stream_bytes = memory.bytes();
  for (const int threads : team_sizes()) {
    measure::stream_rates& rates = profile.streams.emplace_back();
    rates.threads = threads;
    all.add([&memory, threads] { return memory.read(threads); }, memory.bytes(), rates.read);
    all.add([&memory, threads] { return memory.copy(threads); }, memory.bytes(), rates.copy);
    all.add([&memory, threads] { return memory.triad(threads); }, memory.bytes(), rates.triad);
  }
  for (const std::int64_t bytes : sizes) {
    measure::gather& set = gathers.emplace_back(bytes);
    for (const int threads : team_sizes()) {
      measure::gather_rate& rate = profile.gathers.emplace_back();
      rate.threads = threads;
      rate.bytes = set.bytes();
      all.add([&set, threads] { return set.run(threads); }, 8 * measure::gather::accesses(threads), rate.rate);
    }
  }
  profile.disturbed = all.run(bar.callback());
  return profile;
}

std::string profile_screen(const measure::machine_profile& profile, const terminal& where) {
  const painter paint{where.color};
  std::string text = fmt::format("\n{} in GB/s, {}\n", paint.bold("memory bandwidth"),
                                 "an array of " + plot::bytes_text(static_cast<double>(profile.stream_bytes)) +
                                     (profile.cache_bytes == 0                     ? ""
                                      : profile.stream_bytes > profile.cache_bytes ? ", larger than the cache"
                                                                                   : ", which the cache holds"));
  text += paint.dim(fmt::format("  {}{}{}{}", pad_right("", 14), pad_left("read", 9), pad_left("copy", 9),
                                pad_left("triad", 9))) +
          '\n';
  for (const measure::stream_rates& one : profile.streams)
    text += fmt::format("  {}{}{}{}\n", pad_right(team_text(one.threads), 14), pad_left(tenths(one.read), 9),
                        pad_left(tenths(one.copy), 9), pad_left(tenths(one.triad), 9));
  text += fmt::format("\n{} of 8 bytes at random positions, in GB/s\n", paint.bold("gather"));
  double most = 0;
  for (const measure::gather_rate& one : profile.gathers) most = std::max(most, one.rate);
  const int room = std::clamp(where.columns - 45, 10, 40);
  for (const measure::gather_rate& one : profile.gathers)
    text += fmt::format("  {} {}{}  {}\n", pad_left(plot::bytes_text(static_cast<double>(one.bytes)), 9),
                        pad_left(team_text(one.threads), 12), pad_left(tenths(one.rate), 9),
                        paint.cyan(plot::bar(one.rate / most, room, where.unicode)));
  if (profile.disturbed > 0)
    text += fmt::format("\n{}\n", paint.yellow(fmt::format("{} samples were disturbed by other load; measure again "
                                                           "when the machine is quiet",
                                                           profile.disturbed)));
  return text;
}

std::string keep_profile(const measure::machine_profile& profile, const std::string& file) {
  const std::filesystem::path path = file.empty() ? measure::default_profile_path() : std::filesystem::path(file);
  if (path.empty())
    throw error(errc::io, "no place for the profile: neither XDG_CACHE_HOME nor HOME is set; use --profile");
  if (file.empty()) {
    std::error_code problem;
    std::filesystem::create_directories(path.parent_path(), problem);
    if (problem) throw error(errc::io, path.parent_path().string() + ": " + problem.message());
  }
  write_file(path.string(), measure::profile_text(profile));
  return path.string();
}

}  // namespace lacis::app
