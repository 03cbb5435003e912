// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Finding and opening plugins.
#include "device/plugin.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <vector>

#include "base/beside.hpp"
#include "base/text.hpp"
#include "kernels/names.hpp"

/// Null unless the host executor is linked into the program, as the tests and the command line do.
extern "C" [[gnu::weak, gnu::visibility("default")]] const lacis_runtime* lacis_simt_runtime();

namespace lacis::device {
namespace {

using lacis::detail::text;

/// What is wrong with the file as a library for this machine, or nothing. Segments that end beyond the file would be
/// mapped, and the first access would end the process.
std::string fault_of_library(const std::string& file) {
  std::error_code failed;
  // A pipe would be waited for.
  if (!std::filesystem::is_regular_file(file, failed)) return "it is not a shared library";
  std::ifstream in(file, std::ios::binary);
  if (!in) return "it cannot be read";
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  Elf64_Ehdr header{};
  if (failed || size < sizeof header || !in.read(reinterpret_cast<char*>(&header), sizeof header))
    return "it is not a shared library";
  const std::string_view magic(reinterpret_cast<const char*>(header.e_ident), SELFMAG);
  if (magic != std::string_view(ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return "it is not a shared library";
#if defined(__x86_64__)
  if (header.e_machine != EM_X86_64) return "it was built for another processor";
#elif defined(__aarch64__)
  if (header.e_machine != EM_AARCH64) return "it was built for another processor";
#endif
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  if (!in.read(reinterpret_cast<char*>(segments.data()),
               static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr))))
    return "it is cut short";
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return "it is cut short";
  if (header.e_shoff > size || std::uintmax_t{header.e_shnum} * header.e_shentsize > size - header.e_shoff)
    return "it is cut short";
  return "";
}

/// The folder or file on the way to `file` that everybody may change, or nothing. In a folder with the sticky bit, as
/// /tmp is, users do not replace each other's files.
std::string open_to_everybody(const std::filesystem::path& file) {
  for (std::filesystem::path each = file;; each = each.parent_path()) {
    struct stat status{};
    if (stat(each.c_str(), &status) == 0 && (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0)
      return each.string();
    if (!each.has_relative_path()) return "";
  }
}

std::string loader_words() {
  const char* const words = dlerror();
  return words != nullptr ? words : "the loader gives no reason";
}

}  // namespace

plugin open_plugin(const plugin_name& which, const std::string& file) {
  const char* const library_name = which.file;
  const std::string reinstall = text("install ", which.file, " again, from the same build as liblacis");
  plugin found;
  found.file =
      file.empty() ? lacis::detail::file_beside(reinterpret_cast<const void*>(&open_plugin), library_name) : file;
  // What is checked is what is opened: the loader looks for names without a slash elsewhere.
  std::string opened = library_name;
  if (!found.file.empty()) {
    std::error_code failed;
    opened = std::filesystem::canonical(found.file, failed).string();
    if (file.find('/') == std::string::npos && !file.empty()) {
      found.problem = text("'", file, "' names no place");
      found.advice =
          text("give ", which.variable, " the path of the file, as /usr/lib/", library_name, " or ./", library_name);
      return found;
    }
    if (failed) {
      found.problem = text("there is no file '", found.file, "'");
      found.advice = text(which.variable, " names the plugin; unset it for the one beside the library");
      return found;
    }
    if (const std::string writable = file.empty() ? "" : open_to_everybody(opened); !writable.empty()) {
      found.state = device_state::corrupt_plugin;
      found.problem = text("'", found.file, "' is not opened: every user may write to '", writable, "'");
      found.advice = "take that permission away (chmod o-w), or put the plugin elsewhere";
      return found;
    }
    if (const std::string fault = fault_of_library(opened); !fault.empty()) {
      found.state = device_state::corrupt_plugin;
      found.problem = text("'", found.file, "' cannot be used: ", fault);
      found.advice = reinstall;
      return found;
    }
  }
  void* const library = dlopen(opened.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const std::string words = loader_words();
    if (found.file.empty()) {
      found.problem = text("no ", which.title, " plugin: ", library_name,
                           " is neither beside the library nor on the loader's path");
      found.advice = text("configure with ", which.option, "=ON to build it, or name the file in ", which.variable);
    } else {
      found.state = device_state::corrupt_plugin;
      found.problem = text("the loader refuses the plugin: ", words);
      found.advice = reinstall;
    }
    return found;
  }
  if (found.file.empty()) found.file = library_name;
  const auto runtime = reinterpret_cast<const lacis_runtime* (*)()>(dlsym(library, which.symbol));
  const lacis_runtime* const table = runtime != nullptr ? runtime() : nullptr;
  if (table == nullptr) {
    found.state = device_state::corrupt_plugin;
    found.problem = text("'", found.file, "' is a library, but not a plugin of lacis");
    found.advice = reinstall;
  } else if (table->version != lacis_runtime_version || table->size != static_cast<std::int32_t>(sizeof *table)) {
    found.state = device_state::other_plugin;
    found.problem =
        text("'", found.file, "' has interface ", table->version, ", this lacis has ", lacis_runtime_version);
    found.advice = reinstall;
  } else if (table->kernels != hash_of_kernels()) {
    found.state = device_state::other_plugin;
    found.problem = text("'", found.file, "' has other kernels than this lacis");
    found.advice = reinstall;
  } else {
    found.state = device_state::ready;
    found.table = table;
    found.library = library;
    return found;
  }
  dlclose(library);
  return found;
}

namespace {
plugin open_named(const plugin_name& which) {
  const char* const named = secure_getenv(which.variable);
  return open_plugin(which, named != nullptr ? named : "");
}
}  // namespace

const plugin& cuda_plugin() {
  static const plugin opened = open_named(cuda_name);
  return opened;
}

const plugin& ptx_plugin() {
  static const plugin opened = open_named(ptx_name);
  return opened;
}

const plugin& simt_plugin() {
  static const plugin opened = [] {
    if (lacis_simt_runtime == nullptr) return open_named(simt_name);
    plugin linked;
    linked.table = lacis_simt_runtime();
    linked.state = device_state::ready;
    return linked;
  }();
  return opened;
}

}  // namespace lacis::device
