// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "mpi/multigrid/preconditioner.hpp"

#include <algorithm>
#include <utility>

#include <lacis/error.hpp>

#include "base/parallel.hpp"
#include "mpi/choose.hpp"
#include "mpi/multigrid/hierarchy.hpp"
#include "mpi/multigrid/transfer.hpp"
#include "mpi/rows.hpp"
#include "solve/multigrid/rules.hpp"
#include "solve/multigrid/scaling.hpp"
#include "summation/environment.hpp"

namespace lacis::dist {
namespace {

/// The vectors of the near null space, as all ranks know them: one without rows has none to count.
struct agreed_vectors {
  bool are_given = false;
  std::int64_t width = 0;
};
agreed_vectors agreed_on(const processes& group, const multigrid_options& options, std::int64_t rows,
                         std::int64_t own_rows) {
  group.require_same(
      "make_distributed_preconditioner()",
      {{"options.multigrid.strength", number_of(options.strength)},
       {"options.multigrid.cycle", static_cast<std::uint64_t>(options.cycle)},
       {"options.multigrid.smoother", options.smoother ? 1 + static_cast<std::uint64_t>(*options.smoother) : 0},
       {"options.multigrid.degree", static_cast<std::uint64_t>(options.degree)},
       {"options.multigrid.block", static_cast<std::uint64_t>(options.block)},
       {"options.multigrid.truncation", number_of(options.truncation)},
       {"options.multigrid.coarsest_rows", static_cast<std::uint64_t>(options.coarsest_rows)},
       {"options.multigrid.narrow", options.narrow ? 1U : 0U}});
  multigrid::require_sound(options, rows, own_rows);
  const bool has_vectors = !options.near_null_space.empty();
  const std::int64_t mine = own_rows == 0 ? 0 : multigrid::width_of(options, own_rows);
  const agreed_vectors all{!group.all(!has_vectors), group.most(mine)};
  if (own_rows > 0 && (mine != all.width || has_vectors != all.are_given))
    throw error(errc::invalid_argument, "amg: ranks have different numbers of vectors of the near null space");
  return all;
}

/// A cycle in S for vectors of T.
template <value T, value S> class cycle_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  cycle_preconditioner(const distributed_csr<T>& a, vector_space<T>& space, const preconditioner_options& options,
                       const agreed_vectors& vectors, bool hermitian)
      : group_(a.group),
        space_(space),
        given_(a.row_ranges),
        ranges_(a.row_ranges),
        rows_(a.local.rows),
        scale_(scale_of_all(std::span<const T>(a.local.values.data))) {
    const multigrid_options& how = options.multigrid;
    if (std::any_of(given_.begin(), given_.end(), [&](std::int64_t row) { return row % how.block != 0; }))
      ranges_ = ranges_of_nodes(a.rows(), how.block, group_->size());
    levels_ = std::make_unique<spread_hierarchy<S>>(scaled(a), near_null_space(how, vectors), how, hermitian,
                                                    options.threads);
    report_ = levels_->report();
    report_.narrow = sizeof(S) < sizeof(T);
  }

  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  [[nodiscard]] std::int64_t cols() const override { return rows_; }
  [[nodiscard]] vector_space<T>& space() const override { return space_; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return levels_->moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return levels_->storage_bytes(); }
  [[nodiscard]] bool is_variable() const override { return report_.cycle == multigrid_cycle::k; }
  [[nodiscard]] const multigrid_report* hierarchy() const override { return &report_; }
  [[nodiscard]] std::string describe() const override { return multigrid::words_of(report_); }
  void update_values(std::span<const T>) override {
    throw error(errc::unsupported, "a distributed preconditioner does not follow its matrix; make another one");
  }

