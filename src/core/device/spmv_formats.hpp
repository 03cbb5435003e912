// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// y = alpha A x + beta y on a device for matrices in formats other than CSR.
#pragma once

#include "device/convert.hpp"
#include "device/spmv.hpp"

namespace lacis::device {

// As spmv for CSR: x and y are on the device and apart from each other, beta = 0 does not read y, alpha = 0 reads
// neither A nor x. Throws error(invalid_argument) when the method is not one of the format.

/// coo_atomic: entries in any order. For coo_ordered, to_csr of grouped entries and csr_stream, or a plan.
template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_coo<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y);
/// ell_row, ell_canonical.
template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_ell<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y);
/// hyb_atomic, hyb_canonical.
template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_hyb<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y);
/// jds_row, jds_canonical.
template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_jds<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y);
/// sell_32; slices of another height than 32 are error(invalid_argument).
template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_sell<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y);
/// bsr_rows; blocks of more than 16 rows are error(invalid_argument).
template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_bsr<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y);

/// The matrix in the format of a method, other than CSR.
template <class Value, class Index>
[[nodiscard]] stored_matrix<Value, Index> convert_for(runtime& device, spmv_method method,
                                                      const device_csr<Value, Index>& a);
/// The product of what convert_for gave.
template <class Value, class Index>
void spmv_stored(runtime& device, spmv_method method, const stored_matrix<Value, Index>& a, Value alpha,
                 const device_of<Value>* x, Value beta, device_of<Value>* y);

}  // namespace lacis::device
