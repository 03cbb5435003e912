// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Registered kernels, and what a program may set.
#include "ptx/interpreter.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ptx/fat_binary.hpp"

namespace lacis::ptx {

interpreter& the_interpreter() {
  static interpreter one;
  return one;
}

void interpreter::add_binary(const void* wrapper) { binaries_.push_back(wrapper); }

void interpreter::find_texts() {
  for (const void* const wrapper : binaries_)
    for (ptx_text& found : texts_of(wrapper)) texts_.emplace(found.architecture, std::move(found.text));
  binaries_.clear();
}

int interpreter::architecture_of(int number) {
  find_texts();
  if (texts_.empty()) return 0;
  if (number == 0) return texts_.begin()->first;
  return texts_.contains(number) ? number : 0;
}

const module& interpreter::module_of(int architecture) {
  const auto [place, added] = modules_.try_emplace(architecture);
  module& read = place->second;
  if (!added) return read;
  try {
    read.architecture = architecture;
    const auto [first, last] = texts_.equal_range(architecture);
    for (auto text = first; text != last; ++text) read_module(text->second, read);
    if (const char* const file = secure_getenv("LACIS_PTX_REPLACE"); file != nullptr) {
      std::ifstream in(file);
      if (!in) throw fault(std::string("LACIS_PTX_REPLACE names '") + file + "', which cannot be read");
      read_module(std::string(std::istreambuf_iterator<char>(in), {}), read);
    }
  } catch (...) {
    modules_.erase(place);
    throw;
  }
  return read;
}

const kernel* interpreter::find(const void* host_function) {
  const int architecture = architecture_of(device);
  const auto name = names_.find(host_function);
  if (architecture == 0 || name == names_.end()) return nullptr;
  const module& from = module_of(architecture);
  const auto found = from.kernels.find(name->second);
  return found == from.kernels.end() ? nullptr : &found->second;
}

void interpreter::launch(const void* host_function, const launch_shape& shape, void** arguments) {
  const kernel* const run = find(host_function);
  if (run == nullptr) throw fault("there is no PTX of this kernel for the device");
  const lacis_ptx_counters before = machine_.counters;
  machine_.launch(module_of(architecture_of(device)), *run, shape, arguments);
  if (machine_.options.count == 0) return;
  lacis_ptx_counters& sum = counted_[run->name];
  for (const named_counter& each : all_counters) sum.*each.value += machine_.counters.*each.value - before.*each.value;
}

}  // namespace lacis::ptx

extern "C" {

[[gnu::visibility("default")]] void lacis_ptx_set_options(const lacis_ptx_options* options) {
  lacis::ptx::the_interpreter().runs().options = *options;
  lacis::ptx::the_interpreter().runs().counters = {};
}
[[gnu::visibility("default")]] void lacis_ptx_get_counters(lacis_ptx_counters* counters) {
  *counters = lacis::ptx::the_interpreter().runs().counters;
}
[[gnu::visibility("default")]] void lacis_ptx_each_kernel(lacis_ptx_take take, void* to) {
  for (const auto& [name, counters] : lacis::ptx::the_interpreter().counted()) take(to, name.c_str(), &counters);
}

}  // extern "C"
