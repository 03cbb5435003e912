// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The table of functions over the host executor.
#include "simt/runtime.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "kernels/names.hpp"
#include "simt/executor.hpp"

namespace lacis::device {
namespace {

using lacis::detail::text;
using clock = std::chrono::steady_clock;

constexpr std::size_t alignment = 256;

const host_kernel_table& all_kernels() {
  static const host_kernel_table table = [] {
    host_kernel_table all(static_cast<std::size_t>(kernels::kernel_numbers));
#define LACIS_ADD(header) add_##header##_kernels(all);
    LACIS_FOR_EACH_KERNEL_HEADER(LACIS_ADD)
#undef LACIS_ADD
    return all;
  }();
  return table;
}

template <class Key> void sort_keys(Key* keys, char* values, std::size_t value_bytes, std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return keys[a] < keys[b]; });
  const std::vector<Key> old_keys(keys, keys + count);
  const std::vector<char> old_values(values, values + static_cast<std::size_t>(count) * value_bytes);
  for (std::size_t k = 0; k < order.size(); ++k) {
    keys[k] = old_keys[static_cast<std::size_t>(order[k])];
    std::memcpy(values + k * value_bytes, old_values.data() + static_cast<std::size_t>(order[k]) * value_bytes,
                value_bytes);
  }
}

}  // namespace

void refuse_pointer(const char* kernel, int argument, const char* why) {
  throw error(errc::invalid_argument, text("kernel ", kernel, ": argument ", argument, ' ', why));
}

void pointer_maker::remember(const char* array, bool input, int argument) {
  for (int k = 0; k < count_; ++k)
    if (arrays_[k] == array && inputs_[k] != input)
      refuse_pointer(kernel_, argument, "points into an array that is an input and an output of one launch");
  arrays_[count_] = array;
  inputs_[count_++] = input;
}

struct simt_runtime::functions {
  /// Runs work(runtime) and turns exceptions into codes.
  template <class Work> static std::int32_t guarded(void* state, Work&& work) {
    auto& self = *static_cast<simt_runtime*>(state);
    try {
      work(self);
      return lacis_code_ok;
    } catch (const std::bad_alloc&) {
      self.message_ = "the host executor is out of memory";
      return lacis_code_no_memory;
    } catch (const error& e) {
      self.message_ = e.what();
      return e.code() == errc::kernel_fault       ? lacis_code_kernel_fault
             : e.code() == errc::invalid_argument ? lacis_code_invalid
                                                  : lacis_code_device;
    }
  }

  static std::int32_t probe(void* state, std::int32_t number, lacis_device_facts* facts) {
    *facts = {};
    if (number > 0) return no_such_device(state);
    std::strncpy(facts->name, "host executor", sizeof facts->name - 1);
    facts->multiprocessors = 4;  // few: grids that fill the device stay small enough to run under fibers
    facts->memory_bytes = std::int64_t{1} << 32;
    facts->free_bytes = facts->memory_bytes - static_cast<simt_runtime*>(state)->bytes_;
    facts->shared_bytes = 48 * 1024;
    return lacis_code_ok;
  }
  static std::int32_t use(void* state, std::int32_t number, std::int32_t* before) {
    if (number != 0) return no_such_device(state);
    if (before != nullptr) *before = 0;
    return lacis_code_ok;
  }
  static std::int32_t no_such_device(void* state) {
    static_cast<simt_runtime*>(state)->message_ = "there is one host executor: device 0";
    return lacis_code_no_device;
  }
  static const char* message(void* state, std::int32_t) { return static_cast<simt_runtime*>(state)->message_.c_str(); }

