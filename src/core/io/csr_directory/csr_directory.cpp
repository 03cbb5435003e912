// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading a directory of NumPy arrays: the description first, then each array against it.
#include "io/csr_directory/csr_directory.hpp"

#include <limits>
#include <optional>
#include <system_error>

#include <lacis/csr_directory.hpp>
#include <lacis/row_ranges.hpp>

#include "base/instantiate.hpp"
#include "io/bytes/input_budget.hpp"
#include "io/bytes/source.hpp"
#include "io/csr_directory/json_leaves.hpp"
#include "io/numbers.hpp"
#include "structure/select.hpp"

namespace lacis::detail {
namespace {

/// matrix.json, field by field.
class description {
 public:
  explicit description(const input_file& file) : where_(file.name()) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 20;
    if (file.size() > most_bytes) throw fault("describes no matrix: it is longer than a mebibyte");
    const byte_store bytes = read_bytes(file, {});
    auto leaves = leaves_of_json(bytes.text());
    if (!leaves) throw fault("is no JSON; is the file damaged?");
    leaves_ = std::move(*leaves);
  }

  [[nodiscard]] const std::string& word(std::string_view field) const {
    const auto found = leaves_.find(text("binsparse.", field));
    if (found == leaves_.end()) throw fault(text("has no field ", field));
    return found->second;
  }

  [[nodiscard]] bool has(std::string_view field) const {
    const std::string way = text("binsparse.", field);
    const std::string below = way + '.';  // where an object or a list has its leaves
    const auto found = leaves_.lower_bound(below);
    return leaves_.contains(way) || (found != leaves_.end() && found->first.starts_with(below));
  }

  [[nodiscard]] std::int64_t size(std::string_view field) const {
    const std::string& digits = word(field);
    const char* const last = digits.data() + digits.size();
    std::int64_t number = 0;
    const parsed_number parsed = parse_digits(digits.data(), last, number);
    if (parsed.status != number_status::ok || parsed.end != last)
      throw fault(text(field, " is no integer from 0 to 2^63 - 1"));
    return number;
  }

