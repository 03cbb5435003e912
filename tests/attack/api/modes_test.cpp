// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a program, or a library that it loads, has set in the floating-point unit changes no bit of a result.
#include <gtest/gtest.h>

#if defined(__x86_64__)

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <immintrin.h>
#include <omp.h>
#include <string>
#include <type_traits>
#include <vector>

#include <lacis/lacis.hpp>

#include "support/matrices.hpp"

namespace lacis::test {
namespace {

constexpr unsigned round_up = 0x4000;
constexpr unsigned flush_subnormals = 0x8040;  // of results and of operands

/// Sets modes on every thread of the pool, and puts them back.
class foreign_modes {
 public:
  explicit foreign_modes(unsigned modes) : modes_(modes) { on_every_thread(modes_, 0); }
  ~foreign_modes() { on_every_thread(0, modes_); }
  foreign_modes(const foreign_modes&) = delete;
  foreign_modes& operator=(const foreign_modes&) = delete;

 private:
  static void on_every_thread(unsigned set, unsigned clear) {
#pragma omp parallel
    _mm_setcsr((_mm_getcsr() & ~clear) | set);
  }
  unsigned modes_;
};

/// A hash of everything that is put in; whatever is thrown is a result too.
class bits {
 public:
  template <class T> bits& put(const T* data, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) {
      unsigned char bytes[sizeof(T)];
      std::memcpy(bytes, data + k, sizeof(T));
      for (const unsigned char byte : bytes) hash_ = (hash_ ^ byte) * 0x100000001b3u;
    }
    return *this;
  }
  template <class T> bits& operator<<(const std::vector<T>& x) {
    return put(x.data(), static_cast<std::int64_t>(x.size()));
  }
  template <class T> bits& operator<<(const buffer<T>& x) { return put(x.data(), x.size()); }
  template <class T, class I> bits& operator<<(const csr_matrix<T, I>& a) {
    return *this << a.row_offsets << a.columns << a.values.data;
  }
  template <class T>
    requires std::is_arithmetic_v<T>
  bits& operator<<(T x) {
    return put(&x, 1);
  }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/// work(bits) under each of the modes; EXPECTs the bits of ordinary ones.
template <class Work> void expect_same_bits(const std::string& name, Work&& work) {
  const auto bits_of = [&] {
    bits all;
    try {
      work(all);
    } catch (const error& problem) {
      const std::string words = problem.what();
      all.put(words.data(), static_cast<std::int64_t>(words.size()));
    }
    return all.hash();
  };
  const std::uint64_t expected = bits_of();
  ASSERT_EQ(bits_of(), expected) << name << " has bits of its own each time";
  for (const unsigned modes : {round_up, flush_subnormals}) {
    std::uint64_t found = 0;
    {
      const foreign_modes set(modes);
      found = bits_of();
    }
    EXPECT_EQ(found, expected) << name << (modes == round_up ? ", rounding up" : ", subnormals flushed");
  }
}

/// Threads take part in what is large enough, whatever the machine has.
class FloatingPointModes : public testing::Test {
 protected:
  void SetUp() override { omp_set_num_threads(3); }
  void TearDown() override { omp_set_num_threads(before_); }

