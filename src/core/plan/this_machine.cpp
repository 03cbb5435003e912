// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rates of memory, caches and kernels: a few milliseconds, once per process.
//
// An array of any size that a measurement can afford fits the caches of today's servers. So its lines are thrown out of
// the caches first; then eight MiB tell what memory gives.
#include "plan/this_machine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <lacis/buffer.hpp>
#include <lacis/isa.hpp>

#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "base/read_memory.hpp"
#include "base/stopwatch.hpp"
#include "cpu/spmv/slot_costs.hpp"
#include "cpu/triangular/schedule.hpp"
#include "cpu/vector/kernels.hpp"

namespace lacis::detail {
namespace {

constexpr std::int64_t mebi = std::int64_t{1} << 20;
constexpr int tries = 5;

#if defined(__x86_64__)
constexpr std::int64_t line = 8;

/// Ten times as fast as the older instruction, which waits for itself.
__attribute__((target("clflushopt"))) void throw_out_fast(const double* data, std::int64_t size) {
  for (std::int64_t i = 0; i < size; i += line) _mm_clflushopt(const_cast<double*>(data + i));
}

bool has_fast_flush() {
  constexpr unsigned leaf = 7;
  constexpr unsigned bit = 1U << 23;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(leaf, 0, &a, &b, &c, &d) != 0 && (b & bit) != 0;
}
#endif

/// Throws lines out of every cache. Elsewhere than on x86 nothing does this for programs; there rates of memory are
/// those of the last cache, as for most matrices that fit it.
void throw_out([[maybe_unused]] const double* data, [[maybe_unused]] std::int64_t size) {
#if defined(__x86_64__)
  static const bool fast = has_fast_flush();
  if (fast)
    throw_out_fast(data, size);
  else
    for (std::int64_t i = 0; i < size; i += line) _mm_clflush(data + i);
  _mm_mfence();
#endif
}

/// An array of which every thread has a part that it has filled itself.
class test_array {
 public:
  explicit test_array(int threads) : part_(part_elements(threads)), array_(part_ * threads) {
    on_threads(threads, [&](int t, int) { std::fill_n(part(t), part_, 1.0); });
  }

  /// GB/s of `threads` threads that read memory: each try reads what no other did.
  double stream(int threads) {
    on_threads(threads, [&](int t, int) { throw_out(part(t), part_); });
    const std::int64_t piece = part_ / tries / read_step * read_step;
    int next = 0;
    const double least =
        slowest_of(threads, tries, [&](int t) { read_all(part(t) + next * piece, piece); }, [&] { ++next; });
    return static_cast<double>(8 * piece * threads) / least;
  }

  /// GB/s of one thread that reads the same bytes again and again, as fast as a kernel does.
  double again(std::int64_t bytes) {
    const std::int64_t size = std::min(bytes / 8, array_.size());
    const auto largest = cpu::vector_kernels_for<double>(default_isa()).largest;
    return static_cast<double>(8 * size) / least_nanoseconds(tries, [&] { keep(largest(array_.data(), size)); });
  }

  /// GB/s of elements that `threads` threads read at random places of so many bytes, or of memory.
  double gather(int threads, std::int64_t bytes, bool memory) {
    if (memory) on_threads(threads, [&](int t, int) { throw_out(part(t), part_); });
    const auto places = static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(std::min(bytes / 8, memory ? part_ : array_.size()))));
    const int shift = 64 - std::countr_zero(static_cast<std::uint64_t>(places));
    const std::int64_t reads = memory ? memory_reads : cache_reads;
    if (!memory) on_threads(threads, [&](int t, int) { read_all(part(t), std::max(places, read_step)); });
    std::uint64_t round = 0;
    const double least = slowest_of(
        threads, memory ? tries : 4 * tries,
        [&](int t) {
          const double* data = part(t);
          std::array<double, 4> sums = {};
          std::uint64_t place = round * static_cast<std::uint64_t>(reads) * golden;
          for (std::int64_t k = 0; k < reads; ++k, place += golden)
            sums[static_cast<std::size_t>(k % 4)] += data[mixed(place) >> shift];
          keep(sums);
        },
        [&] { ++round; });
    return static_cast<double>(8 * reads * threads) / least;
  }

 private:
  static constexpr std::int64_t memory_reads = 1 << 12;
  static constexpr std::int64_t cache_reads = 1 << 13;
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;

