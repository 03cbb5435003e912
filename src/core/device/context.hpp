// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// An open device: its table, its turn, its streams, and what lives in its memory.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <lacis/device_context.hpp>

#include "base/internal.hpp"
#include "device/runtime.hpp"
#include "device/vector.hpp"

namespace lacis::device {

/// A stream and the memory for the sums that are computed in it, one at a time.
struct stream_state {
  explicit stream_state(const lacis_runtime& table, void* handle) : device(table, handle) {}

  runtime device;
  std::mutex sums_turn;
  std::tuple<std::optional<vector_sums<float>>, std::optional<vector_sums<double>>,
             std::optional<vector_sums<std::complex<float>>>, std::optional<vector_sums<std::complex<double>>>>
      sums;
};

class core {
 public:
  /// Throws error(no_device) when it is not there.
  explicit core(device_id id);
  ~core();
  core(const core&) = delete;
  core& operator=(const core&) = delete;

  [[nodiscard]] device_id id() const { return id_; }
  [[nodiscard]] const lacis_runtime& table() const { return *table_; }
  /// The owner of arrays that outlive a call; works in the null stream.
  [[nodiscard]] runtime& home() { return null_->device; }
  [[nodiscard]] stream_state& null_stream() { return *null_; }

  [[nodiscard]] void* create_stream();
  void destroy_stream(stream_state& state) noexcept;
  /// Runs work that frees memory of the device, when all streams made here are done.
  template <class Work> void release(Work&& work) noexcept;

 private:
  friend class visit;

  device_id id_;
  const lacis_runtime* table_ = nullptr;
  std::recursive_mutex turn_;  ///< of the host executor, which one thread uses at a time
  std::mutex streams_turn_;
  std::vector<void*> streams_;
  std::optional<stream_state> null_;
};

/// The device of that name: one in a process, opened at the first call.
[[nodiscard]] LACIS_INTERNAL std::shared_ptr<core> core_of(device_id id);

/// While one exists, the calling thread works with the device: it is the current one, and no other thread has its turn.
class LACIS_INTERNAL visit {
 public:
  explicit visit(core& where);
  ~visit();
  visit(const visit&) = delete;
  visit& operator=(const visit&) = delete;

 private:
  core& where_;
  std::unique_lock<std::recursive_mutex> turn_;
  std::int32_t before_ = 0;
};

template <class Work> void core::release(Work&& work) noexcept {
  try {
    const visit here(*this);
    {
      const std::lock_guard guard(streams_turn_);
      for (void* const handle : streams_) table_->wait(table_->state, handle);
    }
    work();
  } catch (const error&) {
    // A device that cannot be reached any more has freed its memory.
  }
}

/// Something whose arrays are on a device, which it keeps open.
template <class T> class resident {
 public:
  resident(std::shared_ptr<core> where, T held)
      : where_(std::move(where)), held_(std::make_unique<T>(std::move(held))) {}
  ~resident() {
    where_->release([&] { held_.reset(); });
  }
  resident(const resident&) = delete;
  resident& operator=(const resident&) = delete;

  [[nodiscard]] const std::shared_ptr<core>& where() const { return where_; }
  [[nodiscard]] T& operator*() const { return *held_; }
  [[nodiscard]] T* operator->() const { return held_.get(); }

 private:
  std::shared_ptr<core> where_;
  std::unique_ptr<T> held_;
};

/// Throws error(invalid_argument) unless `what` is on the device `where`.
void require_device(const core& where, const device_context& has, const char* what);

}  // namespace lacis::device