 private:
  int before_ = omp_get_max_threads();
};

template <class T> csr_matrix<T> scaled(csr_matrix<T> a, double factor) {
  for (T& one : a.values.data) one *= static_cast<real_of<T>>(factor);
  return a;
}
/// Entries that are subnormal, or whose products with other numbers are.
constexpr double tiny = 0x1p-1030;

csr_matrix<double> general(std::int64_t n, std::int64_t per_row) {
  return from_rows<double, std::int32_t>(n, n, entries::reals,
                                         [&](std::int64_t i) { return random_columns(i, per_row, n, 5); });
}
/// Rows of many chunks, as layouts and threads cut them.
csr_matrix<double> long_rows() {
  return from_rows<double, std::int32_t>(30, 6000, entries::reals, [](std::int64_t) { return consecutive(0, 6000); });
}
csr_matrix<double> symmetric_grid(std::int64_t n, std::int64_t depth) {
  auto a = from_rows<double, std::int32_t>(n * n * depth, n * n * depth, entries::reals,
                                           [&](std::int64_t i) { return grid_neighbours(i, n, depth, true); });
  make_symmetric(a, entries::reals);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) a.values.data[k] = 57 + std::fabs(a.values.data[k]);
  return a;
}
struct named {
  std::string name;
  csr_matrix<double> matrix;
};
std::vector<named> matrices() {
  std::vector<named> all;
  all.push_back({"general", general(4000, 9)});
  all.push_back({"long rows", long_rows()});
  all.push_back({"grid", symmetric_grid(20, 12)});
  for (std::size_t k = 0, count = all.size(); k < count; ++k)
    all.push_back({all[k].name + ", tiny", scaled(all[k].matrix, tiny)});
  return all;
}

TEST_F(FloatingPointModes, ChangeNoOperationOnVectors) {
  for (const std::int64_t size : {100, 50000})
    for (const double factor : {1.0, tiny}) {
      auto x = full_numbers<double>(size);
      for (double& one : x) one *= factor;
      const auto y = full_numbers<double>(size, 2);
      expect_same_bits("vectors", [&](bits& all) {
        auto z = y;
        axpby(1.0 / 3, x, 0.7, z);
        scale(1.0 / 3, z);
        all << z << dot(x, y) << norm(x) << norm(y);
      });
    }
}

template <class Format> void expect_product(const std::string& name, const csr_matrix<double>& a) {
  const auto b = convert<Format>(a);
  const auto x = full_numbers<double>(a.cols);
  const auto columns = full_numbers<double>(a.cols * 5);
  expect_same_bits(name, [&](bits& all) {
    std::vector<double> y(static_cast<std::size_t>(a.rows), 0.3);
    multiply(1.0 / 3, b, x, 0.7, y);
    std::vector<double> several(static_cast<std::size_t>(a.rows * 5));
    multiply(b, row_major(std::span<const double>(columns), a.cols, 5),
             row_major(std::span<double>(several), a.rows, 5));
    all << y << several << convert<csr_matrix<double>>(b);
  });
}

TEST_F(FloatingPointModes, ChangeNoProductWithoutAPlan) {
  for (const auto& [name, a] : matrices()) {
    expect_product<csr_matrix<double>>("csr, " + name, a);
    expect_product<csc_matrix<double>>("csc, " + name, a);
    expect_product<coo_matrix<double>>("coo, " + name, a);
    expect_product<ell_matrix<double>>("ell, " + name, a);
    expect_product<hyb_matrix<double>>("hyb, " + name, a);
    expect_product<jds_matrix<double>>("jds, " + name, a);
    expect_product<sell_matrix<double>>("sell, " + name, a);
    expect_product<bsr_matrix<double>>("bsr, " + name, a);
    expect_product<dia_matrix<double>>("dia, " + name, a.rows > 4000 || a.rows < 100 ? a : symmetric_grid(9, 3));
  }
}

TEST_F(FloatingPointModes, ChangeNoProductOfAPlan) {
  for (const auto& [name, a] : matrices())
    for (const auto layout : plan_layouts)
      for (const auto values : {plan_values::exact, plan_values::as_float}) {
        const auto x = full_numbers<double>(a.cols);
        const auto columns = full_numbers<double>(a.cols * 4);
        const auto complex_x = full_numbers<std::complex<double>>(a.cols);
        const auto back = full_numbers<double>(a.rows);
        auto others = full_numbers<double>(a.nnz(), 9);
        for (double& one : others) one *= std::fabs(a.values.data[0]);
        expect_same_bits(std::string(name_of(layout)) + ", " + name, [&](bits& all) {
          auto plan = multiply_inspect(a, {.threads = 3, .transpose = true, .layout = layout, .values = values});
          const auto products = [&] {
            std::vector<double> y(static_cast<std::size_t>(a.rows), 0.3);
            workspace memory;
            multiply(1.0 / 3, plan, x, 0.7, y, memory);
            std::vector<double> several(static_cast<std::size_t>(a.rows * 4));
            multiply(plan, column_major(std::span<const double>(columns), a.cols, 4),
                     column_major(std::span<double>(several), a.rows, 4));
            std::vector<std::complex<double>> complex_y(static_cast<std::size_t>(a.rows));
            multiply(plan, complex_x, complex_y);
            std::vector<double> z(static_cast<std::size_t>(a.cols));
            multiply(transposed(plan), back, z);
            all << y << several << complex_y << z;
          };
          products();
          update_values(plan, others);
          products();
          if (a.rows != a.cols) return;
          std::vector<double> powers(static_cast<std::size_t>(a.rows * 3));
          multiply_powers(plan, x, column_major(std::span<double>(powers), a.rows, 3));
          const auto op = make_operator(plan);
          const auto from = op->space().zeros(a.cols);
          const auto to = op->space().zeros(a.rows);
          op->space().from_host(x, from);
          all << powers << op->apply_and_dot(from, to) << op->space().norm(to);
        });
      }
}

TEST_F(FloatingPointModes, ChangeNoOperationOnMatrices) {
  for (const auto& [name, a] : matrices()) {
    const auto factors = full_numbers<double>(std::max(a.rows, a.cols));
    const auto parts = convert<coo_matrix<double>>(a);
    std::vector<double> thrice;
    for (std::int64_t k = 0; k < parts.nnz(); ++k)
      for (const double factor : {1.0 / 3, 1.0 / 7, 1.0 / 11}) thrice.push_back(factor * parts.values[k]);
    expect_same_bits(name, [&](bits& all) {
      all << scale_rows(a, std::span(factors).first(static_cast<std::size_t>(a.rows)))
          << scale_columns(a, std::span(factors).first(static_cast<std::size_t>(a.cols)));
    });
    expect_same_bits(name + ", sums", [&](bits& all) { all << add(1.0 / 3, a, 0.7, a) << hadamard(a, a); });
    expect_same_bits(name + ", transposed", [&](bits& all) { all << transpose(a); });
    expect_same_bits(name + ", norms",
                     [&](bits& all) { all << norm_one(a) << norm_infinity(a) << norm_frobenius(a) << norm_max(a); });
    expect_same_bits(name + ", cast", [&](bits& all) {
      const auto single = cast_values<float>(a);
      all << single << cast_values<double>(single);
    });
    expect_same_bits(name + ", assembled", [&](bits& all) {
      // Each entry three times.
      builder<double> made(a.rows, a.cols);
      auto insert = made.inserter();
      for (std::int64_t k = 0; k < parts.nnz(); ++k)
        for (std::int64_t copy = 0; copy < 3; ++copy)
          insert(parts.row_indices[k], parts.columns[k], thrice[static_cast<std::size_t>(3 * k + copy)]);
      if (a.rows < 5000) all << std::int64_t{made.size()};
    });
    expect_same_bits(name + ", stacked", [&](bits& all) { all << vstack(std::vector<csr_matrix<double>>{a, a}); });
    expect_same_bits(name + ", symmetry", [&](bits& all) {
      if (a.rows != a.cols) return;
      all << symmetrise(a, symmetry_rule::average) << find_symmetry(a).symmetric;
    });
    // What is different in a subnormal number alone is not symmetric.
    auto nearly = symmetric_grid(20, 12);
    nearly.values.data[1] = 0x1p-1070;
    nearly.values.data[nearly.row_offsets[1]] = 0x1p-1069;
    expect_same_bits("symmetry", [&](bits& all) { all << find_symmetry(nearly).symmetric; });
  }
}

TEST_F(FloatingPointModes, ChangeNoSumOfDuplicates) {
  const auto entries_of = full_numbers<double>(60000);
  for (const double factor : {1.0, tiny}) {
    std::vector<double> numbers;
    for (const double one : entries_of) numbers.push_back(one * factor);
    expect_same_bits("duplicates", [&](bits& all) {
      builder<double> made(2000, 2000);
      coo_matrix<double> parts{.rows = 2000,
                               .cols = 2000,
                               .row_indices = buffer<std::int32_t>(60000),
                               .columns = buffer<std::int32_t>(60000),
                               .values = values_array<double>(60000)};
      auto insert = made.inserter();
      for (std::int64_t k = 0; k < 60000; ++k) {
        const double entry = numbers[static_cast<std::size_t>(k)];
        parts.row_indices[k] = static_cast<std::int32_t>(k % 2000);
        parts.columns[k] = static_cast<std::int32_t>(k % 2000 * 7 % 2000);
        parts.values.data[k] = entry;
        insert(k % 2000, k % 2000 * 7 % 2000, entry);
      }
      all << made.build() << canonical(convert<csr_matrix<double>>(parts));
    });
  }
}

TEST_F(FloatingPointModes, ChangeNoSparseProduct) {
  for (const double factor : {1.0, 0x1p-515})
    for (const auto& a : {scaled(general(2000, 12), factor), scaled(symmetric_grid(12, 12), factor)}) {
      const auto x = full_numbers<double>(a.rows * 6);
      expect_same_bits("sparse products", [&](bits& all) {
        const auto plan = multiply_compute(a, a);
        all << multiply(a, a) << multiply_add(a, a, a) << multiply_transposed(a) << triple_product(a, a)
            << multiply_masked(a, a, a) << multiply_fill(plan, a, a)
            << sddmm(a, row_major(std::span<const double>(x), a.rows, 6),
                     row_major(std::span<const double>(x), a.rows, 6));
      });
    }
}

TEST_F(FloatingPointModes, ChangeNoTriangularSolution) {
  const auto a = symmetric_grid(20, 12);
  for (const double factor : {1.0, tiny}) {
    auto b = full_numbers<double>(a.rows);
    for (double& one : b) one *= factor;
    for (const auto schedule : {triangular_schedule::serial, triangular_schedule::levels,
                                triangular_schedule::sync_free, triangular_schedule::wavefront})
      for (const bool upper : {false, true})
        expect_same_bits("triangle", [&](bits& all) {
          std::vector<double> x(b.size());
          triangular_solve(triangular_inspect(a, {.upper = upper, .threads = 2, .schedule = schedule}), b, x);
          all << x;
        });
  }
}

TEST_F(FloatingPointModes, ChangeNoPreconditioner) {
  const auto a = symmetric_grid(24, 14);
  for (std::size_t kind = 0; kind < preconditioner_kinds; ++kind)
    for (const double factor : {1.0, tiny}) {
      auto numbers = full_numbers<double>(a.rows);
      for (double& one : numbers) one *= factor;
      auto values = std::vector<double>(a.values.data.begin(), a.values.data.end());
      for (double& one : values) one *= 1.0 + 0x1p-40;
      expect_same_bits(std::string(name_of(static_cast<preconditioner_kind>(kind))), [&](bits& all) {
        const auto m = make_preconditioner(a, {.kind = static_cast<preconditioner_kind>(kind), .threads = 3});
        const auto x = m->space().zeros(a.rows);
        const auto y = m->space().zeros(a.rows);
        m->space().from_host(numbers, x);
        const auto step = [&] {
          m->apply(x, y);
          std::vector<double> found(numbers.size());
          m->space().to_host(y, found);
          all << found;
        };
        step();
        m->update_values(values);
        step();
      });
    }
}

TEST_F(FloatingPointModes, ChangeNoSolution) {
  for (const double factor : {1.0, tiny}) {
    const auto a = scaled(symmetric_grid(20, 12), factor);
    const auto b = full_numbers<double>(a.rows);
    const auto plan = multiply_inspect(a, {.transpose = true});
    const double least = 40 * factor;
    const double most = 110 * factor;
    for (std::size_t k = 0; k < solve_methods; ++k)
      expect_same_bits(std::string(name_of(static_cast<solve_method>(k))), [&](bits& all) {
        std::vector<double> x(b.size());
        const auto report = solve(static_cast<solve_method>(k), plan, b, x,
                                  {.max_iterations = 12, .smallest_eigenvalue = least, .largest_eigenvalue = most});
        all << x << report.true_residual << report.history;
      });
    for (const bool mixed : {false, true})
      expect_same_bits(mixed ? "cg, mixed" : "cg", [&](bits& all) {
        std::vector<double> x(b.size());
        const auto report = solve(a, b, x, auto_options{.method = solve_method::cg, .mixed = mixed});
        all << x << report.result().true_residual;
      });
    expect_same_bits("direct", [&](bits& all) {
      if (!has_direct_solver()) return;
      std::vector<double> x(b.size());
      all << solve_direct(a, b, x).true_residual << x;
    });
    expect_same_bits("columns", [&](bits& all) {
      const auto several = full_numbers<double>(a.rows * 3);
      std::vector<double> x(several.size());
      const auto reports = solve_columns(plan, column_major(std::span<const double>(several), a.rows, 3),
                                         column_major(std::span<double>(x), a.rows, 3));
      all << x << reports.at(2).true_residual;
    });
  }
}

TEST_F(FloatingPointModes, ChangeNoBatch) {
  const auto pattern = symmetric_grid(5, 2);
  for (const double factor : {1.0, tiny}) {
    std::vector<double> values;
    for (int system = 0; system < 200; ++system)
      for (const double one : pattern.values.data) values.push_back(one * factor * (1 + system / 300.0));
    const auto b = full_numbers<double>(pattern.rows * 200);
    for (std::size_t method = 0; method < batch_methods; ++method)
      expect_same_bits(std::string(name_of(static_cast<batch_method>(method))), [&](bits& all) {
        std::vector<double> x(b.size());
        const auto report =
            solve_batch(pattern, values, b, x, {.method = static_cast<batch_method>(method), .threads = 3});
        all << x << report.systems.at(100).true_residual;
        multiply_batch(pattern, values, b, x);
        all << x;
      });
  }
}

TEST_F(FloatingPointModes, ChangeNoEigenvalue) {
  for (const double factor : {1.0, tiny})
    for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg})
      for (const std::int64_t n : {4, 20}) {  // all at once, and by iteration
        const auto a = scaled(symmetric_grid(n, n == 4 ? 3 : 12), factor);
        expect_same_bits(std::string(name_of(method)), [&](bits& all) {
          const auto found =
              eigs(multiply_inspect(a), 3, {.part = eigen_part::largest, .method = method, .tolerance = 1e-3});
          all << found.vectors << found.values << found.residuals;
        });
      }
  const auto a = general(2000, 9);
  for (const auto method : {singular_method::normal, singular_method::bidiagonal})
    expect_same_bits(std::string(name_of(method)), [&](bits& all) {
      const auto found = svds(multiply_inspect(a, {.transpose = true}), 3, {.method = method, .tolerance = 1e-3});
      all << found.left << found.right << found.values << found.residuals;
    });
}

