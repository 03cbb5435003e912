// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of any format: an error, or a valid matrix that SciPy's format carries to the last bit.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "io/bytes/source.hpp"
#include "io/csr_directory/json_leaves.hpp"
#include "io/npz/npz.hpp"
#include "io/read.hpp"

namespace lacis::detail {
namespace {

[[noreturn]] void fail(std::string_view what) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

template <class T> bool same_bytes(std::span<const T> a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

template <value Value, index Index> void check(const csr_matrix<Value, Index>& a) {
  if (const auto broken = validate(a)) fail(broken->message);
  if (!is_canonical(a)) fail("the rows are not canonical");
  if (a.rows + a.nnz() > (1 << 16)) return;
  std::string written;
  write_npz([&](std::string_view part) { written += part; }, a.view(), {});
  read_report report;
  csr_matrix<Value, Index> again;
  try {
    again = parse<Value, Index>({written, "written"}, {}, report);
  } catch (const error& e) {
    fail(e.what());
  }
  if (a.rows != again.rows || a.cols != again.cols || !same_bytes<std::int64_t>(a.row_offsets, again.row_offsets) ||
      !same_bytes<Index>(a.columns, again.columns))
    fail("the structure changed by being written and read");
  for (std::int64_t k = 0; k < a.nnz(); ++k) {
    const Value before = a.values[k];
    const Value after = again.values[k];
    if (std::memcmp(&before, &after, sizeof(Value)) != 0) fail("a value changed by being written and read");
  }
}

/// Members of an .npz without the zip around them, which its checksums would keep mutations from: each is two bytes of
/// length and its content, in the order of these names.
std::vector<zip_member> split_members(std::string_view bytes) {
  std::vector<zip_member> members;
  for (const char* name : {"format", "shape", "data", "indices", "indptr", "row", "col", "coords", "offsets"}) {
    if (bytes.size() < 2) break;
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
    const std::size_t length = std::min(byte(0) | byte(1) << 8, bytes.size() - 2);
    if (length > 0) {
      members.push_back({text(name, ".npy"), {}});
      members.back().content.append(bytes.substr(2, length));
    }
    bytes.remove_prefix(2 + length);
  }
  return members;
}

void run(int mode, std::string_view bytes) {
  read_options options;
  options.memory_limit = 1 << 20;
  options.max_bytes = 1 << 26;
  read_report report;
  const bool is_edge_list = (mode & 7) == 1;  // these options are refused for other formats
  options.compact_ids = is_edge_list && (mode & 8) != 0;
  options.undirected = is_edge_list && (mode & 16) != 0;
  options.round_integers = (mode & 32) != 0;
  switch (mode & 7) {
    case 1:
      options.format = file_format::edge_list;
      break;
    case 2:
      options.format = file_format::metis;
      break;
    case 3:
      options.format = file_format::npz;
      break;
    case 4:
      check(to_csr<double, std::int32_t>(gather_npz(split_members(bytes), "input"), options, report));
      return;
    case 5:
      check(to_csr<std::complex<float>, std::int64_t>(gather_npz(split_members(bytes), "input"), options, report));
      return;
    case 6:
      static_cast<void>(leaves_of_json(bytes));
      return;
    default:
      break;
  }
  byte_store expanded;
  if (is_archive(bytes)) {
    expanded = decompress(bytes, "input", options);
    bytes = expanded.text();
  }
  std::visit([](const auto& a) { check(a); }, parse_any({bytes, "input"}, options, report));
}

}  // namespace
}  // namespace lacis::detail

/// The first byte says how the others are read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t largest = std::size_t{64} << 10;
  if (size == 0 || size > largest) return -1;
  try {
    lacis::detail::run(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const lacis::error&) {
  }
  return 0;
}
