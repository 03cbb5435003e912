// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "cpu/spmv/narrow_columns.hpp"

namespace lacis::cpu {

bool narrow_columns(const std::int64_t* columns, std::int64_t count, std::int32_t* narrow) {
  std::int64_t all = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    narrow[k] = static_cast<std::int32_t>(columns[k]);
    all |= columns[k];
  }
  return all >> 31 == 0;
}

}  // namespace lacis::cpu