TEST_F(FloatingPointModes, ChangeNoRank) {
  const auto a = generate<double>("@rmat:12");
  expect_same_bits("pagerank", [&](bits& all) {
    const auto found = pagerank(a);
    all << found.ranks << found.change;
  });
  std::vector<double> mine(static_cast<std::size_t>(a.rows), 0x1p-1060);
  mine[5] = 1.0 / 3;
  expect_same_bits("personalised pagerank", [&](bits& all) { all << pagerank(a, {.personalisation = mine}).ranks; });
}

TEST_F(FloatingPointModes, ChangeNoGeneratedMatrix) {
  for (const char* spec : {"@banded:3000,5", "@density:600,0.0213", "@kmer:9000", "@mesh3d:9", "@poisson2d:40",
                           "@poisson3d:14", "@powerlaw:5000,4,2000", "@rmat:11", "@stencil27:9", "@uniform:3000,10"})
    for (const auto values :
         {generated_values::natural, generated_values::integer, generated_values::random, generated_values::symmetric})
      expect_same_bits(spec, [&](bits& all) { all << generate<double>(spec, {.values = values}); });
}

TEST_F(FloatingPointModes, ChangeNoFile) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "lacis_modes_test";
  std::filesystem::create_directories(folder);
  for (const auto& [name, a] : matrices()) {
    const auto special = scaled(a, a.rows > 4000 ? 0x1p-30 : 1);
    for (const char* ending : {"a.mtx", "a.wel", "a.npz", "a.csr"})
      expect_same_bits(name + ' ' + ending, [&](bits& all) {
        write(folder / ending, special);
        all << read<double>(folder / ending) << read<float>(folder / ending);
      });
  }
  std::ofstream(folder / "decimal.mtx") << "%%MatrixMarket matrix coordinate real general\n2 3 4\n1 1 0.1\n1 3 1e-310\n"
                                           "2 1 123456.7\n2 2 4.9e-324\n";
  expect_same_bits("decimal", [&](bits& all) { all << read<double>(folder / "decimal.mtx"); });
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lacis::test

#endif
