// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ending long operations early: Ctrl-C, a button, a time limit.
#pragma once

#include <functional>

#include <lacis/export.hpp>

namespace lacis {

namespace detail {
struct interruption_state;
}

/// While one exists, the operations that this thread calls can be ended. About every 50 ms an operation calls `ask`, in
/// this thread and between two parts of its work. What `ask` throws ends the operation and comes out of it; so it does
/// from what is called afterwards, until this object is destroyed.
///
/// Sparse products, plans, preconditioners, conversions, files and solvers ask. A function of another library does not
/// end early: a sparse LU factorisation, a partition. An operation that ends early leaves its operands as any other
/// exception does: one that returns a new matrix or a plan has changed nothing; what another one was writing to, such
/// as a vector or the values of a plan, holds a part of the result.
///
/// Of two in one thread the inner one asks. Other threads are left alone. Do not use it around operations on
/// distributed matrices: a rank that ends alone leaves the others waiting.
class interruption {
 public:
  LACIS_API explicit interruption(std::function<void()> ask);
  LACIS_API ~interruption();
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

 private:
  detail::interruption_state* state_;
};

}  // namespace lacis
