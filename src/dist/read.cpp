// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files read by all processes, or by the first for all.
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
#include "dist/rows.hpp"
#include "io/matrix_market_part.hpp"

namespace lacis {
namespace {

/// Matrix Market text, a range of bytes a process; nothing where it is something else.
template <value T>
std::optional<distributed_csr<T>> read_in_parts(MPI_Comm communicator, const std::filesystem::path& path,
                                                const read_options& options, const distribute_options& spread) {
  const dist::processes group(communicator);
  auto part = detail::read_matrix_market_part<T>(path, group.rank(), group.size(), options);
  if (!group.all(part.has_value())) return {};
  const std::int64_t stored = group.sum(part->stored);
  const bool both_sides = !group.all(!part->below) && !group.all(!part->above);
  // Entries on both sides of the diagonal may give one place twice, which one reader can tell.
  if (stored != part->declared || (part->symmetric && both_sides)) return {};
  buffer<dist::entry<T>> entries(part->entry_rows.size());
  for (std::int64_t k = 0; k < entries.size(); ++k)
    entries[k] = {part->entry_rows[k], part->entry_columns[k], part->pattern ? T(1) : part->values[k]};
  const std::int64_t rows = part->rows;
  const std::int64_t cols = part->cols;
  const bool pattern = part->pattern;
  part.reset();
  const auto ranges = dist::even_ranges(rows, group.size());
  const auto come = dist::to_owners<T>(group, ranges, entries);
  entries = {};
  auto mine = dist::rows_of<T>(come.data, even_rows(communicator, rows), cols);
  mine = canonical(mine, pattern ? duplicates::keep_first : duplicates::sum);
  if (pattern) mine.values = values_array<T>::same(T(1));
  return distribute(communicator, rows, std::move(mine), spread);
}

/// Anything else: the first process reads, and every process gets its rows.
template <value T>
distributed_csr<T> read_by_first(MPI_Comm communicator, const std::filesystem::path& path, const read_options& options,
                                 const distribute_options& spread) {
  dist::spread_rows<T, std::int64_t> given;
  given.group = std::make_shared<const dist::processes>(communicator);
  const dist::processes& group = *given.group;
  std::int64_t shape[3] = {0, 0, 0};
  T same(0);
  if (group.rank() == 0) {
    given.rows = read<T, std::int64_t>(path, options);
    shape[0] = given.rows.rows;
    shape[1] = given.rows.cols;
    shape[2] = given.rows.values.iso ? 1 : 0;
    if (given.rows.values.iso) same = given.rows.values.data[0];
  }
  group.broadcast(std::as_writable_bytes(std::span<std::int64_t>(shape)), 0);
  group.broadcast(std::as_writable_bytes(std::span<T>(&same, 1)), 0);
  given.row_ranges.assign(static_cast<std::size_t>(group.size()) + 1, shape[0]);
  given.row_ranges[0] = 0;
  given.rows.cols = shape[1];
  if (shape[2] == 1) given.rows.values = values_array<T>::same(same);
  given = dist::moved(std::move(given), dist::even_ranges(shape[0], group.size()));
  return distribute(communicator, shape[0], std::move(given.rows), spread);
}

}  // namespace

template <value T>
distributed_csr<T> read_distributed(MPI_Comm communicator, const std::filesystem::path& path,
                                    const read_options& options, const distribute_options& spread) {
  if (auto made = read_in_parts<T>(communicator, path, options, spread)) return std::move(*made);
  return read_by_first<T>(communicator, path, options, spread);
}

#define LACIS_INSTANTIATE(T)                                                                                          \
  template LACIS_API distributed_csr<T> read_distributed(MPI_Comm, const std::filesystem::path&, const read_options&, \
                                                         const distribute_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
