// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files exchanged with SciPy in both directions; scipy_files.py is the other side.
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

#include "io/files_support.hpp"
#include "io/npz/npz.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

std::string quoted(const std::string& word) { return "'" + word + "'"; }

bool have_scipy() {
  static const bool found =
      std::system((quoted(LACIS_TEST_PYTHON) + " -c 'import numpy, scipy.sparse' 2>/dev/null").c_str()) == 0;
  return found;
}

bool run_script(const std::string& command, const scratch& directory) {
  return std::system((quoted(LACIS_TEST_PYTHON) + ' ' + quoted(LACIS_TEST_SCRIPTS "/scipy_files.py") + ' ' + command +
                      ' ' + quoted(directory.path().string()) + " > " + quoted((directory / "log").string()))
                         .c_str()) == 0;
}

template <class T> buffer<T> take(std::string_view& bytes, std::int64_t count) {
  buffer<T> out(count);
  if (count > 0) std::memcpy(static_cast<void*>(out.data()), bytes.data(), static_cast<std::size_t>(count) * sizeof(T));
  bytes.remove_prefix(static_cast<std::size_t>(count) * sizeof(T));
  return out;
}

template <class Value> csr_matrix<Value, std::int64_t> from_raw(const std::string& content) {
  std::string_view rest = content;
  const auto head = take<std::int64_t>(rest, 3);
  csr_matrix<Value, std::int64_t> a;
  a.rows = head[0];
  a.cols = head[1];
  a.row_offsets = take<std::int64_t>(rest, head[0] + 1);
  a.columns = take<std::int64_t>(rest, head[2]);
  a.values = values_array<Value>(take<Value>(rest, head[2]));
  EXPECT_TRUE(rest.empty());
  return a;
}

template <class Value> void write_raw(const std::filesystem::path& path, const csr_matrix<Value>& a) {
  std::ofstream out(path, std::ios::binary);
  const auto put = [&](const auto* data, std::int64_t count) {
    out.write(reinterpret_cast<const char*>(data), count * static_cast<std::int64_t>(sizeof(*data)));
  };
  const std::int64_t head[] = {a.rows, a.cols, a.nnz()};
  put(head, 3);
  put(a.row_offsets.data(), a.rows + 1);
  for (const std::int64_t column : a.columns) put(&column, 1);
  put(a.values.data.data(), a.nnz());
}

TEST(SciPy, EveryFileThatSaveNpzWritesIsReadExactly) {
  if (!have_scipy()) GTEST_SKIP() << "no NumPy and SciPy in " << LACIS_TEST_PYTHON << "; run tools/install-deps";
  const scratch directory;
  ASSERT_TRUE(run_script("save", directory));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    if (entry.path().extension() != ".npz") continue;
    ++files;
    const std::string raw = content_of(std::filesystem::path(entry.path()).replace_extension(".raw"));
    if (entry.path().string().find("complex") != std::string::npos) {
      using complex = std::complex<double>;
      EXPECT_EQ(difference(from_raw<complex>(raw), (read<complex, std::int64_t>(entry.path()))), "") << entry.path();
      EXPECT_TRUE((std::holds_alternative<csr_matrix<complex, std::int32_t>>(read_any(entry.path()))));
    } else {
      EXPECT_EQ(difference(from_raw<double>(raw), (read<double, std::int64_t>(entry.path()))), "") << entry.path();
      EXPECT_TRUE((std::holds_alternative<csr_matrix<double, std::int32_t>>(read_any(entry.path()))));
    }
  }
  EXPECT_EQ(files, 13 * 5 * 2 * 2 + 4);
}

template <class Value> int write_test_matrices(const scratch& directory, const std::string& type) {
  int files = 0;
  for (const auto& [name, a] : test_matrices<Value>(entries::reals)) {
    const std::string stem = type + std::to_string(files++);
    std::ofstream out(directory / (stem + ".npz"), std::ios::binary);
    detail::write_npz([&](std::string_view bytes) { out << bytes; }, a.view(), {});
    write_raw(directory / (stem + ".raw"), spelled_out(a));
  }
  return files;
}

TEST(SciPy, LoadNpzReadsEveryMatrixOfTheBatteryExactly) {
  if (!have_scipy()) GTEST_SKIP() << "no NumPy and SciPy in " << LACIS_TEST_PYTHON << "; run tools/install-deps";
  const scratch directory;
  const int files = write_test_matrices<float>(directory, "f") + write_test_matrices<double>(directory, "d") +
                    write_test_matrices<std::complex<float>>(directory, "cf") +
                    write_test_matrices<std::complex<double>>(directory, "cd");
  EXPECT_TRUE(run_script("check", directory));
  EXPECT_EQ(content_of(directory / "log"), std::to_string(files) + "\n");
}

}  // namespace
}  // namespace lacis::test
