// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How fast a device computes, against copying memory and against the libraries that come with it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/device.hpp>
#include <lacis/progress.hpp>

namespace lacis {

/// What a result was compared with.
enum class device_bits {
  ok,     ///< it has the bits that its order of summation gives
  whole,  ///< its sums have no certain order: exact on integers
  differ  ///< it is wrong
};

/// One way to compute, on the operands of its subject.
struct device_time {
  std::string name;  ///< "csr_stream", "dot"
  device_bits bits = device_bits::ok;
  std::string fault;            ///< where its bits differ, in words
  std::string refused;          ///< why it was not run, or empty
  std::int64_t bytes = 0;       ///< that it has to move: its matrix, x and y, each once
  std::vector<double> seconds;  ///< one a round: sample i of a subject is from the same round
  /// Of its format from CSR, on the device, waits of the host included; measured a few times before the rounds.
  std::vector<double> conversion_seconds;
  int peer = 0;  ///< the one of the subject's peers that does the same
};

/// A library of the device that computes the same.
struct device_peer {
  std::string name;     ///< "cuSPARSE"
  std::string library;  ///< "cuSPARSE 12.6.3"; empty when it did not run
  std::string remark;   ///< how it was asked
  std::string refused;  ///< why it did not run, or empty
  std::vector<double> seconds;
};

/// The processor doing the same, in the same rounds.
struct processor_time {
  std::string name;  ///< "1 thread, csr"
  int threads = 1;
  std::int64_t bytes = 0;  ///< that it has to move; 0 where that is not known
  std::vector<double> seconds;
};

/// Operands, and everything that was measured on them interleaved.
struct device_subject {
  std::string name;       ///< "@rmat:21", or "vectors"
  std::int64_t rows = 0;  ///< of the matrix, or elements of a vector
  std::int64_t entries = 0;
  std::string value_type;
  std::int64_t copied_bytes = 0;     ///< that a copy on the device moves: half of them read, half written
  std::vector<double> copy_seconds;  ///< of that copy
  std::vector<device_time> times;
  std::vector<device_peer> peers;
  std::vector<processor_time> processor;  ///< one thread, then all; none for vectors
};

/// C = A A on the device, its phases, and the same on the processor.
struct device_sparse_product {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t entries = 0;   ///< of A
  std::int64_t products = 0;  ///< scalar ones, a_ik b_kj
  std::int64_t result_entries = 0;
  device_bits bits = device_bits::ok;
  std::string refused;          ///< why it was not run, or empty
  std::vector<double> seconds;  ///< of the product, one a round
  /// The phases by name, one sample a round. Each is waited for, so that together they take longer than the product.
  std::vector<std::pair<std::string, std::vector<double>>> phases;
  std::vector<processor_time> processor;  ///< one thread, then all
};

struct device_measurements {
  device_id device;
  device_report found;  ///< what the device is
  int rounds = 0;
  std::vector<device_subject> subjects;
  std::vector<device_sparse_product> sparse_products;

  /// The host executor's times say nothing of a GPU.
  [[nodiscard]] bool times_count() const { return device.kind != device_kind::simt; }
  /// No result is wrong.
  [[nodiscard]] bool good() const {
    for (const device_subject& subject : subjects)
      for (const device_time& time : subject.times)
        if (time.bits == device_bits::differ) return false;
    for (const device_sparse_product& product : sparse_products)
      if (product.bits == device_bits::differ) return false;
    return true;
  }
};

struct device_measure_options {
  int rounds = 9;
  /// What a matrix takes, about; 0: more than any cache of a GPU holds and little enough for this one, and on the host
  /// executor as much as runs in seconds.
  std::int64_t matrix_bytes = 0;
  /// Matrices by name to measure with, instead of generated ones. Values should be integers: sums in any order are
  /// compared too.
  std::vector<std::pair<std::string, csr_matrix<double, std::int32_t>>> matrices = {};
  lacis::progress progress = {};
};

/// Products by every method with three generated matrices, C = A A, and operations with vectors, all in double
/// precision with 32-bit columns, timed interleaved with a copy, with the device's own libraries and with the processor
/// on one thread and on all; every result is compared with its definition first. Throws error(no_device), which says
/// what is missing, and error(invalid_argument) for the processor.
[[nodiscard]] device_measurements measure_device(device_id device, const device_measure_options& options = {});

}  // namespace lacis
