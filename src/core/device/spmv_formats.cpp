// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices in formats other than CSR on a device: the launches of each method.
#include "device/spmv_formats.hpp"

#include <type_traits>
#include <variant>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "kernels/spmv_bsr.hpp"
#include "kernels/spmv_coo.hpp"
#include "kernels/spmv_ell.hpp"
#include "kernels/spmv_jds.hpp"
#include "kernels/spmv_sell.hpp"

namespace lacis::device {
namespace {

using lacis::detail::text;

void require_format(spmv_method method, matrix_format stored) {
  if (facts_of(method).stored == stored && method != spmv_method::coo_ordered) return;
  throw error(errc::invalid_argument, text("spmv by ", facts_of(method).name, " does not take a matrix in ",
                                           name_of(stored), "; plan it from csr, or take a method of the format"));
}

template <template <class, class, class> class Kernel, class Value, class Index>
using kernel_of = Kernel<raw_memory, device_of<Value>, Index>;

/// y = y + alpha A x.
template <class Value, class Index>
void add_entries(runtime& device, const device_coo<Value, Index>& a, Value alpha, const device_of<Value>* x,
                 device_of<Value>* y) {
  device.launch_over(
      kernel_of<kernels::coo_atomic, Value, Index>{a.nnz(), a.iso, a.row_indices.data(), a.columns.data(),
                                                   a.values.data(), x, device::to_device(alpha), y},
      a.nnz());
}

template <template <class, class, class> class Kernel, class Value, class Index>
void multiply_slots(runtime& device, const device_ell<Value, Index>& a, Value alpha, const device_of<Value>* x,
                    Value beta, device_of<Value>* y) {
  device.launch_over(
      kernel_of<Kernel, Value, Index>{a.rows, a.iso, a.row_lengths.data(), a.columns.data(), a.values.data(), x,
                                      device::to_device(alpha), device::to_device(beta), y},
      a.rows);
}

template <template <class, class, class> class Kernel, class Value, class Index>
void multiply_diagonals(runtime& device, const device_jds<Value, Index>& a, Value alpha, const device_of<Value>* x,
                        Value beta, device_of<Value>* y) {
  device.launch_over(kernel_of<Kernel, Value, Index>{a.rows, a.diagonals(), a.iso, a.permutation.data(),
                                                     a.diagonal_offsets.data(), a.columns.data(), a.values.data(), x,
                                                     device::to_device(alpha), device::to_device(beta), y},
                     a.rows);
}

template <template <class, class, class> class Kernel, class Value, class Index>
void multiply_slices(runtime& device, const device_sell<Value, Index>& a, Value alpha, const device_of<Value>* x,
                     Value beta, device_of<Value>* y) {
  device.launch_over(kernel_of<Kernel, Value, Index>{a.rows, a.permutation.data(), a.row_lengths.data(),
                                                     a.slice_offsets.data(), a.columns.data(), a.values.data(), x,
                                                     device::to_device(alpha), device::to_device(beta), y},
                     a.rows);
}

template <template <class, class, class> class Kernel, class Value, class Index>
void multiply_blocks(runtime& device, const device_bsr<Value, Index>& a, Value alpha, const device_of<Value>* x,
                     Value beta, device_of<Value>* y) {
  device.launch_over(kernel_of<Kernel, Value, Index>{a.rows, static_cast<int>(a.block_size), a.row_offsets.data(),
                                                     a.block_columns.data(), a.mask.data(), a.values.data(), x,
                                                     device::to_device(alpha), device::to_device(beta), y},
                     a.rows);
}

}  // namespace

template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_coo<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_format(method, matrix_format::coo);
  scale_without_product(device, a.rows, beta, y);
  if (alpha != Value(0)) add_entries(device, a, alpha, x, y);
}

template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_ell<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_format(method, matrix_format::ell);
  if (alpha == Value(0)) return scale_without_product(device, a.rows, beta, y);
  if (method == spmv_method::ell_row)
    multiply_slots<kernels::ell_row>(device, a, alpha, x, beta, y);
  else
    multiply_slots<kernels::ell_canonical>(device, a, alpha, x, beta, y);
}