  [[nodiscard]] error fault(std::string_view what) const { return {errc::bad_input, text(where_, ": ", what)}; }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  std::string where_;
  json_leaves leaves_;
};

/// matrix.json of a directory, of the one format that is known.
description description_of(const input_directory& folder) {
  if (!folder.has(description_file))
    throw error(errc::io,
                text(folder.path().string(), ": is a directory without ", description_file, "; name a file in it"));
  description about(folder.open(description_file));
  if (about.word("format") != "CSR") throw about.fault("the format is not CSR, the only one known here");
  if (about.has("version") && about.word("version") != "0.1")
    throw about.fault("the version is not 0.1, the only one known here");
  if (about.has("shape.2")) throw about.fault("the shape has more than rows and columns");
  if (about.has("structure"))
    throw about.fault(
        "declares a structure, which means that the arrays hold half of the matrix; store all entries, without it");
  if (about.has("fill") && about.word("fill") != "false")
    throw about.fault("declares a value for what is not stored, which is zero here");
  return about;
}

/// An array of as many elements as the description says, of the type that it says.
npy_array load_array(const input_directory& folder, std::string_view file, const description& about,
                     std::string_view type_field, std::int64_t count) {
  npy_array array = open_npy(folder.open(file));
  array.require_dimensions(1);
  const std::string& declared = about.word(text("data_types.", type_field));
  if (const std::string held = binsparse_type(array.kind, array.item_size); held != declared)
    throw array.fault(text("holds ", held, ", but ", description_file, " declares another type"));
  if (array.count != count)
    throw array.fault(text("has ", array.count, " elements, but ", description_file, " asks for ", count));
  return array;
}

/// A file of integers that a directory may hold; nothing without it.
std::optional<npy_array> load_extra(const input_directory& folder, std::string_view file) {
  if (!folder.has(file)) return {};
  npy_array array = open_npy(folder.open(file));
  array.require_dimensions(1);
  if (const std::string held = binsparse_type(array.kind, array.item_size); held != "int64")
    throw array.fault(text("holds ", held, ", not int64"));
  return array;
}

bool is_directory(const std::filesystem::path& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

}  // namespace

std::string binsparse_type(char kind, int item_size) {
  const int bits = 8 * item_size;
  switch (kind) {
    case 'i':
      return text("int", bits);
    case 'u':
      return text("uint", bits);
    case 'f':
      return text("float", bits);
    case 'c':
      return text("complex[float", bits / 2, ']');
    case 'b':
      return "bint8";
    default:
      return "text";
  }
}

csr_directory_content load_csr_directory(const std::filesystem::path& path) {
  const input_directory folder(path);
  const description about = description_of(folder);
  csr_directory_content content;
  npz_content& all = content.arrays;
  all.name = path.string();
  all.shape_from = about.where();
  all.format = "csr";
  all.rows = about.size("shape.0");
  all.cols = about.size("shape.1");
  if (all.rows == std::numeric_limits<std::int64_t>::max()) throw about.fault("has more rows than offsets can count");
  content.entries = about.size("number_of_stored_values");
  const auto take = [&](const char* member, std::string_view file, std::string_view type, std::int64_t count) {
    npy_array array = load_array(folder, file, about, type, count);
    all.file_bytes += array.file->size();
    all.arrays.emplace(member, std::move(array));
  };
  take("indptr", row_offsets_file, "pointers_to_1", all.rows + 1);
  take("indices", columns_file, "indices_1", content.entries);
  take("data", values_file, "values", content.entries);
  return content;
}

template <value Value, index Index>
csr_matrix<Value, Index> to_csr(csr_directory_content content, const read_options& options, read_report& report) {
  const std::string where = content.arrays.shape_from;
  const std::int64_t bytes = content.arrays.file_bytes;
  input_budget::for_arrays(options, content.arrays.name).take(static_cast<std::size_t>(bytes));
  csr_matrix<Value, Index> a = to_csr<Value, Index>(std::move(content.arrays), options, report);
  if (report.stored_entries != content.entries)
    throw error(errc::bad_input,
                text(where, ": declares ", content.entries, " entries, but the rows have ", report.stored_entries));
  report.format = file_format::csr_directory;
  report.bytes = bytes;
  return a;
}

#define LACIS_INSTANTIATE(Value, Index) \
  template csr_matrix<Value, Index> to_csr(csr_directory_content, const read_options&, read_report&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail

namespace lacis {

buffer<std::int64_t> read_parts(const std::string& path) {
  if (!detail::is_directory(path)) return {};
  const detail::input_directory folder(path);
  const auto array = detail::load_extra(folder, detail::parts_file);
  if (!array) return {};
  const std::int64_t rows = detail::description_of(folder).size("shape.0");
  buffer<std::int64_t> parts = detail::whole_numbers_of(*array);
  if (!are_parts(rows, parts))
    throw array->fault(detail::text("does not ascend from 0 to ", rows, " rows in steps of ", rows_in_chunk));
  return parts;
}

buffer<std::int64_t> read_order(const std::string& path) {
  if (!detail::is_directory(path)) return {};
  const detail::input_directory folder(path);
  const auto array = detail::load_extra(folder, detail::order_file);
  if (!array) return {};
  const std::int64_t rows = detail::description_of(folder).size("shape.0");
  if (array->count != rows)
    throw array->fault(
        detail::text("has ", array->count, " elements, but ", detail::description_file, " declares ", rows, " rows"));
  buffer<std::int64_t> order = detail::whole_numbers_of(*array);
  try {
    static_cast<void>(detail::positions_in<std::int64_t>(order, rows, "rows"));
  } catch (const error& problem) {
    throw array->fault(problem.what());
  }
  return order;
}

}  // namespace lacis