  static std::int32_t allocate(void* state, std::size_t bytes, void*, void** memory) {
    return guarded(state, [&](simt_runtime& self) {
      const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
      void* const array = std::aligned_alloc(alignment, rounded);
      if (array == nullptr) throw std::bad_alloc();
      std::memset(array, 0xcb, rounded);
      self.arrays_.emplace(static_cast<const char*>(array), bytes);
      ++self.allocations_made_;
      self.bytes_ += static_cast<std::int64_t>(bytes);
      self.most_bytes_ = std::max(self.most_bytes_, self.bytes_);
      *memory = array;
    });
  }
  static std::int32_t release(void* state, void* memory, void*) {
    return guarded(state, [&](simt_runtime& self) {
      const auto array = self.arrays_.find(static_cast<const char*>(memory));
      if (array == self.arrays_.end())
        throw error(errc::invalid_argument, "release of something that is not an array of the device");
      self.bytes_ -= static_cast<std::int64_t>(array->second);
      self.arrays_.erase(array);
      std::free(memory);
    });
  }
  static std::int32_t copy(void* state, void* to, const void* from, std::size_t bytes, lacis_copy_direction direction,
                           void*) {
    return guarded(state, [&](simt_runtime& self) {
      if (direction != lacis_copy_to_host) self.require(to, bytes, "the target of a copy");
      if (direction != lacis_copy_to_device) self.require(from, bytes, "the source of a copy");
      std::memcpy(to, from, bytes);
    });
  }
  static std::int32_t fill(void* state, void* memory, int byte, std::size_t bytes, void*) {
    return guarded(state, [&](simt_runtime& self) {
      self.require(memory, bytes, "what is filled");
      std::memset(memory, byte, bytes);
    });
  }

  static std::int32_t launch(void* state, std::int32_t kernel, std::int32_t blocks, std::int32_t block_threads,
                             void** arguments, std::int32_t argument_count, void*) {
    return guarded(state, [&](simt_runtime& self) {
      const host_kernel_table& table = all_kernels();
      if (kernel < 0 || kernel >= kernels::kernel_numbers || table[static_cast<std::size_t>(kernel)].run == nullptr)
        throw error(errc::invalid_argument, text("there is no kernel ", kernel));
      const host_kernel& entry = table[static_cast<std::size_t>(kernel)];
      if (entry.argument_count != argument_count)
        throw error(errc::invalid_argument,
                    text("kernel ", entry.name, " has ", entry.argument_count, " arguments, not ", argument_count));
      ++self.launches_;
      entry.run({self.executor_, self, self.turns_, blocks, block_threads, arguments});
    });
  }
  static std::int32_t scan(void* state, const std::int64_t* counts, std::int64_t* offsets, std::int64_t count, void*) {
    return guarded(state, [&](simt_runtime& self) {
      self.require(counts, static_cast<std::size_t>(count) * 8, "what is scanned");
      self.require(offsets, static_cast<std::size_t>(count + 1) * 8, "the result of a scan");
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t own = counts[k];
        offsets[k] = sum;
        sum += own;
      }
      offsets[count] = sum;
    });
  }
  static std::int32_t sort_segments(void* state, void* keys, std::int32_t key_bytes, void* values,
                                    std::int32_t value_bytes, const std::int64_t* offsets, std::int64_t segments,
                                    std::int64_t count, void*) {
    return guarded(state, [&](simt_runtime& self) {
      if ((key_bytes != 4 && key_bytes != 8) || (value_bytes != 4 && value_bytes != 8 && value_bytes != 16))
        throw error(errc::invalid_argument, text("no sort of keys of ", key_bytes, " and values of ", value_bytes,
                                                 " bytes; keys have 4 or 8, values 4, 8 or 16"));
      self.require(keys, static_cast<std::size_t>(count * key_bytes), "the keys of a sort");
      self.require(values, static_cast<std::size_t>(count * value_bytes), "the values of a sort");
      self.require(offsets, static_cast<std::size_t>(segments + 1) * 8, "the segments of a sort");
      for (std::int64_t s = 0; s < segments; ++s) {
        const std::int64_t begin = offsets[s];
        auto* const moved = static_cast<char*>(values) + begin * value_bytes;
        if (key_bytes == 4)
          sort_keys(static_cast<std::int32_t*>(keys) + begin, moved, static_cast<std::size_t>(value_bytes),
                    offsets[s + 1] - begin);
        else
          sort_keys(static_cast<std::int64_t*>(keys) + begin, moved, static_cast<std::size_t>(value_bytes),
                    offsets[s + 1] - begin);
      }
    });
  }
  static std::int32_t reduce(void* state, lacis_reduction operation, const std::int64_t* values, std::int64_t count,
                             std::int64_t* result, void*) {
    return guarded(state, [&](simt_runtime& self) {
      self.require(values, static_cast<std::size_t>(count) * 8, "what is reduced");
      self.require(result, 8, "the result of a reduction");
      std::int64_t all = 0;
      for (std::int64_t k = 0; k < count; ++k)
        all = operation == lacis_reduce_sum ? all + values[k] : std::max(all, values[k]);
      *result = all;
    });
  }

  // Work is done when it is asked for, so every stream is the same, and an event is the time at which it was recorded.
  static std::int32_t create_stream(void*, void** stream) {
    *stream = nullptr;
    return lacis_code_ok;
  }
  static std::int32_t destroy_stream(void*, void*) { return lacis_code_ok; }
  static std::int32_t wait(void*, void*) { return lacis_code_ok; }
  static std::int32_t create_event(void* state, void** event) {
    return guarded(state, [&](simt_runtime&) { *event = new clock::time_point(clock::now()); });
  }
  static std::int32_t destroy_event(void*, void* event) {
    delete static_cast<clock::time_point*>(event);
    return lacis_code_ok;
  }
  static std::int32_t record(void*, void* event, void*) {
    *static_cast<clock::time_point*>(event) = clock::now();
    return lacis_code_ok;
  }
  static std::int32_t elapsed(void*, void* first, void* last, double* seconds) {
    *seconds =
        std::chrono::duration<double>(*static_cast<clock::time_point*>(last) - *static_cast<clock::time_point*>(first))
            .count();
    return lacis_code_ok;
  }

  static std::int32_t peer_spmv(void* state, const lacis_peer_csr*, const void*, void*, std::int32_t, void*,
                                lacis_peer_result*) {
    return no_peer(state);
  }
  static std::int32_t peer_vector(void* state, lacis_peer_operation, lacis_value_type, std::int64_t, const void*, void*,
                                  std::int32_t, void*, lacis_peer_result*) {
    return no_peer(state);
  }
  static std::int32_t no_peer(void* state) {
    static_cast<simt_runtime*>(state)->message_ = "there is no cuSPARSE and no cuBLAS for the host executor";
    return lacis_code_no_peer;
  }
};

