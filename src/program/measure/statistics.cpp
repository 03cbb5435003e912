// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Medians and the bootstrap.
#include "measure/statistics.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

#include <lacis/error.hpp>

#include "base/text.hpp"

namespace lacis::measure {
namespace {

constexpr int resamplings = 2000;
constexpr std::uint64_t seed = 20;

/// The median; the samples change their order.
double median_in_place(std::vector<double>& samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  if (samples.size() % 2 != 0) return *middle;
  return (*std::max_element(samples.begin(), middle) + *middle) / 2;
}

void require_samples(std::span<const double> samples) {
  if (samples.empty()) throw error(errc::invalid_argument, "no samples have no median");
}

}  // namespace

double median(std::span<const double> samples) {
  require_samples(samples);
  std::vector<double> copy(samples.begin(), samples.end());
  return median_in_place(copy);
}

estimate median_estimate(std::span<const double> samples) {
  const double middle = median(samples);
  // The raw numbers of the engine, not a distribution: those differ between standard libraries.
  std::mt19937_64 random(seed);
  std::vector<double> drawn(samples.size());
  std::vector<double> medians(resamplings);
  for (double& one : medians) {
    for (double& sample : drawn) sample = samples[random() % samples.size()];
    one = median_in_place(drawn);
  }
  std::sort(medians.begin(), medians.end());
  constexpr std::size_t tail = resamplings / 40;
  return {middle, medians[tail], medians[resamplings - 1 - tail]};
}

estimate ratio_estimate(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size())
    throw error(errc::invalid_argument,
                detail::text("ratios need pairs; there are ", a.size(), " and ", b.size(), " samples"));
  std::vector<double> ratios(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) ratios[i] = a[i] / b[i];
  return median_estimate(ratios);
}

}  // namespace lacis::measure