  /// Whole steps, so that every part is aligned for reading.
  static std::int64_t part_elements(int threads) {
    return std::max(mebi / 2, 8 * mebi / threads) / 8 / read_step * read_step;
  }
  /// Places that no prefetcher foresees.
  static std::uint64_t mixed(std::uint64_t v) { return (v ^ (v >> 29)) * 0xbf58476d1ce4e5b9u; }
  double* part(int thread) { return array_.data() + thread * part_; }

  /// The least nanoseconds, of some tries, that the slowest thread works: waking is not counted. On a machine that is
  /// busy with other programs waking takes so long that there are fewer tries.
  template <class Work, class Between> double slowest_of(int threads, int most_tries, Work&& work, Between&& between) {
    constexpr double patience = 5e6;
    const auto start = stopwatch::now();
    double least = 1e12;
    std::vector<double> took(static_cast<std::size_t>(threads));
    for (int i = 0; i < most_tries && (i == 0 || nanoseconds_since(start) < patience); ++i) {
      on_threads(threads, [&](int t, int) {
        const auto begin = stopwatch::now();
        work(t);
        took[static_cast<std::size_t>(t)] = nanoseconds_since(begin);
      });
      least = std::min(least, *std::max_element(took.begin(), took.end()));
      between();
    }
    return least;
  }

  std::int64_t part_;
  buffer<double> array_;
};

}  // namespace

machine_rates measured_machine(int all) {
  machine_rates m;
  m.source = "measured at the start";
  m.cache_bytes = last_cache_bytes();
  m.own_cache_bytes = l2_cache_bytes();
  test_array memory(all);
  std::vector<int> teams = {1};
  if (all > 1) teams.push_back(all);
  // Threads do not disturb each other in the caches; in memory they do.
  for (const std::int64_t bytes : {mebi / 16, m.own_cache_bytes / 2, 4 * m.own_cache_bytes}) {
    const double one = memory.gather(1, bytes, false);
    for (const int threads : teams) m.gathers.push_back({threads, bytes, threads * one});
  }
  for (const int threads : teams) {
    m.streams.push_back({threads, memory.stream(threads)});
    m.gathers.push_back({threads, 4 * m.cache_bytes, memory.gather(threads, 8 * mebi, true)});
  }
  m.own_cache_gbs = memory.again(m.own_cache_bytes / 2);
  m.last_cache_gbs = memory.again(4 * m.own_cache_bytes);
  const cpu::slot_costs& slots = cpu::measured_slot_costs();
  m.gathered_ns = cpu::loads_each() ? slots.loaded_each : slots.gathered;
  m.consecutive_ns = slots.run_on;
  m.wake_ns = cpu::measured_region_cost();
  return m;
}

const machine_rates& this_machine() {
  static const machine_rates rates = measured_machine(thread_count());
  return rates;
}

const machine_rates& usual_machine() {
  static const machine_rates usual{.source = "built in",
                                   .cache_bytes = 64 * mebi,
                                   .streams = {{1, 18}, {2, 36}},
                                   .gathers = {{1, mebi / 16, 11},
                                               {1, mebi, 5.5},
                                               {1, 16 * mebi, 2},
                                               {1, 512 * mebi, 0.75},
                                               {2, mebi / 16, 22},
                                               {2, mebi, 11},
                                               {2, 16 * mebi, 4},
                                               {2, 512 * mebi, 1.3}},
                                   .own_cache_bytes = 2 * mebi,
                                   .own_cache_gbs = 58,
                                   .last_cache_gbs = 27,
                                   .gathered_ns = 0.42,
                                   .consecutive_ns = 0.13,
                                   .wake_ns = 2000};
  return usual;
}

machine_rates completed(machine_rates given) {
  const auto complete = [](auto& one, const auto& measured) {
    if (one == std::remove_cvref_t<decltype(one)>{}) one = measured;
  };
  const machine_rates& here = this_machine();
  if (given.streams.empty()) given.streams = here.streams;
  if (given.gathers.empty()) given.gathers = here.gathers;
  complete(given.cache_bytes, here.cache_bytes);
  complete(given.own_cache_bytes, here.own_cache_bytes);
  complete(given.own_cache_gbs, here.own_cache_gbs);
  complete(given.last_cache_gbs, here.last_cache_gbs);
  complete(given.gathered_ns, here.gathered_ns);
  complete(given.consecutive_ns, here.consecutive_ns);
  complete(given.wake_ns, here.wake_ns);
  return given;
}

machine_rates rates_for(std::int64_t rows_and_entries, const plan_options& options) {
  if (options.machine) return completed(*options.machine);
  return rows_and_entries < parallel_threshold ? usual_machine() : this_machine();
}

}  // namespace lacis::detail
