// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plugin whose GPU is the host executor, with one fault of a GPU: it is gone before the process is, one of its
// kernels never ends, every call fails after one kernel did, or there is little memory.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "simt/runtime.hpp"

namespace {

enum class fault { gone_at_exit, never_ends, lost, full };
constexpr fault kind = fault::LACIS_FAULT;
constexpr int good_launches = 20;
constexpr std::int64_t memory_when_full = 37 << 10;

lacis::device::simt_runtime& executor() {
  static auto* const runtime = new lacis::device::simt_runtime();  // never destroyed: the fault is ours alone
  return *runtime;
}
const lacis_runtime& host() { return executor().table(); }

int launches = 0;
bool gone = false;
struct end_of_plugin {
  ~end_of_plugin() { gone = true; }
};

bool lost() { return kind == fault::lost && launches > good_launches; }
void require_plugin() {
  if (kind == fault::gone_at_exit && gone) std::abort();
}

std::int32_t use(void* state, std::int32_t number, std::int32_t* before) {
  require_plugin();
  return host().use(state, number, before);
}
const char* message(void* state, std::int32_t code) {
  if (code == lacis_code_no_memory) return "CUDA: no memory";
  return lost() ? "CUDA: unspecified launch failure" : host().message(state, code);
}
std::int32_t allocate(void* state, std::size_t bytes, void* stream, void** memory) {
  const auto wanted = executor().bytes_in_use() + static_cast<std::int64_t>(bytes);
  if (kind == fault::full && wanted > memory_when_full) return lacis_code_no_memory;
  return lost() ? lacis_code_kernel_fault : host().allocate(state, bytes, stream, memory);
}
std::int32_t release(void* state, void* memory, void* stream) {
  require_plugin();
  return host().release(state, memory, stream);
}
std::int32_t copy(void* state, void* to, const void* from, std::size_t bytes, lacis_copy_direction direction,
                  void* stream) {
  return lost() ? lacis_code_kernel_fault : host().copy(state, to, from, bytes, direction, stream);
}
std::int32_t launch(void* state, std::int32_t kernel, std::int32_t blocks, std::int32_t threads, void** arguments,
                    std::int32_t count, void* stream) {
  ++launches;
  while (kind == fault::never_ends && launches > good_launches) std::this_thread::sleep_for(std::chrono::seconds(1));
  return lost() ? lacis_code_kernel_fault : host().launch(state, kernel, blocks, threads, arguments, count, stream);
}
std::int32_t wait(void* state, void* stream) {
  require_plugin();
  return lost() ? lacis_code_kernel_fault : host().wait(state, stream);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] const lacis_runtime* lacis_cuda_runtime() {
  static lacis_runtime table = host();
  static const end_of_plugin end;
  table.use = use;
  table.message = message;
  table.allocate = allocate;
  table.release = release;
  table.copy = copy;
  table.launch = launch;
  table.wait = wait;
  return &table;
}
