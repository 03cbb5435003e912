// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/solve.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cpu/vector/kernels.hpp"
#include "solve/multigrid/hierarchy.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {
namespace {

void require_sound(const multigrid_options& options, std::int64_t rows) {
  const auto refuse = [](std::string why) { throw error(errc::invalid_argument, "amg: " + std::move(why)); };
  if (options.block < 1 || rows % options.block != 0)
    refuse(detail::text("blocks of ", options.block, " rows do not divide the ", rows, " rows of A"));
  if (options.degree < 1) refuse("the smoother has a degree of 1 at least");
  if (options.coarsest_rows < 1) refuse("the coarsest level has 1 row at least");
  if (!(options.strength >= 0 && options.strength < 1)) refuse("strength is between 0 and 1");
  if (!(options.truncation >= 0 && options.truncation < 1)) refuse("truncation is between 0 and 1");
  const auto elements = static_cast<std::int64_t>(options.near_null_space.size());
  constexpr std::int64_t most_vectors = 32;
  if (elements > 0 && (rows == 0 || elements % rows != 0 || elements / rows > most_vectors))
    refuse(detail::text("the near null space has ", elements, " elements: 1 to ", most_vectors, " vectors of ", rows,
                        " are possible"));
}

/// The largest part of all elements, none of which is NaN.
template <class T> real_of<T> largest_of(std::span<const T> x) {
  const auto& kernels = cpu::vector_kernels_for<T>(default_isa());
  std::mutex joining;
  real_of<T> largest = 0;
  detail::parallel_ranges(static_cast<std::int64_t>(x.size()), [&](std::int64_t begin, std::int64_t end) {
    const auto mine = kernels.largest(x.data() + begin, end - begin);
    const std::scoped_lock lock(joining);
    largest = std::max(largest, mine);
  });
  return largest;
}

/// 2^-k with k the exponent of `largest`, kept where its inverse is a number too.
template <class Real> Real scale_for(Real largest) {
  if (!(largest > 0) || !std::isfinite(largest)) return 1;
  constexpr int most = std::numeric_limits<Real>::max_exponent - 2;
  return std::ldexp(Real(1), -std::clamp(std::ilogb(largest), -most, most));
}

/// A cycle in S for vectors of T.
template <class T, class S, class Index> class cycle_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  cycle_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options, bool hermitian)
      : rows_(a.rows),
        space_(make_host_space<T>({.threads = options.threads})),
        scale_(scale_for(largest_of(a.values.data))),
        levels_(csr_matrix<S, Index>{a.rows, a.cols, buffer<std::int64_t>(a.row_offsets), buffer<Index>(a.columns),
                                     values_array<S>(scaled(a.values, a.nnz()))},
                options.multigrid, hermitian, options.threads),
        report_(levels_.report()) {
    report_.narrow = sizeof(S) < sizeof(T);
  }

  [[nodiscard]] std::int64_t rows() const override { return rows_; }
  [[nodiscard]] std::int64_t cols() const override { return rows_; }
  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return levels_.moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return levels_.storage_bytes(); }
  [[nodiscard]] const multigrid_report* hierarchy() const override { return &report_; }
  [[nodiscard]] std::string describe() const override {
    return detail::text("algebraic multigrid: ", report_.levels.size(), " levels, ",
                        std::round(100 * report_.operator_complexity) / 100,
                        " times the entries of A in all, cycle in ", report_.narrow ? "single" : "full", " precision",
                        report_.remark.empty() ? "" : "; ", report_.remark);
  }

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
  require_sound(options.multigrid, a.rows);
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
