// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A reader of JSON that keeps the leaves alone.
#include "io/csr_directory/json_leaves.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace lacis::detail {
namespace {

constexpr int most_levels = 16;

class leaf_reader {
 public:
  leaf_reader(std::string_view text, json_leaves& leaves) : rest_(text), leaves_(leaves) {}

  bool read() {
    if (!value({}, 0)) return false;
    skip_space();
    return rest_.empty();
  }

 private:
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
  bool take(char c) {
    skip_space();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  static std::string below(const std::string& way, std::string_view name) {
    return way.empty() ? std::string(name) : way + '.' + std::string(name);
  }

  bool value(const std::string& way, int level) {
    if (level > most_levels) return false;
    if (take('{')) return members(way, level);
    if (take('[')) return elements(way, level);
    skip_space();
    if (rest_.starts_with('"')) {
      const std::optional<std::string> word = string();
      if (word) leaves_.emplace(way, *word);
      return word.has_value();
    }
    return bare_word(way);
  }

  bool members(const std::string& way, int level) {
    if (take('}')) return true;
    do {
      skip_space();
      const std::optional<std::string> name = string();
      if (!name || !take(':') || !value(below(way, *name), level + 1)) return false;
    } while (take(','));
    return take('}');
  }

  bool elements(const std::string& way, int level) {
    if (take(']')) return true;
    std::int64_t place = 0;
    do {
      if (!value(below(way, std::to_string(place++)), level + 1)) return false;
    } while (take(','));
    return take(']');
  }

  /// A number, true, false or null.
  bool bare_word(const std::string& way) {
    const std::size_t size = std::min(rest_.find_first_of(" \t\r\n,]}"), rest_.size());
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    if (word != "true" && word != "false" && word != "null") {
      double number = 0;
      const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
      if (problem == std::errc::invalid_argument || end != word.data() + word.size()) return false;
      if (word.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return false;  // "inf" and "nan"
    }
    leaves_.emplace(way, word);
    return true;
  }

  std::optional<std::string> string() {
    if (!rest_.starts_with('"')) return std::nullopt;
    std::string word;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return word;
      }
      if (rest_[i] != '\\') {
        word += rest_[i];
        continue;
      }
      if (++i == rest_.size()) break;
      constexpr std::string_view letters = "\"\\/bfnrt";
      constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
      if (const std::size_t which = letters.find(rest_[i]); which != std::string_view::npos) {
        word += meanings[which];
      } else {
        if (rest_[i] != 'u' || rest_.size() - i < 5) break;
        word += escaped(rest_.substr(i + 1, 4));
        i += 4;
      }
    }
    return std::nullopt;
  }

  static char escaped(std::string_view digits) {
    unsigned code = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    return code >= ' ' && code <= '~' ? static_cast<char>(code) : '?';
  }

  std::string_view rest_;
  json_leaves& leaves_;
};

}  // namespace

std::optional<json_leaves> leaves_of_json(std::string_view text) {
  json_leaves leaves;
  if (!leaf_reader(text, leaves).read()) return std::nullopt;
  return leaves;
}

}  // namespace lacis::detail
