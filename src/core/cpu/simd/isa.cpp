// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which instruction sets this processor runs, and which one is used.
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/isa.hpp>

#include "base/text.hpp"
#include "cpu/spmv/kernels.hpp"

namespace lacis {
namespace {

constexpr std::array<std::string_view, 3> names = {"scalar", "avx2", "avx512"};

std::string listed(std::span<const isa> sets) {
  std::string all;
  for (const isa set : sets) all += (all.empty() ? "" : ", ") + std::string(name_of(set));
  return all;
}

isa chosen() {
  const char* asked = std::getenv("LACIS_ISA");
  if (asked == nullptr || *asked == '\0') return supported_isas().back();
  const auto set = isa_named(asked);
  if (!set || !cpu::is_supported(*set))
    throw error(errc::unsupported,
                detail::text("LACIS_ISA=", asked, " is not one of what runs here: ", listed(supported_isas())));
  return *set;
}

}  // namespace

std::string_view name_of(isa set) { return names[static_cast<std::size_t>(set)]; }

std::optional<isa> isa_named(std::string_view name) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return static_cast<isa>(k);
  return std::nullopt;
}

std::span<const isa> supported_isas() {
  static const std::vector<isa> all = [] {
    std::vector<isa> sets;
    for (const isa set : {isa::scalar, isa::avx2, isa::avx512})
      if (cpu::is_supported(set)) sets.push_back(set);
    return sets;
  }();
  return all;
}

isa default_isa() {
  static const isa set = chosen();
  return set;
}

}  // namespace lacis
