// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/preconditioner.hpp"

#include <optional>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/solve.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/rows.hpp"
#include "solve/asymmetry.hpp"
#include "solve/multigrid/device_cycle.hpp"
#include "solve/multigrid/hierarchy.hpp"
#include "solve/multigrid/rules.hpp"
#include "solve/multigrid/scaling.hpp"
#include "summation/environment.hpp"
#include "summation/parallel.hpp"

namespace lacis::multigrid {
namespace {

/// The levels of A in S, for vectors of T.
template <class T, class S, class Index> class levels_preconditioner : public preconditioner<T> {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;

  levels_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options,
                        std::optional<double> asymmetry)
      : rows_(a.rows),
        scale_(scale_for(largest_of(a.values.data))),
        levels_(csr_matrix<S, Index>{a.rows, a.cols, detail::parallel_copy_of(a.row_offsets),
                                     detail::parallel_copy_of(a.columns), values_array<S>(scaled(a.values, a.nnz()))},
                near_null_space_of<S>(options.multigrid, a.rows, width_of(options.multigrid, a.rows)), 0,
                options.multigrid, asymmetry.has_value(), options.threads, asymmetry == 0.0),
        report_(levels_.report()) {
    report_.narrow = sizeof(S) < sizeof(T);
  }

  [[nodiscard]] std::int64_t rows() const final { return rows_; }
  [[nodiscard]] std::int64_t cols() const final { return rows_; }
  [[nodiscard]] bool is_variable() const final { return report_.cycle == multigrid_cycle::k; }
  [[nodiscard]] const multigrid_report* hierarchy() const final { return &report_; }
  [[nodiscard]] std::string describe() const final { return words_of(report_); }

  void update_values(std::span<const T> values) final {
    const csr_matrix<S, Index>& held = levels_.levels().front().a;
    if (static_cast<std::int64_t>(values.size()) != held.nnz())
      throw error(errc::invalid_argument,
                  detail::text("the matrix has ", held.nnz(), " entries; these are ", values.size(), " values"));
    const csr_view<T, Index> a{held.rows, held.cols, held.row_offsets, held.columns, {values, false}};
    const real scale = scale_for(largest_of(values));
    multigrid_report report;
    const auto write = [&](std::span<S> to) { write_scaled(a.values, scale, to); };
    levels_.update(solver::asymmetry_of(a).has_value(), write, [&] {
      report = levels_.report();
      report.narrow = sizeof(S) < sizeof(T);
      follow(report);
    });
    scale_ = scale;
    report_ = std::move(report);
  }

 protected:
  /// The levels are new, report_ is still the former one. When it throws nothing has changed.
  virtual void follow(multigrid_report& /*report*/) {}

  std::int64_t rows_;
  real scale_;  ///< the levels are those of scale_ A
  multigrid::hierarchy<S, Index> levels_;
  multigrid_report report_;

 private:
  [[nodiscard]] buffer<S> scaled(values_view<T> values, std::int64_t entries) const {
    buffer<S> all(entries);
    write_scaled(values, scale_, all);
    return all;
  }
  static void write_scaled(values_view<T> values, real scale, std::span<S> to) {
    summation::parallel_for(static_cast<std::int64_t>(to.size()), [&](std::int64_t k) {
      to[static_cast<std::size_t>(k)] = static_cast<S>(values[k] * scale);
    });
  }
};

/// Cycles in S on the processor.
template <class T, class S, class Index> class host_preconditioner final : public levels_preconditioner<T, S, Index> {
 public:
  using typename preconditioner<T>::vector;
  using real = real_of<T>;

  host_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options,
                      std::optional<double> asymmetry)
      : levels_preconditioner<T, S, Index>(a, options, asymmetry),
        space_(make_host_space<T>({.threads = options.threads})) {}

  [[nodiscard]] vector_space<T>& space() const override { return *space_; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return this->levels_.moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return this->levels_.storage_bytes(); }

