// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the plugin that interprets PTX exports.
#include "interpreted/interpreted.hpp"

#include <dlfcn.h>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "device/plugin.hpp"
#include "device/runtime.hpp"

namespace lacis::interpreted {
namespace {

template <class Function> Function* exported(const char* name) {
  const device::plugin& opened = device::ptx_plugin();
  void* const symbol = opened.library != nullptr ? dlsym(opened.library, name) : nullptr;
  if (symbol == nullptr)
    throw error(errc::unsupported, detail::text("the PTX plugin has no function ", name, "; build it again"));
  return reinterpret_cast<Function*>(symbol);
}

}  // namespace

const lacis_runtime& runtime_for(int architecture) {
  const device::plugin& opened = device::ptx_plugin();
  if (opened.table == nullptr) throw error(errc::no_device, detail::text("ptx: ", opened.problem, "; ", opened.advice));
  device::runtime device(*opened.table);
  lacis_device_facts facts{};
  if (opened.table->probe(opened.table->state, architecture, &facts) != 0)
    throw error(errc::no_device, detail::text("ptx: ", opened.table->message(opened.table->state, 0),
                                              "; CMAKE_CUDA_ARCHITECTURES lists what PTX is made for"));
  device.check(opened.table->use(opened.table->state, architecture, nullptr));
  return *opened.table;
}

void set_options(const lacis_ptx_options& options) {
  exported<decltype(lacis_ptx_set_options)>("lacis_ptx_set_options")(&options);
}

lacis_ptx_counters counters() {
  lacis_ptx_counters counted{};
  exported<decltype(lacis_ptx_get_counters)>("lacis_ptx_get_counters")(&counted);
  return counted;
}

std::vector<kernel_counters> counters_by_kernel() {
  std::vector<kernel_counters> all;
  const auto take = [](void* to, const char* symbol, const lacis_ptx_counters* counted) {
    static_cast<std::vector<kernel_counters>*>(to)->push_back({symbol, *counted});
  };
  exported<decltype(lacis_ptx_each_kernel)>("lacis_ptx_each_kernel")(take, &all);
  return all;
}

}  // namespace lacis::interpreted
