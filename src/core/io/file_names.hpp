// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a file's name says about its content.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <lacis/io.hpp>

#include "io/bytes/archive.hpp"
#include "io/graph/edge_list.hpp"

namespace lacis::detail {

struct named_kind {
  std::optional<file_format> format = {};  ///< nothing: the ending is unknown, or of a format that is not written
  bool tells_text = false;                 ///< which format of text it is: .txt may be several
  compression method = compression::none;
  edge_weights weights = edge_weights::as_needed;
  std::string_view foreign_format = {};   ///< the ending of a format that is not written, such as ".h5"
  std::string_view foreign_packing = {};  ///< the ending of a compression or archive that is not written, such as ".xz"
};

/// By the ending, in upper or lower case.
[[nodiscard]] named_kind kind_of_name(const std::filesystem::path& path);

}  // namespace lacis::detail