template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_hyb<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_format(method, matrix_format::hyb);
  if (alpha == Value(0)) return scale_without_product(device, a.rows, beta, y);
  if (method == spmv_method::hyb_atomic) {
    multiply_slots<kernels::ell_row>(device, a.ell, alpha, x, beta, y);
    return add_entries(device, a.coo, alpha, x, y);
  }
  device.launch_over(
      kernel_of<kernels::hyb_canonical, Value, Index>{a.rows, a.ell.width, a.ell.iso, a.ell.row_lengths.data(),
                                                      a.ell.columns.data(), a.ell.values.data(), a.rest_offsets.data(),
                                                      a.coo.columns.data(), a.coo.values.data(), x,
                                                      device::to_device(alpha), device::to_device(beta), y},
      a.rows);
}

template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_jds<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_format(method, matrix_format::jds);
  if (alpha == Value(0)) return scale_without_product(device, a.rows, beta, y);
  if (method == spmv_method::jds_row)
    multiply_diagonals<kernels::jds_row>(device, a, alpha, x, beta, y);
  else
    multiply_diagonals<kernels::jds_canonical>(device, a, alpha, x, beta, y);
}

template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_sell<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_format(method, matrix_format::sell);
  if (a.slice_height != simt::warp_size)
    throw error(errc::invalid_argument, text("sell_32 takes slices of 32 rows, a warp each, not of ", a.slice_height,
                                             "; convert with slice_height 32"));
  if (alpha == Value(0)) return scale_without_product(device, a.rows, beta, y);
  if (a.iso)
    multiply_slices<kernels::sell_32_iso>(device, a, alpha, x, beta, y);
  else
    multiply_slices<kernels::sell_32>(device, a, alpha, x, beta, y);
}

template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_bsr<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_format(method, matrix_format::bsr);
  if (a.block_size > kernels::most_block_size)
    throw error(errc::invalid_argument, text("bsr_rows takes blocks of up to ", kernels::most_block_size,
                                             " rows, not of ", a.block_size, "; convert with a smaller block_size"));
  if (alpha == Value(0)) return scale_without_product(device, a.rows, beta, y);
  if (a.iso)
    multiply_blocks<kernels::bsr_rows_iso>(device, a, alpha, x, beta, y);
  else
    multiply_blocks<kernels::bsr_rows>(device, a, alpha, x, beta, y);
}

template <class Value, class Index>
stored_matrix<Value, Index> convert_for(runtime& device, spmv_method method, const device_csr<Value, Index>& a) {
  switch (facts_of(method).stored) {
    case matrix_format::coo:
      return to_coo(device, a);
    case matrix_format::ell:
      return to_ell(device, a);
    case matrix_format::hyb:
      return to_hyb(device, a);
    case matrix_format::jds:
      return to_jds(device, a);
    case matrix_format::sell:
      return to_sell(device, a);
    case matrix_format::bsr:
      return to_bsr(device, a);
    default:
      throw error(errc::invalid_argument, text("spmv by ", facts_of(method).name,
                                               " takes the csr matrix as it is; there is nothing to convert"));
  }
}

template <class Value, class Index>
void spmv_stored(runtime& device, spmv_method method, const stored_matrix<Value, Index>& a, Value alpha,
                 const device_of<Value>* x, Value beta, device_of<Value>* y) {
  std::visit(
      [&](const auto& matrix) {
        using held = std::decay_t<decltype(matrix)>;
        if constexpr (!std::is_same_v<held, std::monostate> && !std::is_same_v<held, device_csr<Value, Index>>)
          spmv(device, method, matrix, alpha, x, beta, y);
      },
      a);
}

#define LACIS_SPMV_OF(Matrix, Value, Index)                                                                            \
  template void spmv<Value, Index>(runtime&, spmv_method, const Matrix<Value, Index>&, Value, const device_of<Value>*, \
                                   Value, device_of<Value>*);
#define LACIS_SPMV_FORMATS(Value, Index)                                                                    \
  LACIS_SPMV_OF(device_coo, Value, Index)                                                                   \
  LACIS_SPMV_OF(device_ell, Value, Index)                                                                   \
  LACIS_SPMV_OF(device_hyb, Value, Index)                                                                   \
  LACIS_SPMV_OF(device_jds, Value, Index)                                                                   \
  LACIS_SPMV_OF(device_sell, Value, Index)                                                                  \
  LACIS_SPMV_OF(device_bsr, Value, Index)                                                                   \
  template stored_matrix<Value, Index> convert_for(runtime&, spmv_method, const device_csr<Value, Index>&); \
  template void spmv_stored<Value, Index>(runtime&, spmv_method, const stored_matrix<Value, Index>&, Value, \
                                          const device_of<Value>*, Value, device_of<Value>*);
LACIS_FOR_EACH_TYPE(LACIS_SPMV_FORMATS)

}  // namespace lacis::device
