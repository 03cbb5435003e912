// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How many bytes an input may bring into memory, told before they are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <lacis/io.hpp>

namespace lacis::detail {

/// The bytes that one step of reading an input may still take: see read_options::max_bytes and max_ratio.
class input_budget {
 public:
  /// For bytes as they come from a file or a pipe. `name` begins the message of an error.
  input_budget(const read_options& options, std::string name);
  /// For what `compressed` bytes unpack to.
  [[nodiscard]] static input_budget for_unpacking(const read_options& options, std::string name,
                                                  std::size_t compressed);
  /// For arrays that become those of the matrix as they are read, so that nothing is held twice.
  [[nodiscard]] static input_budget for_arrays(const read_options& options, std::string name);

  /// How many bytes may come yet, and one more: so many are asked for, so that an input that is too long is noticed.
  [[nodiscard]] std::size_t room() const { return static_cast<std::size_t>(limit_ - taken_) + 1; }
  /// Counts bytes. Throws error(out_of_memory) when they are too many; before they are stored, if it is asked then.
  void take(std::size_t bytes) {
    if (bytes >= room()) refuse();
    taken_ += static_cast<std::int64_t>(bytes);
  }

 private:
  [[noreturn]] void refuse() const;

  std::string name_;
  std::int64_t limit_;
  std::int64_t taken_ = 0;
  std::int64_t compressed_ = 0;
  std::int64_t ratio_ = 0;  ///< 0: the limit is one on bytes
  bool chosen_here_;        ///< no limit was given
};

}  // namespace lacis::detail
