// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis_product_memory as an object of Python.
#pragma once

#include <memory>

#include <lacis/lacis.h>

#include "errors.hpp"

namespace lacis_python {

class product_memory {
 public:
  product_memory() {
    lacis_product_memory* made = nullptr;
    require_ok(lacis_product_memory_make(0, &made));
    held_.reset(made);
  }
  [[nodiscard]] lacis_product_memory* get() const { return held_.get(); }
  [[nodiscard]] std::int64_t bytes() const { return lacis_product_memory_bytes(held_.get()); }

 private:
  struct freeing {
    void operator()(lacis_product_memory* memory) const { lacis_product_memory_free(memory); }
  };
  std::unique_ptr<lacis_product_memory, freeing> held_;
};

}  // namespace lacis_python
