// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The list of type pairs that templates are compiled for, in one place.
#pragma once

#include <complex>
#include <cstdint>

/// Expands Macro(Value) for every value type of the library.
#define LACIS_FOR_EACH_VALUE(Macro) Macro(float) Macro(double) Macro(std::complex<float>) Macro(std::complex<double>)

/// Expands Macro(Value, Index) for every value and index type of the library.
#define LACIS_FOR_EACH_TYPE(Macro)                                                                              \
  Macro(float, std::int32_t) Macro(float, std::int64_t) Macro(double, std::int32_t) Macro(double, std::int64_t) \
      Macro(std::complex<float>, std::int32_t) Macro(std::complex<float>, std::int64_t)                         \
          Macro(std::complex<double>, std::int32_t) Macro(std::complex<double>, std::int64_t)
