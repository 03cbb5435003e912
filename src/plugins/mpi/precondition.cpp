// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners of distributed matrices that depend on the matrix and its stored parts alone.
#include <algorithm>
#include <bit>
#include <memory>

#include <lacis/error.hpp>
#include <lacis/mpi.hpp>

#include "base/text.hpp"
#include "mpi/multigrid/preconditioner.hpp"
#include "mpi/processes.hpp"
#include "solve/precondition/make.hpp"
#include "solve/precondition/polynomial.hpp"

namespace lacis {
namespace {

/// One of this process's rows, working on vectors that are spread: it asks others for nothing.
template <value T> class own_preconditioner final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;

  own_preconditioner(std::unique_ptr<preconditioner<T>> inner, vector_space<T>& space, std::string words)
      : inner_(std::move(inner)), space_(space), words_(std::move(words)) {}

  [[nodiscard]] std::int64_t rows() const override { return inner_->rows(); }
  [[nodiscard]] std::int64_t cols() const override { return inner_->cols(); }
  [[nodiscard]] vector_space<T>& space() const override { return space_; }
  void apply(const vector& x, const vector& y) const override { inner_->apply(x, y); }
  [[nodiscard]] std::int64_t moved_bytes() const override { return inner_->moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return inner_->storage_bytes(); }
  [[nodiscard]] std::string describe() const override { return words_; }
  void update_values(std::span<const T>) override {
    throw error(errc::unsupported, "a distributed preconditioner does not follow its matrix; make another one");
  }

