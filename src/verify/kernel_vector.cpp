// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels over vectors against their definitions.
#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "kernels/vector.hpp"
#include "summation/vector.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/numbers.hpp"

namespace lacis::verification {

template <value Value, index Index> void verify_vector_kernels(kernel_ledger& book) {
  using kernel = kernels::axpby<device::raw_memory, device::device_of<Value>, simt::none>;
  for (const std::int64_t size : {1, 33, 256, 4097}) {
    const auto x = full_numbers<Value>(size, 3);
    const auto y = full_numbers<Value>(size, 4);
    const auto alpha = full_number<Value>(5);
    const auto beta = full_number<Value>(6);
    auto expected = y;
    summation::axpby<Value, Value>(alpha, x, beta, expected);
    book.compare<Value>(
        {"axpby", "elementwise", types_text<Value, Index>(), "", detail::text(size, " elements")}, expected,
        [&](device::runtime& device) {
          const auto device_x = device.upload<Value>(x);
          const auto device_y = device.upload<Value>(y);
          device.launch_over(
              kernel{size, device::to_device(alpha), device_x.data(), device::to_device(beta), device_y.data()}, size);
          return device.download<Value>(device_y);
        });
  }
}

#define LACIS_VERIFY(Value, Index) template void verify_vector_kernels<Value, Index>(kernel_ledger&);
LACIS_FOR_EACH_TYPE(LACIS_VERIFY)

}  // namespace lacis::verification
