// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The state of the floating-point unit: MXCSR on x86, the rounding direction elsewhere.
#include "summation/environment.hpp"

#include <lacis/export.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace lacis::summation {

#if defined(__x86_64__)

namespace {

/// Flush-to-zero, rounding control, denormals-are-zero: all 0 in the state that the order needs.
constexpr unsigned mode_bits = 0x8000u | 0x6000u | 0x0040u;

void set_modes(unsigned modes) noexcept {
  const unsigned now = _mm_getcsr();
  if ((now & mode_bits) != modes) _mm_setcsr((now & ~mode_bits) | modes);
}

}  // namespace

LACIS_API rounding_guard::rounding_guard() noexcept : modes_(_mm_getcsr() & mode_bits) { set_modes(0); }
LACIS_API rounding_guard::~rounding_guard() { set_modes(modes_); }

#else

LACIS_API rounding_guard::rounding_guard() noexcept : modes_(static_cast<unsigned>(std::fegetround())) {
  std::fesetround(FE_TONEAREST);
}
LACIS_API rounding_guard::~rounding_guard() { std::fesetround(static_cast<int>(modes_)); }

#endif

}  // namespace lacis::summation
