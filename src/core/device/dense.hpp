// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of dense matrices on a device.
#pragma once

#include <cstdint>

#include "base/internal.hpp"
#include "device/runtime.hpp"

namespace lacis::device {

/// How the product is computed; the bits are the same.
enum class dense_method {
  simple,  ///< a thread per element, as in "Examples of CUDA code"
  tiled    ///< tiles of both operands in shared memory
};

/// C = A B, all row-major on the device: m x k times k x n, each element summed in the order summation::serial.
template <class Value>
LACIS_INTERNAL void multiply_dense(runtime& device, dense_method method, std::int64_t m, std::int64_t k, std::int64_t n,
                                   const device_of<Value>* a, const device_of<Value>* b, device_of<Value>* c);

/// y = A x; a is m x k, row-major; order strided(32). x and y do not overlap.
template <class Value>
LACIS_INTERNAL void multiply_dense(runtime& device, std::int64_t m, std::int64_t k, const device_of<Value>* a,
                                   const device_of<Value>* x, device_of<Value>* y);

}  // namespace lacis::device
