// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Files read by all processes, or by the first for all.
#include <lacis/csr_directory.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
#include "dist/rows.hpp"
#include "io/csr_directory_rows.hpp"
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

/// A directory of arrays: every process reads its rows, and the parts that are stored with them.
template <value T>
std::optional<distributed_csr<T>> read_directory(MPI_Comm communicator, const std::filesystem::path& path,
                                                 const read_options& options, const distribute_options& spread) {
  const auto size = detail::csr_directory_size(path);
  if (!size) return {};
  distribute_options how = spread;
  if (how.parts.empty()) {
    const buffer<std::int64_t> stored = read_parts(path);
    how.parts.assign(stored.begin(), stored.end());
  }
  return distribute(communicator, size->rows,
                    detail::read_csr_directory_rows<T>(path, even_rows(communicator, size->rows), options), how);
}

/// Anything else: the first process reads, and every process gets its rows.
template <value T>
distributed_csr<T> read_by_first(MPI_Comm communicator, const std::filesystem::path& path, const read_options& options,
                                 const distribute_options& spread) {
  dist::spread_rows<T, std::int64_t> given;
  given.group = std::make_shared<const dist::processes>(communicator);
  const dist::processes& group = *given.group;
  // What the first process found, or why it could not read: the others must not wait for what never comes.
  struct {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t iso = 0;
    std::int64_t problem = -1;
    T same = T(0);
  } shape;
  std::string message(1024, '\0');
  if (group.rank() == 0) {
    try {
      given.rows = read<T, std::int64_t>(path, options);
      shape.rows = given.rows.rows;
      shape.cols = given.rows.cols;
      shape.iso = given.rows.values.iso ? 1 : 0;
      if (given.rows.values.iso) shape.same = given.rows.values.data[0];
    } catch (const error& problem) {
      shape.problem = static_cast<std::int64_t>(problem.code());
      message.replace(0, std::string_view(problem.what()).substr(0, message.size() - 1).size(),
                      std::string_view(problem.what()).substr(0, message.size() - 1));
    }
  }
  group.broadcast(std::as_writable_bytes(std::span(&shape, 1)), 0);
  if (shape.problem >= 0) {
    group.broadcast(std::as_writable_bytes(std::span(message)), 0);
    throw error(static_cast<errc>(shape.problem), message.c_str());
  }
  given.row_ranges.assign(static_cast<std::size_t>(group.size()) + 1, shape.rows);
  given.row_ranges[0] = 0;
  given.rows.cols = shape.cols;
  if (shape.iso == 1) given.rows.values = values_array<T>::same(shape.same);
  given = dist::moved(std::move(given), dist::even_ranges(shape.rows, group.size()));
  return distribute(communicator, shape.rows, std::move(given.rows), spread);
}

}  // namespace

template <value T>
distributed_csr<T> read_distributed(MPI_Comm communicator, const std::filesystem::path& path,
                                    const read_options& options, const distribute_options& spread) {
  if (auto made = read_directory<T>(communicator, path, options, spread)) return std::move(*made);
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
