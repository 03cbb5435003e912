// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with one plan of which each needs the one before, and what is done with the vectors in between.
#pragma once

#include <cstdint>

#include <lacis/plan.hpp>

namespace lacis::detail {

/// Products k = 1, 2, ... of a plan: to(k) = A from(k), then finish(k) on rows. A row of from(k) may be written by
/// finish(k - 1) of the same row. What product k reads, product k + 1 may overwrite; product k itself may not.
template <class T> class product_chain {
 public:
  virtual ~product_chain() = default;
  [[nodiscard]] virtual const T* from(std::int64_t k) const = 0;
  [[nodiscard]] virtual T* to(std::int64_t k) const = 0;
  /// Whether finish() does anything.
  [[nodiscard]] virtual bool finishes() const { return true; }
  /// Elements begin .. end, which product k has just computed. Called on several threads.
  virtual void finish(std::int64_t k, std::int64_t begin, std::int64_t end) const = 0;
};

/// All products of a chain, several with one reading of the matrix where that is faster. `vectors`: how many vectors
/// are read or written at a row in one product; `cache`: bytes that a thread's rows are to stay in, 0 for those of L2.
template <class T, class Index>
void multiply_chain(const plan<T, Index>& p, const product_chain<T>& chain, std::int64_t products, int vectors,
                    workspace& memory, std::int64_t cache = 0);

}  // namespace lacis::detail
