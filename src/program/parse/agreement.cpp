// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that are right one by one, and not together.
#include "parse/agreement.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

namespace lacis::app {
namespace {

namespace fs = std::filesystem;

/// The words that an option holds; none where it was not given and has no default.
std::vector<std::string> values_of(const option& one) {
  if (const auto* const word = std::get_if<std::string*>(&one.target))
    return **word == "" ? std::vector<std::string>() : std::vector<std::string>{**word};
  if (const auto* const words = std::get_if<std::vector<std::string>*>(&one.target)) return **words;
  return {};
}

std::string spelling_of(const option& one) { return one.positional() ? one.value : one.names.front(); }

bool is_read(const option& one) { return one.use == file_use::read_matrix || one.use == file_use::read_vector; }
bool is_written(const option& one) { return one.use == file_use::write || one.use == file_use::write_matrix; }

/// Whether what is written to one would be lost by writing the other.
bool is_same_target(const std::string& one, const std::string& other) {
  if (one == "-" || other == "-") return false;
  std::error_code failed;
  if (fs::exists(one, failed) || fs::exists(other, failed)) return is_same_file(one, other);
  const auto full = [&](const std::string& name) { return fs::weakly_canonical(fs::absolute(name, failed), failed); };
  return full(one) == full(other) && !failed;
}

void require_effect(const command& chosen, const std::vector<std::string>& given) {
  const auto is_given = [&](const option& one) {
    return std::any_of(one.names.begin(), one.names.end(), [&](const std::string& name) {
      return std::find(given.begin(), given.end(), name) != given.end();
    });
  };
  const bool has_file = std::any_of(chosen.options.begin(), chosen.options.end(), [](const option& one) {
    const std::vector<std::string> words = values_of(one);
    return one.use == file_use::read_matrix && !std::all_of(words.begin(), words.end(), is_generator_spec);
  });
  for (const option& one : chosen.options) {
    if (!is_given(one)) continue;
    if (one.is_about_files && !has_file)
      throw error(errc::invalid_argument,
                  spelling_of(one) + " applies to files, and no matrix is read from one; leave it out");
    for (const option_need& need : one.needed) {
      const option* const other = chosen.options.find(need.option);
      if (other == nullptr) continue;
      if (need.values.empty()) {
        if (!is_given(*other))
          throw error(errc::invalid_argument,
                      spelling_of(one) + " has no effect without " + need.option + "; leave it out, or give both");
        continue;
      }
      const std::vector<std::string> words = values_of(*other);
      const std::string word = words.empty() ? "" : words.front();
      if (std::find(need.values.begin(), need.values.end(), word) == need.values.end())
        throw error(errc::invalid_argument,
                    spelling_of(one) + " has no effect with " + need.option + " " + word + "; leave it out");
    }
  }
}

void require_own_files(const command& chosen) {
  for (auto one = chosen.options.begin(); one != chosen.options.end(); ++one) {
    if (!is_written(*one)) continue;
    for (const std::string& target : values_of(*one)) {
      for (auto other = std::next(one); other != chosen.options.end(); ++other)
        for (const std::string& second : is_written(*other) ? values_of(*other) : std::vector<std::string>())
          if (is_same_target(target, second))
            throw error(errc::invalid_argument, spelling_of(*one) + " and " + spelling_of(*other) + " both write '" +
                                                    target + "'; give each a file of its own");
      for (const option& source : chosen.options) {
        const bool may_replace = one->use == file_use::write_matrix && source.use == file_use::read_matrix;
        if (!is_read(source) || may_replace) continue;
        for (const std::string& input : values_of(source))
          if (is_same_file(input, target))
            throw error(errc::invalid_argument, spelling_of(*one) + " would replace '" + target +
                                                    "', which is read as " + spelling_of(source) +
                                                    "; write another file");
      }
    }
  }
}

}  // namespace

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code failed;
  const fs::file_status status = fs::status(one, failed);
  return (fs::is_regular_file(status) || fs::is_directory(status)) && fs::equivalent(one, other, failed) && !failed;
}

void require_agreement(const command& chosen, const std::vector<std::string>& given) {
  require_effect(chosen, given);
  require_own_files(chosen);
}

}  // namespace lacis::app
