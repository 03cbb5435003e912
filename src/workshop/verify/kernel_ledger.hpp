// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Runs device operations in every schedule of their device and writes down what it has compared.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/context.hpp"
#include "device/runtime.hpp"
#include "simt/runtime.hpp"
#include "verify/ledger.hpp"
#include "verify/verify.hpp"
#include "verify/watchdog.hpp"

namespace lacis::verification {

/// Forward, reverse and one shuffled order, or eight of them.
[[nodiscard]] std::vector<simt::schedule> schedules(bool all);

/// How the threads of a device take turns.
struct device_schedule {
  std::string name;
  std::function<void()> set;
};

/// One operation on one operand.
struct kernel_trial {
  std::string what;    ///< the row of the table: "csr_stream"
  std::string order;   ///< of its sums
  std::string types;   ///< "double, 32-bit columns"
  std::string matrix;  ///< or sizes
  std::string form;    ///< "y = alpha A x + beta y"
};

/// Thrown when the device fails in a way that every later call will report again, as after an illegal address.
struct device_lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class kernel_ledger {
 public:
  /// Throws error(no_device) when the device is not there. Schedules are for the host executor; the interpreter of PTX
  /// has its own, and a GPU has one.
  kernel_ledger(const kernel_verify_options& options, const std::vector<simt::schedule>& schedules);

  /// work(device) in every schedule, as often as the options say; it returns what is wrong, or nothing. Throws
  /// device_lost.
  void check(const kernel_trial& t, const std::function<std::string(device::runtime&)>& work);
  /// work(device) gives a result in every schedule that must have the bits of `expected`.
  template <value T>
  void compare(const kernel_trial& t, std::span<const T> expected,
               const std::function<std::vector<T>(device::runtime&)>& work) {
    check(t, [&](device::runtime& device) {
      const std::vector<T> got = work(device);
      return difference<T>(got, expected, [](std::int64_t element) { return "element " + std::to_string(element); });
    });
  }

  [[nodiscard]] bool all() const { return all_; }
  /// The most scalar products of a sparse product: more take minutes under fibers, and hours under an interpreter.
  [[nodiscard]] std::int64_t most_products() const { return all_ && !interpreted_ ? 200'000 : 4'000; }
  /// The most warps that a GPU runs at a time; 0 where an executor takes blocks in turn.
  [[nodiscard]] std::int64_t resident_warps() const { return resident_warps_; }
  /// sweep() until it ends or the device is lost; then what the launches tell.
  [[nodiscard]] kernel_report& report_of(const std::function<void()>& sweep);
  [[nodiscard]] kernel_report& report() { return report_; }
  /// "forward turns, reverse turns and shuffled turns 1"
  [[nodiscard]] std::string schedule_names() const;
  /// How often each kernel was launched, by number.
  [[nodiscard]] std::span<const std::int64_t> launches() const { return launches_; }

 private:
  kernel_count& count_of(const kernel_trial& t);
  [[nodiscard]] bool answers() const;
  void run(const kernel_trial& t, const std::string& schedule,
           const std::function<std::string(device::runtime&)>& work);

  bool all_;
  bool interpreted_;
  std::vector<device_schedule> schedules_;
  bool in_turn_ = false;  ///< a trial is run in one of them, the next trial in the next: interpreting takes long
  std::size_t trials_ = 0;
#ifdef LACIS_WITH_SIMT
  std::optional<device::simt_runtime> host_;  ///< of its own, so that it may choose threads and turns
#endif
  std::shared_ptr<device::core> gpu_;
  const lacis_runtime* table_ = nullptr;  ///< of whichever it is
  std::int64_t resident_warps_ = 0;
  int repeats_;
  std::vector<std::int64_t> launches_;
  std::atomic<const char*> kernel_ = nullptr;  ///< that was launched last
  std::string run_;                            ///< that is under way, in words
  watchdog watch_;
  kernel_report report_;
};

/// Of the kernels without launches those that these options should have reached.
[[nodiscard]] std::vector<std::string> missed_kernels(std::span<const std::int64_t> launches,
                                                      const kernel_verify_options& options);

// What is run, one function per operation: all its kernels with one pair of types.
template <value Value, index Index> void verify_convert_kernels(kernel_ledger& book);
template <value Value, index Index> void verify_spgemm_kernels(kernel_ledger& book);
template <value Value, index Index> void verify_spmm_kernels(kernel_ledger& book);
template <value Value, index Index> void verify_spmv_kernels(kernel_ledger& book);
template <value Value, index Index> void verify_triangular_kernels(kernel_ledger& book);
template <value Value> void verify_vector_kernels(kernel_ledger& book);

}  // namespace lacis::verification
