// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Runs of rows with one template, found by the shapes of the rows that they are made from.
#include "cpu/spgemm/runs.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "base/parallel.hpp"

namespace lacis::cpu {
namespace {

/// Elements that a vector may read behind the last column.
constexpr std::size_t lanes = 16;

/// Templates at most: a matrix that needs more has no pattern worth the name.
constexpr std::size_t most_patterns = 4096;

/// Rows of a run at most: threads share runs.
constexpr std::int64_t most_rows = 512;

using shapes_key = std::vector<std::int32_t>;

template <class T, class Index>
spgemm_template make_template(const csr_view<T, Index>& a, const csr_view<T, Index>& b, std::int64_t row) {
  struct product {
    std::int32_t column;
    spgemm_template::term term;
  };
  std::vector<product> products;
  const std::int64_t begin = a.row_offsets.data()[row];
  for (std::int64_t p = begin; p < a.row_offsets.data()[row + 1]; ++p) {
    const std::int64_t k = a.columns.data()[p];
    const std::int64_t first = b.row_offsets.data()[k];
    for (std::int64_t q = first; q < b.row_offsets.data()[k + 1]; ++q)
      products.push_back({static_cast<std::int32_t>(b.columns.data()[q] - row),
                          {static_cast<std::int32_t>(p - begin), static_cast<std::int32_t>(q - first),
                           static_cast<std::int32_t>(k - row)}});
  }
  std::stable_sort(products.begin(), products.end(),
                   [](const product& x, const product& y) { return x.column < y.column; });
  spgemm_template made;
  made.terms.reserve(products.size());
  for (const product& one : products) {
    if (made.columns.empty() || made.columns.back() != one.column) {
      made.columns.push_back(one.column);
      made.ends.push_back(0);
    }
    made.terms.push_back(one.term);
    made.ends.back() = static_cast<std::int32_t>(made.terms.size());
  }
  made.columns.resize(made.columns.size() + lanes);
  return made;
}

/// Templates by the shapes they are for, shared by threads.
template <class T, class Index> class template_finder {
 public:
  template_finder(const csr_view<T, Index>& a, const csr_view<T, Index>& b, spgemm_runs& runs)
      : a_(a), b_(b), runs_(runs) {}

  /// The number of the template for a row; nothing when there are too many.
  std::optional<std::size_t> find(const shapes_key& key, std::int64_t row) {
    {
      const std::scoped_lock lock(mutex_);
      if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
      if (numbers_.size() == most_patterns) return std::nullopt;
    }
    spgemm_template made = make_template(a_, b_, row);
    const std::scoped_lock lock(mutex_);
    const auto [place, is_new] = numbers_.try_emplace(key, runs_.patterns.size());
    if (is_new) runs_.patterns.push_back(std::move(made));
    return place->second;
  }

 private:
  const csr_view<T, Index>& a_;
  const csr_view<T, Index>& b_;
  spgemm_runs& runs_;
  std::mutex mutex_;
  std::map<shapes_key, std::size_t> numbers_;
};

/// The runs of rows first .. last; false when templates run out.
template <class T, class Index>
bool add_runs(const csr_view<T, Index>& a, const operand_shapes& shapes, template_finder<T, Index>& finder,
              std::int64_t first, std::int64_t last, std::vector<spgemm_run>& runs) {
  const std::int64_t* offsets = a.row_offsets.data();
  const Index* columns = a.columns.data();
  // Most runs have a template that was asked for a few runs ago.
  std::map<shapes_key, std::size_t> met;
  shapes_key key;
  for (std::int64_t row = first; row < last;) {
    std::int64_t rows = std::min<std::int64_t>({last, shapes.a().run_end[row], row + most_rows}) - row;
    key.assign(1, shapes.a().shape[row]);
    for (std::int64_t p = offsets[row]; p < offsets[row + 1]; ++p) {
      const std::int64_t k = columns[p];
      rows = std::min<std::int64_t>(rows, shapes.b.run_end[k] - k);
      key.push_back(shapes.b.shape[k]);
    }
    auto known = met.find(key);
    if (known == met.end()) {
      const auto number = finder.find(key, row);
      if (!number) return false;
      known = met.emplace(key, *number).first;
    }
    runs.push_back({row, rows, 0, known->second});
    row += rows;
  }
  return true;
}

}  // namespace

template <class T, class Index>
std::unique_ptr<spgemm_runs> find_runs(const csr_view<T, Index>& a, const csr_view<T, Index>& b) {
  auto shapes = find_shapes(a, b);
  if (!shapes) return nullptr;
  auto runs = std::make_unique<spgemm_runs>();
  runs->shapes = std::move(*shapes);
  template_finder<T, Index> finder(a, b, *runs);
  const int threads = detail::threads_for(a.nnz());
  std::vector<std::vector<spgemm_run>> parts(static_cast<std::size_t>(threads));
  std::vector<char> good(static_cast<std::size_t>(threads));
  detail::on_threads(threads, [&](int t, int count) {
    const auto mine = static_cast<std::size_t>(t);
    good[mine] = add_runs(a, runs->shapes, finder, detail::even_cut(a.rows, t, count),
                          detail::even_cut(a.rows, t + 1, count), parts[mine]);
  });
  if (std::find(good.begin(), good.end(), char{0}) != good.end()) return nullptr;
  for (std::vector<spgemm_run>& part : parts)
    for (spgemm_run& run : part) {
      run.first_entry = runs->entries;
      runs->entries += run.rows * runs->patterns[run.pattern].entries();
      runs->products += runs->products_of(run);
      runs->all.push_back(run);
    }
  return runs;
}

std::int64_t spgemm_runs::bytes() const {
  auto bytes = static_cast<std::int64_t>(all.size() * sizeof(spgemm_run)) + bytes_of(shapes);
  for (const spgemm_template& one : patterns)
    bytes += static_cast<std::int64_t>(one.terms.size() * sizeof(spgemm_template::term) +
                                       (one.columns.size() + one.ends.size()) * sizeof(std::int32_t));
  return bytes;
}

template <class T, class Index>
spgemm_tiles<T> lay_out(const csr_view<T, Index>& a, const csr_view<T, Index>& b, const spgemm_runs& runs) {
  spgemm_tiles<T> tiles;
  tiles.values = values_by_entry(a, b, runs.shapes);
  const entry_values<T>& left = tiles.values.a();
  const entry_values<T>& right = tiles.values.b;
  for (const spgemm_template& pattern : runs.patterns) {
    std::vector<spgemm_factors>& factors = tiles.factors.emplace_back();
    factors.reserve(pattern.terms.size());
    for (const spgemm_template::term& term : pattern.terms)
      factors.push_back({term.a * left.stride, term.b * right.stride + term.shift * right.row_step});
  }
  return tiles;
}

template <class T> std::int64_t spgemm_tiles<T>::bytes() const {
  std::int64_t all = bytes_of(values);
  for (const auto& one : factors) all += static_cast<std::int64_t>(one.size() * sizeof(spgemm_factors));
  return all;
}

#define LACIS_RUNS(T, Index)                                                                                  \
  template std::unique_ptr<spgemm_runs> find_runs(const csr_view<T, Index>&, const csr_view<T, Index>&);      \
  template spgemm_tiles<T> lay_out(const csr_view<T, Index>&, const csr_view<T, Index>&, const spgemm_runs&); \
  template struct spgemm_tiles<T>;
LACIS_RUNS(float, std::int32_t)
LACIS_RUNS(double, std::int32_t)

}  // namespace lacis::cpu
