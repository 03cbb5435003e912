// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of dense matrices on a device: the grids of both methods.
#include "device/dense.hpp"

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "kernels/dense.hpp"

namespace lacis::device {

template <class Value>
void multiply_dense(runtime& device, dense_method method, std::int64_t m, std::int64_t k, std::int64_t n,
                    const device_of<Value>* a, const device_of<Value>* b, device_of<Value>* c) {
  if (m < 0 || k < 0 || n < 0)
    throw error(errc::invalid_argument, lacis::detail::text("a dense product of ", m, " x ", k, " and ", k, " x ", n));
  if (m == 0 || n == 0) return;
  if (method == dense_method::simple) {
    device.launch_over(kernels::dense_simple<raw_memory, device_of<Value>, simt::none>{m, k, n, a, b, c}, m * n);
    return;
  }
  using kernel = kernels::dense_tiled<raw_memory, device_of<Value>, simt::none>;
  const std::int64_t across = runtime::blocks_for(n, kernel::tile);
  device.launch(kernel{m, k, n, across, a, b, c}, runtime::blocks_for(m, kernel::tile) * across);
}

template <class Value>
void multiply_dense(runtime& device, std::int64_t m, std::int64_t k, const device_of<Value>* a,
                    const device_of<Value>* x, device_of<Value>* y) {
  if (m < 0 || k < 0)
    throw error(errc::invalid_argument, lacis::detail::text("a dense product of ", m, " x ", k, " with a vector"));
  using kernel = kernels::dense_vector<raw_memory, device_of<Value>, simt::none>;
  device.launch(kernel{m, k, a, x, y}, runtime::blocks_for(m, kernel::rows_of_block));
}

#define LACIS_INSTANTIATE(Value)                                                                            \
  template void multiply_dense<Value>(runtime&, dense_method, std::int64_t, std::int64_t, std::int64_t,     \
                                      const device_of<Value>*, const device_of<Value>*, device_of<Value>*); \
  template void multiply_dense<Value>(runtime&, std::int64_t, std::int64_t, const device_of<Value>*,        \
                                      const device_of<Value>*, device_of<Value>*);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::device
