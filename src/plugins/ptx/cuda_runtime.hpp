// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the files of the CUDA runtime over the interpreter share.
#pragma once

#include <cuda_runtime_api.h>

#include "ptx/interpreter.hpp"

namespace lacis::ptx {

/// Keeps the error for cudaGetLastError and returns it; the words are those of a failed launch.
cudaError_t report(cudaError_t error);
cudaError_t report(cudaError_t error, const char* words);

}  // namespace lacis::ptx
