// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The PTX inside of what nvcc puts into an object: one text per architecture.
#pragma once

#include <string>
#include <vector>

namespace lacis::ptx {

struct ptx_text {
  int architecture = 0;  ///< 80
  std::string text;
};

/// `wrapper` is what __cudaRegisterFatBinary gets. Throws fault when the PTX is compressed (nvcc -no-compress).
[[nodiscard]] std::vector<ptx_text> texts_of(const void* wrapper);

}  // namespace lacis::ptx
