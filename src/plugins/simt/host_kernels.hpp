// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels as the host executor launches them: by number, with checked pointers made of the raw ones.
#pragma once

#include <cstdint>
#include <kernels/headers.hpp>
#include <type_traits>
#include <vector>

#include "kernels/each_kernel.hpp"
#include "simt/executor.hpp"
#include "simt/host_memory.hpp"
#include "team/fields.hpp"

namespace lacis::device {

/// Where the arrays of the host runtime are; finds the one that a pointer points into.
class allocations {
 public:
  struct range {
    const char* begin = nullptr;
    const char* end = nullptr;
  };
  virtual ~allocations() = default;
  /// An empty range when there is none.
  [[nodiscard]] virtual range find(const void* pointer) const = 0;
};

/// What a launch of the host executor needs to know.
struct host_launch {
  simt::executor& executor;
  const allocations& memory;
  simt::schedule turns;
  int blocks = 0;
  int block_threads = 0;
  void** arguments = nullptr;
};

struct host_kernel {
  const char* name = nullptr;
  int argument_count = 0;
  void (*run)(const host_launch& launch) = nullptr;
};

/// By number; a kernel that was not compiled has no function.
using host_kernel_table = std::vector<host_kernel>;

/// Throws error(invalid_argument): the arrays of a launch are not what the kernel's types promise.
[[noreturn]] void refuse_pointer(const char* kernel, int argument, const char* why);

/// Makes checked pointers, and watches that no array is both an input and an output.
class pointer_maker {
 public:
  pointer_maker(const char* kernel, const allocations& memory, bool traced)
      : kernel_(kernel), memory_(memory), traced_(traced) {}

  template <class T> T operator()(T scalar) {
    ++argument_;
    return scalar;
  }
  template <class T> simt::checked_pointer<T> operator()(T* pointer) {
    const int argument = argument_++;
    if (pointer == nullptr) return {};
    const allocations::range array = memory_.find(pointer);
    if (array.begin == nullptr) refuse_pointer(kernel_, argument, "does not point into an array of the device");
    if (reinterpret_cast<std::uintptr_t>(pointer) % alignof(T) != 0)
      refuse_pointer(kernel_, argument, "is not aligned to its type");
    remember(array.begin, std::is_const_v<T>, argument);
    return {pointer, (array.end - reinterpret_cast<const char*>(pointer)) / static_cast<std::int64_t>(sizeof(T)),
            traced_};
  }

 private:
  void remember(const char* array, bool input, int argument);

  const char* kernel_;
  const allocations& memory_;
  bool traced_;
  int argument_ = 0;
  const char* arrays_[simt::most_fields] = {};
  bool inputs_[simt::most_fields] = {};
  int count_ = 0;
};

template <class Kernel> void run_on_host(const host_launch& launch) {
  using checked = typename Kernel::template with<simt::host_memory>;
  Kernel raw{};
  int argument = 0;
  simt::with_fields(raw, [&](auto&... members) {
    ((members = *static_cast<std::remove_reference_t<decltype(members)>*>(launch.arguments[argument++])), ...);
  });
  pointer_maker make(Kernel::name, launch.memory, launch.executor.traced());
  const checked kernel = simt::with_fields(raw, [&](auto&... members) { return checked{make(members)...}; });
  launch.executor.run(kernel, launch.blocks, launch.turns, launch.block_threads);
}

struct host_kernel_collector {
  host_kernel_table& table;

  template <class Kernel> void add() {
    table[static_cast<std::size_t>(kernels::number_of<Kernel>)] = {Kernel::name, simt::field_count<Kernel>(),
                                                                   run_on_host<Kernel>};
  }
};

template <class List> void add_kernels(List list, host_kernel_table& table) {
  host_kernel_collector all{table};
  kernels::each_kernel(list, all);
}

// One function per header in src/core/kernels, in a generated file of its own.
#define LACIS_DECLARE(header) void add_##header##_kernels(host_kernel_table& table);
LACIS_FOR_EACH_KERNEL_HEADER(LACIS_DECLARE)
#undef LACIS_DECLARE

}  // namespace lacis::device
