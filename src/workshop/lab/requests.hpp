// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Warp requests: what the lanes of a warp ask for at once, put together from what each lane did by itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "team/team.hpp"

namespace lacis::lab {

inline constexpr int sector_bytes = 32;
inline constexpr int line_sectors = 4;
inline constexpr int bank_count = 32;
inline constexpr int bank_bytes = 4;

/// An update is a load or a store, of an array of which the trace does not tell which.
enum class access_kind : std::uint8_t { load, store, update, atomic, shared };

/// One access of one lane.
struct lane_access {
  std::uint64_t address;
  std::uint32_t epoch;  ///< how often the lane had come to a barrier or to an operation of its warp
  std::uint16_t place;  ///< the line of the kernel and the array, as a number from 0 on
  std::uint8_t bytes;
  access_kind kind;
};

struct warp_request {
  std::uint16_t place = 0;
  access_kind kind = access_kind::load;
  int bytes = 0;       ///< of an element
  unsigned lanes = 0;  ///< that take part, as a mask
  std::array<std::uint64_t, simt::warp_size> addresses;
};

/// Aligns the accesses of 32 lanes. Lanes run in step and come together again where they meet: within an epoch, the
/// n-th access of each lane at a place is part of the n-th request of that place. A request is made when the last of
/// its lanes gets there.
class request_former {
 public:
  using log = std::vector<lane_access>;

  /// take(request) for each request of the warp, in order.
  template <class Take> void form(std::span<const log> lanes, Take&& take) {
    std::fill(begins_.begin(), begins_.end(), 0);
    while (next_epoch(lanes)) {
      if (in_step(lanes))
        take_in_step(lanes, take);
      else
        take_aligned(lanes, take);
    }
  }

 private:
  struct request {
    std::uint32_t last = 0;  ///< the largest place of a member in its lane's log
    std::int32_t members = -1;
  };
  struct member {
    std::uint32_t at;
    std::int32_t lane;
    std::int32_t next;
  };

  bool next_epoch(std::span<const log> lanes);
  [[nodiscard]] bool in_step(std::span<const log> lanes) const;
  void align(std::span<const log> lanes);

  static void add(warp_request& request, std::size_t lane, const lane_access& access) {
    request.place = access.place;
    request.kind = access.kind;
    request.bytes = access.bytes;
    request.lanes |= 1u << lane;
    request.addresses[lane] = access.address;
  }
  template <class Take> void take_in_step(std::span<const log> lanes, Take& take) {
    for (std::size_t k = 0; k < length_; ++k) {
      request_.lanes = 0;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        if (ends_[lane] > begins_of_epoch_[lane]) add(request_, lane, lanes[lane][begins_of_epoch_[lane] + k]);
      take(request_);
    }
  }
  template <class Take> void take_aligned(std::span<const log> lanes, Take& take) {
    align(lanes);
    for (const std::uint32_t r : order_) {
      request_.lanes = 0;
      for (std::int32_t m = requests_[r].members; m >= 0; m = members_[static_cast<std::size_t>(m)].next) {
        const member& one = members_[static_cast<std::size_t>(m)];
        const auto lane = static_cast<std::size_t>(one.lane);
        add(request_, lane, lanes[lane][begins_of_epoch_[lane] + one.at]);
      }
      take(request_);
    }
  }

  std::array<std::size_t, simt::warp_size> begins_{};           ///< of what has not been taken yet
  std::array<std::size_t, simt::warp_size> begins_of_epoch_{};  ///< of the epoch under way
  std::array<std::size_t, simt::warp_size> ends_{};
  std::size_t length_ = 0;                            ///< of the longest lane in the epoch
  std::vector<std::uint32_t> seen_;                   ///< by place: accesses of a lane so far
  std::vector<std::vector<std::uint32_t>> by_place_;  ///< the requests of a place
  std::vector<request> requests_;
  std::vector<member> members_;
  std::vector<std::uint32_t> order_;
  warp_request request_;
};

/// The different sectors that a request touches, ascending, to `sectors`; returns how many. Elements do not cross
/// sectors.
int sectors_of(const warp_request& request, std::array<std::uint64_t, simt::warp_size>& sectors);

/// Passes over the banks that a request of shared memory takes, and how many of them are conflicts. 32 banks of 4
/// bytes; lanes that read one word share it. Elements of 8 bytes are served in halves of the warp, of 16 in quarters.
struct shared_passes {
  int passes = 0;
  int conflicts = 0;
};
[[nodiscard]] shared_passes passes_of(const warp_request& request);

}  // namespace lacis::lab
