// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plans of sparse products: the pattern, and the entry of each product; values filled in.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/spgemm_plan.hpp>

#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "cpu/launch.hpp"
#include "cpu/spgemm/pieces.hpp"
#include "cpu/spgemm/spgemm.hpp"
#include "formats/rows.hpp"
#include "formats/validate.hpp"

namespace lacis::detail {

template <class Value, class Index> class spgemm_arrays {
 public:
  isa set = isa::scalar;
  std::uint64_t fingerprint = 0;  ///< of the patterns of A and B
  csr_matrix<Value, Index> pattern;
  std::vector<cpu::spgemm_piece> pieces;
  std::vector<buffer<std::uint8_t>>
      slots;                               ///< of each piece: for each product of its mapped rows, the entry in the row
  std::unique_ptr<cpu::spgemm_runs> runs;  ///< instead of pieces and slots, where rows have templates
};

}  // namespace lacis::detail

namespace lacis::cpu {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t number) {
  hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

/// A hash of an array: of fixed blocks, so that any number of threads gives the same.
template <class Number> std::uint64_t hash_of(std::span<const Number> numbers) {
  constexpr std::int64_t block = 1 << 14;
  const auto size = static_cast<std::int64_t>(numbers.size());
  const std::int64_t blocks = (size + block - 1) / block;
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(blocks));
  detail::on_threads(detail::threads_for(size), [&](int t, int threads) {
    for (std::int64_t i = detail::even_cut(blocks, t, threads); i < detail::even_cut(blocks, t + 1, threads); ++i) {
      // Four chains at a time: a multiplication waits for the one before.
      std::uint64_t chains[4] = {1, 2, 3, 4};
      const Number* from = numbers.data() + i * block;
      const std::int64_t count = std::min(block, size - i * block);
      for (std::int64_t k = 0; k < count; ++k)
        chains[k & 3] = mixed(chains[k & 3], static_cast<std::uint64_t>(from[k]));
      std::uint64_t all = 0;
      for (const std::uint64_t chain : chains) all = mixed(all, chain);
      hashes[static_cast<std::size_t>(i)] = all;
    }
  });
  std::uint64_t hash = static_cast<std::uint64_t>(size);
  for (const std::uint64_t one : hashes) hash = mixed(hash, one);
  return hash;
}

template <class T, class Index> std::uint64_t fingerprint_of(const csr_view<T, Index>& a, const csr_view<T, Index>& b) {
  const auto of_matrix = [](const csr_view<T, Index>& m) {
    return mixed(mixed(hash_of(m.row_offsets), hash_of(m.columns)), static_cast<std::uint64_t>(m.cols));
  };
  const std::uint64_t left = of_matrix(a);
  const bool same = a.columns.data() == b.columns.data() && a.row_offsets.data() == b.row_offsets.data();
  return mixed(left, same ? left : of_matrix(b));
}

/// Where columns stand in one row of C.
template <class Index> class slot_finder {
 public:
  void set(std::span<const Index> columns) {
    columns_ = columns;
    first_ = columns.front();
    const std::int64_t width = columns.back() - first_ + 1;
    is_dense_ = width <= spgemm_widest;
    if (!is_dense_) return;
    if (slots_.size() < width) slots_ = buffer<std::uint32_t>(std::max(width, 2 * slots_.size()));
    for (std::size_t s = 0; s < columns.size(); ++s) slots_[columns[s] - first_] = static_cast<std::uint32_t>(s);
  }
  [[nodiscard]] std::uint32_t operator[](Index column) const {
    if (is_dense_) return slots_[column - first_];
    return static_cast<std::uint32_t>(std::lower_bound(columns_.begin(), columns_.end(), column) - columns_.begin());
  }

 private:
  std::span<const Index> columns_;
  std::int64_t first_ = 0;
  bool is_dense_ = true;
  buffer<std::uint32_t> slots_;
};

template <class Slot, class T, class Index>
std::uint8_t* map_row(const spgemm_job<T, Index>& job, std::int64_t row, const slot_finder<Index>& finder,
                      std::uint8_t* to) {
  for (std::int64_t p = job.a.offsets[row]; p < job.a.offsets[row + 1]; ++p) {
    const std::int64_t k = job.a.columns[p];
    for (std::int64_t q = job.b.offsets[k]; q < job.b.offsets[k + 1]; ++q, to += sizeof(Slot)) {
      const auto slot = static_cast<Slot>(finder[job.b.columns[q]]);
      std::memcpy(to, &slot, sizeof(Slot));
    }
  }
  return to;
}

template <class T, class Index> using arrays_of = detail::spgemm_arrays<T, Index>;

