// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Listens to a traced launch, and turns what its threads did into requests that are counted and sent to the model.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lab/memory.hpp"
#include "lab/requests.hpp"
#include "lab/roles.hpp"
#include "lab/schedule.hpp"
#include "simt/tracer.hpp"

namespace lacis::lab {

/// Which blocks of a grid rates are taken from: the second half when the first one warms the cache up.
enum class measured_blocks { all, second_half };

class launch_trace final : public simt::tracer {
 public:
  launch_trace(const gpu& model, const address_map& map, traffic& counts)
      : map_(map), counts_(counts), memory_(model, counts), schedule_(model, memory_) {}

  /// To be called when the map has got other arrays.
  void arrays_changed();
  void measure(measured_blocks which) { measured_ = which; }
  [[nodiscard]] int launches() const { return launches_; }
  /// Of the first launch.
  [[nodiscard]] int block_threads() const { return first_block_threads_; }

  void launch_begins(const simt::launch_shape& shape) override;
  void access(int thread, const simt::traced_access& what) override;
  void atomic(int thread, const void* element) override;
  void meets(int thread) override { ++epochs_[static_cast<std::size_t>(thread)]; }
  void block_ends(int block) override;
  void launch_ends() override { schedule_.end_launch(); }

 private:
  /// A line of a kernel and an array.
  struct place {
    const char* file = nullptr;
    int line = 0;
    const void* array = nullptr;
    role which = role::other;
    bool shared = false;
    bool updated = false;
    std::uint64_t shift = 0;  ///< from addresses of the host to those of the model
  };
  std::uint16_t place_of(const simt::traced_access& what);
  void take(const warp_request& request, block_requests& block);

  const address_map& map_;
  traffic& counts_;
  memory_model memory_;
  schedule schedule_;
  measured_blocks measured_ = measured_blocks::all;
  int launches_ = 0;
  int first_block_threads_ = 0;
  int block_threads_ = 0;
  int blocks_ = 0;
  std::vector<place> places_;
  std::array<std::uint16_t, 256> recent_{};  ///< a place by a hash of line and array
  std::vector<std::uint32_t> epochs_;        ///< of the block's threads
  std::vector<request_former::log> logs_;    ///< of the block's threads
  request_former former_;
};

}  // namespace lacis::lab
