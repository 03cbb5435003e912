// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plan as an object of Python.
#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>

#include "arrays.hpp"

namespace lacis_python {

struct plan_arguments {
  double uses = 0;
  int threads = -1;
  std::int64_t memory = 0;
  bool transpose = false;
  bool tune = false;
  std::string layout;
  std::string device;
  bool borrow = false;
};

/// A plan and the lock of its values: products share it, update() has it alone. The lock is taken without the GIL.
class plan_object {
 public:
  plan_object(nb::handle parts, const plan_arguments& arguments);
  plan_object(const plan_object&) = delete;
  plan_object& operator=(const plan_object&) = delete;
  ~plan_object() { lacis_plan_free(plan_); }

  [[nodiscard]] const lacis_plan* plan() const { return plan_; }
  [[nodiscard]] const lacis_plan_facts& facts() const { return facts_; }
  [[nodiscard]] bool transposed() const { return transposed_; }
  [[nodiscard]] std::shared_mutex& values_lock() const { return values_; }

  [[nodiscard]] bool is_complex() const { return facts_.type == LACIS_COMPLEX64 || facts_.type == LACIS_COMPLEX128; }

  /// A x; A^H x if `across`. `exchanged`: x has its vectors in rows, as for x A of a real matrix, which is `across` and
  /// `exchanged`. x may be anything that NumPy makes an array of.
  [[nodiscard]] nb::object multiply(nb::handle x, bool across, bool exchanged, nb::handle out) const;
  void update(nb::handle data);

 private:
  [[nodiscard]] bool try_multiply(nb::handle x, bool across, bool exchanged, nb::handle out, nb::object& result) const;

  lacis_plan* plan_ = nullptr;
  std::unique_ptr<matrix> borrowed_;  ///< the arrays that the plan refers to
  lacis_plan_facts facts_ = LACIS_INIT(lacis_plan_facts);
  bool transposed_ = false;
  mutable std::shared_mutex values_;
};

}  // namespace lacis_python
