// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Does this build, on this machine, give the bits that the order of summation asks for?
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <lacis/device.hpp>
#include <lacis/isa.hpp>
#include <lacis/progress.hpp>

#include "interpreted/interpreted.hpp"

namespace lacis {

/// What verify() goes through.
struct verify_options {
  bool all = false;          ///< every matrix with every pair of types: minutes instead of seconds
  std::vector<isa> isas;     ///< empty: supported_isas()
  std::vector<int> threads;  ///< empty: 1, 2, 3, 4, 7; for sparse products 1 to 7, for columns and powers 1, 2, 3
  lacis::progress progress = {};
};

/// How often one operation was compared with one instruction set.
struct verify_count {
  std::string what;  ///< "csr", "sell", ..., "plan"
  lacis::isa isa = isa::scalar;
  std::int64_t compared = 0;
  std::int64_t differing = 0;
};

struct verify_report {
  std::int64_t products = 0;   ///< compared bit for bit, every NaN alike
  std::int64_t differing = 0;  ///< of the products, and of the refusals that did not come
  std::int64_t refusals = 0;   ///< products that had to throw, and were watched for it
  /// Of the results y = A x: the same for every build, machine, instruction set and number of threads where all is
  /// well.
  std::uint64_t digest = 0;
  std::vector<verify_count> table;
  std::vector<std::string> faults;  ///< the first few, in words
  std::string swept;                ///< what was gone through, in words
  std::string compiler;             ///< that the library was compiled with

  [[nodiscard]] bool good() const { return differing == 0; }
};

/// Multiplies the test matrices in every format and through plans, with every pair of types, and compares each
/// result with the reference, which is written as the order is defined. Throws error(unsupported) for an instruction
/// set that does not run here and error(invalid_argument) for a number of threads below 1; a product that is wrong or
/// throws is told in the report.
[[nodiscard]] verify_report verify(const verify_options& options = {});

/// The same for products of two sparse matrices and what is related to them: whole and in slabs, A B + D, A A^T,
/// P^T A P, masked products, dense products at the places of a pattern, and sums.
[[nodiscard]] verify_report verify_spgemm(const verify_options& options = {});

/// The same for several products in a row, one after the other and fused.
[[nodiscard]] verify_report verify_powers(const verify_options& options = {});
/// The same for products with 1 to 65 dense columns, row-major, column-major and with gaps.
[[nodiscard]] verify_report verify_spmm(const verify_options& options = {});

/// The operations that device kernels are verified by.
inline constexpr const char* kernel_operations[] = {"spmv", "convert", "spmm", "triangular", "spgemm", "vectors"};
/// The types of values of device kernels, as their names have them; options of the program have - for the space.
inline constexpr const char* kernel_values[] = {"float", "double", "complex float", "complex double"};

/// What verify_kernels() goes through.
struct kernel_verify_options {
  device_id device = devices::simt();  ///< or a GPU
  bool interpreted = false;            ///< instead: the PTX of the kernels under an interpreter
  int architecture = 0;                ///< of that PTX: 80 for compute capability 8.0; 0: the first there is
  std::string operation;               ///< only the kernels of one: a name of kernel_operations; empty: all
  std::string values;                  ///< only kernels with values of this type, and those without any; empty: all
  bool counted = false;                ///< interpreted, with lanes in step: fills in kernel_report::executed
  bool all = false;                    ///< every matrix in every schedule: minutes instead of seconds
  int threads = 0;           ///< of the host executor, over the blocks of a grid; 0: as many as OpenMP would take
  int repeats = 1;           ///< of every run in every schedule: a GPU takes another one each time
  double limit_seconds = 0;  ///< of one run; 0: none
  /// What happens when a run takes longer: the words name it and its kernel. The thread that waits for a kernel that
  /// hangs never comes back, so this is called by another one, and ends the process.
  std::function<void(const std::string& words)> hung = {};
  lacis::progress progress;
};

/// How often one device method was run and compared.
struct kernel_count {
  std::string what;   ///< "csr_stream"
  std::string order;  ///< of its sums: "canonical", "left to right", "any: integers"
  std::int64_t runs = 0;
  std::int64_t differing = 0;
};

struct kernel_report {
  std::int64_t runs = 0;  ///< results compared
  std::int64_t differing = 0;
  std::int64_t launches = 0;
  int kernels = 0;         ///< that were launched
  int instantiations = 0;  ///< of them, with their types
  int schedules = 0;       ///< orders in which blocks and threads took turns; a GPU has its own one
  std::vector<kernel_count> table;
  std::vector<std::string> faults;  ///< the first few, in words
  /// Kernels that no run reached: none, where all is well. Which kernels an operation should reach is known of spgemm
  /// alone.
  std::vector<std::string> never_launched;
  std::vector<interpreted::kernel_counters> executed;  ///< of each kernel, where asked for
  std::string stopped;                                 ///< why not everything was run: the device failed for good
  std::string swept;                                   ///< what was gone through, in words
  std::string compiler;

  [[nodiscard]] bool good() const { return differing == 0 && never_launched.empty() && stopped.empty(); }
};

/// Runs every device kernel and compares each result with the definition of its sums: under the host executor, with its
/// threads in several orders, or on a GPU. A kernel that breaks a rule of its threads is told in the report, by the
/// host executor with its line. Throws error(no_device) when the device is not there and error(invalid_argument) for
/// the processor, for which there is verify().
[[nodiscard]] kernel_report verify_kernels(const kernel_verify_options& options = {});

}  // namespace lacis
