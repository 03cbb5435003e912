// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Templates made from one row and its rows of B.
#include "cpu/spgemm_templates.hpp"

#include <algorithm>

namespace lacis::cpu {
namespace {

/// Elements that a vector may read behind the last column.
constexpr std::size_t lanes = 16;

template <class T, class Index>
spgemm_template make_template(const csr_view<T, Index>& a, const csr_view<T, Index>& b, const operand_values<T>& values,
                              std::int64_t row) {
  struct product {
    std::int64_t column;
    spgemm_template::term factors;
  };
  const entry_values<T>& left = values.a();
  const entry_values<T>& right = values.b;
  std::vector<product> products;
  const std::int64_t begin = a.row_offsets.data()[row];
  for (std::int64_t p = begin; p < a.row_offsets.data()[row + 1]; ++p) {
    const std::int64_t k = a.columns.data()[p];
    const std::int64_t first = b.row_offsets.data()[k];
    for (std::int64_t q = first; q < b.row_offsets.data()[k + 1]; ++q)
      products.push_back({b.columns.data()[q] - row,
                          {(p - begin) * left.stride, (q - first) * right.stride + (k - row) * right.row_step}});
  }
  std::stable_sort(products.begin(), products.end(),
                   [](const product& x, const product& y) { return x.column < y.column; });
  spgemm_template made;
  for (const product& one : products) {
    if (made.columns.empty() || made.columns.back() != one.column) {
      made.columns.push_back(static_cast<std::int32_t>(one.column));
      made.ends.push_back(0);
    }
    made.terms.push_back(one.factors);
    made.ends.back() = static_cast<std::int32_t>(made.terms.size());
  }
  made.columns.resize(made.columns.size() + lanes);
  return made;
}

}  // namespace

template <class T, class Index>
const spgemm_templates::known* spgemm_templates::find(const csr_view<T, Index>& a, const csr_view<T, Index>& b,
                                                      const operand_shapes& shapes, const operand_values<T>& values,
                                                      std::int64_t row, const known* last) {
  const std::int64_t begin = a.row_offsets.data()[row];
  const std::int64_t end = a.row_offsets.data()[row + 1];
  const auto shape_of = [&](std::int64_t p) { return shapes.b.shape[a.columns.data()[p]]; };
  // Addresses depend on whether one value stands for all.
  const std::int32_t kind = shapes.a().shape[row] * 4 + static_cast<std::int32_t>(values.a().row_step * 2) +
                            static_cast<std::int32_t>(values.b.row_step);
  if (last != nullptr && static_cast<std::int64_t>(last->first.size()) == end - begin + 1 && last->first[0] == kind) {
    std::int64_t p = begin;
    while (p < end && last->first[static_cast<std::size_t>(p - begin + 1)] == shape_of(p)) ++p;
    if (p == end) return last;
  }
  key wanted{kind};
  for (std::int64_t p = begin; p < end; ++p) wanted.push_back(shape_of(p));
  const std::scoped_lock lock(mutex_);
  auto place = all_.find(wanted);
  if (place == all_.end()) {
    if (all_.size() == most) return nullptr;
    place = all_.try_emplace(std::move(wanted), make_template(a, b, values, row)).first;
  }
  return &*place;
}

#define LACIS_TEMPLATES(T, Index)                                                                                      \
  template const spgemm_templates::known* spgemm_templates::find(const csr_view<T, Index>&, const csr_view<T, Index>&, \
                                                                 const operand_shapes&, const operand_values<T>&,      \
                                                                 std::int64_t, const known*);
LACIS_TEMPLATES(float, std::int32_t)
LACIS_TEMPLATES(double, std::int32_t)

}  // namespace lacis::cpu
