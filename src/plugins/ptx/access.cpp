// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomic operations.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "ptx/arithmetic.hpp"
#include "ptx/machine.hpp"

namespace lacis::ptx {
namespace {

constexpr std::uint64_t sector_bytes = 32;
constexpr std::uint64_t banks = 32;
constexpr std::uint64_t bank_bytes = 4;

std::uint64_t extended(std::uint64_t bits, type kind) {
  switch (kind) {
    case type::s8:
      return bits_of<std::int64_t>(value_of<std::int8_t>(bits));
    case type::s16:
      return bits_of<std::int64_t>(value_of<std::int16_t>(bits));
    case type::s32:
      return bits_of<std::int64_t>(value_of<std::int32_t>(bits));
    default:
      return bits;
  }
}

// Sizes that instructions have most often, so that copying is a move and no call.
[[gnu::always_inline]] inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 4)
    std::memcpy(to, from, 4);
  else if (bytes == 8)
    std::memcpy(to, from, 8);
  else
    std::memcpy(to, from, bytes);
}
[[gnu::always_inline]] inline std::uint64_t bits_at(const char* at, std::size_t bytes) {
  if (bytes == 4) {
    std::uint32_t bits;
    std::memcpy(&bits, at, 4);
    return bits;
  }
  std::uint64_t bits = 0;
  copy_bytes(&bits, at, bytes);
  return bits;
}

/// atom.add.f32 on global memory flushes subnormal numbers to zero.
float flushed(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value; }

std::uint64_t sum_of(const instruction& i, std::uint64_t a, std::uint64_t b) {
  if (i.kind == type::f64) return bits_of(value_of<double>(a) + value_of<double>(b));
  if (i.kind != type::f32) return a + b;
  const auto x = value_of<float>(a);
  const auto y = value_of<float>(b);
  return i.where == space::shared ? bits_of(x + y) : bits_of(flushed(flushed(x) + flushed(y)));
}
template <class T> std::uint64_t chosen(std::uint64_t a, std::uint64_t b, bool larger) {
  const T x = value_of<T>(a);
  const T y = value_of<T>(b);
  return bits_of(larger ? std::max(x, y) : std::min(x, y));
}
std::uint64_t extreme_of(const instruction& i, std::uint64_t a, std::uint64_t b) {
  const bool larger = i.operation == rmw::max;
  switch (i.kind) {
    case type::s32:
      return chosen<std::int32_t>(a, b, larger);
    case type::s64:
      return chosen<std::int64_t>(a, b, larger);
    case type::u32:
      return chosen<std::uint32_t>(a, b, larger);
    default:
      return chosen<std::uint64_t>(a, b, larger);
  }
}

}  // namespace

machine::place machine::locate(warp& w, const instruction& i, int lane, std::size_t bytes) {
  const std::uint64_t address = lanes_of(w.registers.data(), i.address)[lane] + static_cast<std::uint64_t>(i.offset);
  if ((address & (bytes - 1)) != 0) stop(w, i, lane, "address not aligned to " + std::to_string(bytes) + " bytes");
  if (i.where == space::parameter) {
    if (address > parameters_.size() || bytes > parameters_.size() - address)
      stop(w, i, lane, "outside of the parameters");
    return {parameters_.data() + address, nullptr};
  }
  storage& shared = w.home->shared;
  if (i.where == space::shared) {
    const auto offset = static_cast<std::uint32_t>(address);
    if (offset > shared.bytes() || bytes > shared.bytes() - offset)
      stop(w, i, lane,
           "shared memory ends at byte " + std::to_string(shared.bytes()) + ", this is " + std::to_string(offset));
    return {shared.begin() + offset, &shared};
  }
  if (i.where == space::local) {
    if (address > kernel_->local_bytes || bytes > kernel_->local_bytes - address)
      stop(w, i, lane, "outside of the memory of a lane");
    return {w.local.data() + static_cast<std::size_t>(lane) * kernel_->local_bytes + address, nullptr};
  }
  char* const at = reinterpret_cast<char*>(address);  // of the device, which is memory of this process
  if (i.where == space::generic && shared.contains(at, bytes)) return {at, &shared};
  if (i.where == space::generic && kernel_->local_bytes > 0 && at >= w.local.data() &&
      at + bytes <= w.local.data() + w.local.size())
    return {at, nullptr};
  storage* const found = memory_.find(at, bytes);
  if (found == nullptr) stop(w, i, lane, "an address outside of every array");
  return {at, found};
}

void machine::load(warp& w, const instruction& i, lane_mask mask) {
  const auto size = static_cast<std::size_t>(bytes_of(i.kind));
  const std::size_t bytes = size * i.count;
  std::uint64_t* const registers = w.registers.data();
  if (options.count != 0) count_request(w, i, mask, bytes);
  each_lane(mask, [&](int lane) {
    const place from = locate(w, i, lane, bytes);
    char value[32];
    copy_bytes(value, from.at, bytes);
    if (from.in != nullptr) {
      if (!kernel_->of_cub && !from.in->is_filled(from.at, bytes))
        stop(w, i, lane, "a load of memory that was never written");
      if (may_be_stale(w, i, lane, from, bytes))
        for (std::size_t k = 0; k < bytes; k += 4)
          std::memcpy(value + k, &from.in->word_of(from.at + k, launch_).previous, 4);
      touch(w, i, lane, from, bytes, false, nullptr);
      if (i.order != memory_order::weak) acquire_at(w, i, lane, from.at);
    }
    for (std::size_t k = 0; k < i.count; ++k)
      if (i.to[k] != none) lanes_of(registers, i.to[k])[lane] = extended(bits_at(value + k * size, size), i.kind);
  });
}

