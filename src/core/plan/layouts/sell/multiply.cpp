// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with the layout `sell`.
#include <array>
#include <functional>

#include "base/instantiate.hpp"
#include "cpu/spmv/row_pieces.hpp"
#include "cpu/spmv/row_sums.hpp"
#include "cpu/spmv/spmv.hpp"
#include "plan/layouts/sell/layout.hpp"

namespace lacis::detail {
namespace {

/// The blocks one after the other, each going on from the sums of the one before: in y, where nothing else becomes of
/// them, or in memory of their own.
template <class A, class Index, class X, class T>
void multiply_short_rows(const cpu::launch& how, const cpu::scaling<T>& scale, const sell_layout<A, Index>& l,
                         const X* x, T* y, workspace& memory) {
  const auto& kernels = cpu::kernels_for<A, Index, X>(how.set);
  const bool apart = l.blocks.size() > 1 && !scale.plain;
  T* sums = y;
  if (apart) sums = reinterpret_cast<T*>(memory.bytes(l.rows * static_cast<std::int64_t>(sizeof(T)), 1).data());
  const cpu::scaling<T> inner = apart ? cpu::scaling<T>(T(1), T(0)) : scale;
  for (const auto& block : l.blocks) {
    if (block.headers.empty()) continue;
    cpu::run(how, [&](int thread, int threads) {
      kernels.packed_rows(block.view(), x + block.first_column, block.cut(thread, threads),
                          block.cut(thread + 1, threads), &block != &l.blocks.front(), inner, sums);
    });
  }
  if (!apart) return;
  const auto& first = l.blocks.front();
  cpu::run(how, [&](int thread, int threads) {
    for (auto slice = first.cut(thread, threads); slice < first.cut(thread + 1, threads); ++slice)
      for (std::int64_t lane = 0; lane < first.headers[slice].count; ++lane) {
        const auto row = first.rows[slice * first.height + lane];
        scale.store(y[row], sums[row]);
      }
  });
}

template <class A, class Index, class X, class T>
void multiply_long_rows(const cpu::launch& how, const cpu::scaling<T>& scale, const sell_layout<A, Index>& l,
                        const X* x, T* y, workspace& memory) {
  const std::int64_t count = l.long_rows.size();
  T* sums = reinterpret_cast<T*>(memory.bytes(count * static_cast<std::int64_t>(sizeof(T)), 1).data());
  static_cast<void>(cpu::spmv(how, cpu::scaling<T>(T(1), T(0)), l.csr_part.view(), x, sums, memory));
  cpu::run(how, [&](int thread, int threads) {
    const std::int64_t end = even_cut(count, thread + 1, threads);
    for (auto k = even_cut(count, thread, threads); k < end; ++k) scale.store(y[l.long_rows[k]], sums[k]);
  });
}

/// A source whose rows are those that `rows` names.
template <class A, class Index> class renamed_rows final : public cpu::row_source<A, Index> {
 public:
  renamed_rows(cpu::row_source<A, Index>& source, std::span<const Index> rows) : source_(source), rows_(rows) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override { return source_.cut(part, parts); }
  std::int64_t start(std::int64_t place) override { return source_.start(place); }
  [[nodiscard]] std::int64_t row() const override { return rows_[static_cast<std::size_t>(source_.row())]; }
  cpu::stored_entries<A, Index> read(std::int64_t count) override { return source_.read(count); }

 private:
  cpu::row_source<A, Index>& source_;
  std::span<const Index> rows_;
};

/// The rows of a packed block; a place is a lane of a slice.
template <class A, class Index> class packed_source final : public cpu::row_source<A, Index> {
 public:
  packed_source(const packed_rows<A, Index>& block, bool goes_on) : block_(block), goes_on_(goes_on) {}
  [[nodiscard]] std::int64_t cut(int part, int parts) const override {
    return std::min(block_.cut(part, parts) * block_.height, block_.places());
  }
  std::int64_t start(std::int64_t place) override {
    place_ = place;
    return block_.lengths[place];
  }
  [[nodiscard]] std::int64_t row() const override { return block_.rows[place_]; }
  cpu::stored_entries<A, Index> read(std::int64_t) override {
    std::size_t k = 0;
    for_each_entry(block_, place_ / block_.height, place_ % block_.height, [&](std::int64_t slot, std::int64_t column) {
      values_[k] = block_.values[slot];
      columns_[k++] = static_cast<Index>(column);
    });
    return {values_.data(), false, columns_.data()};
  }
  [[nodiscard]] bool goes_on() const override { return goes_on_; }

 private:
  const packed_rows<A, Index>& block_;
  bool goes_on_;
  std::int64_t place_ = 0;
  std::array<A, static_cast<std::size_t>(cpu::short_limit)> values_;
  std::array<Index, static_cast<std::size_t>(cpu::short_limit)> columns_;
};

}  // namespace

template <class Value, class Index> bool has_shares(const sell_layout<Value, Index>& l, int threads) {
  if (l.blocks.size() > 1) return false;
  const auto& offsets = l.csr_part.row_offsets;
  for (int part = 1; part < threads && !l.long_rows.empty(); ++part) {
    const std::int64_t row = balanced_cut(offsets, part, threads);
    if (row > 0 && length_of(offsets, row - 1) >= cpu::shortest_cut_row) return false;
  }
  return true;
}

template <class A, class Index, class X, class T>
void multiply_share(isa set, const cpu::scaling<T>& scale, const sell_layout<A, Index>& l, const X* x, T* y, int thread,
                    int threads) {
  const auto& kernels = cpu::kernels_for<A, Index, X>(set);
  for (const auto& block : l.blocks)
    if (!block.headers.empty())
      kernels.packed_rows(block.view(), x + block.first_column, block.cut(thread, threads),
                          block.cut(thread + 1, threads), false, scale, y);
  if (l.long_rows.empty()) return;
  const auto& offsets = l.csr_part.row_offsets;
  const auto entries = cpu::operand_of(l.csr_part.view(), x);
  const std::int64_t end = balanced_cut(offsets, thread + 1, threads);
  for (std::int64_t k = balanced_cut(offsets, thread, threads); k < end; ++k)
    scale.store(y[l.long_rows[k]], cpu::long_sum(entries.from(offsets[k]), length_of(offsets, k), kernels.chunk));
}

template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const sell_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory) {
  if (has_shares(l, how.threads))
    return cpu::run(how, [&](int thread, int threads) { multiply_share(how.set, scale, l, x, y, thread, threads); });
  multiply_short_rows(how, scale, l, x, y, memory);
  if (!l.long_rows.empty()) multiply_long_rows(how, scale, l, x, y, memory);
}

