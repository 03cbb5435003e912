// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Powers and recurrences through plans, one product after the other and fused, against the definition.
#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/powers.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "summation/spmv.hpp"
#include "summation/vector.hpp"
#include "verify/ledger.hpp"
#include "verify/numbers.hpp"
#include "verify/setup.hpp"
#include "verify/verify.hpp"

namespace lacis {
namespace {

using namespace verification;

constexpr int default_threads[] = {1, 2, 3};
constexpr std::int64_t most_products = 6;
/// Caches so small that waves pass over small matrices, in strips and in whole planes; and that of the machine.
constexpr std::int64_t caches[] = {16 << 10, 64 << 10, 256 << 10, 0};

/// Columns of row i on diagonals, whether they go on to the next line or plane or not.
std::vector<std::int64_t> on_diagonals(std::int64_t i, std::int64_t size, std::initializer_list<std::int64_t> all) {
  std::vector<std::int64_t> columns;
  for (const std::int64_t d : all)
    if (i + d >= 0 && i + d < size) columns.push_back(i + d);
  return columns;
}

/// Square matrices that waves pass over, and some over which they must not.
template <class T> std::vector<named_matrix<T>> powers_matrices() {
  std::vector<named_matrix<T>> all;
  const auto add = [&](const char* name, std::int64_t size, const columns_of_row& columns_of) -> csr_matrix<T>& {
    all.push_back({name, from_rows<T, std::int32_t>(size, size, entries::reals, columns_of)});
    return all.back().matrix;
  };
  const auto grid = [](std::int64_t n, std::int64_t depth, bool faces) {
    return [=](std::int64_t i) { return grid_neighbours(i, n, depth, faces); };
  };
  constexpr std::int64_t n = 16;
  constexpr std::int64_t plane = n * n;
  constexpr std::int64_t size = plane * 60;
  add("7-point grid", size, grid(n, 60, true));
  add("7-point grid whose planes are no whole slices", 14 * 14 * 61, grid(14, 61, true));
  add("27-point grid", 10 * 10 * 50, grid(10, 50, false));
  make_symmetric(add("symmetric 7-point grid", 18 * 18 * 40, grid(18, 40, true)), entries::reals);
  auto& constant = add("7-point grid of constants", plane * 50, grid(n, 50, true));
  for (std::int64_t i = 0; i < constant.rows; ++i)
    for (std::int64_t k = constant.row_offsets[i]; k < constant.row_offsets[i + 1]; ++k)
      constant.values.data[k] = full_number<T>(constant.columns[k] == i ? 1 : 2);
  // Entries at the end of a plane that belong to the next one: no strips.
  add("diagonals of a grid without borders", size,
      [](std::int64_t i) { return on_diagonals(i, size, {-plane, -n, -1, 0, 1, n, plane}); });
  // Some planes have a row of 41 entries, some a row with an entry beside the diagonals, near or not.
  const auto odd = [](std::int64_t i, std::int64_t far) {
    if (i % plane == 128 && i / plane % 7 == 3) return consecutive(i - 20, i + 21);
    auto columns = grid_neighbours(i, n, 60, true);
    if (i % plane == 100 && i / plane % 5 == 1) columns.push_back((i + far) % size);
    std::sort(columns.begin(), columns.end());
    return columns;
  };
  add("grid with rows of their own kind", size, [=](std::int64_t i) { return odd(i, n + 2); });
  add("grid with entries far off", size, [=](std::int64_t i) { return odd(i, 20 * plane + 3); });
  add("band of random columns", 12'000, [](std::int64_t i) {
    auto columns = random_columns(i, 1 + i % 9, 80, 91);
    for (std::int64_t& j : columns) j = std::clamp<std::int64_t>(i + j - 40, 0, 11'999);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    return columns;
  });
  add("rows of 50 entries in a band", 9'000, [](std::int64_t i) {
    return consecutive(std::clamp<std::int64_t>(i - 25, 0, 8'950), std::clamp<std::int64_t>(i + 25, 50, 9'000));
  });
  add("no entries", 5'000, [](std::int64_t) { return std::vector<std::int64_t>{}; });
  return all;
}

/// The columns of a result by the definition, one after the other.
template <class T>
std::vector<T> defined(const csr_view<T, std::int32_t>& a, std::span<const T> before, std::span<const T> x,
                       std::span<const recurrence_step<T>> steps) {
  std::vector<T> y(static_cast<std::size_t>(a.rows) * steps.size());
  std::span<const T> last = x;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::span<T> next(y.data() + k * x.size(), x.size());
    summation::spmv<T, std::int32_t, T>(steps[k].alpha, a, last, T(0), next);
    summation::axpy(steps[k].beta, last, next);
    if (steps[k].gamma != T(0)) summation::axpy(steps[k].gamma, before, next);
    before = last;
    last = next;
  }
  return y;
}

/// Steps with coefficients that leave out each of their terms somewhere.
template <class T> std::vector<recurrence_step<T>> some_steps() {
  std::vector<recurrence_step<T>> steps;
  for (std::uint64_t k = 0; k < most_products; ++k)
    steps.push_back({k == 3 ? T(1) : full_number<T>(31 + k), k == 1 ? T(0) : full_number<T>(41 + k),
                     k == 2 ? T(0) : full_number<T>(51 + k)});
  return steps;
}

template <class T> class powers_sweep {
 public:
  powers_sweep(const verify_options& options, ledger& book) : options_(options), book_(book) {}

  /// `number`: of the matrix, which decides what it meets where not everything meets everything.
  void run(const named_matrix<T>& named, std::size_t number) {
    const auto& a = named.matrix;
    x_ = full_numbers<T>(a.cols, 5);
    before_ = full_numbers<T>(a.cols, 6);
    steps_ = some_steps<T>();
    const std::vector<recurrence_step<T>> plain(most_products);
    powers_ = defined<T>(a.view(), {}, x_, plain);
    recurrence_ = defined<T>(a.view(), before_, x_, steps_);
    for (const plan_layout layout : {plan_layout::csr, plan_layout::sell, plan_layout::stencil, plan_layout::symmetric})
      for (std::size_t set = 0; set < options_.isas.size(); ++set)
        for (std::size_t t = 0; t < options_.threads.size(); ++t) {
          const std::size_t turn = number + static_cast<std::size_t>(layout);
          if (!options_.all && (turn + set + t) % options_.threads.size() != 0) continue;
          const auto p =
              multiply_inspect(a, {.threads = options_.threads[t], .isa = options_.isas[set], .layout = layout});
          const bool digested = set == 0 && (!options_.all || t == 0);
          for (std::size_t c = 0; c < std::size(caches); ++c)
            for (std::size_t products = 1; products <= most_products; ++products)
              if (options_.all || (turn + c + products) % 4 == 0)
                compare(named.name, p, layout, static_cast<std::int64_t>(products), caches[c], options_.isas[set],
                        options_.threads[t], digested);
        }
  }

 private:
  void compare(const std::string& matrix, const plan<T>& p, plan_layout layout, std::int64_t products,
               std::int64_t cache, isa set, int threads, bool digested) {
    const auto size = static_cast<std::size_t>(p.rows() * products);
    const bool fused = !detail::explain_powers(p, static_cast<int>(products), cache).starts_with("not fused");
    const std::string row = detail::text(name_of(layout), fused ? ", fused" : "");
    const std::string form = detail::text(products, " powers, cache of ", cache, " bytes");
    const std::string steps_form = detail::text(products, " steps, cache of ", cache, " bytes");
    trial about{.row = row,
                .what = name_of(layout),
                .types = types_,
                .matrix = matrix,
                .form = form,
                .set = set,
                .threads = threads,
                .digested = digested};
    std::vector<T> y(size, T(77));
    const dense_view<T> columns = column_major(std::span<T>(y), p.rows(), products);
    workspace memory;
    detail::multiply_powers(p, std::span<const T>(x_), columns, memory, cache);
    book_.compare<T>(about, y, std::span<const T>(powers_).first(size));
    about.form = steps_form;
    detail::multiply_recurrence(p, std::span<const T>(before_), std::span<const T>(x_),
                                std::span<const recurrence_step<T>>(steps_).first(static_cast<std::size_t>(products)),
                                columns, memory, cache);
    book_.compare<T>(about, y, std::span<const T>(recurrence_).first(size));
  }

  const verify_options& options_;
  ledger& book_;
  std::string types_ = types_text<T, std::int32_t>();
  std::vector<T> x_;
  std::vector<T> before_;
  std::vector<recurrence_step<T>> steps_;
  std::vector<T> powers_;
  std::vector<T> recurrence_;
};

template <class T> void sweep_powers(const verify_options& options, ledger& book, double done) {
  const auto matrices = powers_matrices<T>();
  for (std::size_t m = 0; m < matrices.size(); ++m) {
    powers_sweep<T>(options, book).run(matrices[m], m);
    if (options.progress)
      options.progress("powers", done + 0.25 * static_cast<double>(m + 1) / static_cast<double>(matrices.size()));
  }
}

}  // namespace

verify_report verify_powers(const verify_options& asked) {
  const verify_options options = verification::checked(asked, default_threads);
  const verification::threads_of_openmp guard(1);
  ledger book;
  sweep_powers<double>(options, book, 0);
  sweep_powers<float>(options, book, 0.25);
  sweep_powers<std::complex<double>>(options, book, 0.5);
  sweep_powers<std::complex<float>>(options, book, 0.75);
  book.report().swept =
      detail::text("A x to A^6 x and recurrences of 1 to 6 steps", options.all ? "" : ", in turn",
                   ", through plans as csr, sell, stencil and symmetric, with caches of 16, 64 and "
                   "256 KiB and that of this machine; grids, bands, and matrices with entries far off");
  book.report().compiler = verification::compiler_text();
  return std::move(book.report());
}

}  // namespace lacis
