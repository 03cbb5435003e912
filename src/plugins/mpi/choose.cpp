// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a distributed matrix is, and what that suggests.
#include "mpi/choose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mpi/multigrid/halo.hpp"
#include "mpi/processes.hpp"
#include "solve/asymmetry.hpp"
#include "solve/precondition/variable.hpp"

namespace lacis::dist {

template <value T> std::optional<double> asymmetry_of(const distributed_csr<T>& a) {
  const distributed_csr<T> b = transpose(a, is_complex<T>);
  const auto same = [](const auto& left, const auto& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  };
  const auto& local = a.local;
  // Columns are numbered alike where patterns are alike.
  if (!a.group->all(same(a.ghosts, b.ghosts) && same(local.row_offsets, b.local.row_offsets) &&
                    same(local.columns, b.local.columns)))
    return std::nullopt;
  if (a.group->all(same(local.values.data, b.local.values.data))) return 0;
  buffer<double> own(local.rows, 0);
  const auto each_entry = [&](auto&& visit) {
    for (std::int64_t i = 0; i < local.rows; ++i)
      for (std::int64_t k = local.row_offsets[i]; k < local.row_offsets[i + 1]; ++k) visit(i, k);
  };
  each_entry([&](std::int64_t i, std::int64_t k) {
    if (local.columns[k] == a.ghosts_before + i) own[i] = std::sqrt(static_cast<double>(std::abs(local.values[k])));
  });
  const buffer<double> roots = halo(a).with_ghosts<double>(own);
  double mine = 0;
  each_entry([&](std::int64_t i, std::int64_t k) {
    mine = std::max(mine,
                    solver::asymmetry_of_pair<T>(local.values[k], b.local.values[k], own[i], roots[local.columns[k]]));
  });
  const double largest = a.group->most(mine);
  return largest <= solver::most_asymmetry<T> ? std::optional(largest) : std::nullopt;
}

namespace {

template <value T> system_facts facts_of(const distributed_csr<T>& a) {
  system_facts facts;
  facts.square = a.rows() == a.cols();
  if (!facts.square) return facts;
  const std::optional<double> asymmetry = asymmetry_of(a);
  facts.hermitian = asymmetry.has_value();
  facts.asymmetry = asymmetry.value_or(0);
  bool whole = true;
  bool positive = true;
  std::int64_t dominated = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  const auto& local = a.local;
  for (std::int64_t i = 0; i < local.rows; ++i) {
    T diagonal(0);
    double beside = 0;
    for (std::int64_t e = local.row_offsets[i]; e < local.row_offsets[i + 1]; ++e)
      if (local.columns[e] == a.ghosts_before + i)
        diagonal = local.values[e];
      else
        beside += static_cast<double>(std::abs(local.values[e]));
    const auto size = static_cast<double>(std::abs(diagonal));
    whole = whole && size > 0;
    positive = positive && std::real(diagonal) > 0 && (facts.hermitian || std::imag(diagonal) == 0);
    dominated += size >= beside ? 1 : 0;
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
  }
  facts.full_diagonal = a.group->all(whole);
  facts.positive_diagonal = a.group->all(positive);
  facts.dominated_rows =
      a.rows() > 0 ? static_cast<double>(a.group->sum(dominated)) / static_cast<double>(a.rows()) : 0;
  facts.dominant = facts.dominated_rows == 1;
  facts.diagonal_spread = a.group->most(largest) / -a.group->most(-smallest);
  return facts;
}

}  // namespace

template <value T> solver_choice choose(const distributed_csr<T>& a, const auto_options& options, system_facts& facts) {
  facts = facts_of(a);
  const std::string hermitian = facts.asymmetry > 0 ? "Hermitian but for rounding errors" : "Hermitian";
  solver_choice choice;
  if (options.method) {
    choice.method = *options.method;
    choice.why = "as requested";
  } else if (!facts.square) {
    choice.method = solve_method::lsqr;
    choice.why = "the matrix is not square: least squares";
  } else if (facts.hermitian && facts.positive_diagonal) {
    choice.method = solve_method::cg;
    choice.why = hermitian + ", with a positive diagonal";
  } else if (facts.hermitian) {
    choice.method = solve_method::minres;
    choice.why = hermitian + ", and its diagonal shows that it is indefinite";
  } else {
    choice.method = solve_method::gmres;
    choice.why = "not Hermitian";
  }
  if (options.no_preconditioner || traits_of(choice.method).least_squares) return choice;
  const bool is_definite = facts.hermitian && facts.positive_diagonal;
  if (options.preconditioner)
    choice.preconditioner = options.preconditioner;
  else if (!a.parts.empty() && facts.full_diagonal && (is_definite || choice.method == solve_method::gmres))
    choice.preconditioner = is_definite ? preconditioner_kind::ic0 : preconditioner_kind::ilu0;
  else if (facts.full_diagonal && facts.diagonal_spread > 1 && (is_definite || choice.method != solve_method::minres))
    choice.preconditioner = preconditioner_kind::jacobi;
  if (choice.method == solve_method::gmres && !options.method && choice.preconditioner &&
      solver::is_variable(*choice.preconditioner, options.multigrid))
    choice.method = solve_method::fgmres;
  return choice;
}

#define LACIS_INSTANTIATE(T)                                              \
  template std::optional<double> asymmetry_of(const distributed_csr<T>&); \
  template solver_choice choose(const distributed_csr<T>&, const auto_options&, system_facts&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis::dist
