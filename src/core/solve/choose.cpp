// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a matrix is, and which methods suit it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <lacis/solve_auto.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "formats/order_rows.hpp"
#include "solve/asymmetry.hpp"

namespace lacis {

const solve_report& auto_report::result() const { return attempts.back().report; }

std::string name_of(const solver_choice& choice) {
  if (choice.direct) return "direct";
  std::string name(name_of(choice.method));
  if (choice.preconditioner) name += " with " + std::string(name_of(*choice.preconditioner));
  return name;
}

std::vector<solver_choice> choices_for(const system_facts& facts) {
  using m = solve_method;
  using p = preconditioner_kind;
  std::vector<solver_choice> all;
  const auto add = [&](solve_method method, std::optional<preconditioner_kind> kind, double share, std::string why) {
    if (!kind || facts.full_diagonal) all.push_back({method, kind, std::move(why), share});
  };
  if (!facts.square) {
    add(m::lsqr, {}, 1, "the matrix is not square: least squares");
    return all;
  }
  const std::string hermitian = facts.asymmetry > 0 ? "Hermitian but for rounding errors" : "Hermitian";
  const bool is_uneven = facts.diagonal_spread > 2;
  const bool may_be_definite = facts.hermitian && !facts.indefinite && facts.positive_diagonal;
  if (facts.tridiagonal)
    add(may_be_definite ? m::cg : m::gmres, may_be_definite ? p::ic0 : p::ilu0, 1,
        "tridiagonal: incomplete factors are the whole ones");
  if (may_be_definite) {
    if (is_uneven)
      add(m::cg, p::jacobi, 1,
          hermitian + ", no direction of negative curvature met, a diagonal that varies: scaled by it");
    else
      add(m::cg, {}, 1,
          hermitian + ", no direction of negative curvature met, an even diagonal: nothing cheaper helps");
    if (!facts.tridiagonal) {
      add(m::cg, p::amg, 1, "the condition is too bad for a diagonal, as that of differential equations is: multigrid");
      add(m::cg, p::ic0, 1, "neither a diagonal nor multigrid did: incomplete factors");
    }
    add(m::minres, {}, 0.3, "in case the matrix is singular");
  } else if (facts.hermitian) {
    add(m::minres, {}, 1,
        hermitian + (facts.indefinite ? ", with directions of negative curvature: minimal residuals"
                                      : ", with a diagonal that is not positive: minimal residuals"));
  }
  constexpr double nearly_all = 0.9;
  constexpr double some = 0.1;
  constexpr double a_few_iterations = 0.1;
  if (!facts.hermitian && !facts.tridiagonal) {
    if (facts.dominated_rows >= nearly_all)
      add(m::bicgstab, p::jacobi, 1,
          "not Hermitian, the diagonal outweighs nearly every row: few and cheap iterations");
    else if (facts.dominated_rows >= some)
      add(m::bicgstab, p::jacobi, a_few_iterations,
          "not Hermitian, the diagonal outweighs some rows: a few cheap iterations, before factors are made");
  }
  const double others = facts.hermitian ? 0.2 : 1;
  const std::string why_factors = facts.hermitian     ? "incomplete factors, since nothing simpler did"
                                  : facts.tridiagonal ? "the same with short recurrences"
                                                      : "not Hermitian: incomplete factors";
  const bool may_be_flow = !facts.hermitian && !facts.tridiagonal && facts.dominated_rows >= some;
  add(m::bicgstab, p::ilu0, may_be_flow ? others / 2 : others, why_factors);
  if (may_be_flow) add(m::bicgstab, p::amg, others, "factors were not enough, as with flows on fine grids: multigrid");
  if (!facts.tridiagonal || facts.hermitian)
    add(m::gmres, p::ilu0, others / 2, "the same with residuals that cannot grow");
  add(m::gmres, {}, others / 2, "without a preconditioner, whose factors may be the trouble");
  // Nothing on the diagonal is often a permuted matrix, far from what products alone can turn round.
  if (!facts.full_diagonal) add(m::lsqr, {}, others / 2, "zeros on the diagonal: the normal equations have none");
  add(m::bicgstab, {}, others / 4, "short recurrences, without a preconditioner");
  if (facts.full_diagonal) add(m::lsqr, {}, others / 2, "slow and sure: the normal equations");
  return all;
}

namespace detail {

template <class T, class Index> system_facts facts_of(const csr_view<T, Index>& a) {
  using real = real_of<T>;
  require_canonical(a, "solve");
  system_facts facts;
  facts.square = a.rows == a.cols;
  if (!facts.square) return facts;
  const std::optional<double> asymmetry = solver::asymmetry_of(a);
  facts.hermitian = asymmetry.has_value();
  facts.asymmetry = asymmetry.value_or(0);
  facts.full_diagonal = facts.positive_diagonal = facts.tridiagonal = true;
  std::int64_t dominated = 0;
  real smallest = std::numeric_limits<real>::infinity();
  real largest = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    T diagonal{};
    real rest = 0;
    for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(i)];
         k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
      const std::int64_t away = std::abs(static_cast<std::int64_t>(a.columns[static_cast<std::size_t>(k)]) - i);
      facts.tridiagonal = facts.tridiagonal && away <= 1;
      if (away == 0)
        diagonal = a.values[k];
      else
        rest += std::abs(a.values[k]);
    }
    const real size = std::abs(diagonal);
    facts.full_diagonal = facts.full_diagonal && size > 0;
    facts.positive_diagonal =
        facts.positive_diagonal && std::real(diagonal) > 0 && (facts.hermitian || std::imag(diagonal) == 0);
    dominated += size >= rest ? 1 : 0;
    smallest = std::min(smallest, size);
    largest = std::max(largest, size);
  }
  facts.dominant = dominated == a.rows;
  facts.dominated_rows = a.rows > 0 ? static_cast<double>(dominated) / static_cast<double>(a.rows) : 1;
  facts.diagonal_spread = smallest > 0 ? static_cast<double>(largest) / static_cast<double>(smallest)
                                       : std::numeric_limits<double>::infinity();
  return facts;
}

#define LACIS_INSTANTIATE(T, Index) template LACIS_API system_facts facts_of(const csr_view<T, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace detail
}  // namespace lacis
