// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading SciPy's .npz files: csr, csc, coo, bsr and dia, each checked before it is used.
#include "io/npz/npz.hpp"

#include <algorithm>
#include <numeric>

#include <lacis/convert.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/assemble.hpp"
#include "io/limits.hpp"

namespace lacis::detail {
namespace {

constexpr std::string_view members_of_matrices[] = {"format", "shape", "data",   "indices", "indptr",
                                                    "row",    "col",   "coords", "offsets"};
constexpr std::string_view ending = ".npy";

bool is_wanted(std::string_view member) {
  if (!member.ends_with(ending)) return false;
  member.remove_suffix(ending.size());
  return std::find(std::begin(members_of_matrices), std::end(members_of_matrices), member) !=
         std::end(members_of_matrices);
}

/// Offsets that begin with 0, do not descend, and end within `entries`.
buffer<std::int64_t> offsets_of(const npy_array& array, std::int64_t groups, std::int64_t entries) {
  buffer<std::int64_t> offsets = whole_numbers_of(array);
  if (offsets.size() - 1 != groups)
    throw array.fault(text("has ", offsets.size(), " elements; the shape needs ", groups, " + 1"));
  if (offsets[0] != 0) throw array.fault(text("begins with ", offsets[0], ", not with 0"));
  for (std::int64_t i = 0; i < groups; ++i)
    if (offsets[i] > offsets[i + 1])
      throw array.fault(text("descends from ", offsets[i], " to ", offsets[i + 1], " at element ", i + 1));
  if (offsets[groups] > entries)
    throw array.fault(text("ends with ", offsets[groups], ", but only ", entries, " entries are stored"));
  return offsets;
}

void require_length(const npy_array& array, std::int64_t length, std::string_view of) {
  array.require_dimensions(1);
  if (array.count != length)
    throw array.fault(text("has ", array.count, " elements, but ", of, " has ", length, "; is the file damaged?"));
}

/// The first `count` values, in a buffer of that size.
template <class Value> values_array<Value> first_values(buffer<Value> values, std::int64_t count) {
  if (values.size() == count) return values_array<Value>(std::move(values));
  return values_array<Value>(buffer<Value>(std::span<const Value>(values).first(static_cast<std::size_t>(count))));
}

/// CSR, or CSC when rows and columns are exchanged: offsets, indices and values of `groups` rows or columns.
template <class Value, class Index> struct compressed_arrays {
  buffer<std::int64_t> offsets;
  buffer<Index> indices;
  values_array<Value> values;

  compressed_arrays(npz_content& content, std::int64_t groups, std::int64_t bound, const read_options& options) {
    const npy_array data = content.take("data");
    const npy_array places = content.take("indices");
    data.require_dimensions(1);
    require_length(places, data.count, "data");
    offsets = offsets_of(content.take("indptr"), groups, data.count);
    const std::int64_t count = offsets[groups];
    indices = indices_of<Index>(places, 0, 1, count, bound);
    values = first_values(values_of<Value>(data, options), count);
  }
};

template <class Value, class Index>
csr_matrix<Value, Index> from_csr_arrays(npz_content& content, const read_options& options) {
  compressed_arrays<Value, Index> arrays(content, content.rows, content.cols, options);
  csr_matrix<Value, Index> a;
  a.rows = content.rows;
  a.cols = content.cols;
  a.row_offsets = std::move(arrays.offsets);
  a.columns = std::move(arrays.indices);
  a.values = std::move(arrays.values);
  return a;
}

template <class Value, class Index>
csr_matrix<Value, Index> from_csc_arrays(npz_content& content, const read_options& options) {
  const compressed_arrays<Value, Index> arrays(content, content.cols, content.rows, options);
  return to_csr(
      csc_view<Value, Index>{content.rows, content.cols, arrays.offsets, arrays.indices, arrays.values.view()});
}

template <class Value, class Index>
csr_matrix<Value, Index> from_coo_arrays(npz_content& content, const read_options& options) {
  const npy_array data = content.take("data");
  data.require_dimensions(1);
  coo_matrix<Value, Index> a;
  a.rows = content.rows;
  a.cols = content.cols;
  if (content.arrays.contains("coords")) {
    const npy_array coords = content.take("coords");
    coords.require_dimensions(2);
    if (coords.shape[0] != 2 || coords.shape[1] != data.count)
      throw coords.fault(
          text("has the shape (", coords.shape[0], ", ", coords.shape[1], "), not (2, ", data.count, ')'));
    a.row_indices = indices_of<Index>(coords, 0, coords.stride(1), data.count, content.rows);
    a.columns = indices_of<Index>(coords, coords.stride(0), coords.stride(1), data.count, content.cols);
  } else {
    const auto indices = [&](std::string_view member, std::int64_t bound) {
      const npy_array array = content.take(member);
      require_length(array, data.count, "data");
      return indices_of<Index>(array, 0, 1, array.count, bound);
    };
    a.row_indices = indices("row", content.rows);
    a.columns = indices("col", content.cols);
  }
  a.values = values_array<Value>(values_of<Value>(data, options));
  return gather_rows(a.view());
}

template <class Value, class Index>
csr_matrix<Value, Index> from_bsr_arrays(npz_content& content, const read_options& options) {
  const npy_array data = content.take("data");
  data.require_dimensions(3);
  const std::int64_t block_rows = data.shape[1];
  const std::int64_t block_cols = data.shape[2];
  if (block_rows == 0 || block_cols == 0 || content.rows % block_rows != 0 || content.cols % block_cols != 0)
    throw data.fault(text("blocks of ", block_rows, " x ", block_cols, " do not tile a matrix of ", content.rows, " x ",
                          content.cols));
  const npy_array places = content.take("indices");
  require_length(places, data.shape[0], "data");
  const buffer<std::int64_t> offsets = offsets_of(content.take("indptr"), content.rows / block_rows, data.shape[0]);
  const std::int64_t blocks = offsets[offsets.size() - 1];
  const auto block_columns = indices_of<Index>(places, 0, 1, blocks, content.cols / block_cols);
  const buffer<Value> values = values_of<Value>(data, options);

  csr_matrix<Value, Index> a;
  a.rows = content.rows;
  a.cols = content.cols;
  a.row_offsets = buffer<std::int64_t>(content.rows + 1);
  a.columns = buffer<Index>(blocks * block_rows * block_cols);
  a.values = values_array<Value>(a.columns.size());
  a.row_offsets[content.rows] = a.columns.size();
  const std::int64_t strides[] = {data.stride(0), data.stride(1), data.stride(2)};
  parallel_for(content.rows, [&](std::int64_t i) {
    const std::int64_t first = offsets[i / block_rows];
    const std::int64_t last = offsets[i / block_rows + 1];
    const std::int64_t in_block = i % block_rows;
    std::int64_t slot = (first * block_rows + in_block * (last - first)) * block_cols;
    a.row_offsets[i] = slot;
    for (std::int64_t b = first; b < last; ++b)
      for (std::int64_t j = 0; j < block_cols; ++j, ++slot) {
        a.columns[slot] = static_cast<Index>(block_columns[b] * block_cols + j);
        a.values.data[slot] = values[b * strides[0] + in_block * strides[1] + j * strides[2]];
      }
  });
  return a;
}

/// Diagonal k holds (i, i + k) in column i + k of `data`, which may be narrower or wider than the matrix.
template <class Value, class Index>
csr_matrix<Value, Index> from_dia_arrays(npz_content& content, const read_options& options) {
  const npy_array data = content.take("data");
  data.require_dimensions(2);
  const npy_array diagonals = content.take("offsets");
  require_length(diagonals, data.shape[0], "data");
  const buffer<std::int64_t> offsets = whole_numbers_of(diagonals);
  std::vector<std::int64_t> order(static_cast<std::size_t>(offsets.size()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(), [&](std::int64_t x, std::int64_t y) { return offsets[x] < offsets[y]; });
  for (std::size_t d = 1; d < order.size(); ++d)
    if (offsets[order[d - 1]] == offsets[order[d]])
      throw diagonals.fault(text("lists the diagonal ", offsets[order[d]], " twice"));
  const buffer<Value> values = values_of<Value>(data, options);
  const std::int64_t width = std::min(content.cols, data.shape[1]);

  csr_matrix<Value, Index> a;
  a.rows = content.rows;
  a.cols = content.cols;
  a.row_offsets = buffer<std::int64_t>(content.rows + 1);
  // The diagonals that cross row i are neighbours in ascending order: those from -i on, below width - i.
  const auto crossing = [&](std::int64_t i) {
    const auto below = [&](std::int64_t limit) {
      return std::lower_bound(order.begin(), order.end(), limit,
                              [&](std::int64_t d, std::int64_t bound) { return offsets[d] < bound; });
    };
    return std::pair(below(-i), below(width - i));
  };
  parallel_for(content.rows, [&](std::int64_t i) {
    const auto [first, last] = crossing(i);
    a.row_offsets[i] = last - first;
  });
  const std::int64_t entries = counts_to_offsets(a.row_offsets);
  a.columns = buffer<Index>(entries);
  a.values = values_array<Value>(entries);
  const std::int64_t along = data.stride(1);
  const std::int64_t across = data.stride(0);
  parallel_for(content.rows, [&](std::int64_t i) {
    const auto [first, last] = crossing(i);
    std::int64_t slot = a.row_offsets[i];
    for (auto d = first; d != last; ++d, ++slot) {
      const std::int64_t column = i + offsets[*d];
      a.columns[slot] = static_cast<Index>(column);
      a.values.data[slot] = values[*d * across + column * along];
    }
  });
  return a;
}

}  // namespace

const npy_array& npz_content::array(std::string_view member) const {
  const auto found = arrays.find(member);
  if (found == arrays.end())
    throw error(errc::bad_input, text(name, ": has no member ", member, ".npy, which the format ", format, " needs"));
  return found->second;
}

npy_array npz_content::take(std::string_view member) {
  static_cast<void>(array(member));
  return std::move(arrays.extract(arrays.find(member)).mapped());
}

npz_content load_npz(const text_input& input, const read_options& options) {
  return gather_npz(read_zip(input.text, input.name, is_wanted, options), input.name);
}

npz_content gather_npz(std::vector<zip_member> members, const std::string& name) {
  npz_content content;
  content.name = name;
  std::string names;
  for (zip_member& member : members) {
    names += text(names.empty() ? "" : ", ", member.name);
    if (!is_wanted(member.name)) continue;
    content.file_bytes += static_cast<std::int64_t>(member.content.text().size());
    const std::string key = member.name.substr(0, member.name.size() - ending.size());
    const std::string where = text(name, ": ", member.name);
    if (!content.arrays.emplace(key, parse_npy(std::move(member.content), where)).second)
      throw error(errc::bad_input, text(where, ": is there twice; is the file damaged?"));
  }
  for (const std::string_view needed : {"format", "shape", "data"})
    if (!content.arrays.contains(needed))
      throw error(errc::bad_input, text(name, ": has no member ", needed,
                                        ".npy, so scipy.sparse.save_npz did not "
                                        "write it; its members: ",
                                        names.substr(0, 400)));
  content.format = text_of(content.take("format"));
  const npy_array shape = content.take("shape");
  const buffer<std::int64_t> sizes = whole_numbers_of(shape);
  if (sizes.size() != 2)
    throw shape.fault(text(sizes.size(), " dimensions; reshape the array to two before saving it"));
  if (sizes[0] < 0 || sizes[1] < 0) throw shape.fault("is negative; is the file damaged?");
  content.shape_from = shape.where;
  content.rows = sizes[0];
  content.cols = sizes[1];
  return content;
}

template <value Value, index Index>
csr_matrix<Value, Index> to_csr(npz_content content, const read_options& options, read_report& report) {
  const std::string where = content.shape_from;
  require_sizes<Index>(content.rows, content.cols, where);
  require_justified_rows(content.rows, content.file_bytes, options, where,
                         "raise read_options::memory_limit if this is right");
  const npy_array& data = content.array("data");
  const bool is_boolean = data.kind == 'b';
  report.format = file_format::npz;
  report.field = data.kind == 'c' ? "complex" : data.kind == 'f' ? "real" : data.kind == 'b' ? "bool" : "integer";
  csr_matrix<Value, Index> a;
  if (content.format == "csr")
    a = from_csr_arrays<Value, Index>(content, options);
  else if (content.format == "csc")
    a = from_csc_arrays<Value, Index>(content, options);
  else if (content.format == "coo")
    a = from_coo_arrays<Value, Index>(content, options);
  else if (content.format == "bsr")
    a = from_bsr_arrays<Value, Index>(content, options);
  else if (content.format == "dia")
    a = from_dia_arrays<Value, Index>(content, options);
  else
    throw error(errc::bad_input, text(content.name, ": format.npy: \"", content.format,
                                      "\" is none of csr, csc, coo, bsr and dia; convert with .tocsr()"));
  report.stored_entries = a.nnz();
  report.duplicates = make_canonical(a, duplicates::sum);
  if (is_boolean && report.duplicates > 0)  // true and true are true
    for (Value& value : a.values.data) value = value != Value(0) ? Value(1) : Value(0);
  return a;
}

#define LACIS_INSTANTIATE(Value, Index) \
  template csr_matrix<Value, Index> to_csr(npz_content, const read_options&, read_report&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail
