// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with dense columns on a device: each column has the bits of a product with a vector.
#include "base/instantiate.hpp"
#include "device/spmm.hpp"
#include "verify/cases.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::verification {
namespace {

template <class To, class From> dense_view<To> device_view(To* data, const dense_view<From>& shape) {
  return {data, shape.rows, shape.cols, shape.row_stride, shape.col_stride};
}

}  // namespace

template <value Value, index Index> void verify_spmm_kernels(kernel_ledger& book) {
  using number = device::device_of<Value>;
  const auto reals = test_matrices<Value, Index>(entries::reals);
  for (std::size_t k = 0; k < reals.size(); k += book.all() ? 1 : 5) {
    const auto& a = reals[k].matrix;
    const auto cases = column_cases<Value, Index, Value>(a.view());
    const std::size_t first = book.all() ? 0 : k / 5 % cases.size();  // in turn, when not all of them
    for (std::size_t c = first; c < cases.size(); c += book.all() ? 2 + k % 2 : cases.size()) {
      const auto& one = cases[c];
      book.compare<Value>({"spmm", "canonical", types_text<Value, Index>(), reals[k].name, one.name}, one.expected,
                          [&](device::runtime& device) {
                            const auto device_a = device::upload(device, a.view());
                            const auto x = device.upload<Value>(one.x);
                            const auto y = device.upload<Value>(one.y);
                            const auto plan = device::plan_spmm<Value, Index>(device, device_a, one.cols);
                            device::spmm(device, plan, device_a, one.alpha,
                                         device_view<const number>(x.data(), one.x_shape), one.beta,
                                         device_view<number>(y.data(), one.y_shape));
                            return device.download<Value>(y);
                          });
    }
  }
}

#define LACIS_VERIFY(Value, Index) template void verify_spmm_kernels<Value, Index>(kernel_ledger&);
LACIS_FOR_EACH_TYPE(LACIS_VERIFY)

}  // namespace lacis::verification
