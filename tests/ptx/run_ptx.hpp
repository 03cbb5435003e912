// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Runs a few lines of PTX on arrays of 32-bit words.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "ptx/machine.hpp"

namespace lacis::ptx {

inline std::string kernel_text(const std::string& body, int words_of_shared = 64) {
  return ".version 9.0\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(\n.param .u64 k_param_0,\n.param .u64 k_param_1\n)\n{\n"
         ".reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .f32 %f<8>;\n.reg .f64 %fd<8>;\n.reg .b64 %rd<16>;\n"
         ".shared .align 16 .b8 words[" +
         std::to_string(4 * words_of_shared) + "];\n" + body + "\nret;\n}\n";
}
/// %rd1 and %rd2 point to the arrays, %r1 is the thread, %rd3 and %rd4 its words in them, %rd5 its word in shared
/// memory.
inline const std::string thread_words =
    "ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd2, [k_param_1];\nmov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd6, %r1, 4;\nadd.s64 %rd3, %rd1, %rd6;\nadd.s64 %rd4, %rd2, %rd6;\nmov.u64 %rd5, words;\n"
    "add.s64 %rd5, %rd5, %rd6;\n";

struct ptx_run {
  std::vector<std::uint32_t> out;
  std::string fault;
};

/// The second array holds `in`, the first as many words as `out`, never written.
inline ptx_run run_ptx(const std::string& text, const std::vector<std::uint32_t>& in, std::size_t out,
                       const lacis_ptx_options& how = {}, launch_shape shape = {1, 64, 0}) {
  device_memory memory(1 << 20);
  void* const to = memory.allocate(out * 4);
  void* const from = memory.allocate(in.size() * 4);
  std::memcpy(from, in.data(), in.size() * 4);
  if (!in.empty()) memory.find(from, in.size() * 4)->mark_filled(static_cast<const char*>(from), in.size() * 4);
  ptx_run result;
  try {
    module all;
    read_module(text, all);
    machine runs(memory);
    runs.options = how;
    const void* arguments[] = {&to, &from};
    runs.launch(all, all.kernels.begin()->second, shape, const_cast<void**>(arguments));
  } catch (const fault& failure) {
    result.fault = failure.what();
  }
  result.out.resize(out);
  std::memcpy(result.out.data(), to, out * 4);
  return result;
}

}  // namespace lacis::ptx
