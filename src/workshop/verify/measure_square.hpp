// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// C = A A on a device, phase by phase, and on the processor; and what measurements of the processor share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <lacis/csr.hpp>

#include "device/runtime.hpp"
#include "verify/measure_device.hpp"

namespace lacis::verification {

/// The seconds of the second of two runs.
[[nodiscard]] double host_seconds(const std::function<void()>& work);
/// "1 thread" and, where OpenMP gives more, "8 threads".
[[nodiscard]] std::vector<processor_time> processor_rows();

[[nodiscard]] device_sparse_product measure_square(device::runtime& device, const std::string& name,
                                                   const csr_matrix<double, std::int32_t>& a, int rounds);

}  // namespace lacis::verification
