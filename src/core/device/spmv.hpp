// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// y = alpha A x + beta y on a device: the methods by name, what is known of each, and the products.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include <lacis/format.hpp>

#include "base/internal.hpp"
#include "device/convert.hpp"
#include "device/matrix.hpp"
#include "device/row_bins.hpp"
#include "device/runtime.hpp"
#include "device/tuning.hpp"
#include "summation/orders.hpp"

namespace lacis::device {

/// A way to multiply, one line each here and in all_spmv_methods below.
enum class spmv_method {
  csr_stream,
  csr_row,
  csr_row_128,
  csr_row_512,
  csr_row_1024,
  csr_row_add,
  csr_cached,
  csr_warp_shared,
  csr_warp_shared_128,
  csr_warp_shared_512,
  csr_warp_shared_1024,
  csr_warp_shuffle,
  csr_warp_shuffle_128,
  csr_warp_shuffle_512,
  csr_warp_shuffle_1024,
  csr_subwarp_2,
  csr_subwarp_4,
  csr_subwarp_8,
  csr_subwarp_16,
  coo_atomic,
  coo_ordered,
  ell_row,
  ell_canonical,
  hyb_atomic,
  hyb_canonical,
  jds_row,
  jds_canonical,
  sell_32,
  bsr_rows,
};

/// What a method's kernels do with y.
enum class spmv_update {
  assign,  ///< y = A x: alpha is 1, beta is 0
  add,     ///< y = y + A x: both are 1
  scale    ///< y = alpha A x + beta y
};

struct spmv_facts {
  spmv_method method;
  matrix_format stored;                   ///< the format of the matrix that it takes
  std::string_view name;                  ///< as in the enumeration
  std::string_view text;                  ///< where it comes from
  std::optional<summation::order> order;  ///< of a row's sum; none: it differs from run to run
  spmv_update update;
  std::array<std::optional<kernels::kernel>, 4> kernels;  ///< that it launches, in the variants without iso
  std::optional<int> block_threads = std::nullopt;        ///< of its launches, where not the kernel's own
};

namespace detail {
inline constexpr std::string_view article = "Scalable Parallel Programming with CUDA";
inline constexpr std::string_view examples = "Examples of CUDA code";
inline constexpr std::string_view chapter = "the textbook chapter on sparse matrix computation";
inline constexpr std::string_view villa = "Villa, Efficient Sparse Matrix-Vector Multiplication on CUDA";
inline constexpr std::string_view adaptive = "Greathouse and Daga, CSR-Adaptive; in the canonical order";
inline constexpr std::string_view villa_in_parts = "Villa, with a part of a warp per row";
inline constexpr std::string_view chapter_ordered = "the textbook chapter; in the canonical order";
inline constexpr std::string_view sell_paper = "Kreutzer and others, SELL-C-sigma; in the canonical order";
inline constexpr std::string_view blocks = "block CSR; in the canonical order of stored entries";

using kernels::kernel;
using enum spmv_method;
using enum spmv_update;
using summation::canonical;
using summation::serial;
using summation::strided;
inline constexpr auto csr = matrix_format::csr;
// clang-format off
inline constexpr std::array spmv_table = {
    spmv_facts{csr_stream, csr, "csr_stream", adaptive, canonical, scale, {kernel::csr_stream, kernel::csr_long, kernel::csr_long_join}},
    spmv_facts{csr_row, csr, "csr_row", article, serial, assign, {kernel::csr_row}},
    spmv_facts{csr_row_128, csr, "csr_row_128", examples, serial, assign, {kernel::csr_row}, 128},
    spmv_facts{csr_row_512, csr, "csr_row_512", villa, serial, assign, {kernel::csr_row}, 512},
    spmv_facts{csr_row_1024, csr, "csr_row_1024", villa, serial, assign, {kernel::csr_row}, 1024},
    spmv_facts{csr_row_add, csr, "csr_row_add", chapter, serial, add, {kernel::csr_row_add}},
    spmv_facts{csr_cached, csr, "csr_cached", examples, serial, assign, {kernel::csr_cached}},
    spmv_facts{csr_warp_shared, csr, "csr_warp_shared", villa, strided(32), assign, {kernel::csr_warp_shared}},
    spmv_facts{csr_warp_shared_128, csr, "csr_warp_shared_128", villa, strided(32), assign, {kernel::csr_warp_shared}, 128},
    spmv_facts{csr_warp_shared_512, csr, "csr_warp_shared_512", villa, strided(32), assign, {kernel::csr_warp_shared}, 512},
    spmv_facts{csr_warp_shared_1024, csr, "csr_warp_shared_1024", villa, strided(32), assign, {kernel::csr_warp_shared}, 1024},
    spmv_facts{csr_warp_shuffle, csr, "csr_warp_shuffle", villa, strided(32), assign, {kernel::csr_warp_shuffle}},
    spmv_facts{csr_warp_shuffle_128, csr, "csr_warp_shuffle_128", villa, strided(32), assign, {kernel::csr_warp_shuffle}, 128},
    spmv_facts{csr_warp_shuffle_512, csr, "csr_warp_shuffle_512", villa, strided(32), assign, {kernel::csr_warp_shuffle}, 512},
    spmv_facts{csr_warp_shuffle_1024, csr, "csr_warp_shuffle_1024", villa, strided(32), assign, {kernel::csr_warp_shuffle}, 1024},
    spmv_facts{csr_subwarp_2, csr, "csr_subwarp_2", villa_in_parts, strided(2), assign, {kernel::csr_subwarp_2}},
    spmv_facts{csr_subwarp_4, csr, "csr_subwarp_4", villa_in_parts, strided(4), assign, {kernel::csr_subwarp_4}},
    spmv_facts{csr_subwarp_8, csr, "csr_subwarp_8", villa_in_parts, strided(8), assign, {kernel::csr_subwarp_8}},
    spmv_facts{csr_subwarp_16, csr, "csr_subwarp_16", villa_in_parts, strided(16), assign, {kernel::csr_subwarp_16}},
    spmv_facts{coo_atomic, matrix_format::coo, "coo_atomic", chapter, std::nullopt, scale, {kernel::scale_only, kernel::coo_atomic}},
    spmv_facts{coo_ordered, matrix_format::coo, "coo_ordered", chapter_ordered, canonical, scale, {kernel::csr_stream, kernel::csr_long, kernel::csr_long_join}},
    spmv_facts{ell_row, matrix_format::ell, "ell_row", chapter, serial, scale, {kernel::ell_row}},
    spmv_facts{ell_canonical, matrix_format::ell, "ell_canonical", chapter_ordered, canonical, scale, {kernel::ell_canonical}},
    spmv_facts{hyb_atomic, matrix_format::hyb, "hyb_atomic", chapter, std::nullopt, scale, {kernel::ell_row, kernel::coo_atomic}},
    spmv_facts{hyb_canonical, matrix_format::hyb, "hyb_canonical", chapter_ordered, canonical, scale, {kernel::hyb_canonical}},
    spmv_facts{jds_row, matrix_format::jds, "jds_row", chapter, serial, scale, {kernel::jds_row}},
    spmv_facts{jds_canonical, matrix_format::jds, "jds_canonical", chapter_ordered, canonical, scale, {kernel::jds_canonical}},
    spmv_facts{sell_32, matrix_format::sell, "sell_32", sell_paper, canonical, scale, {kernel::sell_32}},
    spmv_facts{bsr_rows, matrix_format::bsr, "bsr_rows", blocks, canonical, scale, {kernel::bsr_rows}},
};
// clang-format on
}  // namespace detail

/// Every method, in the order of the enumeration.
inline constexpr const auto& all_spmv_methods = detail::spmv_table;

[[nodiscard]] constexpr const spmv_facts& facts_of(spmv_method method) {
  return all_spmv_methods[static_cast<std::size_t>(method)];
}
static_assert(std::ranges::all_of(all_spmv_methods, [](const spmv_facts& f) { return &facts_of(f.method) == &f; }),
              "methods stand in the order of the enumeration");

/// A thread per row, with the block that the device's tuning asks for.
[[nodiscard]] constexpr spmv_method tuned_row_method(const tuning& t) {
  return t.row_block == 128   ? spmv_method::csr_row_128
         : t.row_block == 512 ? spmv_method::csr_row_512
         : t.row_block > 512  ? spmv_method::csr_row_1024
                              : spmv_method::csr_row;
}
/// A warp per row, likewise.
[[nodiscard]] constexpr spmv_method tuned_warp_method(const tuning& t) {
  return t.warp_block == 128   ? spmv_method::csr_warp_shuffle_128
         : t.warp_block == 512 ? spmv_method::csr_warp_shuffle_512
         : t.warp_block > 512  ? spmv_method::csr_warp_shuffle_1024
                               : spmv_method::csr_warp_shuffle;
}

/// A matrix in the format of a method; nothing where that is the CSR matrix that was given.
template <class Value, class Index>
using stored_matrix = std::variant<std::monostate, device_csr<Value, Index>, device_coo<Value, Index>,
                                   device_ell<Value, Index>, device_hyb<Value, Index>, device_jds<Value, Index>,
                                   device_sell<Value, Index>, device_bsr<Value, Index>>;

/// What a method finds out about a matrix once, for many products. It holds the chunk sums of a product under way, so
/// one stream uses it at a time.
template <class Value, class Index> struct spmv_plan {
  spmv_method method;
  row_bins bins;                          ///< csr_stream and coo_ordered: the long rows
  device_array<device_of<Value>> sums;    ///< the same: one for each chunk when rows have several
  device_array<device_of<Value>> spread;  ///< an iso matrix's values one by one, where the method needs them so
  stored_matrix<Value, Index> stored;     ///< coo_ordered: a COO matrix with the offsets of its rows
};

/// Converts the matrix to the method's format, with the default convert_options, on the device. Canonical rows are the
/// caller's to ensure.
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL spmv_plan<Value, Index> plan_spmv(runtime& device, spmv_method method,
                                                               const device_csr<Value, Index>& a);

/// y = alpha A x + beta y, row sums in the method's order, scaled as summation::combine has it: beta = 0 does not read
/// y, alpha = 0 reads neither A nor x. x has a.cols elements and y a.rows, on the device and apart from each other;
/// `a` is the matrix of the plan.
/// Throws error(invalid_argument) for an alpha or a beta that the method cannot do; see spmv_update.
template <class Value, class Index>
LACIS_INTERNAL void spmv(runtime& device, const spmv_plan<Value, Index>& plan, const device_csr<Value, Index>& a,
                         Value alpha, const device_of<Value>* x, Value beta, device_of<Value>* y);

/// Plans and multiplies once.
template <class Value, class Index>
LACIS_INTERNAL void spmv(runtime& device, spmv_method method, const device_csr<Value, Index>& a, Value alpha,
                         const device_of<Value>* x, Value beta, device_of<Value>* y);

/// y = beta y, as a product with alpha = 0 leaves it; for the products of every format.
template <class Value> void scale_without_product(runtime& device, std::int64_t rows, Value beta, device_of<Value>* y);

/// Throws error(invalid_argument) when the method cannot do this alpha and beta; see spmv_update.
template <class Value> void require_scalars(spmv_method method, Value alpha, Value beta);

}  // namespace lacis::device
