// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The instruction sets that the processor's kernels are compiled for.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include <lacis/export.hpp>

namespace lacis {

/// Every one gives the same bits; they differ in speed alone.
enum class isa {
  scalar,  ///< portable code, which runs on every processor
  avx2,    ///< AVX2 and FMA, vectors of 256 bits; nothing is fused
  avx512   ///< AVX-512 F, BW, CD, DQ and VL, vectors of 512 bits; nothing is fused
};

/// "scalar", "avx2", "avx512".
[[nodiscard]] LACIS_API std::string_view name_of(isa set);
/// The instruction set of that name, or nothing.
[[nodiscard]] LACIS_API std::optional<isa> isa_named(std::string_view name);
/// Those that this build has kernels for and this processor runs, slowest first; scalar is always there.
[[nodiscard]] LACIS_API std::span<const isa> supported_isas();
/// The one in use: the environment variable LACIS_ISA where it is set, the fastest supported one otherwise. A name that
/// is unknown or not supported is error(unsupported).
[[nodiscard]] LACIS_API isa default_isa();

}  // namespace lacis
