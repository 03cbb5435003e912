// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The set-up of a distributed hierarchy, phase by phase as on one process.
#include "mpi/multigrid/hierarchy.hpp"

#include <algorithm>
#include <array>

#include <lacis/structure.hpp>

#include "mpi/multigrid/transfer.hpp"
#include "mpi/rows.hpp"
#include "solve/methods/spectrum.hpp"
#include "solve/multigrid/rules.hpp"
#include "summation/environment.hpp"

namespace lacis::dist {
namespace {

/// Levels of at most 8192 rows are on every rank: their products take less time than the exchanges would.
constexpr std::int64_t most_whole_rows = 2 * rows_in_chunk;

/// A level's matrix for methods that work on operators.
template <value S> class level_operator final : public linear_operator<S> {
 public:
  using vector = space_vector<S>;
  explicit level_operator(spread_level<S>& one) : one_(one) {}
  [[nodiscard]] std::int64_t rows() const override { return one_.own_rows; }
  [[nodiscard]] std::int64_t cols() const override { return one_.own_rows; }
  [[nodiscard]] vector_space<S>& space() const override { return *one_.space; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return one_.product->moved_bytes(); }
  void apply(const vector& x, const vector& y) const override { one_.product->multiply(x, y, *one_.space); }
  S apply_and_dot(const vector& x, const vector& y) const override {
    return one_.product->multiply_and_dot(x, y, *one_.space);
  }

 private:
  spread_level<S>& one_;
};

/// The inverse of its diagonal.
template <value S> class level_jacobi final : public linear_operator<S> {
 public:
  using vector = space_vector<S>;
  level_jacobi(const spread_level<S>& one, std::span<const S> diagonal)
      : one_(one), inverse_(multigrid::inverses_of(diagonal)) {}
  [[nodiscard]] std::int64_t rows() const override { return one_.own_rows; }
  [[nodiscard]] std::int64_t cols() const override { return one_.own_rows; }
  [[nodiscard]] vector_space<S>& space() const override { return *one_.space; }
  [[nodiscard]] std::int64_t moved_bytes() const override { return 0; }
  void apply(const vector& x, const vector& y) const override {
    multigrid::multiply_elements<S>(inverse_, x.data(), y.data());
  }

 private:
  const spread_level<S>& one_;
  buffer<S> inverse_;
};

}  // namespace

template <value S>
spread_hierarchy<S>::spread_hierarchy(distributed_csr<S> a, multigrid::near_null_space<S> space,
                                      const multigrid_options& options, bool hermitian, int threads)
    : group_(a.group),
      options_(options),
      hermitian_(hermitian),
      smoother_(multigrid::smoother_of(options, hermitian)),
      threads_(threads) {
  const summation::rounding_guard guard;
  multigrid::stage_clock clock(report_);
  build(std::move(a), std::move(space), clock);
  make_vectors();
  clock.end("vectors");
  tell(clock.seconds());
}

template <value S> distributed_options spread_hierarchy<S>::options_of_products() const {
  return {.threads = threads_,
          .adjoint = false,
          .expected_uses = multigrid::uses_of_plans,
          .exchange = exchange_kind::point_to_point};
}

template <value S>
void spread_hierarchy<S>::build(distributed_csr<S> a, multigrid::near_null_space<S> space,
                                multigrid::stage_clock& clock) {
  const std::int64_t width = space.width;
  for (;;) {
    if (a.rows() <= std::max(most_whole_rows, options_.coarsest_rows)) {
      have_whole(a, std::move(space));
      clock.end("levels that every rank has");
      return;
    }
    level& one = *levels_.emplace_back(std::make_unique<level>());
    one.rows = a.rows();
    one.entries = a.nnz();
    one.own_rows = a.local.rows;
    one.ranks = static_cast<int>(group_->sum(std::int64_t{a.local.rows > 0 ? 1 : 0}));
    const buffer<S> diagonal = find_diagonal(one, a);
    clock.end("diagonal");
    buffer<std::uint8_t> strong;
    spread_aggregates nodes;
    if (levels_.size() < multigrid::most_levels) nodes = choose_aggregates(a, space.block, strong, clock);
    prepare(one, a, diagonal, clock);
    if (!multigrid::is_coarser(nodes.count, width, one.rows)) {
      one.steps = multigrid::steps_of_smoother<S>(smoother_, one.largest_eigenvalue, multigrid::last_steps);
      report_.remark = multigrid::remark_without_factors(one.rows);
      return;
    }
    const std::vector<std::int64_t> coarse = ranges_of_nodes(nodes.count * width, width, group_->size());
    std::vector<std::int64_t> ranges = coarse;
    for (std::int64_t& begin : ranges) begin /= width;
    auto p0 = make_tentative<S>(*group_, nodes, space.block, space.rows, width, ranges);
    const multigrid::smoothing<S> how{diagonal, strong, multigrid::damping / one.largest_eigenvalue,
                                      options_.truncation};
    auto p = smoothed_prolongator(a, nodes, space.block, p0, how, coarse);
    clock.end("interpolation");
    buffer<S> conjugated;
    auto r = hermitian_ ? transpose(p, is_complex<S>)
                        : transpose(smoothed_prolongator(transpose(a, is_complex<S>), nodes, space.block, p0,
                                                         multigrid::smoothing_of_adjoint(how, conjugated), coarse),
                                    is_complex<S>);
    clock.end("restriction");
    const bool is_parted = may_part(space) && mark_weak_part<S>(a, nodes, strong);
    one.aggregation = multigrid::aggregation_words(nodes.how, is_parted);
    a = is_parted ? galerkin_product<S>(r, a, p, nodes, strong) : galerkin_product<S>(r, a, p);
    clock.end("R A P");
    one.interpolation.emplace(std::move(p), options_of_products());
    one.restriction.emplace(std::move(r), options_of_products());
    clock.end("plans of P and R");
    space.rows = std::move(p0.coarse);
    space.block = static_cast<int>(width);
  }
}

/// Whether the weak entries of a level may go apart, as in a hierarchy on one process.
template <value S> bool spread_hierarchy<S>::may_part(const multigrid::near_null_space<S>& space) const {
  if (is_complex<S> || !hermitian_ || space.block != 1 || space.width != 1 || options_.truncation > 0) return false;
  return group_->all(std::all_of(space.rows.begin(), space.rows.end(), [](S x) { return x == S(1); }));
}

template <value S> buffer<S> spread_hierarchy<S>::find_diagonal(level& one, const distributed_csr<S>& a) const {
  auto found = multigrid::diagonal_of(a.local.view(), a.ghosts_before, hermitian_, smoother_);
  const std::int64_t bad = found.bad < a.local.rows ? a.own_rows().first + found.bad : one.rows;
  multigrid::require_diagonal(-group_->most(-bad), one.rows, levels_.size() - 1, hermitian_);
  one.inverse = std::move(found.inverse);
  return std::move(found.diagonal);
}

template <value S>
void spread_hierarchy<S>::prepare(level& one, const distributed_csr<S>& a, std::span<const S> diagonal,
                                  multigrid::stage_clock& clock) const {
  one.space = std::make_unique<spread_space<S>>(group_, multiply_options{.threads = threads_});
  distributed_options options = options_of_products();
  options.exchange = {};
  one.product.emplace(a, options);
  one.space->reserve(one.product->before(), one.product->behind());
  clock.end("plan of A");
  find_spectrum(one, diagonal, a.own_rows().first);
  clock.end("spectrum");
}

template <value S>
void spread_hierarchy<S>::find_spectrum(level& one, std::span<const S> diagonal, std::int64_t first) const {
  one.largest_eigenvalue = multigrid::largest_where_not_hermitian;
  if (hermitian_) {
    const level_operator<S> product(one);
    const level_jacobi<S> jacobi(one, diagonal);
    const auto start = one.space->zeros(one.own_rows);
    lacis::detail::parallel_for(one.own_rows, [&](std::int64_t i) {
      start.data()[i] = S(static_cast<real_of<S>>(multigrid::hashed(first + i)));
    });
    solver::operations<S> ops(product, &jacobi);
    one.largest_eigenvalue = solver::estimate_spectrum(ops, start, multigrid::lanczos_steps).largest;
    multigrid::require_positive(one.largest_eigenvalue, levels_.size() - 1);
  }
  one.steps = multigrid::steps_of_smoother<S>(smoother_, one.largest_eigenvalue, options_.degree);
}

template <value S>
spread_aggregates spread_hierarchy<S>::choose_aggregates(const distributed_csr<S>& a, int block,
                                                         buffer<std::uint8_t>& strong,
                                                         multigrid::stage_clock& clock) const {
  const auto choose = [&](const auto& sizes, buffer<std::uint8_t>& marks) {
    using real = real_of<S>;
    const halo place(sizes);
    const auto view = sizes.local.view();
    const buffer<real> roots = place.template with_ghosts<real>(multigrid::roots_of_largest(view, sizes.ghosts_before));
    marks = buffer<std::uint8_t>(view.nnz());
    const auto connected = multigrid::strong_connections(view, sizes.ghosts_before, std::span<const real>(roots),
                                                         options_.strength, marks);
    clock.end("strength");
    auto nodes = aggregate(group_, sizes.row_ranges, place, connected);
    clock.end("aggregates");
    return nodes;
  };
  if (block == 1 && hermitian_) return choose(a, strong);
  buffer<std::uint8_t> unused;
  if (block == 1) return choose(symmetric_magnitudes(a), unused);
  auto norms = norms_of_blocks(a, block);
  if (hermitian_) return choose(norms, unused);
  norms.local = canonical(norms.local);
  return choose(symmetric_magnitudes(norms), unused);
}

template <value S>
void spread_hierarchy<S>::have_whole(const distributed_csr<S>& a, multigrid::near_null_space<S> space) {
  part_ranges_ = a.row_ranges;
  csr_matrix<S, std::int64_t> wide = collect(a);
  csr_matrix<S, std::int32_t> all{wide.rows, wide.cols, std::move(wide.row_offsets),
                                  buffer<std::int32_t>(wide.columns.size()), std::move(wide.values)};
  for (std::int64_t k = 0; k < all.columns.size(); ++k) all.columns[k] = static_cast<std::int32_t>(wide.columns[k]);
  space.rows = gathered<S>(*group_, space.rows);
  whole_ = std::make_unique<whole_hierarchy>(std::move(all), std::move(space), levels_.size(), options_, hermitian_,
                                             threads_);
  whole_vectors_ = whole_->take();
  for (std::size_t k = 0; k + 1 < part_ranges_.size(); ++k) {
    part_begins_.push_back(static_cast<int>(part_ranges_[k] * static_cast<std::int64_t>(sizeof(S))));
    part_bytes_.push_back(
        static_cast<int>((part_ranges_[k + 1] - part_ranges_[k]) * static_cast<std::int64_t>(sizeof(S))));
  }
  part_space_ = std::make_unique<spread_space<S>>(group_, multiply_options{.threads = threads_});
}

/// With room for the ghosts of all products that read them.
template <value S> void spread_hierarchy<S>::make_vectors() {
  const auto reserve = [](spread_space<S>& space, const std::optional<spread_product<S>>& product) {
    if (product) space.reserve(product->before(), product->behind());
  };
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    level& one = *levels_[k];
    reserve(*one.space, one.restriction);
    if (k > 0) reserve(*one.space, levels_[k - 1]->interpolation);
    const auto zeros = [&] { return one.space->zeros(one.own_rows); };
    one.v = {zeros(), zeros(), zeros(), {zeros(), zeros()}, {}, {}};
    if (has_steps(k)) {
      one.v.first = zeros();
      one.v.image_of_first = zeros();
    }
  }
  if (!whole_) return;
  if (!levels_.empty()) reserve(*part_space_, levels_.back()->interpolation);
  const auto rank = static_cast<std::size_t>(group_->rank());
  const std::int64_t own = part_ranges_[rank + 1] - part_ranges_[rank];
  part_.b = part_space_->zeros(own);
  part_.x = part_space_->zeros(own);
}

