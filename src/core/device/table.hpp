// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The runtime as a table of C functions: the only thing that the host side of an operation knows of a device. The host
// executor fills one, the CUDA plugin another.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

/// Changes whenever this file does; a plugin of another version, or with other kernels, is refused.
inline constexpr std::int32_t lacis_runtime_version = 4;

enum lacis_copy_direction : std::int32_t { lacis_copy_to_device, lacis_copy_to_host, lacis_copy_on_device };
enum lacis_code : std::int32_t {
  lacis_code_ok = 0,
  lacis_code_no_memory,
  lacis_code_kernel_fault,
  lacis_code_invalid,
  lacis_code_device,      ///< anything else that the device or its driver says
  lacis_code_no_driver,   ///< none on this machine
  lacis_code_old_driver,  ///< too old for what the plugin was compiled with
  lacis_code_no_device,   ///< a driver, but no device, or none of that number
  lacis_code_no_kernels,  ///< a device that the kernels were not compiled for
  lacis_code_no_peer      ///< a library to compare with is not there, or cannot do it
};
enum lacis_reduction : std::int32_t { lacis_reduce_sum, lacis_reduce_max };

enum lacis_value_type : std::int32_t {
  lacis_value_float,
  lacis_value_double,
  lacis_value_complex_float,
  lacis_value_complex_double
};
enum lacis_peer_operation : std::int32_t { lacis_peer_dot, lacis_peer_norm, lacis_peer_axpy };

/// A CSR matrix on the device, as a peer takes it.
struct lacis_peer_csr {
  std::int64_t rows;
  std::int64_t cols;
  std::int64_t nnz;
  lacis_value_type value_type;
  std::int32_t column_bytes;  ///< 4 or 8
  const std::int64_t* row_offsets;
  const void* columns;
  const void* values;
};
struct lacis_peer_result {
  double seconds;    ///< of one call, the median
  char library[64];  ///< "cuSPARSE 12.6.3"
  char remark[192];  ///< how it was asked, when that is not as the caller did: "offsets narrowed to 32 bits"
};

struct lacis_device_facts {
  char name[128];
  std::int32_t architecture;  ///< 80 for compute capability 8.0; 0 for the host executor
  std::int32_t multiprocessors;
  std::int64_t memory_bytes;
  std::int64_t free_bytes;    ///< of them, for new arrays; 0 for a device that the calling thread does not work with
  std::int64_t shared_bytes;  ///< that a block may have
  std::int32_t driver;        ///< 13000 is CUDA 13.0; 0 for the host executor
  std::int32_t toolkit;       ///< that the kernels were compiled with, likewise
};

/// Every function returns 0, or a code that message() puts into words, the kernel's name among them. Work is ordered
/// within a stream; the null stream is one too. Sizes are in bytes where they say so, otherwise in elements. Version,
/// size and kernels keep their places in every version.
struct lacis_runtime {
  std::int32_t version;
  std::int32_t size;      ///< of this struct
  std::uint64_t kernels;  ///< a hash of the kernels' numbers, names and arguments; see kernels::hash_kernel
  void* state;            ///< the first argument of every function

  /// What the device of that number is, or why it cannot be used; -1 is the one that the calling thread works with.
  std::int32_t (*probe)(void* state, std::int32_t number, lacis_device_facts* facts);
  /// Makes it the one that the calling thread works with; `before`, when not null, becomes the one it was.
  std::int32_t (*use)(void* state, std::int32_t number, std::int32_t* before);
  const char* (*message)(void* state, std::int32_t code);  ///< of the last failure on this thread

  std::int32_t (*allocate)(void* state, std::size_t bytes, void* stream, void** memory);  ///< aligned to 256 bytes
  std::int32_t (*release)(void* state, void* memory, void* stream);
  std::int32_t (*copy)(void* state, void* to, const void* from, std::size_t bytes, lacis_copy_direction direction,
                       void* stream);
  std::int32_t (*fill)(void* state, void* memory, int byte, std::size_t bytes, void* stream);

  /// `arguments` points to the members of the kernel, one after the other. A block has `block_threads` threads, which
  /// is a number that the kernel takes; see kernels::takes_block.
  std::int32_t (*launch)(void* state, std::int32_t kernel, std::int32_t blocks, std::int32_t block_threads,
                         void** arguments, std::int32_t argument_count, void* stream);
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

  // The device's own libraries, opened when one of these is called for the first time. Each warms up once, runs
  // `repeats` times and takes the median.
  /// y = A x by cuSPARSE.
  std::int32_t (*peer_spmv)(void* state, const lacis_peer_csr* a, const void* x, void* y, std::int32_t repeats,
                            void* stream, lacis_peer_result* result);
  /// x^H y, |x| or y = x + y by cuBLAS.
  std::int32_t (*peer_vector)(void* state, lacis_peer_operation operation, lacis_value_type value_type,
                              std::int64_t count, const void* x, void* y, std::int32_t repeats, void* stream,
                              lacis_peer_result* result);
};

}  // extern "C"
