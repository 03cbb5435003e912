// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The section COMMANDS of lacis(1) from the descriptions of the commands.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "commands/about/help.hpp"
#include "console/console.hpp"

namespace lacis::app {
namespace {

constexpr std::size_t most_columns = 78;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// What mdoc would take for its own, escaped: backslashes, dashes that begin a word, what has a key of its own.
std::string escaped(std::string_view text) {
  std::string result;
  bool begins_word = true;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-' && begins_word)
      result += "\\-";
    else if (c == '~')
      result += "\\(ti";
    else if (c == '^')
      result += "\\(ha";
    else
      result += c;
    begins_word = c == ' ' || c == '(' || c == '\'' || (c == '-' && begins_word);
  }
  return result;
}

/// Sentences, each on lines of its own. A line that begins with a dot or a quote would be a request.
std::string prose(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t end = 0;
    do end = std::min(text.find(". ", end + 1), text.size());
    while (end < text.size() && std::isupper(static_cast<unsigned char>(text[end + 2])) == 0);
    std::string sentence = wrapped(escaped(text.substr(0, std::min(end + 1, text.size()))), 0, most_columns);
    for (std::size_t line = 0; line < sentence.size();) {
      if (sentence[line] == '.' || sentence[line] == '\'') sentence.insert(line, "\\&");
      line = std::min(sentence.find('\n', line), sentence.size() - 1) + 1;
    }
    result += sentence + '\n';
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return result;
}

/// "Cm a | b" for a choice, "Ar file" for anything else.
std::string value_of(const option& one) {
  if (one.value.find('|') == std::string::npos) return "Ar " + lower(one.value);
  std::string choices = "Cm ";
  for (const char c : one.value) choices += c == '|' ? " | " : std::string(1, c);
  return choices;
}

std::string item_of(const option& one) {
  std::string item;
  for (const std::string& name : one.names)
    item += fmt::format("{}Fl {}", &name == &one.names.front() ? "" : " , ", name.substr(1));
  if (!one.value.empty()) item += (item.empty() ? "" : " ") + value_of(one);
  return ".It " + item + '\n' + prose(one.help());
}

/// A list of the options of a section; nothing without any.
std::string list_of(const command& about, option_section section, bool with_arguments) {
  std::string items;
  for (const option& one : about.options)
    if (!one.is_hidden && one.section == section && (with_arguments || !one.positional())) items += item_of(one);
  return items.empty() ? items : ".Bl -tag -width Ds\n" + items + ".El\n";
}

std::string entry_of(const command& about) {
  std::string head = ".It Cm " + about.name;
  for (const option& one : about.options)
    if (one.positional())
      head += fmt::format(" {}{}", one.is_required ? "" : "Op ", value_of(one)) + (one.repeated() ? " ..." : "");
  std::string text = head + '\n';
  for (std::size_t begin = 0; begin < about.about.size();) {
    const std::size_t end = std::min(about.about.find('\n', begin), about.about.size());
    text += (begin == 0 ? "" : ".Pp\n") + prose(std::string_view(about.about).substr(begin, end - begin));
    begin = end + 1;
  }
  text += list_of(about, option_section::own, true);
  for (const command_example& example : about.examples)
    text += ".Pp\n" + escaped(static_cast<char>(std::toupper(example.what[0])) + example.what.substr(1)) + ":\n.Dl $ " +
            escaped(example.line) + '\n';
  return text;
}

/// The options of a section that most commands share, once.
std::string shared(option_section section, std::string_view title, std::string_view words) {
  return fmt::format(".Ss {}\n{}", title, prose(words)) + list_of(command_named("convert"), section, false);
}

}  // namespace

std::string manual_of_commands() {
  std::string text = ".Sh COMMANDS\n";
  for (const command_group group :
       {command_group::look, command_group::compute, command_group::check, command_group::other}) {
    const group_words words = words_of(group);
    std::string title(words.name);
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    text += fmt::format(".Ss {}: {}\n.Bl -tag -width Ds\n", title, words.what);
    for (const command& one : all_commands())
      if (one.group == group) text += entry_of(one);
    text += ".El\n";
  }
  text += shared(option_section::input, "Input options", "Commands that read a matrix take these options.");
  return text + shared(option_section::general, "General options", "Every command takes these, where they apply.");
}

}  // namespace lacis::app
