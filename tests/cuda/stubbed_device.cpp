// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The plugin over the stub, and kernels in its memory.
#include "stubbed_device.hpp"

#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <memory>
#include <vector>

#include "device/plugin.hpp"

namespace lacis::device {
namespace {

/// The bytes at an address of the stub's memory; none when it has no such.
std::vector<char> bytes_at(const void* memory, std::int64_t bytes) {
  const char* begin = nullptr;
  const char* end = nullptr;
  if (memory == nullptr || !stub_find(memory, &begin, &end)) return {};
  const char* const from = static_cast<const char*>(memory);
  return {from, std::min(from + bytes, end)};
}

/// The number of a kernel as its entry's registered name has it: "entry<...<raw_memory, double, int>, (kernel)12,
/// ...>".
std::int32_t number_in(const char* registered) {
  const std::unique_ptr<char, void (*)(void*)> readable(abi::__cxa_demangle(registered, nullptr, nullptr, nullptr),
                                                        std::free);
  if (readable == nullptr) return -1;
  const std::string name = readable.get();
  const auto after = [](const std::string& all, const std::string& text) {
    const std::size_t found = all.find(text);
    return found == std::string::npos ? std::string() : all.substr(found + text.size());
  };
  const std::string id = after(name, "(lacis::kernels::kernel)");
  if (id.empty()) return -1;
  std::int32_t number = static_cast<std::int32_t>(std::stol(id)) * kernels::type_pairs;
  // A value and an index, or only one of them; one that a kernel does not have counts as the first.
  constexpr std::pair<const char*, int> slots[] = {{"double", 2},
                                                   {"lacis::simt::complex_number<float>", 4},
                                                   {"lacis::simt::complex_number<double>", 6},
                                                   {"long", 1}};
  const std::string first = after(name, "lacis::simt::raw_memory, ");
  for (const std::string& argument : {first, after(first, ", ")})
    for (const auto& [type, slot] : slots)
      if (argument.starts_with(type)) number += slot;
  return number;
}

}  // namespace

const lacis_runtime& stubbed_plugin() {
  static const plugin opened = open_plugin(cuda_name, LACIS_CUDA_STUBBED);
  if (opened.table == nullptr) throw error(errc::no_device, opened.problem);
  return *opened.table;
}

std::string violations() {
  std::string all;
  for (std::int64_t number = 0; stub_violation(number) != nullptr; ++number)
    all += std::string(stub_violation(number)) + "\n";
  return all;
}

struct stubbed_device::functions {
  static stubbed_device& self(void* state) { return *static_cast<stubbed_device*>(state); }

  static const char* message(void* state, std::int32_t code) {
    return self(state).fault_.empty() ? stubbed_plugin().message(nullptr, code) : self(state).fault_.c_str();
  }

  static std::int32_t launch(void* state, std::int32_t kernel, std::int32_t blocks, std::int32_t block_threads,
                             void** arguments, std::int32_t argument_count, void* stream) {
    self(state).kernel_ = kernel;
    self(state).argument_count_ = argument_count;
    self(state).stream_ = stream;
    const std::int32_t code =
        stubbed_plugin().launch(nullptr, kernel, blocks, block_threads, arguments, argument_count, stream);
    self(state).kernel_ = -1;
    return code;
  }
  /// What the stub calls where a GPU would start to work.
  static int run(void* state, const stub_launch* launched, void** arguments) {
    const std::int32_t kernel = self(state).kernel_;
    if (kernel < 0) return cudaSuccess;  // one of CUB's: the host does its work when CUB is done
    if (number_in(launched->kernel) != kernel)
      self(state).fault_ = std::string("not the entry of kernel ") + std::to_string(kernel) + ": " + launched->kernel;
    else if (const lacis_runtime& host = self(state).host_.table();
             host.launch(host.state, kernel, static_cast<std::int32_t>(launched->blocks),
                         static_cast<std::int32_t>(launched->threads), arguments, self(state).argument_count_,
                         nullptr) != lacis_code_ok)
      self(state).fault_ = host.message(host.state, lacis_code_kernel_fault);
    else
      return cudaSuccess;
    return cudaErrorLaunchFailure;
  }

  /// The plugin has done its part; now the host executor's table does the work.
  template <class Work> static std::int32_t then(void* state, void* stream, std::int32_t code, Work&& work) {
    if (code != lacis_code_ok) return code;
    self(state).stream_ = stream;
    const lacis_runtime& host = self(state).host_.table();
    const std::int32_t done = work(host);
    if (done != lacis_code_ok) self(state).fault_ = host.message(host.state, done);
    return done;
  }
  static std::int32_t scan(void* state, const std::int64_t* counts, std::int64_t* offsets, std::int64_t count,
                           void* stream) {
    return then(state, stream, stubbed_plugin().scan(nullptr, counts, offsets, count, stream),
                [&](const lacis_runtime& host) { return host.scan(host.state, counts, offsets, count, stream); });
  }
  static std::int32_t reduce(void* state, lacis_reduction operation, const std::int64_t* values, std::int64_t count,
                             std::int64_t* result, void* stream) {
    return then(
        state, stream, stubbed_plugin().reduce(nullptr, operation, values, count, result, stream),
        [&](const lacis_runtime& host) { return host.reduce(host.state, operation, values, count, result, stream); });
  }
  /// CUB sorts into its own memory and reads there how many segments are long. Its kernels do not run: that memory
  /// holds zeros, and what was copied from it is put back as it was.
  static std::int32_t sort_segments(void* state, void* keys, std::int32_t key_bytes, void* values,
                                    std::int32_t value_bytes, const std::int64_t* offsets, std::int64_t segments,
                                    std::int64_t count, void* stream) {
    const std::vector<char> old_keys = bytes_at(keys, count * key_bytes);
    const std::vector<char> old_values = bytes_at(values, count * value_bytes);
    stub_new_memory_holds(0);
    const std::int32_t code =
        stubbed_plugin().sort_segments(nullptr, keys, key_bytes, values, value_bytes, offsets, segments, count, stream);
    stub_new_memory_holds(0xcb);
    std::memcpy(keys, old_keys.data(), old_keys.size());
    std::memcpy(values, old_values.data(), old_values.size());
    return then(state, stream, code, [&](const lacis_runtime& host) {
      return host.sort_segments(host.state, keys, key_bytes, values, value_bytes, offsets, segments, count, stream);
    });
  }
};

stubbed_device::stubbed_device() : host_({.turns = {}, .threads = 1, .arrays = this}), table_(stubbed_plugin()) {
  stub_reset();
  stub_on_launch(functions::run, this);
  table_.state = this;  // the plugin's own functions do not read theirs
  table_.message = functions::message;
  table_.launch = functions::launch;
  table_.scan = functions::scan;
  table_.sort_segments = functions::sort_segments;
  table_.reduce = functions::reduce;
}

stubbed_device::~stubbed_device() { stub_on_launch(nullptr, nullptr); }

allocations::range stubbed_device::find(const void* pointer) const {
  range found;
  if (stub_find(pointer, &found.begin, &found.end)) stub_touch(pointer, stream_);
  return found;
}

}  // namespace lacis::device
