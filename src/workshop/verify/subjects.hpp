// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One matrix in every format and in plans, each behind two function pointers: the loops over them are compiled once.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <lacis/convert.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>

namespace lacis::verification {

/// Something to multiply with.
template <class X, class T> struct subject {
  std::string_view row;  ///< of the table
  std::string_view what;
  std::string_view turn;  ///< whose turns it takes: plans are made for all their sides at once
  const void* matrix = nullptr;
  void (*vector)(const void*, T, std::span<const X>, T, std::span<T>, const multiply_options&, workspace&) = nullptr;
  void (*columns)(const void*, T, const dense_view<const X>&, T, const dense_view<T>&, const multiply_options&,
                  workspace&) = nullptr;
};

template <class Matrix, class X, class T>
void multiply_vector(const void* matrix, T alpha, std::span<const X> x, T beta, std::span<T> y,
                     const multiply_options& options, workspace&) {
  detail::multiply(alpha, static_cast<const Matrix*>(matrix)->view(), x, beta, y, options);
}
template <class Matrix, class X, class T>
void multiply_columns(const void* matrix, T alpha, const dense_view<const X>& x, T beta, const dense_view<T>& y,
                      const multiply_options& options, workspace&) {
  detail::multiply(alpha, static_cast<const Matrix*>(matrix)->view(), x, beta, y, options);
}

template <class Plan, side Side, class X, class T>
void plan_vector(const void* p, T alpha, std::span<const X> x, T beta, std::span<T> y, const multiply_options&,
                 workspace& memory) {
  detail::multiply(alpha, *static_cast<const Plan*>(p), Side, x, beta, y, memory);
}
template <class Plan, side Side, class X, class T>
void plan_columns(const void* p, T alpha, const dense_view<const X>& x, T beta, const dense_view<T>& y,
                  const multiply_options&, workspace& memory) {
  detail::multiply(alpha, *static_cast<const Plan*>(p), Side, x, beta, y, memory);
}

/// Which formats a matrix is put in.
enum class selection {
  every,     ///< all nine
  in_order,  ///< those that keep the order of a row, so rows may be unsorted
  unpadded,  ///< those that take no padding and cut long rows: CSR, COO, HYB, CSC
};

/// A matrix in many formats.
template <class A, class Index> class every_format {
 public:
  every_format(const csr_matrix<A, Index>& a, selection which) {
    add<csr_matrix<A, Index>>("csr", "csr", a);
    add<coo_matrix<A, Index>>("coo", "coo", a);
    add<hyb_matrix<A, Index>>("hyb", "hyb", a);
    if (which != selection::in_order) add<csc_matrix<A, Index>>("csc", "csc", a);
    if (which == selection::unpadded) return;
    add<ell_matrix<A, Index>>("ell", "ell", a);
    add<jds_matrix<A, Index>>("jds", "jds", a);
    add<sell_matrix<A, Index>>("sell", "sell", a);
    constexpr std::pair<const char*, std::int64_t> heights[] = {
        {"sell, C = 1", 1}, {"sell, C = 3", 3}, {"sell, C = 8", 8}, {"sell, C = 16", 16}, {"sell, C = 32", 32}};
    for (const auto& [name, height] : heights)
      add<sell_matrix<A, Index>>("sell", name, a, {.slice_height = height, .sort_window = 4 * height});
    if (which == selection::in_order) return;
    constexpr std::pair<const char*, std::int64_t> sizes[] = {
        {"bsr, blocks of 1", 1}, {"bsr, blocks of 3", 3}, {"bsr, blocks of 4", 4}, {"bsr, blocks of 13", 13}};
    for (const auto& [name, size] : sizes) add<bsr_matrix<A, Index>>("bsr", name, a, {.block_size = size});
    add<dia_matrix<A, Index>>("dia", "dia", a);
  }

  template <class X> [[nodiscard]] std::vector<subject<X, product_of<A, X>>> subjects() const {
    using T = product_of<A, X>;
    std::vector<subject<X, T>> all;
    for (const held& form : forms_)
      std::visit(
          [&]<class Matrix>(const Matrix& m) {
            all.push_back(
                {form.row, form.what, form.what, &m, multiply_vector<Matrix, X, T>, multiply_columns<Matrix, X, T>});
          },
          form.matrix);
    return all;
  }

 private:
  struct held {
    std::string_view row;
    std::string_view what;
    std::variant<csr_matrix<A, Index>, coo_matrix<A, Index>, csc_matrix<A, Index>, ell_matrix<A, Index>,
                 hyb_matrix<A, Index>, jds_matrix<A, Index>, sell_matrix<A, Index>, bsr_matrix<A, Index>,
                 dia_matrix<A, Index>>
        matrix;
  };
  template <class Matrix>
  void add(std::string_view row, std::string_view what, const csr_matrix<A, Index>& a, convert_options options = {}) {
    options.memory_limit = std::numeric_limits<std::int64_t>::max();
    forms_.push_back({row, what, convert<Matrix>(a, options)});
  }

  std::vector<held> forms_;
};

/// A plan as it was made.
template <class A, class Index> struct held_plan {
  lacis::plan<A, Index> plan;
  plan_layout layout;
  std::array<std::string, 3> what;  ///< by side

  template <class X, side Side> [[nodiscard]] subject<X, product_of<A, X>> seen_from() const {
    using T = product_of<A, X>;
    using Plan = lacis::plan<A, Index>;
    return {"plan", what[static_cast<std::size_t>(Side)], "plan",
            &plan,  plan_vector<Plan, Side, X, T>,        plan_columns<Plan, Side, X, T>};
  }
};

/// Other values for the pattern of a matrix.
template <class A, class Index> csr_matrix<A, Index> with_other_values(const csr_matrix<A, Index>& a) {
  csr_matrix<A, Index> other = a;
  other.values = values_array<A>(buffer<A>(a.nnz(), A(3)));
  return other;
}

/// Plans for a matrix in every layout, each made of it and made of other values and then given its own.
template <class A, class Index>
std::vector<held_plan<A, Index>> plans_of(const csr_matrix<A, Index>& a, isa set, int threads) {
  const auto other = with_other_values(a);
  std::vector<A> values;
  for (std::int64_t k = 0; k < a.nnz(); ++k) values.push_back(a.values[k]);
  std::vector<held_plan<A, Index>> plans;
  struct kind {
    std::string name;
    plan_layout layout;
    int column_blocks;
  };
  std::vector<kind> kinds;
  for (const plan_layout layout : plan_layouts) {
    const std::string name = "plan as " + std::string(name_of(layout));
    kinds.push_back({name, layout, layout == plan_layout::sell ? 1 : 0});
    if (layout == plan_layout::sell) kinds.push_back({name + " in 3 ranges of columns", layout, 3});
    if (layout == plan_layout::staged) kinds.push_back({name + " by frequency", layout, 1});
  }
  for (const kind& k : kinds) {
    const plan_options options{.threads = threads,
                               .isa = set,
                               .transpose = true,
                               .conjugate_transpose = true,
                               .layout = k.layout,
                               .column_blocks = k.column_blocks};
    const auto add = [&](const csr_matrix<A, Index>& from, const char* remark) {
      const std::string name = k.name + remark;
      plans.push_back(
          {multiply_inspect(from, options), k.layout, {name, name + ", transposed", name + ", conjugate transposed"}});
    };
    add(a, "");
    add(other, " with updated values");
    update_values(plans.back().plan, values);
  }
  return plans;
}

}  // namespace lacis::verification
