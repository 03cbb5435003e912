// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// .npz files put together by hand.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "io/bytes/archive.hpp"

namespace lacis::test {

/// An array file: NumPy's magic, a version, this dictionary, these bytes.
inline std::string npy_bytes(std::string dictionary, std::string_view elements, int version = 1) {
  dictionary += '\n';
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(dictionary.size() >> 8 * i & 255);
  return out + dictionary + std::string(elements);
}

inline std::string dictionary(std::string_view descr, std::string_view shape, bool fortran = false) {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + std::string(shape) + ", }";
}

template <class T> std::string bytes_of(const std::vector<T>& elements, bool swapped = false) {
  std::string out;
  for (const T& each : elements) {
    char raw[sizeof(T)];
    std::memcpy(raw, &each, sizeof(T));
    out += swapped ? std::string(std::rbegin(raw), std::rend(raw)) : std::string(raw, sizeof(T));
  }
  return out;
}

template <class T> std::string vector_bytes(std::string_view descr, const std::vector<T>& elements) {
  return npy_bytes(dictionary(descr, "(" + std::to_string(elements.size()) + ",)"),
                   bytes_of(elements, descr.starts_with('>')));
}

using zip_parts = std::vector<std::pair<std::string, std::string>>;

inline std::string zip_of(const zip_parts& members) {
  std::string out;
  detail::zip_writer zip([&](std::string_view bytes) { out += bytes; });
  for (const auto& [name, content] : members) {
    zip.begin(name, static_cast<std::int64_t>(content.size()));
    zip.put(content);
  }
  zip.finish();
  return out;
}

/// The members of [[0, 2, 0], [3, 0, 4]] as CSR; a test replaces the one it spoils.
inline zip_parts small_csr() {
  return {{"indices.npy", vector_bytes<std::int32_t>("<i4", {1, 0, 2})},
          {"indptr.npy", vector_bytes<std::int32_t>("<i4", {0, 1, 3})},
          {"format.npy", npy_bytes(dictionary("|S3", "()"), "csr")},
          {"shape.npy", vector_bytes<std::int64_t>("<i8", {2, 3})},
          {"data.npy", vector_bytes<double>("<f8", {2, 3, 4})}};
}

inline std::string zip_with(zip_parts members, const zip_parts& replacements) {
  for (const auto& [name, content] : replacements) {
    bool found = false;
    for (auto& member : members)
      if (member.first == name) {
        member.second = content;
        found = true;
      }
    if (!found) members.emplace_back(name, content);
  }
  return zip_of(members);
}

}  // namespace lacis::test
