// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The runtime of the host executor: device memory is host memory that kernels reach only through checked pointers.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "base/internal.hpp"
#include "device/table.hpp"
#include "simt/host_kernels.hpp"

namespace lacis::device {

struct simt_options {
  simt::schedule turns;
  int threads = 0;                      ///< of the system, over blocks; 0: as many as OpenMP would take
  const allocations* arrays = nullptr;  ///< that are not of this runtime, but that it works on; null: its own
};

/// Owns its arrays and its executor; used by one thread at a time. New arrays hold garbage, as on a device.
class LACIS_INTERNAL simt_runtime final : private allocations {
 public:
  explicit simt_runtime(const simt_options& options = {});
  ~simt_runtime() override;
  simt_runtime(const simt_runtime&) = delete;
  simt_runtime& operator=(const simt_runtime&) = delete;

  [[nodiscard]] const lacis_runtime& table() const { return table_; }
  void set_turns(const simt::schedule& turns) { turns_ = turns; }
  /// Launches from now on are traced; null: no longer. See simt::executor.
  void trace_by(simt::tracer* listener) { executor_.trace_by(listener); }
  [[nodiscard]] std::int64_t launches() const { return launches_; }
  [[nodiscard]] std::int64_t allocations_made() const { return allocations_made_; }
  [[nodiscard]] std::int64_t bytes_in_use() const { return bytes_; }
  /// At any time so far, or since forget_peak().
  [[nodiscard]] std::int64_t most_bytes_in_use() const { return most_bytes_; }
  void forget_peak() { most_bytes_ = bytes_; }

 private:
  struct functions;
  [[nodiscard]] range find(const void* pointer) const override;
  void require(const void* memory, std::size_t bytes, const char* what) const;

  lacis_runtime table_{};
  simt::executor executor_;
  simt::schedule turns_;
  const allocations* foreign_arrays_;
  std::map<const char*, std::size_t> arrays_;
  std::int64_t launches_ = 0;
  std::int64_t allocations_made_ = 0;
  std::int64_t bytes_ = 0;
  std::int64_t most_bytes_ = 0;
  std::string message_;
};

}  // namespace lacis::device