/// As the first rank has it that has rows.
template <value S> std::string spread_hierarchy<S>::layout_of(const level& one) const {
  constexpr std::size_t longest = 32;
  std::array<char, longest> name{};
  const std::int64_t none = group_->size();
  const std::int64_t first = -group_->most(-(one.own_rows > 0 ? std::int64_t{group_->rank()} : none));
  if (group_->rank() == first) one.product->layout().copy(name.data(), longest - 1);
  group_->broadcast(std::as_writable_bytes(std::span(name)), static_cast<int>(first));
  return name.data();
}

template <value S> void spread_hierarchy<S>::tell(double seconds) {
  for (const auto& one : levels_)
    report_.levels.push_back({.rows = one->rows,
                              .entries = one->entries,
                              .layout = layout_of(*one),
                              .aggregation = one->aggregation,
                              .largest_eigenvalue = one->largest_eigenvalue,
                              .ranks = one->ranks});
  if (whole_) {
    const multigrid_report& rest = whole_->report();
    report_.levels.insert(report_.levels.end(), rest.levels.begin(), rest.levels.end());
    report_.remark = rest.remark;
  }
  double entries = 0;
  for (const multigrid_level& one : report_.levels) entries += static_cast<double>(one.entries);
  report_.operator_complexity = entries / std::max(1.0, static_cast<double>(report_.levels[0].entries));
  report_.setup_seconds = group_->most(seconds);
  report_.hermitian = hermitian_;
  report_.cycle = options_.cycle;
  report_.smoother = smoother_;
}

template <value S> std::int64_t spread_hierarchy<S>::moved_bytes() const {
  std::int64_t bytes = whole_ ? whole_->moved_bytes() : 0;
  for (const auto& one : levels_) {
    bytes += 2 * static_cast<std::int64_t>(one->steps.size()) * one->product->moved_bytes();
    if (one->interpolation) bytes += one->interpolation->moved_bytes() + one->restriction->moved_bytes();
  }
  return bytes;
}

template <value S> std::int64_t spread_hierarchy<S>::storage_bytes() const {
  std::int64_t bytes = whole_ ? whole_->storage_bytes() : 0;
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const auto& one = levels_[k];
    const std::int64_t kept = has_steps(k) ? 8 : 6;  // five or seven of a cycle, the inverse of the diagonal
    bytes += kept * one->own_rows * static_cast<std::int64_t>(sizeof(S)) + one->product->storage_bytes();
    if (one->interpolation) bytes += one->interpolation->storage_bytes() + one->restriction->storage_bytes();
  }
  return bytes;
}

template class spread_hierarchy<float>;
template class spread_hierarchy<double>;
template class spread_hierarchy<std::complex<float>>;
template class spread_hierarchy<std::complex<double>>;

}  // namespace lacis::dist
