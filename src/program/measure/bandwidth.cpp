// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Loops that do little but move memory.
#include "measure/bandwidth.hpp"

#include <algorithm>
#include <bit>
#include <omp.h>
#include <random>

#include "base/parallel.hpp"
#include "base/read_memory.hpp"
#include "measure/clock.hpp"

namespace lacis::measure {
namespace {

using detail::even_cut;
using pair = detail::pair_of_doubles;

constexpr std::int64_t step = detail::read_step;

constexpr std::int64_t least_bytes = std::int64_t{64} << 20;
constexpr std::int64_t caches = 4;

/// work(thread, begin, end) on ranges of 0 .. size that begin at multiples of a step; returns the seconds.
template <class Work> double timed(std::int64_t size, int threads, Work&& work) {
  const auto begin = clock::now();
  detail::on_threads(threads, [&](int thread, int team) {
    work(thread, even_cut(size / step, thread, team) * step, even_cut(size / step, thread + 1, team) * step);
  });
  return seconds_since(begin);
}

std::int64_t whole_steps(std::int64_t elements, std::int64_t parts) { return elements / (parts * step) * step; }

}  // namespace

std::int64_t stream_bytes(std::int64_t cache_bytes, std::int64_t available_bytes) {
  return std::max(least_bytes, std::min(caches * cache_bytes, available_bytes / 4));
}

stream::stream(std::int64_t bytes, int threads) : array_(std::max<std::int64_t>(bytes / 8 / (6 * step), 1) * 6 * step) {
  (void)timed(array_.size(), threads,
              [&](int, std::int64_t begin, std::int64_t end) { std::fill(&array_[begin], &array_[0] + end, 1.0); });
}

double stream::read(int threads) {
  return timed(array_.size(), threads, [&](int, std::int64_t begin, std::int64_t end) {
    detail::read_all(array_.data() + begin, end - begin);
  });
}

double stream::copy(int threads) {
  const std::int64_t half = whole_steps(array_.size(), 2);
  return timed(half, threads, [&](int, std::int64_t begin, std::int64_t end) {
    const double* from = array_.data();
    double* to = array_.data() + half;
    for (std::int64_t i = begin; i < end; i += 2)
      *reinterpret_cast<pair*>(to + i) = *reinterpret_cast<const pair*>(from + i);
  });
}

double stream::triad(int threads) {
  const std::int64_t third = whole_steps(array_.size(), 3);
  return timed(third, threads, [&](int, std::int64_t begin, std::int64_t end) {
    const double* b = array_.data();
    const double* c = array_.data() + third;
    double* a = array_.data() + 2 * third;
    const pair factor = {0.5, 0.5};
    for (std::int64_t i = begin; i < end; i += 2)
      *reinterpret_cast<pair*>(a + i) =
          *reinterpret_cast<const pair*>(b + i) + factor * *reinterpret_cast<const pair*>(c + i);
  });
}

namespace {

constexpr std::int64_t least_gather = 4096;
// So few that they stay in the fastest cache; a key that changes all of them makes new ones.
constexpr std::int64_t places_in_list = 1 << 11;
constexpr std::int64_t lists = 1 << 9;

}  // namespace

gather::gather(std::int64_t bytes)
    : array_(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max(bytes, least_gather)))) / 8),
      places_(places_in_list) {
  std::fill(array_.begin(), array_.end(), 1);
  std::mt19937_64 random(1);
  for (std::uint64_t& place : places_) place = random() & static_cast<std::uint64_t>(array_.size() - 1);
}

std::int64_t gather::accesses(int threads) { return places_in_list * lists * threads; }

double gather::run(int threads) {
  ++round_;
  const auto mask = static_cast<std::uint64_t>(array_.size() - 1);
  const auto begin = clock::now();
  detail::on_threads(threads, [&](int thread, int) {
    std::mt19937_64 keys(round_ * 4096 + static_cast<std::uint64_t>(thread));
    std::uint64_t lanes[4] = {};
    for (std::int64_t list = 0; list < lists; ++list) {
      const std::uint64_t key = keys() & mask;
      for (std::size_t i = 0; i < places_.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) lanes[k] += array_.data()[places_[i + k] ^ key];
    }
    detail::keep(lanes);
  });
  return seconds_since(begin);
}

}  // namespace lacis::measure