template <class A, class Index>
bool supply_rows(const cpu::launch& how, const sell_layout<A, Index>& l, const cpu::row_work<A, Index>& work) {
  for (const auto& block : l.blocks)
    cpu::run(how, [&](int thread, int threads) {
      packed_source<A, Index> source(block, &block != &l.blocks.front());
      work(source, thread, threads);
    });
  const auto rename = [&](cpu::row_source<A, Index>& source, int thread, int threads) {
    renamed_rows<A, Index> named(source, l.long_rows);
    work(named, thread, threads);
  };
  return cpu::on_rows(how, l.csr_part.view(), cpu::row_work<A, Index>(std::cref(rename)));
}

#define LACIS_SELL_ROWS(A, Index)                              \
  template bool has_shares(const sell_layout<A, Index>&, int); \
  template bool supply_rows(const cpu::launch&, const sell_layout<A, Index>&, const cpu::row_work<A, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SELL_ROWS)
#define LACIS_SELL_PRODUCT(A, Index, X)                                                                            \
  template void multiply_layout(const cpu::launch&, const cpu::scaling<product_of<A, X>>&,                         \
                                const sell_layout<A, Index>&, const X*, product_of<A, X>*, workspace&);            \
  template void multiply_share(isa, const cpu::scaling<product_of<A, X>>&, const sell_layout<A, Index>&, const X*, \
                               product_of<A, X>*, int, int);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_SELL_PRODUCT)

}  // namespace lacis::detail