  /// The largest element of x is brought to about one, so that S can hold it; powers of two lose nothing.
  void apply(const vector& x, const vector& y) const override {
    const summation::rounding_guard guard;
    const std::int64_t rows = this->rows_;
    auto all = this->levels_.take();
    level_vectors<S>& finest = all->front();
    const real down = scale_for(largest_of(std::span<const T>(x.data(), static_cast<std::size_t>(rows))));
    summation::parallel_for(rows, [&](std::int64_t i) { finest.b[i] = static_cast<S>(x.data()[i] * down); });
    this->levels_.cycle(*all);
    // The cycle has solved with scale_ A.
    const real back = this->scale_;
    summation::parallel_for(rows, [&](std::int64_t i) { y.data()[i] = static_cast<T>(finest.x[i]) * back / down; });
    this->levels_.put_back(std::move(all));
  }

 private:
  std::unique_ptr<vector_space<T>> space_;
};

/// Cycles on a device, in T: no kernel changes the precision of a vector. The levels stay on the processor too, for new
/// values.
template <class T, class Index> class device_preconditioner final : public levels_preconditioner<T, T, Index> {
 public:
  using typename preconditioner<T>::vector;

  device_preconditioner(const csr_view<T, Index>& a, const preconditioner_options& options,
                        std::optional<double> asymmetry)
      : levels_preconditioner<T, T, Index>(a, options, asymmetry),
        keeps_patterns_(options.multigrid.truncation == 0),
        space_(device_context(options.device)) {
    follow(this->report_);
  }

  [[nodiscard]] vector_space<T>& space() const override { return space_; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return there_->moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override {
    return this->levels_.storage_bytes() + there_->storage_bytes();
  }
  void apply(const vector& x, const vector& y) const override { there_->apply(x, this->scale_, y); }

 private:
  void follow(multigrid_report& report) override {
    stage_clock clock(report);
    const bool has_same_patterns = there_ && keeps_patterns_ && report.hermitian == this->report_.hermitian;
    auto next = there_ ? std::make_unique<device_cycle<T, Index>>(*there_)
                       : std::make_unique<device_cycle<T, Index>>(this->levels_, space_);
    next->upload(has_same_patterns);
    clock.end("upload");
    report.setup_seconds += clock.seconds();
    next->describe(report);
    there_ = std::move(next);
  }

  bool keeps_patterns_;  ///< with new values, unless they change the symmetry
  mutable device_space<T> space_;
  std::unique_ptr<device_cycle<T, Index>> there_;
};

}  // namespace

template <class T, class Index>
std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner(const csr_view<T, Index>& a,
                                                                 const preconditioner_options& options) {
  require_sound(options.multigrid, a.rows, a.rows);
  const std::optional<double> asymmetry = solver::asymmetry_of(a);
  if (options.device.kind != device_kind::cpu) {
    const multigrid_cycle cycle = options.multigrid.cycle;
    if (cycle != multigrid_cycle::v && cycle != multigrid_cycle::w)
      throw error(errc::unsupported, "amg: cycles on devices are v and w");
    return std::make_unique<device_preconditioner<T, Index>>(a, options, asymmetry);
  }
  using narrow = narrow_of<T>;
  if constexpr (!std::is_same_v<T, narrow>)
    if (options.multigrid.narrow) {
      try {
        return std::make_unique<host_preconditioner<T, narrow, Index>>(a, options, asymmetry);
      } catch (const error& problem) {
        // A definite matrix may lose that in single precision.
        if (problem.code() != errc::invalid_matrix) throw;
      }
    }
  return std::make_unique<host_preconditioner<T, T, Index>>(a, options, asymmetry);
}

#define LACIS_INSTANTIATE(T, Index)                                                                    \
  template std::unique_ptr<preconditioner<T>> make_multigrid_preconditioner(const csr_view<T, Index>&, \
                                                                            const preconditioner_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid
