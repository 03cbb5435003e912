// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems: inspected once, solved many times.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/fwd.hpp>
#include <lacis/plan.hpp>
#include <lacis/types.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// In which order threads take the rows of a triangular system. None changes a bit.
enum class triangular_schedule {
  automatic,  ///< what ends first by a model with the measured costs of rows and of waiting
  serial,     ///< one thread; rows that do not need each other side by side, where that is faster
  levels,     ///< rows that need earlier levels only are shared by the threads, level after level
  sync_free,  ///< every row waits for those that it reads and for no others
  wavefront   ///< blocks of neighbouring rows in turn; a thread waits for what it needs of the blocks before
};

/// Which triangle is solved with, and how.
struct triangular_options {
  bool upper = false;          ///< the triangle that is solved with; entries outside of it are not read
  bool unit_diagonal = false;  ///< the diagonal is one, whatever is stored
  int threads = 0;             ///< 0: as many as OpenMP gives
  triangular_schedule schedule = triangular_schedule::automatic;  ///< the order in which threads take rows
};

namespace detail {
template <class T, class Index> struct triangular_data;
}

/// One triangle of a matrix, prepared. Copies share their arrays. Solving changes nothing in it, so any number of
/// threads may solve with one plan at a time; update_values needs the plan to itself.
template <value T, index Index> class triangular_plan {
 public:
  /// Type of the values.
  using value_type = T;
  /// Type of the column indices.
  using index_type = Index;

  /// For the library itself, as internals(): triangular_inspect makes plans.
  explicit triangular_plan(std::shared_ptr<detail::triangular_data<T, Index>> data) : data_(std::move(data)) {}

  /// Rows and columns of the triangle.
  [[nodiscard]] LACIS_API std::int64_t rows() const;
  [[nodiscard]] LACIS_API std::int64_t nnz() const;  ///< of the triangle, with its diagonal
  /// Rows of the longest way in which each needs the one before it.
  [[nodiscard]] LACIS_API std::int64_t levels() const;
  [[nodiscard]] LACIS_API triangular_schedule schedule() const;  ///< what automatic became
  [[nodiscard]] LACIS_API std::string reason() const;            ///< and why, in words
  /// Bytes of everything that the plan holds.
  [[nodiscard]] LACIS_API std::int64_t storage_bytes() const;

  /// For the library itself; not part of the interface.
  [[nodiscard]] const std::shared_ptr<detail::triangular_data<T, Index>>& internals() const { return data_; }

 private:
  std::shared_ptr<detail::triangular_data<T, Index>> data_;
};

namespace detail {
template <class T, class Index>
LACIS_API triangular_plan<T, Index> triangular_inspect(const csr_view<T, Index>& a, const triangular_options& options);
template <class T, class Index>
LACIS_API void update_values(triangular_plan<T, Index>& plan, const csr_view<T, Index>& a);
template <class T, class Index>
LACIS_API void triangular_solve(const triangular_plan<T, Index>& plan, std::span<const T> b, std::span<T> x,
                                workspace& memory);
}  // namespace detail

/// A plan for systems with one triangle of A, a canonical CSR matrix. Throws error(invalid_argument) where A is not
/// square and error(invalid_matrix) where A is not valid (validate.hpp), or that names the first row whose columns do
/// not ascend or which stores no diagonal.
template <class Matrix> [[nodiscard]] auto triangular_inspect(const Matrix& a, const triangular_options& options = {}) {
  return detail::triangular_inspect(detail::wide(a).view(), options);
}

/// The values of A, which has the pattern that was inspected.
template <value T, index Index, class Matrix> void update_values(triangular_plan<T, Index>& plan, const Matrix& a) {
  detail::update_values(plan, detail::wide(a).view());
}

/// Solves for x: x_i = (b_i - s) / d_i, with s the row's sum over what is known in the order of summation and a true
/// division. b and x may be the same vector. Only sync_free uses the workspace: a byte per row, allocated where none is
/// given.
template <value T, index Index>
void triangular_solve(const triangular_plan<T, Index>& plan, std::span<const std::type_identity_t<T>> b,
                      std::span<std::type_identity_t<T>> x, workspace& memory) {
  detail::triangular_solve<T, Index>(plan, b, x, memory);
}
/// The same with memory of its own for this call.
template <value T, index Index>
void triangular_solve(const triangular_plan<T, Index>& plan, std::span<const std::type_identity_t<T>> b,
                      std::span<std::type_identity_t<T>> x) {
  workspace memory;
  detail::triangular_solve<T, Index>(plan, b, x, memory);
}

}  // namespace lacis
