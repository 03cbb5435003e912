// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A file that the program holds in memory, written whole or not at all.
#include "console/write_file.hpp"

#include "base/output_file.hpp"
#include "console/console.hpp"
#include "console/interrupt.hpp"

namespace lacis::app {

void write_file(const std::string& path, std::string_view text) {
  flush_output();  // what was printed comes first where the file is standard output
  const interrupt_guard guard;
  detail::output_file output(path);
  output.put(text);
  throw_if_interrupted();
  output.commit();
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  write_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace lacis::app