/// Rows with one entry in A are copied.
template <class T, class Index> bool is_mapped(const spgemm_job<T, Index>& job, std::int64_t row) {
  return job.a.offsets[row + 1] - job.a.offsets[row] > 1;
}

template <class T, class Index>
void map_piece(const spgemm_job<T, Index>& job, arrays_of<T, Index>& arrays, std::size_t which,
               const std::int64_t* products, slot_finder<Index>& finder) {
  const spgemm_piece& piece = arrays.pieces[which];
  const std::int64_t* offsets = arrays.pattern.row_offsets.data();
  std::int64_t bytes = 0;
  for (std::int64_t i = piece.first_row; i < piece.last_row; ++i)
    if (is_mapped(job, i)) bytes += products[i] * slot_bytes(offsets[i + 1] - offsets[i]);
  arrays.slots[which] = buffer<std::uint8_t>(bytes);
  std::uint8_t* to = arrays.slots[which].data();
  for (std::int64_t i = piece.first_row; i < piece.last_row; ++i) {
    const std::int64_t entries = offsets[i + 1] - offsets[i];
    if (entries == 0 || !is_mapped(job, i)) continue;
    if (entries > std::numeric_limits<std::uint32_t>::max())
      throw error(errc::overflow,
                  detail::text("row ", i, " of the product has ", entries, " entries; a plan has slots of 32 bits"));
    finder.set({arrays.pattern.columns.data() + offsets[i], static_cast<std::size_t>(entries)});
    switch (slot_bytes(entries)) {
      case 1:
        to = map_row<std::uint8_t>(job, i, finder, to);
        break;
      case 2:
        to = map_row<std::uint16_t>(job, i, finder, to);
        break;
      default:
        to = map_row<std::uint32_t>(job, i, finder, to);
    }
  }
}

/// work(thread, piece) for every piece, taken by threads as they come.
template <class Work> void on_pieces(const launch& how, std::size_t pieces, Work&& work) {
  std::atomic<std::size_t> next{0};
  const detail::stop_check stop;
  run(how, [&](int thread, int) {
    for (std::size_t i = next++; i < pieces; i = next++) {
      stop();
      work(thread, i);
    }
  });
}

/// Pieces, and the slot of each of their products.
template <class T, class Index>
void map_products(const csr_view<T, Index>& a, const csr_view<T, Index>& b, const launch& how,
                  arrays_of<T, Index>& arrays) {
  buffer<std::int64_t> products(a.rows + 1);
  arrays.pieces = cut_into_pieces(a, b, products.data(), how.threads).all;
  arrays.slots.resize(arrays.pieces.size());
  const spgemm_job<T, Index> job(a, b);
  std::vector<slot_finder<Index>> finders(static_cast<std::size_t>(how.threads));
  on_pieces(how, arrays.pieces.size(), [&](int thread, std::size_t which) {
    map_piece(job, arrays, which, products.data(), finders[static_cast<std::size_t>(thread)]);
  });
}

template <class T, class Index>
void fill_by_slots(const csr_view<T, Index>& a, const csr_view<T, Index>& b, const launch& how,
                   const arrays_of<T, Index>& arrays, T* values) {
  const spgemm_job<T, Index> job(a, b);
  const auto& kernels = spgemm_kernels_for<T, Index>(how.set);
  on_pieces(how, arrays.pieces.size(), [&](int, std::size_t which) {
    const spgemm_piece& piece = arrays.pieces[which];
    kernels.fill(job, piece.first_row, piece.last_row, arrays.pattern.row_offsets.data(), arrays.slots[which].data(),
                 values);
  });
}

template <class T, class Index>
void fill_by_runs(const csr_view<T, Index>& a, const csr_view<T, Index>& b, const launch& how,
                  const arrays_of<T, Index>& arrays, T* values) {
  if constexpr (has_templates<T, Index>) {
    const auto& kernels = spgemm_kernels_for<T, Index>(how.set);
    const spgemm_tiles<T> tiles = lay_out(a, b, *arrays.runs);
    std::vector<buffer<T>> tile(static_cast<std::size_t>(how.threads));
    on_pieces(how, arrays.runs->all.size(), [&](int thread, std::size_t which) {
      const spgemm_run& run = arrays.runs->all[which];
      kernels.run(tiles, arrays.runs->patterns[run.pattern], run, tile[static_cast<std::size_t>(thread)], nullptr,
                  values + run.first_entry);
    });
  }
}

}  // namespace
}  // namespace lacis::cpu