void machine::store(warp& w, const instruction& i, lane_mask mask) {
  const auto size = static_cast<std::size_t>(bytes_of(i.kind));
  const std::size_t bytes = size * i.count;
  if (options.count != 0) count_request(w, i, mask, bytes);
  each_lane(mask, [&](int lane) {
    const place to = locate(w, i, lane, bytes);
    char value[32];
    for (std::size_t k = 0; k < i.count; ++k)
      copy_bytes(value + k * size, lanes_of(w.registers.data(), i.from[k]) + lane, size);
    if (to.in != nullptr) {
      if (i.order != memory_order::weak) release_at(w, i, lane, to.at, false);
      touch(w, i, lane, to, bytes, true, value);
      to.in->mark_filled(to.at, bytes);
    }
    copy_bytes(to.at, value, bytes);
  });
}

void machine::atomic(warp& w, const instruction& i, lane_mask mask) {
  const auto bytes = static_cast<std::size_t>(bytes_of(i.kind));
  std::uint64_t* const registers = w.registers.data();
  if (options.count != 0) count_request(w, i, mask, bytes);
  each_lane(mask, [&](int lane) {
    const place at = locate(w, i, lane, bytes);
    if (at.in == nullptr) stop(w, i, lane, "an atomic operation on the memory of one lane");
    if (!at.in->is_filled(at.at, bytes)) stop(w, i, lane, "an atomic operation on memory that was never written");
    const std::uint64_t bits = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
    const std::uint64_t before = bits_at(at.at, bytes);
    const std::uint64_t value = lanes_of(registers, i.from[0])[lane] & bits;
    std::uint64_t after = before;
    switch (i.operation) {
      case rmw::add:
        after = sum_of(i, before, value);
        break;
      case rmw::min:
      case rmw::max:
        after = extreme_of(i, before, value);
        break;
      case rmw::exchange:
        after = value;
        break;
      case rmw::compare_exchange:
        after = before == value ? lanes_of(registers, i.from[1])[lane] : before;
        break;
      case rmw::increment:
        after = before >= value ? 0 : before + 1;
        break;
      case rmw::bit_and:
        after = before & value;
        break;
      case rmw::bit_or:
        after = before | value;
        break;
    }
    acquire_at(w, i, lane, at.at);
    release_at(w, i, lane, at.at, true);
    touch(w, i, lane, at, bytes, true, reinterpret_cast<const char*>(&after));
    std::memcpy(at.at, &after, bytes);
    if (i.to[0] != none) lanes_of(registers, i.to[0])[lane] = before;
  });
}

void machine::convert_address(warp& w, const instruction& i, lane_mask mask) {
  std::uint64_t* const registers = w.registers.data();
  each_lane(mask, [&](int lane) {
    const char* const base = i.where == space::shared
                                 ? w.home->shared.begin()
                                 : w.local.data() + static_cast<std::size_t>(lane) * kernel_->local_bytes;
    const auto offset = reinterpret_cast<std::uint64_t>(base);
    const std::uint64_t from = lanes_of(registers, i.from[0])[lane];
    lanes_of(registers, i.to[0])[lane] = i.to_space ? from - offset : from + offset;
  });
}

void machine::count_request(warp& w, const instruction& i, lane_mask mask, std::size_t bytes) {
  if (mask == 0 || i.where == space::local || i.where == space::parameter) return;
  const auto address_of = [&](int lane) {
    return lanes_of(w.registers.data(), i.address)[lane] + static_cast<std::uint64_t>(i.offset);
  };
  // The different units of memory that lanes touch; most often neighbours in ascending order.
  const auto find_touched = [&](lane_mask some, std::uint64_t unit) {
    touched_.clear();
    each_lane(some, [&](int lane) {
      const std::uint64_t address = address_of(lane);
      for (std::uint64_t at = address / unit; at <= (address + bytes - 1) / unit; ++at)
        if (touched_.empty() || touched_.back() != at) touched_.push_back(at);
    });
    if (!std::ranges::is_sorted(touched_)) std::ranges::sort(touched_);
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  };
  const bool shared =
      i.where == space::shared ||
      (i.where == space::generic &&
       w.home->shared.contains(reinterpret_cast<const char*>(address_of(std::countr_zero(mask))), bytes));
  if (!shared) {
    ++counters.requests;
    find_touched(mask, sector_bytes);
    counters.sectors += touched_.size();
    return;
  }
  ++counters.shared_requests;
  // Accesses of 8 bytes are served in halves of the warp, of 16 in quarters.
  const int group = lanes / static_cast<int>(std::max<std::size_t>(1, bytes / bank_bytes));
  for (int first = 0; first < lanes; first += group) {
    const lane_mask some = mask & (all_lanes >> (lanes - group) << first);
    if (some == 0) continue;
    std::uint64_t turns[banks] = {};
    find_touched(some, bank_bytes);
    for (const std::uint64_t word : touched_) ++turns[word % banks];
    counters.bank_conflicts += *std::ranges::max_element(turns) - 1;
  }
}

}  // namespace lacis::ptx
