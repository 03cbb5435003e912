// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels by number. Only their declarations are compiled here.
#include "kernels/names.hpp"

#include <kernels/all.hpp>
#include <kernels/headers.hpp>

#include "base/text.hpp"
#include "kernels/each_kernel.hpp"
#include "team/fields.hpp"

namespace lacis::device {
namespace {

struct kernel_name {
  const char* name = nullptr;  ///< null: no kernel has this number
  int argument_count = 0;
};

struct name_collector {
  std::vector<kernel_name> names = std::vector<kernel_name>(static_cast<std::size_t>(kernels::kernel_numbers));

  template <class Kernel> void add() {
    names[static_cast<std::size_t>(kernels::number_of<Kernel>)] = {Kernel::name, simt::field_count<Kernel>()};
  }
};

const std::vector<kernel_name>& all_names() {
  static const std::vector<kernel_name> names = [] {
    name_collector all;
#define LACIS_COLLECT(header) kernels::each_kernel(kernels::header##_kernels{}, all);
    LACIS_FOR_EACH_KERNEL_HEADER(LACIS_COLLECT)
    return all.names;
  }();
  return names;
}

std::string name_with_types(const char* name, std::size_t number) {
  constexpr const char* values[] = {"float", "double", "complex float", "complex double"};
  return lacis::detail::text(name, ", ", values[number % kernels::type_pairs / 2], ", ",
                             number % 2 == 0 ? "32-bit" : "64-bit");
}

}  // namespace

kernel_counts count_kernels() {
  kernel_counts counts;
  std::string last;
  for (const kernel_name& kernel : all_names()) {
    if (kernel.name == nullptr) continue;
    ++counts.instantiations;
    if (last != kernel.name) ++counts.kernels;
    last = kernel.name;
  }
  return counts;
}

std::uint64_t hash_of_kernels() {
  std::uint64_t hash = 0;
  for (std::size_t number = 0; number < all_names().size(); ++number)
    if (const kernel_name& kernel = all_names()[number]; kernel.name != nullptr)
      hash = kernels::hash_kernel(hash, static_cast<int>(number), kernel.name, kernel.argument_count);
  return hash;
}

std::vector<std::string> never_launched(std::span<const std::int64_t> launches) {
  std::vector<std::string> names;
  for (std::size_t number = 0; number < launches.size(); ++number)
    if (all_names()[number].name != nullptr && launches[number] == 0)
      names.push_back(name_with_types(all_names()[number].name, number));
  return names;
}

}  // namespace lacis::device
