// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files read by all processes, or by the first for all.
#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
#include "io/csr_directory/rows.hpp"
#include "io/matrix_market/part.hpp"
#include "mpi/rows.hpp"

namespace lacis {
namespace {

using group_pointer = std::shared_ptr<const dist::processes>;

/// Matrix Market text, a range of bytes per rank; nothing where it is something else for one of them.
template <value T>
std::optional<distributed_csr<T>> read_in_parts(const group_pointer& group, const std::filesystem::path& path,
                                                const read_options& options, const distribute_options& spread) {
  auto part = detail::read_matrix_market_part<T>(path, group->rank(), group->size(), options);
  if (!group->all(part.has_value())) return {};
  group->require_same("read_distributed()",
                      {{"number of rows in the file", static_cast<std::uint64_t>(part->rows)},
                       {"number of columns in the file", static_cast<std::uint64_t>(part->cols)},
                       {"number of entries in the file", static_cast<std::uint64_t>(part->declared)},
                       {"symmetry in the file", part->symmetric ? 1U : 0U},
                       {"type of values in the file", part->pattern ? 1U : 0U}},
                      errc::bad_input);
  const std::int64_t stored = group->sum(part->stored);
  const bool both_sides = !group->all(!part->below) && !group->all(!part->above);
  // Entries on both sides of the diagonal may give one place twice, which one reader can tell.
  if (stored != part->declared || (part->symmetric && both_sides)) return {};
  buffer<dist::entry<T>> entries(part->entry_rows.size());
  for (std::int64_t k = 0; k < entries.size(); ++k)
    entries[k] = {part->entry_rows[k], part->entry_columns[k], part->pattern ? T(1) : part->values[k]};
  const std::int64_t rows = part->rows;
  const std::int64_t cols = part->cols;
  const bool pattern = part->pattern;
  part.reset();
  const auto ranges = dist::even_ranges(rows, group->size());
  const auto come = dist::to_owners<T>(*group, ranges, entries);
  entries = {};
  auto mine = dist::rows_of<T>(come.data, even_rows(group->communicator(), rows), cols);
  mine = canonical(mine, pattern ? duplicates::keep_first : duplicates::sum);
  if (pattern) mine.values = values_array<T>::same(T(1));
  return dist::distribute_rows(group, rows, std::move(mine), spread);
}

/// A directory of arrays: every rank reads its rows, and the parts that are stored with them.
template <value T>
distributed_csr<T> read_directory(const group_pointer& group, const std::filesystem::path& path,
                                  const read_options& options, const distribute_options& spread) {
  const auto size = detail::csr_directory_size(path);
  if (!size)
    throw error(errc::io, path.string() +
                              ": there is no such directory on this rank, but on rank 0; all ranks must "
                              "see it");
  group->require_same("read_distributed()",
                      {{"number of rows in the directory", static_cast<std::uint64_t>(size->rows)},
                       {"number of columns in the directory", static_cast<std::uint64_t>(size->cols)}},
                      errc::bad_input);
  distribute_options how = spread;
  if (how.parts.empty()) {
    const buffer<std::int64_t> stored = read_parts(path);
    how.parts.assign(stored.begin(), stored.end());
  }
  const row_range own = even_rows(group->communicator(), size->rows);
  return dist::distribute_rows(group, size->rows, detail::read_csr_directory_rows<T>(path, own, options), how);
}

/// Anything else: the first rank reads, and every rank gets its rows.
template <value T>
distributed_csr<T> read_by_first(const group_pointer& group, const std::filesystem::path& path,
                                 const read_options& options, const distribute_options& spread) {
  dist::spread_rows<T, std::int64_t> given;
  given.group = group;
  struct {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t iso = 0;
    T same = T(0);
  } shape;
  if (group->rank() == 0) {
    given.rows = read<T, std::int64_t>(path, options);
    shape.rows = given.rows.rows;
    shape.cols = given.rows.cols;
    shape.iso = given.rows.values.iso ? 1 : 0;
    if (given.rows.values.iso) shape.same = given.rows.values.data[0];
  }
  group->broadcast(std::as_writable_bytes(std::span(&shape, 1)), 0);
  given.row_ranges.assign(static_cast<std::size_t>(group->size()) + 1, shape.rows);
  given.row_ranges[0] = 0;
  given.rows.cols = shape.cols;
  if (shape.iso == 1) given.rows.values = values_array<T>::same(shape.same);
  given = dist::moved(std::move(given), dist::even_ranges(shape.rows, group->size()));
  return dist::distribute_rows(group, shape.rows, std::move(given.rows), spread);
}

}  // namespace

template <value T>
distributed_csr<T> read_distributed(MPI_Comm communicator, const std::string& path, const read_options& options,
                                    const distribute_options& spread) {
  const auto group = std::make_shared<const dist::processes>(communicator);
  return group->together([&] {
    // Others may see another file, or none: how it is read is for the first rank to say.
    std::error_code unknown;
    const bool is_directory = group->rank() == 0 && std::filesystem::is_directory(path, unknown);
    if (!group->all(!is_directory)) return read_directory<T>(group, path, options, spread);
    if (auto made = read_in_parts<T>(group, path, options, spread)) return std::move(*made);
    return read_by_first<T>(group, path, options, spread);
  });
}

#define LACIS_INSTANTIATE(T)                                                                                \
  template LACIS_API distributed_csr<T> read_distributed(MPI_Comm, const std::string&, const read_options&, \
                                                         const distribute_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