simt_runtime::simt_runtime(const simt_options& options)
    : executor_(options.threads), turns_(options.turns), foreign_arrays_(options.arrays) {
  using f = functions;
  table_ = {lacis_runtime_version,
            sizeof(lacis_runtime),
            hash_of_kernels(),
            this,
            f::probe,
            f::use,
            f::message,
            f::allocate,
            f::release,
            f::copy,
            f::fill,
            f::launch,
            f::scan,
            f::sort_segments,
            f::reduce,
            f::create_stream,
            f::destroy_stream,
            f::wait,
            f::create_event,
            f::destroy_event,
            f::record,
            f::elapsed,
            f::peer_spmv,
            f::peer_vector};
}

simt_runtime::~simt_runtime() {
  for (const auto& [array, bytes] : arrays_) std::free(const_cast<char*>(array));
}

allocations::range simt_runtime::find(const void* pointer) const {
  if (foreign_arrays_ != nullptr) return foreign_arrays_->find(pointer);
  const char* const at = static_cast<const char*>(pointer);
  auto array = arrays_.upper_bound(at);
  if (array == arrays_.begin()) return {};
  --array;
  const char* const end = array->first + array->second;
  return at < end || (at == array->first) ? range{array->first, end} : range{};
}

void simt_runtime::require(const void* memory, std::size_t bytes, const char* what) const {
  if (bytes == 0) return;
  const range array = find(memory);
  if (array.begin == nullptr || static_cast<std::size_t>(array.end - static_cast<const char*>(memory)) < bytes)
    throw error(errc::invalid_argument, text(what, " is not ", bytes, " bytes of an array of the device"));
}

}  // namespace lacis::device

/// What the library looks for in the plugin.
extern "C" [[gnu::visibility("default")]] const lacis_runtime* lacis_simt_runtime() {
  // Lives as long as the process: what is on the device may be freed by the destructors of statics.
  static auto* const runtime = new lacis::device::simt_runtime();
  return &runtime->table();
}
