// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files and generated matrices, in C.
#include <lacis/generate.hpp>
#include <lacis/io.hpp>

#include "c_api/objects.hpp"

using namespace lacis;
using namespace lacis::c_api;

namespace {

progress progress_of(lacis_progress function, void* user) {
  if (function == nullptr) return {};
  return [=](std::string_view stage, double share) {
    if (function(user, std::string(stage).c_str(), share) != 0) throw stopped{};
  };
}

}  // namespace

lacis_status lacis_read(const char* path, lacis_progress progress, void* user, lacis_matrix** a) {
  return guarded([&] {
    required(path, "path");
    required(a, "a");
    if (is_generator_spec(path)) {
      generate_options options;
      options.progress = progress_of(progress, user);
      give(a, generate_any(path, options));
    } else {
      read_options options;
      options.progress = progress_of(progress, user);
      give(a, read_any(path, options));
    }
  });
}

lacis_status lacis_write(const char* path, const lacis_view* a, lacis_progress progress, void* user) {
  return guarded([&] {
    required(path, "path");
    write_options options;
    options.progress = progress_of(progress, user);
    with_csr(checked_view(a), [&](const auto& rows) { write(path, rows, options); });
  });
}