namespace lacis::detail {
namespace {

/// Fewer entries are not worth waking threads for.
constexpr std::int64_t parallel_entries = std::int64_t{1} << 16;

}  // namespace

template <class Value, class Index>
spgemm_plan<Value, Index> multiply_compute(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                           const spgemm_options& options, spgemm_report* report) {
  auto arrays = std::make_shared<spgemm_arrays<Value, Index>>();
  spgemm_report own;
  csr_matrix<Value, Index> c = multiply(a, b, options, report != nullptr ? report : &own);
  const spgemm_report& done = report != nullptr ? *report : own;
  arrays->set = done.isa;
  arrays->fingerprint = cpu::fingerprint_of(a, b);
  c.values = values_array<Value>::same(Value(1));
  arrays->pattern = std::move(c);
  if constexpr (cpu::has_templates<Value, Index>)
    if (done.of(spgemm_method::stencil).rows != 0) arrays->runs = cpu::find_runs(a, b);
  if (!arrays->runs) cpu::map_products(a, b, {done.threads, done.isa}, *arrays);
  const std::int64_t held = bytes_of(*arrays);
  if (options.memory_limit != 0 && held > options.memory_limit)
    throw error(errc::out_of_memory, text("the plan takes ", held, " bytes, more than the memory limit of ",
                                          options.memory_limit, "; multiply(A, B) needs no plan"));
  return spgemm_plan<Value, Index>(std::move(arrays));
}

template <class Value, class Index>
void multiply_fill(const spgemm_plan<Value, Index>& plan, const csr_view<Value, Index>& a,
                   const csr_view<Value, Index>& b, csr_matrix<Value, Index>& c, const spgemm_options& options) {
  const spgemm_arrays<Value, Index>& arrays = plan.internals();
  const csr_view<Value, Index> pattern = arrays.pattern.view();
  if (cpu::fingerprint_of(a, b) != arrays.fingerprint)
    throw error(errc::invalid_argument,
                "A or B has another pattern than the plan was made for; multiply_compute makes a new plan");
  require_sizes(a);
  require_sizes(b);
  cpu::launch how = cpu::launch_of({options.threads, options.isa ? options.isa : arrays.set}, 0);
  if (options.threads == 0) how.threads = pattern.nnz() < parallel_entries ? 1 : thread_count();
  if (arrays.runs && cpu::spgemm_kernels_for<Value, Index>(how.set).run == nullptr)
    throw error(errc::unsupported, text("the plan was made for ", name_of(arrays.set), " and has no values for ",
                                        name_of(how.set), "; multiply_compute with that instruction set makes one"));
  const bool has_pattern = c.rows == pattern.rows && c.cols == pattern.cols && c.nnz() == pattern.nnz() &&
                           !c.values.iso && c.values.data.size() == pattern.nnz() &&
                           std::equal(pattern.row_offsets.begin(), pattern.row_offsets.end(), c.row_offsets.begin());
  if (!has_pattern) {
    c = copy_of(pattern);
    c.values = values_array<Value>(pattern.nnz());
  }
  if (arrays.runs)
    cpu::fill_by_runs(a, b, how, arrays, c.values.data.data());
  else
    cpu::fill_by_slots(a, b, how, arrays, c.values.data.data());
}

template <class Value, class Index> csr_view<Value, Index> pattern_of(const spgemm_arrays<Value, Index>& arrays) {
  return arrays.pattern.view();
}

template <class Value, class Index> std::int64_t bytes_of(const spgemm_arrays<Value, Index>& arrays) {
  const csr_matrix<Value, Index>& c = arrays.pattern;
  std::int64_t bytes = c.row_offsets.size() * 8 + c.nnz() * static_cast<std::int64_t>(sizeof(Index)) +
                       static_cast<std::int64_t>(arrays.pieces.size() * sizeof(cpu::spgemm_piece));
  for (const buffer<std::uint8_t>& one : arrays.slots) bytes += one.size();
  if (arrays.runs) bytes += arrays.runs->bytes();
  return bytes;
}

#define LACIS_SPGEMM_PLAN(Value, Index)                                                                     \
  template LACIS_API spgemm_plan<Value, Index> multiply_compute(                                            \
      const csr_view<Value, Index>&, const csr_view<Value, Index>&, const spgemm_options&, spgemm_report*); \
  template LACIS_API void multiply_fill(const spgemm_plan<Value, Index>&, const csr_view<Value, Index>&,    \
                                        const csr_view<Value, Index>&, csr_matrix<Value, Index>&,           \
                                        const spgemm_options&);                                             \
  template LACIS_API csr_view<Value, Index> pattern_of(const spgemm_arrays<Value, Index>&);                 \
  template LACIS_API std::int64_t bytes_of(const spgemm_arrays<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SPGEMM_PLAN)

}  // namespace lacis::detail
