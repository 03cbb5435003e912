// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The check behind row_major() and column_major().
#include <lacis/dense.hpp>
#include <lacis/error.hpp>

#include "base/checked.hpp"
#include "base/text.hpp"

namespace lacis::detail {

void require_dense(std::int64_t size, std::int64_t rows, std::int64_t cols) {
  if (rows < 0 || cols < 0 || checked_multiply(rows, cols, "a dense matrix") != size)
    throw error(errc::invalid_argument,
                text("a dense matrix of ", rows, " x ", cols, " does not have ", size, " elements"));
}

}  // namespace lacis::detail
