// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading a text of PTX: variables, kernels, and which line of the source an instruction comes from.
#include <charconv>
#include <filesystem>
#include <optional>

#include "ptx/reader.hpp"

namespace lacis::ptx {
namespace {

/// Names of files as .file numbers them, and lines as .loc refers to them.
class source_lines {
 public:
  explicit source_lines(std::vector<std::string>& sources) : sources_(sources) {}

  /// .file 2 "/home/me/lacis/src/core/kernels/vector.hpp"
  void add_file(std::string_view line) {
    const std::size_t begin = line.find('"');
    const std::size_t end = line.rfind('"');
    if (begin == std::string_view::npos || end == begin) return;
    std::string path = std::filesystem::path(line.substr(begin + 1, end - begin - 1)).lexically_normal().string();
    if (const std::size_t inside = path.rfind("/src/"); inside != std::string::npos) path.erase(0, inside + 1);
    files_[number_in(line, 5)] = std::move(path);
  }
  /// .loc 2 33 7, function_name ..., inlined_at ...: what was inlined comes first.
  [[nodiscard]] int find(std::string_view line) {
    std::size_t at = 4;
    const int file = number_in(line, at);
    at = line.find_first_not_of(" \t", at);
    at = line.find_first_of(" \t", at);
    const int row = number_in(line, at);
    const std::pair key{file, row};
    const auto [place, added] = known_.try_emplace(key, static_cast<int>(sources_.size()));
    if (added) sources_.push_back((files_.contains(file) ? files_[file] : "?") + ":" + std::to_string(row));
    return place->second;
  }

 private:
  static int number_in(std::string_view line, std::size_t at) {
    int number = 0;
    at = std::min(line.find_first_not_of(" \t", at), line.size());
    std::from_chars(line.data() + at, line.data() + line.size(), number);
    return number;
  }
  std::vector<std::string>& sources_;
  std::map<int, std::string> files_;
  std::map<std::pair<int, int>, int> known_;
};

/// A line without its comment.
std::string_view code_of(std::string_view line) { return trimmed(line.substr(0, line.find("//"))); }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

class module_reader {
 public:
  module_reader(const std::string& text, module& into)
      : module_(into), lines_(lines_of(text)), sources_(into.sources) {}

  void read() {
    for (const std::string_view line : lines_)
      if (const std::string_view code = trimmed(line); code.starts_with(".file")) sources_.add_file(code);
    while (at_ < lines_.size()) {
      const std::string_view code = code_of(lines_[at_++]);
      if (code.starts_with(".shared") || code.starts_with(".extern .shared")) {
        std::string name;
        variable found;
        if (parse_variable(code.substr(0, code.find(';')), name, found)) variables_[name] = found;
      } else if (code.find(".entry ") != std::string_view::npos) {
        read_kernel(code);
      } else if (code.starts_with(".func") || code.find(" .func") != std::string_view::npos) {
        throw fault("PTX line " + std::to_string(at_) + ": functions that are called are not known");
      }
    }
  }

 private:
  void read_kernel(std::string_view head) {
    const std::size_t begin = head.find(".entry ") + 7;
    kernel read;
    read.name = trimmed(head.substr(begin, head.find('(') - begin));
    read.of_cub = read.name.starts_with("_ZN3cub");
    kernel_reader reader(read, variables_);
    if (head.find("()") == std::string_view::npos) read_parameters(reader);
    int source = none;
    while (!reader.ended()) {
      if (at_ >= lines_.size()) throw fault("the PTX ends inside of " + read.name);
      std::string_view code = code_of(lines_[at_++]);
      reader.set_place(static_cast<int>(at_), source);
      if (code.starts_with(".loc")) {
        source = sources_.find(code);
      } else if (code.starts_with(".maxntid") || code.starts_with(".minnctapersm") || code.starts_with(".maxnreg")) {
        reader.add_statement(code);
      } else {
        read_statements(reader, code);
      }
    }
    reader.finish();
    std::string name = read.name;
    module_.kernels.insert_or_assign(std::move(name), std::move(read));
  }
  void read_parameters(kernel_reader& reader) {
    for (;; ++at_) {
      if (at_ >= lines_.size()) throw fault("the PTX ends among parameters");
      std::string_view code = code_of(lines_[at_]);
      reader.set_place(static_cast<int>(at_) + 1, none);
      const bool last = code.ends_with(')');
      if (last) code.remove_suffix(1);
      if (code.ends_with(',')) code.remove_suffix(1);
      if (!trimmed(code).empty()) reader.add_parameter(code);
      if (last) break;
    }
    ++at_;
  }
  /// A line of inline assembly may have several.
  static void read_statements(kernel_reader& reader, std::string_view code) {
    while (!code.empty() && !reader.ended()) {
      const std::size_t end = std::min(code.find(';'), code.size());
      reader.add_statement(code.substr(0, end));
      code.remove_prefix(std::min(end + 1, code.size()));
    }
  }

  module& module_;
  std::vector<std::string_view> lines_;
  source_lines sources_;
  std::unordered_map<std::string, variable> variables_;
  std::size_t at_ = 0;
};

}  // namespace

void read_module(const std::string& text, module& into) { module_reader(text, into).read(); }

}  // namespace lacis::ptx
