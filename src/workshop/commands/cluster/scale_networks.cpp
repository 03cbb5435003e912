// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Networks by name.
#include "commands/cluster/scale_networks.hpp"

#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include <lacis/error.hpp>

#include "parse/suggest.hpp"

namespace lacis::app {
namespace {

/// A finite number above 0 that takes the whole text; 0 otherwise.
double positive(std::string_view text) {
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, number);
  return problem == std::errc() && end == last && number > 0 && std::isfinite(number) ? number : 0;
}

}  // namespace

std::span<const network> all_networks() {
  // Rates are those of the link less framing (Ethernet: 1448 of 1538 bytes are payload of TCP). Latencies are what MPI
  // usually shows between two nodes of a quiet machine; measure your own and give both as numbers.
  static const network all[] = {
      {"ethernet-1g", 30, 0.118, "1 Gb/s less framing; TCP through the kernel"},
      {"ethernet-10g", 15, 1.18, "10 Gb/s less framing; TCP through the kernel"},
      {"infiniband-hdr", 1.3, 24, "200 Gb/s HDR less framing; RDMA"},
      {"slingshot-11", 2, 24, "200 Gb/s per NIC less framing; one NIC per rank"},
      {"loopback", 1.3, 5, "shared memory, Open MPI 4.1: latency measured, rate assumed"},
  };
  return all;
}

network parse_network(const std::string& text) {
  std::vector<std::string> names;
  std::string listed;
  for (const network& one : all_networks()) {
    if (one.name == text) return one;
    names.push_back(one.name);
    listed += (listed.empty() ? "" : ", ") + one.name;
  }
  if (const std::size_t comma = text.find(','); comma != std::string::npos) {
    const network given{text, positive(std::string_view(text).substr(0, comma)),
                        positive(std::string_view(text).substr(comma + 1)), "given"};
    if (given.latency_us > 0 && given.gbs > 0) return given;
  }
  throw error(errc::invalid_argument, "--network must be one of " + listed +
                                          ", or microseconds and GB/s such as 2,12.5 (got '" + text + "')" +
                                          did_you_mean(text, names));
}

}  // namespace lacis::app
