// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices on a device: plans, and the launches of each method.
#include "kernels/spmv_csr.hpp"

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "device/spmv.hpp"
#include "device/spmv_formats.hpp"
#include "kernels/spmv_long.hpp"
#include "kernels/spmv_stream.hpp"

namespace lacis::device {

using lacis::detail::text;

template <class Value> void require_scalars(spmv_method method, Value alpha, Value beta) {
  const spmv_facts& facts = facts_of(method);
  const Value needed_beta = facts.update == spmv_update::add ? Value(1) : Value(0);
  if (facts.update != spmv_update::scale && (alpha != Value(1) || beta != needed_beta))
    throw error(errc::invalid_argument,
                text("spmv by ", facts.name, " computes ", facts.update == spmv_update::add ? "y = y + A x" : "y = A x",
                     "; give alpha 1 and beta ", facts.update == spmv_update::add ? 1 : 0,
                     ", or take csr_stream, which scales"));
}

template <class Value> void scale_without_product(runtime& device, std::int64_t rows, Value beta, device_of<Value>* y) {
  if (beta == Value(1)) return;
  device.launch_over(kernels::scale_only<raw_memory, device_of<Value>, simt::none>{rows, device::to_device(beta), y},
                     rows);
}

namespace {

/// The operands of a product, and its launches.
template <class Value, class Index> struct csr_product {
  using number = device_of<Value>;

  runtime& device;
  const device_csr<Value, Index>& a;
  const number* values;
  const number* x;
  number* y;

  /// A kernel that only assigns or adds, a group of lanes per row, in blocks of the method's size.
  template <template <class, class, class> class Kernel> void by_rows(spmv_method method) const {
    using kernel = Kernel<raw_memory, number, Index>;
    const int block_threads = facts_of(method).block_threads.value_or(kernel::block_threads);
    device.launch(kernel{a.rows, a.row_offsets.data(), a.columns.data(), values, x, y},
                  runtime::blocks_for(a.rows * kernel::lanes, block_threads), block_threads);
  }

  void cached() const {
    device.launch_over(kernels::csr_cached<raw_memory, number, Index>{a.rows, a.cols, a.row_offsets.data(),
                                                                      a.columns.data(), values, x, y},
                       a.rows);
  }

  template <bool Iso> void canonical(const spmv_plan<Value, Index>& plan, number alpha, number beta) const {
    using stream = kernels::csr_by_tiles<raw_memory, number, Index, Iso>;
    using chunks = kernels::csr_by_chunks<raw_memory, number, Index, Iso>;
    using join = kernels::csr_long_join<raw_memory, number, simt::none>;
    const row_bins& bins = plan.bins;
    const std::int64_t* const offsets = a.row_offsets.data();
    device.launch_over(stream{a.rows, offsets, a.columns.data(), values, x, alpha, beta, y}, a.rows);
    device.launch(chunks{bins.chunks, bins.chunk_rows.data(), bins.chunk_numbers.data(), offsets, a.columns.data(),
                         values, x, alpha, beta, plan.sums.data(), y},
                  runtime::blocks_for(bins.chunks, chunks::block_warps));
    device.launch(join{bins.join_rows.data(), bins.join_chunks.data(), offsets, alpha, beta, plan.sums.data(), y},
                  bins.joins);
  }
};

/// The CSR arrays of a plan that has its own, or those that were given.
template <class Value, class Index>
const device_csr<Value, Index>& csr_of(const spmv_plan<Value, Index>& plan, const device_csr<Value, Index>& given) {
  const auto* const own = std::get_if<device_csr<Value, Index>>(&plan.stored);
  return own != nullptr ? *own : given;
}

}  // namespace

template <class Value, class Index>
spmv_plan<Value, Index> plan_spmv(runtime& device, spmv_method method, const device_csr<Value, Index>& a) {
  spmv_plan<Value, Index> plan{method, {}, {}, {}, {}};
  if (method == spmv_method::coo_ordered) plan.stored = to_csr(device, to_coo(device, a));
  if (method == spmv_method::csr_stream || method == spmv_method::coo_ordered) {
    plan.bins = make_row_bins(device, a.rows, csr_of(plan, a).row_offsets.data());
    if (plan.bins.joins > 0) plan.sums = device.allocate<device_of<Value>>(plan.bins.chunks);
  } else if (facts_of(method).stored != matrix_format::csr) {
    plan.stored = convert_for(device, method, a);
  } else if (a.iso) {
    plan.spread = device.allocate<device_of<Value>>(a.nnz);
    device.launch_over(
        kernels::spread_value<raw_memory, device_of<Value>, simt::none>{a.nnz, a.values.data(), plan.spread.data()},
        a.nnz);
  }
  return plan;
}

template <class Value, class Index>
void spmv(runtime& device, const spmv_plan<Value, Index>& plan, const device_csr<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_scalars(plan.method, alpha, beta);
  if (alpha == Value(0)) return scale_without_product(device, a.rows, beta, y);
  const bool spread = plan.spread.data() != nullptr;
  const device_csr<Value, Index>& csr = csr_of(plan, a);
  const csr_product<Value, Index> product{device, csr, spread ? plan.spread.data() : csr.values.data(), x, y};
  switch (plan.method) {
    case spmv_method::csr_stream:
    case spmv_method::coo_ordered:
      if (a.iso) return product.template canonical<true>(plan, device::to_device(alpha), device::to_device(beta));
      return product.template canonical<false>(plan, device::to_device(alpha), device::to_device(beta));
    case spmv_method::csr_row:
    case spmv_method::csr_row_128:
    case spmv_method::csr_row_512:
    case spmv_method::csr_row_1024:
      return product.template by_rows<kernels::csr_row>(plan.method);
    case spmv_method::csr_row_add:
      return product.template by_rows<kernels::csr_row_add>(plan.method);
    case spmv_method::csr_cached:
      return product.cached();
    case spmv_method::csr_warp_shared:
    case spmv_method::csr_warp_shared_128:
    case spmv_method::csr_warp_shared_512:
    case spmv_method::csr_warp_shared_1024:
      return product.template by_rows<kernels::csr_warp_shared>(plan.method);
    case spmv_method::csr_warp_shuffle:
    case spmv_method::csr_warp_shuffle_128:
    case spmv_method::csr_warp_shuffle_512:
    case spmv_method::csr_warp_shuffle_1024:
      return product.template by_rows<kernels::csr_warp_shuffle>(plan.method);
    case spmv_method::csr_subwarp_2:
      return product.template by_rows<kernels::csr_subwarp_2>(plan.method);
    case spmv_method::csr_subwarp_4:
      return product.template by_rows<kernels::csr_subwarp_4>(plan.method);
    case spmv_method::csr_subwarp_8:
      return product.template by_rows<kernels::csr_subwarp_8>(plan.method);
    case spmv_method::csr_subwarp_16:
      return product.template by_rows<kernels::csr_subwarp_16>(plan.method);
    case spmv_method::coo_atomic:
    case spmv_method::ell_row:
    case spmv_method::ell_canonical:
    case spmv_method::hyb_atomic:
    case spmv_method::hyb_canonical:
    case spmv_method::jds_row:
    case spmv_method::jds_canonical:
    case spmv_method::sell_32:
    case spmv_method::bsr_rows:
      return spmv_stored(device, plan.method, plan.stored, alpha, x, beta, y);
  }
}

template <class Value, class Index>
void spmv(runtime& device, spmv_method method, const device_csr<Value, Index>& a, Value alpha,
          const device_of<Value>* x, Value beta, device_of<Value>* y) {
  require_scalars(method, alpha, beta);
  if (alpha == Value(0)) return scale_without_product(device, a.rows, beta, y);
  spmv(device, plan_spmv(device, method, a), a, alpha, x, beta, y);
}

#define LACIS_SPMV(Value, Index)                                                                                     \
  template spmv_plan<Value, Index> plan_spmv<Value, Index>(runtime&, spmv_method, const device_csr<Value, Index>&);  \
  template void spmv<Value, Index>(runtime&, const spmv_plan<Value, Index>&, const device_csr<Value, Index>&, Value, \
                                   const device_of<Value>*, Value, device_of<Value>*);                               \
  template void spmv<Value, Index>(runtime&, spmv_method, const device_csr<Value, Index>&, Value,                    \
                                   const device_of<Value>*, Value, device_of<Value>*);
LACIS_FOR_EACH_TYPE(LACIS_SPMV)

#define LACIS_SPMV_SCALARS(Value)                                  \
  template void require_scalars<Value>(spmv_method, Value, Value); \
  template void scale_without_product<Value>(runtime&, std::int64_t, Value, device_of<Value>*);
LACIS_SPMV_SCALARS(float)
LACIS_SPMV_SCALARS(double)
LACIS_SPMV_SCALARS(std::complex<float>)
LACIS_SPMV_SCALARS(std::complex<double>)

}  // namespace lacis::device
