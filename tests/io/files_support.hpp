// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the tests of files share: scratch directories, texts as inputs, matrices in words.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <unistd.h>

#include <lacis/error.hpp>
#include <lacis/io.hpp>

#include "io/read.hpp"

namespace lacis::test {

/// A directory that is gone when the test ends.
class scratch {
 public:
  scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "lacis-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// A file of this content.
  [[nodiscard]] std::filesystem::path file(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }
  [[nodiscard]] int entries() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <value Value = double, index Index = std::int32_t>
csr_matrix<Value, Index> parse_text(std::string_view content, const read_options& options = {},
                                    read_report* report = nullptr) {
  read_report local;
  return detail::parse<Value, Index>({content, "input"}, options, report == nullptr ? local : *report);
}

/// "3x4 pattern (0,1) (2,3)" or "3x4 (0,1)=2.5 (2,3)=-1".
template <class Matrix> std::string in_words(const Matrix& a) {
  std::ostringstream out;
  out << a.rows << 'x' << a.cols << (a.values.iso ? " pattern" : "");
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      out << " (" << i << ',' << a.columns[k] << ')';
      if (!a.values.iso) out << '=' << a.values[k];
    }
  return out.str();
}

/// The same matrix with a value of its own in every slot: what formats without iso give back.
template <class Matrix> Matrix spelled_out(Matrix a) {
  if (!a.values.iso) return a;
  const auto single = a.values[0];
  a.values = decltype(a.values)(buffer(a.nnz(), single));
  return a;
}

/// The message of the lacis::error that `work` throws, after its code; "nothing thrown" otherwise.
inline std::string failure_of(const std::function<void()>& work) {
  constexpr const char* codes[] = {"invalid_argument", "invalid_matrix", "bad_input",    "io",
                                   "unsupported",      "overflow",       "out_of_memory"};
  try {
    work();
  } catch (const error& failure) {
    return std::string(codes[static_cast<int>(failure.code())]) + ": " + failure.what();
  }
  return "nothing thrown";
}

}  // namespace lacis::test
