// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Medians and how far they can be trusted.
#pragma once

#include <span>
#include <vector>

namespace lacis::measure {

/// A median with the interval that holds it with 95 % confidence.
struct estimate {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// The middle element, or the mean of the two middle ones. Throws error(invalid_argument) when there is none.
[[nodiscard]] double median(std::span<const double> samples);

/// The median and its percentile bootstrap interval. The resampling has a fixed seed: equal samples give equal
/// intervals.
[[nodiscard]] estimate median_estimate(std::span<const double> samples);

/// The same for the ratios a[i] / b[i] of samples taken in the same round: what disturbs a round disturbs both.
[[nodiscard]] estimate ratio_estimate(std::span<const double> a, std::span<const double> b);

}  // namespace lacis::measure
