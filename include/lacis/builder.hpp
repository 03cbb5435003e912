// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Assembly: entries inserted or added in any order, from any thread, into a CSR matrix.
#pragma once

#include <cstdint>
#include <memory>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>

namespace lacis {

/// What several entries at one place mean to a builder.
enum class assembly {
  add,    ///< they are summed, smallest bit pattern first, so that neither threads nor their timing change the sum
  insert  ///< the last one wins: of the inserter made last, its last
};

/// Collects entries and builds a canonical CSR matrix. Each thread takes an inserter of its own (making one is the only
/// step that locks); `build` empties the builder. Threads may share a builder while they insert; size() and build() are
/// for one thread, when the others are done. An inserter is for the thread that made it.
///
///     builder<double> b(n, n);
///     #pragma omp parallel
///     { auto put = b.inserter(); ... put(i, j, value); ... }
///     csr_matrix<double> a = b.build();
template <value Value, index Index = std::int32_t> class LACIS_API builder {
 public:
  /// Throws error(invalid_argument) for negative sizes, error(overflow) for more rows or columns than Index counts.
  builder(std::int64_t rows, std::int64_t cols, assembly rule = assembly::add);
  /// Drops the entries that were not built.
  ~builder();
  /// Takes the entries over; inserters of the other builder are no longer valid.
  builder(builder&&) noexcept;
  /// Takes the entries over and drops its own; inserters of both are no longer valid.
  builder& operator=(builder&&) noexcept;

  struct segment;
  /// Puts entries into a builder, for the thread that made it.
  class LACIS_API inserter_handle {
   public:
    /// Throws error(invalid_argument) when the place lies outside the matrix.
    void operator()(std::int64_t row, std::int64_t col, Value value);

   private:
    friend class builder;
    explicit inserter_handle(segment& target) : target_(&target) {}
    segment* target_;
  };

  /// A handle for one thread. It stays valid until the builder is built, moved or destroyed.
  [[nodiscard]] inserter_handle inserter();
  /// The entries put in so far, duplicates counted. No inserter may be in use.
  [[nodiscard]] std::int64_t size() const;
  /// Sorted, duplicates resolved; the builder is empty afterwards. No inserter may be in use.
  [[nodiscard]] csr_matrix<Value, Index> build();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace lacis
