// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A directory of files that appears whole or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"

namespace lacis::detail {

/// A directory beside its final name, filled with output_files that are placed directly, and put in place by commit();
/// without commit() nothing is left and what was there before stays. What is replaced hands on its mode and, where the
/// system allows that, its owner. A symbolic link stays and what it points to is replaced. Every failure is error(io).
class output_directory {
 public:
  /// Replaces only a directory that holds nothing but files of these names, which must outlive the object.
  output_directory(const std::filesystem::path& path, std::span<const std::string_view> names);
  output_directory(const output_directory&) = delete;
  output_directory& operator=(const output_directory&) = delete;
  ~output_directory();

  /// Where to make the files; all are committed before this is.
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  /// Everything is on disk under its final name when this returns.
  void commit();

 private:
  void require_replaceable() const;
  void make_beside();
  [[nodiscard]] std::filesystem::path put_in_place();
  [[nodiscard]] std::filesystem::path put_aside_and_in_place();
  void remove(const std::filesystem::path& directory) const;

  std::string name_;  ///< as messages call it
  std::filesystem::path final_;
  std::filesystem::path temporary_;  ///< empty once everything is in place
  std::span<const std::string_view> names_;
  descriptor opened_parent_;
};

}  // namespace lacis::detail
