// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A workspace that a plan keeps for products that are given none.
#pragma once

#include <atomic>
#include <memory>

#include <lacis/plan.hpp>

namespace lacis::detail {

/// A product takes it, or makes one where another has taken it, and puts it back. Copies begin without.
class spare_workspace {
 public:
  spare_workspace() = default;
  spare_workspace(const spare_workspace&) {}
  spare_workspace& operator=(const spare_workspace&) = delete;
  ~spare_workspace() { delete spare_.load(); }

  [[nodiscard]] std::unique_ptr<workspace> take() const {
    std::unique_ptr<workspace> memory(spare_.exchange(nullptr));
    return memory != nullptr ? std::move(memory) : std::make_unique<workspace>();
  }
  void put_back(std::unique_ptr<workspace> memory) const { delete spare_.exchange(memory.release()); }

 private:
  mutable std::atomic<workspace*> spare_ = nullptr;
};

}  // namespace lacis::detail
