// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What can be asked of the CUDA plugin on any machine: that it opens without a driver, says what is missing, and has
// every kernel.
#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

#include "device/table.hpp"
#include "kernels/kernel.hpp"

namespace {

using runtime_function = const lacis_runtime*();

runtime_function* open_plugin() {
  static void* const library = dlopen(LACIS_CUDA_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : reinterpret_cast<runtime_function*>(dlsym(library, "lacis_cuda_runtime"));
}

const lacis_runtime& plugin() { return *open_plugin()(); }

/// What a launch without arguments is told: kernels have at least one, so it never reaches a device.
std::string refusal(int kernel) {
  EXPECT_EQ(plugin().launch(plugin().state, kernel, 1, 256, nullptr, 0, nullptr), lacis_code_invalid);
  return plugin().message(plugin().state, lacis_code_invalid);
}

TEST(CudaPlugin, OpensWithoutADriver) {
  ASSERT_NE(open_plugin(), nullptr) << dlerror();
  EXPECT_EQ(plugin().version, lacis_runtime_version);
  EXPECT_EQ(plugin().size, static_cast<std::int32_t>(sizeof(lacis_runtime)));
}

TEST(CudaPlugin, HasEveryKernel) {
  namespace kernels = lacis::kernels;
  for (int kernel = 0; kernel < static_cast<int>(kernels::kernel::count); ++kernel) {
    const std::string words = refusal(kernel * kernels::type_pairs);
    EXPECT_NE(words.find(" arguments, not 0"), std::string::npos) << "kernel " << kernel << ": " << words;
  }
  EXPECT_NE(refusal(-1).find("there is no kernel -1"), std::string::npos);
  EXPECT_NE(refusal(kernels::kernel_numbers).find("there is no kernel"), std::string::npos);
}

TEST(CudaPlugin, NamesTheKernelItRefuses) { EXPECT_EQ(refusal(0), "kernel axpby has 5 arguments, not 0"); }

TEST(CudaPlugin, RefusesSortsOfOtherSizes) {
  EXPECT_EQ(plugin().sort_segments(plugin().state, nullptr, 2, nullptr, 8, nullptr, 1, 1, nullptr), lacis_code_invalid);
  EXPECT_EQ(std::string(plugin().message(plugin().state, lacis_code_invalid)),
            "no sort of keys of 2 and values of 8 bytes; keys have 4 or 8, values 4, 8 or 16");
}

TEST(CudaPlugin, SaysWhatTheDeviceIsOrThatThereIsNone) {
  lacis_device_facts facts;
  if (plugin().probe(plugin().state, 0, &facts) == lacis_code_ok) {
    EXPECT_GE(facts.architecture, 75);
    return;
  }
  EXPECT_EQ(std::string(plugin().message(plugin().state, lacis_code_device)).find("CUDA: "), 0u);
  void* memory = nullptr;
  EXPECT_NE(plugin().allocate(plugin().state, 256, nullptr, &memory), lacis_code_ok);
  EXPECT_EQ(std::string(plugin().message(plugin().state, lacis_code_device)).find("CUDA, allocating: "), 0u);
}

TEST(CudaPlugin, SaysThatThePeersCannotBeOpened) {
  setenv("LACIS_CUSPARSE", "/none/libcusparse.so", 1);
  setenv("LACIS_CUBLAS", "/none/libcublas.so", 1);
  const lacis_peer_csr a{};
  lacis_peer_result result;
  EXPECT_EQ(plugin().peer_spmv(plugin().state, &a, nullptr, nullptr, 1, nullptr, &result), lacis_code_no_peer);
  const std::string cusparse = plugin().message(plugin().state, lacis_code_no_peer);
  EXPECT_EQ(cusparse.find("CUDA: cuSPARSE cannot be opened: /none/libcusparse.so: "), 0u) << cusparse;
  EXPECT_NE(cusparse.find("name the file in LACIS_CUSPARSE"), std::string::npos) << cusparse;
  EXPECT_EQ(
      plugin().peer_vector(plugin().state, lacis_peer_dot, lacis_value_float, 1, nullptr, nullptr, 1, nullptr, &result),
      lacis_code_no_peer);
  const std::string cublas = plugin().message(plugin().state, lacis_code_no_peer);
  EXPECT_EQ(cublas.find("CUDA: cuBLAS cannot be opened: /none/libcublas.so: "), 0u) << cublas;
}

}  // namespace