 private:
  std::unique_ptr<preconditioner<T>> inner_;
  vector_space<T>& space_;
  std::string words_;
};

/// A Chebyshev polynomial, whose products are those of the distributed matrix.
template <value T> class spread_polynomial final : public preconditioner<T> {
 public:
  using vector = space_vector<T>;

  spread_polynomial(const distributed_matrix<T>& product, std::unique_ptr<preconditioner<T>> diagonal,
                    const preconditioner_options& options)
      : product_(product),
        diagonal_(std::move(diagonal)),
        polynomial_(product, *diagonal_, options.degree, {options.smallest_eigenvalue, options.largest_eigenvalue}),
        degree_(options.degree) {}

  [[nodiscard]] std::int64_t rows() const override { return product_.rows(); }
  [[nodiscard]] std::int64_t cols() const override { return product_.cols(); }
  [[nodiscard]] vector_space<T>& space() const override { return product_.space(); }
  void apply(const vector& x, const vector& y) const override { polynomial_.apply(x, y); }
  [[nodiscard]] std::int64_t moved_bytes() const override { return degree_ * product_.moved_bytes(); }
  [[nodiscard]] std::int64_t storage_bytes() const override { return diagonal_->storage_bytes(); }
  [[nodiscard]] std::string describe() const override { return polynomial_.describe(); }
  void update_values(std::span<const T>) override {
    throw error(errc::unsupported, "a distributed preconditioner does not follow its matrix; make another one");
  }

 private:
  const distributed_matrix<T>& product_;
  std::unique_ptr<preconditioner<T>> diagonal_;
  solver::polynomial<T> polynomial_;
  int degree_;
};

/// The entries of this process's rows whose columns are in the same part as the row, numbered from its first row.
template <value T> csr_matrix<T, std::int32_t> inside_parts(const distributed_csr<T>& a) {
  const auto& local = a.local;
  const std::vector<std::int64_t>& parts = a.parts;
  const row_range own = a.own_rows();
  csr_matrix<T, std::int32_t> inside{local.rows, local.rows, buffer<std::int64_t>(local.rows + 1), {}, {}};
  const auto each = [&](auto&& visit) {
    auto part = std::upper_bound(parts.begin(), parts.end(), own.first);
    for (std::int64_t i = 0; i < local.rows; ++i) {
      while (own.first + i >= *part) ++part;
      const std::int64_t first = a.ghosts_before + std::max(*(part - 1) - own.first, std::int64_t{0});
      const std::int64_t last = a.ghosts_before + std::min(*part - own.first, local.rows);
      for (std::int64_t e = local.row_offsets[i]; e < local.row_offsets[i + 1]; ++e)
        if (local.columns[e] >= first && local.columns[e] < last) visit(i, e);
    }
  };
  for (std::int64_t& offset : inside.row_offsets) offset = 0;
  each([&](std::int64_t i, std::int64_t) { ++inside.row_offsets[i + 1]; });
  for (std::int64_t i = 0; i < local.rows; ++i) inside.row_offsets[i + 1] += inside.row_offsets[i];
  inside.columns = buffer<std::int32_t>(inside.row_offsets[local.rows]);
  inside.values = values_array<T>(inside.columns.size());
  std::int64_t next = 0;
  each([&](std::int64_t, std::int64_t e) {
    inside.columns[next] = static_cast<std::int32_t>(local.columns[e] - a.ghosts_before);
    inside.values.data[next++] = local.values[e];
  });
  return inside;
}

template <value T>
std::unique_ptr<preconditioner<T>> make_own(const distributed_csr<T>& a, const distributed_matrix<T>& product,
                                            const preconditioner_options& options) {
  a.group->require_same("make_distributed_preconditioner()",
                        {{"kind", static_cast<std::uint64_t>(options.kind)},
                         {"options.block", static_cast<std::uint64_t>(options.block)},
                         {"options.degree", static_cast<std::uint64_t>(options.degree)}});
  const std::string_view name = name_of(options.kind);
  if (a.rows() != a.cols())
    throw error(errc::invalid_matrix, detail::text(name, ": the matrix is ", a.rows(), " x ", a.cols(),
                                                   "; preconditioners are for square ones"));
  const auto own = [&](std::unique_ptr<preconditioner<T>> inner, std::string words) {
    return std::make_unique<own_preconditioner<T>>(std::move(inner), product.space(), std::move(words));
  };
  const auto of_own_rows = [&](const preconditioner_options& how) {
    auto inner = solver::make_of_rows(a.local.view(), a.ghosts_before, how);
    std::string words = inner->describe();
    return own(std::move(inner), std::move(words));
  };
  switch (traits_of(options.kind).on_ranks) {
    case rank_work::own_rows:
      if (options.kind == preconditioner_kind::block_jacobi &&
          !std::has_single_bit(static_cast<unsigned>(std::max(options.block, 0))))
        throw error(errc::unsupported, detail::text("blocks of ", options.block,
                                                    " rows would be cut where processes meet; a power of two is not"));
      return of_own_rows(options);
    case rank_work::parts:
      if (a.parts.empty())
        throw error(errc::unsupported,
                    detail::text(name,
                                 " of a distributed matrix works inside stored parts, and this matrix has none: cut it "
                                 "once and store it with its parts; jacobi and chebyshev need none"));
      return own(lacis::make_preconditioner(inside_parts(a), options),
                 detail::text(name, " inside each of ", a.parts.size() - 1, " stored parts"));
    case rank_work::together:
      if (options.kind == preconditioner_kind::amg)
        return dist::make_multigrid_preconditioner(a, product.space(), options);
      return std::make_unique<spread_polynomial<T>>(
          product, of_own_rows({.kind = preconditioner_kind::jacobi, .threads = options.threads}), options);
    case rank_work::none:
      break;
  }
  throw error(errc::unsupported, detail::text(name,
                                              " goes through all rows in turn, which ranks cannot share; "
                                              "use jacobi, chebyshev, or ilu0 or ic0 inside parts"));
}

}  // namespace

template <value T>
std::unique_ptr<preconditioner<T>> make_distributed_preconditioner(const distributed_csr<T>& a,
                                                                   const distributed_matrix<T>& product,
                                                                   const preconditioner_options& options) {
  return a.group->together([&] { return make_own(a, product, options); });
}

#define LACIS_INSTANTIATE(T)                                                             \
  template LACIS_API std::unique_ptr<preconditioner<T>> make_distributed_preconditioner( \
      const distributed_csr<T>&, const distributed_matrix<T>&, const preconditioner_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
