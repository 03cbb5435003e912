// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis completion: scripts for bash, zsh and fish, made from the commands themselves.
#include <fmt/format.h>
#include <string>
#include <vector>

#include <lacis/generate.hpp>

#include "console/console.hpp"
#include "parse/command.hpp"
#include "parse/suggest.hpp"
#include "parse/workshop.hpp"

namespace lacis::app {
namespace {

std::string with_spaces(std::string choices) {
  for (char& c : choices)
    if (c == '|') c = ' ';
  return choices;
}

std::string generator_words() {
  std::string words;
  for (const generator_info& generator : generators())
    words += fmt::format("{}@{}:", words.empty() ? "" : " ", generator.name);
  return words;
}

std::string command_words() {
  std::string words;
  for (const command& one : all_commands()) words += (words.empty() ? "" : " ") + one.name;
  return words;
}

/// The options that help shows.
std::vector<option> visible(const command& one) {
  std::vector<option> all;
  for (const option& each : one.options)
    if (!each.is_hidden) all.push_back(each);
  return all;
}

/// The words that may follow an option or stand for an argument; none where anything may.
std::string choices_of(const option& each) {
  if (each.value.find('|') != std::string::npos) return with_spaces(each.value);
  return each.value == "COMMAND" ? command_words() : each.completions;
}

/// What the arguments without a name may be: choices, commands, or nothing for files and descriptions.
std::string argument_words(const command& one) {
  for (const option& each : visible(one)) {
    const std::string words = each.positional() ? choices_of(each) : "";
    if (!words.empty()) return words;
  }
  return {};
}

/// Whether files or descriptions may stand as arguments, alone or after the first.
bool takes_matrices(const command& one) {
  for (const option& each : one.options)
    if (each.positional() && choices_of(each).empty()) return true;
  return false;
}

std::string bash_script() {
  std::string choices;
  std::string files;
  std::string numbers;
  std::string commands;
  for (const command& one : all_commands()) {
    std::string words;
    for (const option& each : visible(one))
      for (const std::string& name : each.names) {
        words += (words.empty() ? "" : " ") + name;
        const std::string label = one.name + ',' + name;
        if (const std::string of_option = choices_of(each); !of_option.empty())
          choices +=
              fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", label, of_option);
        else if (each.value == "FILE")
          files += (files.empty() ? "" : "|") + label;
        else if (!each.value.empty())
          numbers += (numbers.empty() ? "" : "|") + label;
      }
    commands += fmt::format("    {}) options=\"{}\"; arguments=\"{}\" ;;\n", one.name, words, argument_words(one));
  }
  return fmt::format(R"(# bash completion for lacis; put into a folder that bash-completion reads, or source it.
_lacis() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
  local options="" arguments=""
  COMPREPLY=()
  [[ $before == @ ]] && word=@$word  # bash breaks words after an @, readline does not
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{0} --help --version" -- "$word"))
    return
  fi
  case "$command,$before" in
{1}    {2}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    {3}) return ;;
  esac
  case "$command" in
{4}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $arguments ]] && ((COMP_CWORD == 2)); then
    COMPREPLY=($(compgen -W "$arguments" -- "$word"))
  elif [[ $word == @* ]]; then
    compopt -o nospace +o filenames
    COMPREPLY=($(compgen -W "{5}" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _lacis lacis
)",
                     command_words(), choices, files, numbers, commands, generator_words());
}

/// In single quotes for zsh and fish.
std::string shell_quoted(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return '\'' + result + '\'';
}

std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const option& each) {
  if (const std::string words = choices_of(each); !words.empty()) return ":choice:(" + words + ')';
  if (each.value == "FILE" || each.positional()) return fmt::format(":{}:_lacis_matrix", each.value);
  return each.value.empty() ? "" : fmt::format(":{}: ", each.value);
}

std::string zsh_script() {
  std::string commands;
  std::string cases;
  for (const command& one : all_commands()) {
    commands += fmt::format("    {}\n", shell_quoted(one.name + ':' + zsh_escaped(one.summary)));
    cases += fmt::format("    {})\n      _arguments", one.name);
    for (const option& each : visible(one)) {
      if (each.positional())
        cases += " \\\n        " + shell_quoted((each.repeated() ? "*:" : ":") + zsh_action(each).substr(1));
      for (const std::string& name : each.names)
        cases +=
            " \\\n        " + shell_quoted(fmt::format("{}[{}]{}", name, zsh_escaped(each.help()), zsh_action(each)));
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(R"(#compdef lacis
# zsh completion for lacis; put into a folder of $fpath as _lacis.
_lacis_matrix() {{
  if [[ $PREFIX == @* ]]; then
    compadd -S '' -- {0}
  else
    _files
  fi
}}
_lacis() {{
  local -a commands
  commands=(
{1}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{2}  esac
}}
if [[ $funcstack[1] == _lacis ]]; then _lacis "$@"; else compdef _lacis lacis; fi
)",
                     generator_words(), commands, cases);
}

std::string fish_script() {
  std::string text = "# fish completion for lacis; put into a folder of $fish_complete_path as lacis.fish.\n";
  text += "complete -c lacis -n __fish_use_subcommand -f -l help -d 'how to use lacis'\n";
  text += "complete -c lacis -n __fish_use_subcommand -f -l version -d 'the version'\n";
  for (const command& one : all_commands()) {
    text +=
        fmt::format("complete -c lacis -n __fish_use_subcommand -f -a {} -d {}\n", one.name, shell_quoted(one.summary));
    const std::string when = fmt::format("complete -c lacis -n '__fish_seen_subcommand_from {}'", one.name);
    const std::string words = argument_words(one);
    if (!words.empty())
      text += fmt::format("{}{} -a {}\n", when, takes_matrices(one) ? "" : " -f", shell_quoted(words));
    if (takes_matrices(one)) text += fmt::format("{} -a {}\n", when, shell_quoted(generator_words()));
    for (const option& each : visible(one)) {
      if (each.positional()) continue;
      text += when;
      for (const std::string& name : each.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (const std::string words_of_option = choices_of(each); !words_of_option.empty())
        text += " -x -a " + shell_quoted(words_of_option);
      else if (!each.value.empty())
        text += each.value == "FILE" ? " -r -F" : " -x";
      text += " -d " + shell_quoted(each.help()) + '\n';
    }
  }
  return text;
}

struct completion_request {
  std::string shell;
};

void run_completion(const completion_request& request) {
  let_workshop_answer({"completion", request.shell});
  if (request.shell == "bash") return print(bash_script());
  if (request.shell == "zsh") return print(zsh_script());
  if (request.shell == "fish") return print(fish_script());
  const std::string shells[] = {"bash", "zsh", "fish"};
  refuse_choice("the shell of completion", request.shell, shells);
}

void add_options(option_list& options, completion_request& request) {
  options.add("SHELL bash|zsh|fish", request.shell, "the shell").required();
}

}  // namespace

command completion_command() {
  return make_command<completion_request>(
      {.name = "completion",
       .group = command_group::other,
       .summary = "print a completion script for a shell",
       .about = "Prints a script that completes commands, options, their choices and generated matrices.",
       .examples = {{"lacis completion bash > ~/.local/share/bash-completion/completions/lacis", "for bash"},
                    {"lacis completion fish > ~/.config/fish/completions/lacis.fish", "for fish"}}},
      add_options, run_completion);
}

}  // namespace lacis::app
