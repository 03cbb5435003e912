// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The runtime as a table of C functions: the only thing that the host side of an operation knows of a device. The host
// executor fills one, the CUDA plugin another.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// Changes whenever this file or the list of kernels does; a plugin of another version is refused.
inline constexpr std::int32_t lacis_runtime_version = 1;

enum lacis_copy_direction : std::int32_t { lacis_copy_to_device, lacis_copy_to_host, lacis_copy_on_device };
enum lacis_code : std::int32_t {
  lacis_code_ok = 0,
  lacis_code_no_memory,
  lacis_code_kernel_fault,
  lacis_code_invalid,
  lacis_code_device  ///< anything else that the device or its driver says
};
enum lacis_reduction : std::int32_t { lacis_reduce_sum, lacis_reduce_max };

struct lacis_device_facts {
  char name[128];
  std::int32_t architecture;  ///< 80 for compute capability 8.0; 0 for the host executor
  std::int32_t multiprocessors;
  std::int64_t memory_bytes;
  std::int64_t shared_bytes;  ///< that a block may have
};

/// Every function returns 0, or a code that message() puts into words, the kernel's name among them. Work is ordered
/// within a stream; the null stream is one too. Sizes are in bytes where they say so, otherwise in elements.
struct lacis_runtime {
  std::int32_t version;
  std::int32_t size;  ///< of this struct
  void* state;        ///< the first argument of every function

  std::int32_t (*probe)(void* state, lacis_device_facts* facts);
  const char* (*message)(void* state, std::int32_t code);  ///< of the last failure on this thread

  std::int32_t (*allocate)(void* state, std::size_t bytes, void* stream, void** memory);  ///< aligned to 256 bytes
  std::int32_t (*release)(void* state, void* memory, void* stream);
  std::int32_t (*copy)(void* state, void* to, const void* from, std::size_t bytes, lacis_copy_direction direction,
                       void* stream);
  std::int32_t (*fill)(void* state, void* memory, int byte, std::size_t bytes, void* stream);

  /// `arguments` points to the members of the kernel, one after the other.
  std::int32_t (*launch)(void* state, std::int32_t kernel, std::int32_t blocks, void** arguments,
                         std::int32_t argument_count, void* stream);
  /// offsets[i] = counts[0] + ... + counts[i - 1] for i = 0 .. count: one element more than there are counts.
  std::int32_t (*scan)(void* state, const std::int64_t* counts, std::int64_t* offsets, std::int64_t count,
                       void* stream);
  /// Sorts each segment ascending by key, in place; keys of 4 or 8 bytes, signed; values of 4, 8 or 16 bytes move with
  /// their keys. Keys of a segment are different from each other.
  std::int32_t (*sort_segments)(void* state, void* keys, std::int32_t key_bytes, void* values, std::int32_t value_bytes,
                                const std::int64_t* offsets, std::int64_t segments, std::int64_t count, void* stream);
  /// The sum of `count` numbers, or the largest of them and 0, to *result on the device.
  std::int32_t (*reduce)(void* state, lacis_reduction operation, const std::int64_t* values, std::int64_t count,
                         std::int64_t* result, void* stream);

  std::int32_t (*create_stream)(void* state, void** stream);
  std::int32_t (*destroy_stream)(void* state, void* stream);
  std::int32_t (*wait)(void* state, void* stream);  ///< until all work in the stream is done; reports its failures
  std::int32_t (*create_event)(void* state, void** event);
  std::int32_t (*destroy_event)(void* state, void* event);
  std::int32_t (*record)(void* state, void* event, void* stream);
  std::int32_t (*elapsed)(void* state, void* first, void* last, double* seconds);  ///< waits for `last`
};

}  // extern "C"
