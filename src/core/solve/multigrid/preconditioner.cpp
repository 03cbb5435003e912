// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/preconditioner.hpp"

#include <utility>

#include <lacis/error.hpp>
#include <lacis/solve.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/rows.hpp"
#include "solve/multigrid/hierarchy.hpp"
#include "solve/multigrid/rules.hpp"
#include "solve/multigrid/scaling.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {
namespace {

/// A cycle in S for vectors of T.
template <class T, class S, class Index> class cycle_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  cycle_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options, bool hermitian)
      : rows_(a.rows),
        space_(make_host_space<T>({.threads = options.threads})),
        scale_(scale_for(largest_of(a.values.data))),
        levels_(csr_matrix<S, Index>{a.rows, a.cols, detail::parallel_copy_of(a.row_offsets),
                                     detail::parallel_copy_of(a.columns), values_array<S>(scaled(a.values, a.nnz()))},
                near_null_space_of<S>(options.multigrid, a.rows, width_of(options.multigrid, a.rows)), 0,
                options.multigrid, hermitian, options.threads),
        report_(levels_.report()) {
    report_.narrow = sizeof(S) < sizeof(T);
  }

  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  [[nodiscard]] std::int64_t cols() const override { return rows_; }
  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return levels_.moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return levels_.storage_bytes(); }
  [[nodiscard]] bool is_variable() const override { return report_.cycle == multigrid_cycle::k; }
  [[nodiscard]] const multigrid_report* hierarchy() const override { return &report_; }
  [[nodiscard]] std::string describe() const override { return words_of(report_); }

  void update_values(std::span<const T> values) override {
    scale_ = scale_for(largest_of(values));
    const buffer<S> now = scaled({values, false}, static_cast<std::int64_t>(values.size()));
    levels_.update_values(now);
    report_ = levels_.report();
    report_.narrow = sizeof(S) < sizeof(T);
  }

  /// The largest element of x is brought to about one, so that S can hold it; powers of two lose nothing.
  void apply(const vector& x, const vector& y) const override {
    const summation::rounding_guard guard;
    auto all = levels_.take();
    level_vectors<S>& finest = all->front();
    const real down = scale_for(largest_of(std::span<const T>(x.data(), static_cast<std::size_t>(rows_))));
    detail::parallel_for(rows_, [&](std::int64_t i) { finest.b[i] = static_cast<S>(x.data()[i] * down); });
    levels_.cycle(*all);
    // The cycle has solved with scale_ A.
    const real back = scale_;
    detail::parallel_for(rows_, [&](std::int64_t i) { y.data()[i] = static_cast<T>(finest.x[i]) * back / down; });
    levels_.put_back(std::move(all));
  }

 private:
  [[nodiscard]] buffer<S> scaled(values_view<T> values, std::int64_t entries) const {
    buffer<S> all(entries);
    detail::parallel_for(entries, [&](std::int64_t k) { all[k] = static_cast<S>(values[k] * scale_); });
    return all;
  }

  std::int64_t rows_;
  std::unique_ptr<vector_space<T>> space_;
  real scale_;
  multigrid::hierarchy<S, Index> levels_;
  multigrid_report report_;
};

}  // namespace

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner(const csr_view<T, Index>& a,
                                                                 const preconditioner_options& options) {
  require_sound(options.multigrid, a.rows, a.rows);
  if (options.device.kind != device_kind::cpu)
    throw error(errc::unsupported, "amg works on the processor; on devices use chebyshev or jacobi");
  const bool hermitian = find_symmetry(a).hermitian;
  using narrow = narrow_of<T>;
  if constexpr (!std::is_same_v<T, narrow>)
    if (options.multigrid.narrow) {
      try {
        return std::make_unique<cycle_preconditioner<T, narrow, Index>>(a, options, hermitian);
      } catch (const error& problem) {
        // A definite matrix may lose that in single precision.
        if (problem.code() != errc::invalid_matrix) throw;
      }
    }
  return std::make_unique<cycle_preconditioner<T, T, Index>>(a, options, hermitian);
}

#define LACIS_INSTANTIATE(T, Index)                                                                    \
  template std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner(const csr_view<T, Index>&, \
                                                                            const preconditioner_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
