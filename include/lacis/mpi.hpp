// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices whose rows are spread over the processes of a communicator. Link lacis::mpi.
//
// Every function here is called by all ranks of the communicator at the same time, with the same options. Results have
// the bits that one process gives, for any number of ranks.
//
// Where a function fails on one rank (a file that it does not see, bad rows, no memory, a monitor that throws), all
// ranks throw rank_error with its message, and the matrix may be used again. A rank that throws what is no lacis::error
// gets that back. Where the others cannot be told within a few seconds, because they wait inside MPI for a rank that
// has left a product or threw outside of the library, the error handler of the communicator decides: with
// MPI_ERRORS_ARE_FATAL, which is MPI's default, the rank that failed prints its message and ends all of them with
// MPI_Abort; with any other it throws alone. A failure of MPI itself ends all ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/generate.hpp>
#include <lacis/io.hpp>
#include <lacis/operator.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/precondition.hpp>
#include <lacis/rank_error.hpp>
#include <lacis/row_ranges.hpp>

namespace lacis {

/// Internals of distributed matrices; not part of the interface.
namespace dist {
class processes;
}

/// Rows of a matrix that this process holds, and where the others are. Columns are numbered so that 32 bits suffice,
/// in the order of the whole matrix: first the columns before the process's own range that its rows use, then its own
/// range, then those behind it. So row sums keep their order. An aggregate as csr_matrix; copies share the
/// communicator. Members may be read by several threads; what is collective, nnz() too, is for one thread per process.
template <value T> struct distributed_csr {
  /// Type of the values.
  using value_type = T;

  std::shared_ptr<const dist::processes> group;  ///< the ranks that share the matrix; copies share it
  std::vector<std::int64_t> row_ranges;          ///< where the rows of each process begin, and their number (cut_rows)
  std::vector<std::int64_t> col_ranges;          ///< the same for columns, which is how x is spread
  csr_matrix<T, std::int32_t> local;             ///< this process's rows
  buffer<std::int64_t> ghosts;                   ///< columns of other processes that they use, ascending
  std::int64_t ghosts_before = 0;                ///< how many of them come before the process's own range
  std::vector<std::int64_t> parts;               ///< where stored parts begin, or empty

  /// Rows of the whole matrix.
  [[nodiscard]] std::int64_t rows() const { return row_ranges.back(); }
  /// Columns of the whole matrix.
  [[nodiscard]] std::int64_t cols() const { return col_ranges.back(); }
  /// Of all processes; a sum over them.
  [[nodiscard]] LACIS_API std::int64_t nnz() const;
  /// The rows and columns of this process.
  [[nodiscard]] LACIS_API row_range own_rows() const;
  /// The columns whose elements of x this process holds.
  [[nodiscard]] LACIS_API row_range own_cols() const;
  /// The column of the whole matrix that has this number here.
  [[nodiscard]] std::int64_t column(std::int32_t local_column) const {
    const std::int64_t own = local_column - ghosts_before;
    const row_range range = own_cols();
    if (own < 0) return ghosts[local_column];
    return own < range.last - range.first ? range.first + own : ghosts[local_column - (range.last - range.first)];
  }
};

/// How a matrix is spread.
struct distribute_options {
  /// Where stored parts begin (see cut_rows); no part is cut between processes.
  std::vector<std::int64_t> parts = {};
  /// Rows move so that rows + entries are shared evenly; false: every process keeps those that even_rows() gives it.
  bool by_entries = true;
};

/// Runs the caller's own work on all ranks: where it throws on one, all throw as described above. Around what uses a
/// distributed matrix it makes sure that no rank waits for one that has left.
LACIS_API void together(MPI_Comm communicator, const std::function<void()>& work);

/// Which rows this process has to bring when rows are shared out evenly: multiples of 4096.
[[nodiscard]] LACIS_API row_range even_rows(MPI_Comm communicator, std::int64_t rows);

/// The matrix whose rows the processes bring, each the range that even_rows() gives it, columns numbered as in the
/// whole. Rows need not be canonical: they are made so. With options.by_entries rows move to other processes for an
/// even share of rows and entries.
template <value T, index Index>
[[nodiscard]] LACIS_API distributed_csr<T> distribute(MPI_Comm communicator, std::int64_t rows,
                                                      csr_matrix<T, Index> mine,
                                                      const distribute_options& options = {});

/// The matrix that a description stands for; every process makes its rows.
template <value T>
[[nodiscard]] LACIS_API distributed_csr<T> generate_distributed(MPI_Comm communicator, std::string_view spec,
                                                                const generate_options& options = {},
                                                                const distribute_options& spread = {});

/// The matrix in a file: Matrix Market text is read by all processes, a range of bytes each, a .csr directory by rows
/// each, with the parts that it stores; anything else is read by the first process, which sends the rows on. All
/// processes must see the file.
template <value T>
[[nodiscard]] LACIS_API distributed_csr<T> read_distributed(MPI_Comm communicator, const std::string& path,
                                                            const read_options& options = {},
                                                            const distribute_options& spread = {});

/// The whole matrix, on every process. For small ones.
template <value T> [[nodiscard]] LACIS_API csr_matrix<T, std::int64_t> collect(const distributed_csr<T>& a);

/// A^T, or A^H with `conjugated`. Rows of the result are spread as the columns of A.
template <value T>
[[nodiscard]] LACIS_API distributed_csr<T> transpose(const distributed_csr<T>& a, bool conjugated = false);

/// A B. The columns of A must be spread as the rows of B, which they are when both were made on the same communicator
/// and have the same size and share of entries; otherwise error(invalid_argument).
template <value T>
[[nodiscard]] LACIS_API distributed_csr<T> multiply(const distributed_csr<T>& a, const distributed_csr<T>& b);

/// How the elements of x that a process needs from others are brought to it.
enum class exchange_kind {
  point_to_point,  ///< persistent sends and receives
  neighbourhood,   ///< one collective among neighbours, persistent where MPI has it
  all_to_all       ///< one collective of all processes
};
/// "point-to-point", "neighbourhood", "all-to-all".
[[nodiscard]] LACIS_API std::string_view name_of(exchange_kind kind);

/// How a distributed matrix is prepared for products.
struct distributed_options {
  int threads = 0;       ///< of each process; 0: as many as OpenMP gives
  bool adjoint = false;  ///< hold A^H too, for lsqr
  /// Products that will be asked of it, as in plan_options.
  double expected_uses = 1000;
  /// This exchange instead of the fastest.
  std::optional<exchange_kind> exchange = {};
  /// Rows with more entries than this are cut among all processes, at the chunks of their sum.
  std::int64_t longest_row = std::int64_t{1} << 20;
  /// Bytes that plans may take in this process, beside the matrix they are made from; 0: no limit. Where twice the
  /// matrix does not fit, products are computed with the rows as they are, and nothing is copied.
  std::int64_t memory_limit = 0;
  /// Messages of more elements than this are sent in pieces.
  std::int64_t longest_message = std::int64_t{1} << 30;
};

/// What an exchange is and costs.
struct exchange_report {
  exchange_kind kind = exchange_kind::point_to_point;  ///< which of them is used
  std::int64_t sent_elements = 0;                      ///< of this process in a product
  std::int64_t received_elements = 0;                  ///< of this process in a product
  int neighbours_out = 0;                              ///< ranks that this process sends to
  int neighbours_in = 0;                               ///< ranks that this process receives from
  bool packs = false;  ///< elements to send are gathered first: they do not lie side by side
  /// Seconds of each kind, of the slowest process; empty where there is nothing to exchange or the kind was given.
  std::vector<std::pair<exchange_kind, double>> tried;
};

namespace detail {
template <class T> class distributed_operator_data;
}

/// A distributed matrix prepared for products: an operator whose vectors are spread over the processes. rows(), cols()
/// and the spans that solvers take are those of this process. Rows that need nothing from other processes are computed
/// while the others' elements are on their way. Not shared between threads: a product is collective and has one
/// exchange, so one thread per process uses it at a time.
template <value T> class LACIS_API distributed_matrix final : public linear_operator<T> {
 public:
  /// The vectors that it takes: this process's elements.
  using vector = space_vector<T>;

  /// Collective: makes plans of this process's rows, and times the exchanges unless one is given.
  explicit distributed_matrix(distributed_csr<T> a, const distributed_options& options = {});
  /// Frees the buffers of the exchange.
  ~distributed_matrix() override;

  [[nodiscard]] std::int64_t rows() const override;
  /// Of this process; see linear_operator.
  [[nodiscard]] std::int64_t cols() const override;
  [[nodiscard]] vector_space<T>& space() const override;
  void apply(const vector& x, const vector& y) const override;
  T apply_and_dot(const vector& x, const vector& y) const override;
  void apply_adjoint(const vector& x, const vector& y) const override;
  [[nodiscard]] bool bound_rounding(const vector& x, const vector& y) const override;
  [[nodiscard]] bool precise_residual(const vector& b, const vector& x, const vector& r) const override;
  [[nodiscard]] std::int64_t moved_bytes() const override;
  [[nodiscard]] std::uint64_t hash() const override;

  /// Which exchange was chosen, and what it moves; valid while the matrix lives.
  [[nodiscard]] const exchange_report& exchange() const;
  /// Bytes that this process holds: plans, lists of elements, buffers.
  [[nodiscard]] std::int64_t storage_bytes() const;
  /// How this process's rows are kept, and how many of them wait for others' elements.
  [[nodiscard]] std::string explain() const;
  /// The exchange alone, as a product does it; for measuring.
  void exchange_only(const vector& x) const;

 private:
  std::unique_ptr<detail::distributed_operator_data<T>> data_;
};

/// A preconditioner for a distributed matrix, as preconditioner_traits::on_ranks says: block_jacobi has blocks of a
/// power of two, the vectors of amg's near null space have this process's rows, ilu0 and ic0 work inside stored parts
/// (lacis reorder --parts), so that neither it nor the bits depend on the number of processes.
/// ssor, and factors without parts, are error(unsupported) with advice. `product` is the matrix as an operator, which
/// must outlive the preconditioner.
template <value T>
[[nodiscard]] LACIS_API std::unique_ptr<preconditioner<T>> make_distributed_preconditioner(
    const distributed_csr<T>& a, const distributed_matrix<T>& product, const preconditioner_options& options = {});

/// Links prepared for pagerank(); its ranks are those of this process's pages.
[[nodiscard]] LACIS_API pagerank_plan pagerank_inspect(const distributed_csr<double>& links, int threads = 0);

}  // namespace lacis