  /// As on one process: the largest element of x is brought to about one.
  void apply(const vector& x, const vector& y) const override {
    group_->guarded([&] {
      const summation::rounding_guard guard;
      const real down = scale_of_all(std::span<const T>(x.data(), static_cast<std::size_t>(rows_)));
      const bool moves = ranges_ != given_;
      buffer<S> mine(moves ? rows_ : 0);
      S* const b = moves ? mine.data() : levels_->right_hand_side();
      lacis::detail::parallel_for(rows_, [&](std::int64_t i) { b[i] = static_cast<S>(x.data()[i] * down); });
      if (moves) {
        const auto come = moved_elements<S>(*group_, given_, ranges_, mine);
        std::copy(come.begin(), come.end(), levels_->right_hand_side());
      }
      levels_->cycle();
      if (moves) mine = moved_elements<S>(*group_, ranges_, given_, {levels_->solution(), own_rows()});
      const S* const solution = moves ? mine.data() : levels_->solution();
      // The cycle has solved with scale_ A.
      const real back = scale_;
      lacis::detail::parallel_for(rows_,
                                  [&](std::int64_t i) { y.data()[i] = static_cast<T>(solution[i]) * back / down; });
    });
  }

 private:
  [[nodiscard]] std::size_t own_rows() const {
    const auto rank = static_cast<std::size_t>(group_->rank());
    return static_cast<std::size_t>(ranges_[rank + 1] - ranges_[rank]);
  }
  [[nodiscard]] real scale_of_all(std::span<const T> mine) const {
    return multigrid::scale_for(static_cast<real>(group_->most(static_cast<double>(multigrid::largest_of(mine)))));
  }

  /// In S, its rows where no node is cut between ranks.
  [[nodiscard]] distributed_csr<S> scaled(const distributed_csr<T>& a) const {
    distributed_csr<S> made{a.group, a.row_ranges, a.col_ranges, {}, a.ghosts, a.ghosts_before, {}};
    made.local = {a.local.rows, a.local.cols, a.local.row_offsets, a.local.columns, values_array<S>(a.local.nnz())};
    lacis::detail::parallel_for(
        a.local.nnz(), [&](std::int64_t k) { made.local.values.data[k] = static_cast<S>(a.local.values[k] * scale_); });
    if (ranges_ == given_) return made;
    buffer<std::int64_t> names(a.local.cols);
    for (std::int64_t j = 0; j < names.size(); ++j) names[j] = a.column(static_cast<std::int32_t>(j));
    auto rows =
        moved(spread_rows<S, std::int64_t>{a.group, given_, given_, widened(std::move(made.local), names, a.cols())},
              ranges_);
    rows.col_ranges = ranges_;
    return with_ghosts(std::move(rows));
  }

  [[nodiscard]] multigrid::near_null_space<S> near_null_space(const multigrid_options& options,
                                                              const agreed_vectors& vectors) const {
    // Constants are those of the rows where they go.
    if (!vectors.are_given)
      return multigrid::near_null_space_of<S>(options, static_cast<std::int64_t>(own_rows()), vectors.width);
    auto made = multigrid::near_null_space_of<S>(options, rows_, vectors.width);
    made.rows = moved_elements<S>(*group_, given_, ranges_, made.rows, vectors.width);
    return made;
  }

  std::shared_ptr<const processes> group_;
  vector_space<T>& space_;
  std::vector<std::int64_t> given_;   ///< how rows of A and of vectors lie on ranks
  std::vector<std::int64_t> ranges_;  ///< and those of the finest level
  std::int64_t rows_;
  real scale_;
  std::unique_ptr<spread_hierarchy<S>> levels_;
  multigrid_report report_;
};

}  // namespace

template <value T>
std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner(const distributed_csr<T>& a, vector_space<T>& space,
                                                                 const preconditioner_options& options) {
  const agreed_vectors vectors = agreed_on(*a.group, options.multigrid, a.rows(), a.local.rows);
  const bool hermitian = asymmetry_of(a).has_value();
  using narrow = narrow_of<T>;
  if constexpr (!std::is_same_v<T, narrow>)
    if (options.multigrid.narrow) {
      try {
        return std::make_unique<cycle_preconditioner<T, narrow>>(a, space, options, vectors, hermitian);
      } catch (const error& problem) {
        // All ranks find the same: a definite matrix may lose that in single precision.
        if (problem.code() != errc::invalid_matrix) throw;
      }
    }
  return std::make_unique<cycle_preconditioner<T, T>>(a, space, options, vectors, hermitian);
}

#define LACIS_INSTANTIATE(T)                                                 \
  template std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner( \
      const distributed_csr<T>&, vector_space<T>&, const preconditioner_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::dist
