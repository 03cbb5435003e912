// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The laboratory: methods run under the host executor with every access counted.
#include <array>

#include <lacis/error.hpp>
#include <lacis/lab.hpp>

namespace lacis::lab {

std::span<const gpu> all_gpus() {
  static constexpr std::array gpus = {
      gpu{"t4", "NVIDIA T4", 40, 1024, 16, 65536, 4 << 20, 16, 320e9, 1270e9, 1.59e9, 3e-6}};
  return gpus;
}
const gpu& gpu_named(std::string_view) { return all_gpus()[0]; }
std::span<const method_facts> all_methods() {
  static constexpr std::array methods = {method_facts{"csr_row", "", "csr_row", 256},
                                         method_facts{"csr_row_128", "", "csr_row", 128}};
  return methods;
}
template <value Value> lab_report examine(const csr_view<Value, std::int32_t>&, const lab_options&) { return {}; }
template LACIS_API lab_report examine(const csr_view<float, std::int32_t>&, const lab_options&);
template LACIS_API lab_report examine(const csr_view<double, std::int32_t>&, const lab_options&);

}  // namespace lacis::lab
