// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A device as the host side of an operation sees it: arrays, launches, scans and sorts over the table.
#pragma once

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/types.hpp>

#include "base/internal.hpp"
#include "device/table.hpp"
#include "kernels/kernel.hpp"
#include "team/fields.hpp"
#include "team/memory.hpp"

namespace lacis::device {

using simt::raw_memory;

namespace detail {
template <class T> struct device_type {
  using type = T;
};
template <class Real> struct device_type<std::complex<Real>> {
  using type = simt::complex_number<Real>;
};
}  // namespace detail

/// The type that stands for a host type in kernels: complex_number for std::complex, everything else itself.
template <class T> using device_of = typename detail::device_type<T>::type;

template <class T> device_of<T> to_device(T x) {
  if constexpr (is_complex<T>)
    return {x.real(), x.imag()};
  else
    return x;
}

class runtime;

/// An array on a device; T is a device type. Freed in the order of its stream.
template <class T> class device_array {
 public:
  device_array() = default;
  device_array(runtime& owner, std::int64_t size);
  ~device_array() { reset(); }
  device_array(device_array&& other) noexcept { *this = std::move(other); }
  device_array& operator=(device_array&& other) noexcept {
    std::swap(owner_, other.owner_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  void reset();
  runtime* owner_ = nullptr;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

class runtime {
 public:
  explicit runtime(const lacis_runtime& table, void* stream = nullptr) : table_(&table), stream_(stream) {}

  /// Of the device that the calling thread works with; asked for once, as a GPU takes milliseconds to answer. What is
  /// free changes: see free_bytes().
  [[nodiscard]] const lacis_device_facts& facts() const {
    std::call_once(asked_, [this] { check(table_->probe(table_->state, -1, &facts_)); });
    return facts_;
  }
  /// For new arrays, now.
  [[nodiscard]] std::int64_t free_bytes() const {
    lacis_device_facts now{};
    check(table_->probe(table_->state, -1, &now));
    return now.free_bytes;
  }

  template <class T> [[nodiscard]] device_array<T> allocate(std::int64_t size) { return {*this, size}; }
  template <class T> [[nodiscard]] device_array<T> zeros(std::int64_t size) {
    device_array<T> array(*this, size);
    fill(array, 0);
    return array;
  }
  template <class T> void fill(device_array<T>& array, int byte) {
    if (array.size() > 0)
      check(
          table_->fill(table_->state, array.data(), byte, static_cast<std::size_t>(array.size()) * sizeof(T), stream_));
  }
  /// A copy of a host array, which may be a temporary: it has been read when this returns. std::complex becomes
  /// complex_number.
  template <class T> [[nodiscard]] auto upload(std::span<const T> host) {
    device_array<device_of<T>> array(*this, static_cast<std::int64_t>(host.size()));
    copy(array.data(), host.data(), host.size_bytes(), lacis_copy_to_device);
    if (!host.empty()) wait();
    return array;
  }
  /// The first host.size() elements of the array, when all work before has been done.
  template <class T> void download(const device_of<T>* array, std::span<T> host) {
    copy(host.data(), array, host.size_bytes(), lacis_copy_to_host);
    wait();
  }
  template <class T> [[nodiscard]] std::vector<T> download(const device_array<device_of<T>>& array) {
    std::vector<T> host(static_cast<std::size_t>(array.size()));
    download<T>(array.data(), std::span<T>(host));
    return host;
  }
  /// One element, as a number on the host.
  template <class T> [[nodiscard]] T read(const T* element) {
    T value;
    copy(&value, element, sizeof value, lacis_copy_to_host);
    wait();
    return value;
  }

  /// Launches a kernel whose pointers are device pointers; nothing when there are no blocks. Throws
  /// error(invalid_argument) for a block that the kernel does not take.
  template <class Kernel>
  void launch(const Kernel& kernel, std::int64_t blocks, int block_threads = Kernel::block_threads) {
    static_assert(std::is_same_v<typename Kernel::template with<raw_memory>, Kernel>, "launches take raw_memory");
    if (blocks == 0) return;
    if (blocks < 0 || blocks > std::numeric_limits<std::int32_t>::max())
      throw error(errc::overflow, std::string("kernel ") + Kernel::name + ": the grid would have " +
                                      std::to_string(blocks) + " blocks; a grid has at most 2147483647");
    if (!kernels::takes_block<Kernel>(block_threads))
      throw error(errc::invalid_argument, std::string("kernel ") + Kernel::name + " does not take blocks of " +
                                              std::to_string(block_threads) + " threads");
    if (!launches_.empty()) ++launches_[static_cast<std::size_t>(kernels::number_of<Kernel>)];
    if (last_kernel_ != nullptr) last_kernel_->store(Kernel::name, std::memory_order_relaxed);
    simt::with_fields(kernel, [&](const auto&... members) {
      void* arguments[] = {const_cast<void*>(static_cast<const void*>(&members))...};
      check(table_->launch(table_->state, kernels::number_of<Kernel>, static_cast<std::int32_t>(blocks), block_threads,
                           arguments, static_cast<std::int32_t>(sizeof...(members)), stream_));
    });
  }
  /// From now on launches are counted here, by the kernels' numbers: kernels::kernel_numbers of them.
  void count_launches(std::span<std::int64_t> launches) { launches_ = launches; }
  /// From now on the name of the kernel that is being launched is written here, for other threads to read.
  void name_launches(std::atomic<const char*>& last) { last_kernel_ = &last; }
  /// One thread for each of `items`.
  template <class Kernel> void launch_over(const Kernel& kernel, std::int64_t items) {
    launch(kernel, blocks_for(items, Kernel::block_threads));
  }
  [[nodiscard]] static std::int64_t blocks_for(std::int64_t items, std::int64_t in_block) {
    return (items + in_block - 1) / in_block;
  }

  /// offsets[0 .. counts.size()] of the counts.
  void scan(const std::int64_t* counts, std::int64_t* offsets, std::int64_t count) {
    check(table_->scan(table_->state, counts, offsets, count, stream_));
  }
  template <class Key, class Value>
  void sort_segments(Key* keys, Value* values, const std::int64_t* offsets, std::int64_t segments, std::int64_t count) {
    check(table_->sort_segments(table_->state, keys, sizeof(Key), values, sizeof(Value), offsets, segments, count,
                                stream_));
  }
  [[nodiscard]] std::int64_t largest(const std::int64_t* values, std::int64_t count) {
    return reduced(lacis_reduce_max, values, count);
  }
  [[nodiscard]] std::int64_t sum(const std::int64_t* values, std::int64_t count) {
    return reduced(lacis_reduce_sum, values, count);
  }

  void wait() { check(table_->wait(table_->state, stream_)); }
  void copy(void* to, const void* from, std::size_t bytes, lacis_copy_direction direction) {
    if (bytes > 0) check(table_->copy(table_->state, to, from, bytes, direction, stream_));
  }
  [[nodiscard]] const lacis_runtime& table() const { return *table_; }
  [[nodiscard]] void* stream() const { return stream_; }
  /// Throws what a function of the table reports.
  LACIS_INTERNAL void check(std::int32_t code) const;

 private:
  [[nodiscard]] std::int64_t reduced(lacis_reduction operation, const std::int64_t* values, std::int64_t count) {
    device_array<std::int64_t> result(*this, 1);
    check(table_->reduce(table_->state, operation, values, count, result.data(), stream_));
    return read(result.data());
  }

  const lacis_runtime* table_;
  void* stream_;
  std::span<std::int64_t> launches_;
  std::atomic<const char*>* last_kernel_ = nullptr;
  mutable std::once_flag asked_;
  mutable lacis_device_facts facts_{};
};

template <class T> device_array<T>::device_array(runtime& owner, std::int64_t size) : owner_(&owner), size_(size) {
  if (size == 0) return;
  void* memory = nullptr;
  owner.check(
      owner.table().allocate(owner.table().state, static_cast<std::size_t>(size) * sizeof(T), owner.stream(), &memory));
  data_ = static_cast<T*>(memory);
}

template <class T> void device_array<T>::reset() {
  if (data_ != nullptr) owner_->table().release(owner_->table().state, data_, owner_->stream());
  data_ = nullptr;
}

}  // namespace lacis::device
