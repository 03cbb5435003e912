// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The work that lacis bench measures for solvers, each with the proof that another library did the same.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/vector.hpp>

#include "measure/matrix_file.hpp"

namespace lacis::app {

/// One kind of work on one matrix, ready to be done again and again.
template <class Value, class Index> class solve_task {
 public:
  virtual ~solve_task() = default;

  [[nodiscard]] virtual std::string unit() const = 0;
  [[nodiscard]] virtual int steps() const { return 1; }
  /// Does it so many times; the seconds of one unit.
  [[nodiscard]] virtual double run(int times) = 0;
  /// The same as a plain loop on one thread, where that is a contestant: the seconds of one unit.
  [[nodiscard]] virtual bool has_plain_loop() const { return false; }
  [[nodiscard]] virtual double run_plain_loop(int) { return 0; }
  /// What peers take: a matrix and a vector.
  [[nodiscard]] virtual csr_view<Value, Index> matrix() const = 0;
  [[nodiscard]] virtual std::span<const Value> vector() const = 0;
  /// Numbers in a peer's result; 0: it is not compared.
  [[nodiscard]] virtual std::int64_t result_size() const = 0;
  /// What is wrong with a peer's result, or nothing.
  [[nodiscard]] virtual std::string fault_of(std::span<const Value> theirs) const = 0;
  /// How lacis does it, how it was measured.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
};

/// Throws error(invalid_argument) where the matrix does not allow the work.
template <class Value, class Index>
[[nodiscard]] std::unique_ptr<solve_task<Value, Index>> make_solve_task(const std::string& operation,
                                                                        const csr_matrix<Value, Index>& a);

}  // namespace lacis::app
