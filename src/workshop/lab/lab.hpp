// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel asks of a GPU's memory, counted under the host executor, and what a named GPU would make of it,
// modelled.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/progress.hpp>

namespace lacis::lab {

/// A GPU as the model knows it: published sizes, and rates that were published or measured by others (see the table).
struct gpu {
  std::string_view name;   ///< "t4"
  std::string_view title;  ///< "NVIDIA T4"
  int multiprocessors = 0;
  int threads = 0;  ///< that a multiprocessor holds
  int blocks = 0;
  std::int64_t shared_bytes = 0;  ///< of a multiprocessor
  std::int64_t l2_bytes = 0;
  int l2_ways = 16;
  double dram_bytes_per_s = 0;
  double l2_bytes_per_s = 0;
  double clock_hz = 0;
  double launch_seconds = 0;  ///< of a kernel that does nothing
};

[[nodiscard]] std::span<const gpu> all_gpus();
/// Throws error(invalid_argument), which lists the names.
[[nodiscard]] const gpu& gpu_named(std::string_view name);

/// What warps asked of one array. A request is what the lanes of a warp ask for at once; it costs a sector of 32 bytes
/// for each that its lanes touch.
struct array_traffic {
  std::string name;  ///< "values", "columns", "x", ...
  std::int64_t requests = 0;
  std::int64_t sectors = 0;
  double dram_bytes_per_nnz = 0;  ///< model

  [[nodiscard]] double sectors_per_request() const {
    return requests == 0 ? 0.0 : static_cast<double>(sectors) / static_cast<double>(requests);
  }
};

/// A way to multiply that can be examined.
struct method_facts {
  std::string_view name;    ///< "csr_warp_shuffle"
  std::string_view source;  ///< where it comes from
  std::string_view family;  ///< the name without its block size: "csr_warp_shuffle" of csr_warp_shuffle_128
  int block_threads = 0;
};
[[nodiscard]] std::span<const method_facts> all_methods();

/// What the PTX of a method did, counted by its interpreter with lanes in step. Figures are per entry.
struct emitted_counts {
  double instructions_per_nnz = 0;  ///< of warps
  double active_lanes = 0;          ///< of 32, as a share: in all instructions
  double requests_per_nnz = 0;      ///< of global memory
  double sectors_per_nnz = 0;
  double shared_requests_per_nnz = 0;
  double bank_conflicts_per_nnz = 0;
};

/// Counts are of what was run, figures are per entry of the whole product. The model has sectors, an L2 and rates, but
/// no L1 and no time: a warp that works alone for long, on one long row, costs it no more than its requests.
struct method_report {
  std::string kernel;  ///< its name: "csr_stream"
  int block_threads = 0;
  std::string refused;  ///< why it was not run ("ELL would pad 1 to 900"), or empty
  // Counted.
  double active_lanes = 0;             ///< of 32, as a share: in requests for values, columns and x
  double requests_per_nnz = 0;         ///< of global memory
  double bytes_requested_per_nnz = 0;  ///< sectors, without any cache
  double shared_requests_per_nnz = 0;
  double bank_conflicts_per_nnz = 0;  ///< passes beyond the first over the banks of shared memory
  double atomics_per_nnz = 0;         ///< lanes' atomic operations on global memory
  std::vector<array_traffic> arrays;
  std::optional<emitted_counts> emitted;  ///< where lab_options::emitted asks for it
  // Modelled.
  double compulsory_bytes_per_nnz = 0;  ///< every sector that the method's arrays have and the product needs, once
  double dram_bytes_per_nnz = 0;        ///< through the L2
  double model_s = 0;                   ///< of the whole product
  double model_share = 0;  ///< of the GPU's bandwidth: compulsory bytes of CSR in model_s, over what it could move
  std::string bound_by;    ///< "DRAM", "L2", "requests", "launches"
};

struct lab_report {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t sampled_rows = 0;  ///< rows when everything was run
  std::int64_t sampled_entries = 0;
  bool fits_l2 = false;  ///< then DRAM bytes say little
  const gpu* model = nullptr;
  std::vector<method_report> methods;
};

struct lab_options {
  std::vector<std::string> kernels;  ///< names of method_facts
  const gpu* model = nullptr;
  std::int64_t most_entries = 0;  ///< larger matrices are sampled by blocks of rows; 0: nothing is
  int threads = 0;                ///< 0: as many as OpenMP would take
  bool emitted = false;           ///< also run the PTX of each method, under its interpreter
  lacis::progress progress;
};

/// Runs the methods on the matrix, whose rows are canonical; for float and double.
template <value Value>
[[nodiscard]] lab_report examine(const csr_view<Value, std::int32_t>& a, const lab_options& options);

/// What the launches of a product of two sparse matrices do that have one purpose and one list of rows.
struct product_part {
  std::string phase;               ///< "inspect", "count", "fill" or "sort"
  std::string list;                ///< of rows: "few", "medium", "wide", "large" or "dense"; empty for "inspect"
  std::int64_t rows = 0;           ///< that were run, as are the other counts
  std::int64_t products = 0;       ///< scalar products a_ik b_kj of these rows
  std::int64_t shared_probes = 0;  ///< slots of tables in shared memory that were looked at
  std::int64_t global_probes = 0;  ///< and in global memory
  int launches = 0;
  method_report asked;  ///< its kernel is the phase and the list; what is per entry there is per product here
};

struct product_report {
  std::int64_t rows = 0;
  std::int64_t products = 0;      ///< of the whole product
  std::int64_t sampled_rows = 0;  ///< rows when everything was run
  std::int64_t sampled_products = 0;
  std::int64_t sampled_entries = 0;  ///< of C
  const gpu* model = nullptr;
  std::vector<product_part> parts;

  [[nodiscard]] double model_s() const {
    double sum = 0;
    for (const product_part& part : parts) sum += part.asked.model_s;
    return sum;
  }
};

/// Runs A B by lists of rows, as devices do by default; of larger products windows of rows of A with so many products,
/// lab_options::most_entries. Methods are not chosen here. The rows of both are canonical.
template <value Value>
[[nodiscard]] product_report examine_product(const csr_view<Value, std::int32_t>& a,
                                             const csr_view<Value, std::int32_t>& b, const lab_options& options);

}  // namespace lacis::lab
