// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a distributed matrix: rows that need nothing from others while the rest is on its way.
#include "mpi/product.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "plan/entries.hpp"
#include "plan/multiply.hpp"

namespace lacis::dist {
namespace {

/// Chunks of rows, in runs that wait for others or do not.
struct run {
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool waits = false;
};

template <value T>
std::vector<run> runs_of(const csr_matrix<T, std::int32_t>& a, std::int64_t before, std::int64_t own) {
  std::vector<run> runs;
  for (std::int64_t first = 0; first < a.rows; first += rows_in_chunk) {
    const std::int64_t last = std::min(first + rows_in_chunk, a.rows);
    const bool waits = std::any_of(a.columns.data() + a.row_offsets[first], a.columns.data() + a.row_offsets[last],
                                   [&](std::int32_t column) { return column < before || column >= before + own; });
    if (!runs.empty() && runs.back().waits == waits)
      runs.back().last = last;
    else
      runs.push_back({first, last, waits});
  }
  return runs;
}

/// A plan for every few rows would cost more than waiting: short runs that need nothing wait with their neighbours.
std::vector<run> merged(std::vector<run> runs) {
  constexpr std::size_t most_runs = 8;
  constexpr std::int64_t shortest = 8 * rows_in_chunk;
  const auto join_waiting = [&] {
    std::vector<run> fewer;
    for (const run& one : runs)
      if (!fewer.empty() && fewer.back().waits == one.waits)
        fewer.back().last = one.last;
      else
        fewer.push_back(one);
    runs = std::move(fewer);
  };
  for (run& one : runs) one.waits = one.waits || one.last - one.first < shortest;
  join_waiting();
  while (runs.size() > most_runs) {
    run* least = nullptr;
    for (run& one : runs)
      if (!one.waits && (least == nullptr || one.last - one.first < least->last - least->first)) least = &one;
    least->waits = true;
    join_waiting();
  }
  return runs;
}

template <value T> std::int64_t bytes_of(const csr_matrix<T, std::int32_t>& a) {
  return a.row_offsets.size() * 8 + a.columns.size() * 4 + a.values.data.size() * static_cast<std::int64_t>(sizeof(T));
}

template <value T>
plan<T, std::int32_t> plan_of(const csr_matrix<T, std::int32_t>& a, const run& rows,
                              const distributed_options& options) {
  const std::int64_t begin = a.row_offsets[rows.first];
  const auto entries = static_cast<std::size_t>(a.row_offsets[rows.last] - begin);
  const plan_options how{.threads = options.threads, .expected_uses = options.expected_uses};
  if (rows.first == 0 && rows.last == a.rows) return lacis::multiply_inspect(a, how);
  buffer<std::int64_t> offsets(rows.last - rows.first + 1);
  for (std::int64_t i = 0; i < offsets.size(); ++i) offsets[i] = a.row_offsets[rows.first + i] - begin;
  const auto values =
      a.values.iso
          ? a.values.view()
          : values_view<T>(std::span<const T>(a.values.data).subspan(static_cast<std::size_t>(begin), entries));
  return lacis::multiply_inspect(
      csr_view<T, std::int32_t>{
          rows.last - rows.first, a.cols, offsets,
          std::span<const std::int32_t>(a.columns).subspan(static_cast<std::size_t>(begin), entries), values},
      how);
}

}  // namespace

template <value T>
spread_product<T>::spread_product(distributed_csr<T> a, const distributed_options& options)
    : long_rows_(long_rows<T>::cut_from(a, options.longest_row)) {
  rows_ = a.local.rows;
  cols_ = a.own_cols().last - a.own_cols().first;
  before_ = a.ghosts_before;
  behind_ = a.ghosts.size() - a.ghosts_before;
  exchange_ = std::make_unique<ghost_exchange<T>>(a.group, make_lists(*a.group, a.col_ranges, a.ghosts), cols_, before_,
                                                  behind_, options);
  make_segments(std::move(a.local), options);
}

template <value T>
void spread_product<T>::make_segments(csr_matrix<T, std::int32_t> local, const distributed_options& options) {
  threads_ = options.threads;
  if (options.memory_limit > 0 && 2 * bytes_of(local) > options.memory_limit) {
    plain_ = std::move(local);
    segments_.push_back({0, plain_.rows, true, {}});
    return;
  }
  for (const run& one : merged(runs_of(local, before_, cols_)))
    segments_.push_back({one.first, one.last, one.waits, plan_of(local, one, options)});
  sums_.resize(segments_.size());
}

template <value T> template <class Visit> void spread_product<T>::in_order_of_need(const vector& x, Visit&& visit) {
  exchange_->start(x.data());
  try {
    for (std::size_t k = 0; k < segments_.size(); ++k)
      if (!segments_[k].waits) visit(k);
  } catch (...) {
    exchange_->finish();  // messages must not come where memory was
    throw;
  }
  exchange_->finish();
  for (std::size_t k = 0; k < segments_.size(); ++k)
    if (segments_[k].waits) visit(k);
}

template <value T> void spread_product<T>::multiply(const vector& x, const vector& y, spread_space<T>& space) {
  const auto elements = all_elements(x);
  in_order_of_need(x, [&](std::size_t k) {
    const segment& rows = segments_[k];
    const std::span<T> part(y.data() + rows.first, static_cast<std::size_t>(rows.last - rows.first));
    if (rows.rows)
      lacis::multiply(*rows.rows, elements, part, memory_);
    else
      lacis::multiply(plain_, elements, part, multiply_options{.threads = threads_});
  });
  long_rows_.multiply(elements.data(), {y.data(), static_cast<std::size_t>(y.size())}, space);
}

template <value T> T spread_product<T>::multiply_and_dot(const vector& x, const vector& y, spread_space<T>& space) {
  if (!long_rows_.empty() || is_plain()) {
    multiply(x, y, space);
    return space.dot(x, y);
  }
  const auto elements = all_elements(x);
  const std::int64_t leaf = space.place(x).first / rows_in_chunk;
  in_order_of_need(x, [&](std::size_t k) {
    const segment& rows = segments_[k];
    const std::span<T> part(y.data() + rows.first, static_cast<std::size_t>(rows.last - rows.first));
    sums_[k] = lacis::detail::multiply_and_dot(*rows.rows, elements, before_ + rows.first, part,
                                               leaf + rows.first / rows_in_chunk, memory_);
  });
  const summation::rounding_guard guard;
  nodes all(leaf);
  for (const nodes& one : sums_) all.append(one);
  return space.total(all);
}

template <value T> bool spread_product<T>::bound_rounding(const vector& x, const vector& y) {
  if (!long_rows_.empty()) return false;
  const T* elements = all_elements(x).data();
  in_order_of_need(x, [&](std::size_t k) {
    const segment& rows = segments_[k];
    if (rows.rows)
      lacis::detail::bound_rounding(*rows.rows, elements, y.data() + rows.first);
    else
      lacis::detail::bound_rounding(plain_.view(), elements, y.data() + rows.first);
  });
  return true;
}

template <value T> bool spread_product<T>::precise_residual(const vector& b, const vector& x, const vector& r) {
  if (!long_rows_.empty()) return false;
  const T* elements = all_elements(x).data();
  in_order_of_need(x, [&](std::size_t k) {
    const segment& rows = segments_[k];
    if (rows.rows)
      lacis::detail::precise_residual(*rows.rows, b.data() + rows.first, elements, r.data() + rows.first);
    else
      lacis::detail::precise_residual(plain_.view(), b.data() + rows.first, elements, r.data() + rows.first);
  });
  return true;
}

template <value T> void spread_product<T>::exchange_only(const vector& x) {
  exchange_->start(x.data());
  exchange_->finish();
}

template <value T> std::int64_t spread_product<T>::moved_bytes() const {
  // Each plan counts all elements of x; they are read once.
  const std::int64_t x = (before_ + cols_ + behind_) * static_cast<std::int64_t>(sizeof(T));
  if (is_plain()) return bytes_of(plain_) + x + rows_ * static_cast<std::int64_t>(sizeof(T));
  std::int64_t bytes = segments_.empty() ? 0 : x;
  for (const segment& one : segments_) bytes += one.rows->moved_bytes() - x;
  return bytes;
}

template <value T> std::int64_t spread_product<T>::storage_bytes() const {
  std::int64_t bytes = exchange_->storage_bytes() + long_rows_.storage_bytes();
  if (is_plain()) return bytes + bytes_of(plain_);
  for (const segment& one : segments_) bytes += one.rows->storage_bytes();
  return bytes;
}

template <value T> std::string spread_product<T>::layout() const {
  const auto longest = std::max_element(segments_.begin(), segments_.end(), [](const segment& a, const segment& b) {
    return a.last - a.first < b.last - b.first;
  });
  return longest == segments_.end() || !longest->rows ? "csr" : std::string(longest->rows->layout());
}

template <value T> std::string spread_product<T>::explain() const {
  std::string words;
  for (const segment& one : segments_)
    words += lacis::detail::text("Rows ", one.first, " to ", one.last, ": ",
                                 one.rows ? one.rows->layout() : "csr as it is, as memory is short",
                                 one.waits ? ", after the exchange. " : ", during the exchange. ");
  const exchange_report& report = exchange_->report();
  words += lacis::detail::text("Exchange: ", name_of(report.kind), ", ", report.sent_elements, " elements to ",
                               report.neighbours_out, report.neighbours_out == 1 ? " process, " : " processes, ",
                               report.received_elements, " from ", report.neighbours_in,
                               report.packs ? ", packed." : ", from where they are.");
  for (const auto& [kind, seconds] : report.tried)
    words += lacis::detail::text(&kind == &report.tried.front().first ? " Tried: " : ", ", name_of(kind), ' ',
                                 std::round(seconds * 1e7) / 10, " us");
  if (!report.tried.empty()) words += '.';
  if (!long_rows_.empty()) words += ' ' + long_rows_.explain();
  return words;
}

template class spread_product<float>;
template class spread_product<double>;
template class spread_product<std::complex<float>>;
template class spread_product<std::complex<double>>;

}  // namespace lacis::dist
