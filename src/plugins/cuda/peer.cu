// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opening the device's own libraries.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#include "cuda/peer.cuh"

namespace lacis::cuda {

peer_library::peer_library(const char* title, const char* variable, std::initializer_list<const char*> names)
    : title_(title), variable_(variable) {
  const auto open = [this](const char* name) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr || problem_[0] != '\0') return;  // the first name is the one to tell of
    const char* const words = dlerror();
    std::snprintf(problem_, sizeof problem_, "%s", words != nullptr ? words : name);
  };
  const char* const named = std::getenv(variable);
  if (named != nullptr && named[0] != '\0') {
    open(named);
    return;
  }
  for (const char* const name : names)
    if (handle_ == nullptr) open(name);
}

void* peer_library::symbol(const char* name) {
  void* const found = handle_ != nullptr ? dlsym(handle_, name) : nullptr;
  if (found == nullptr && missing_ == nullptr) missing_ = name;
  return found;
}

std::int32_t peer_library::state() const {
  if (handle_ == nullptr)
    return fail(lacis_code_no_peer,
                "CUDA: %s cannot be opened: %s; put the toolkit's folder of libraries on LD_LIBRARY_PATH, or name the "
                "file in %s",
                title_, problem_, variable_);
  if (missing_ != nullptr)
    return fail(lacis_code_no_peer, "CUDA: %s has no function %s; take the one of CUDA 12 or newer, named in %s",
                title_, missing_, variable_);
  return lacis_code_ok;
}

}  // namespace lacis::cuda
