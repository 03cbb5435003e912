// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations on vectors against memory speed, and loops in whatever order the compiler likes as rivals.
#include <benchmark/benchmark.h>
#include <cmath>
#include <complex>
#include <string>

#include <lacis/lacis.hpp>

namespace {

/// 256 MiB a vector: larger than any cache.
constexpr std::int64_t bytes = std::int64_t{1} << 28;

template <class T> struct operands {
  lacis::buffer<T> x{bytes / static_cast<std::int64_t>(sizeof(T))};
  lacis::buffer<T> y{bytes / static_cast<std::int64_t>(sizeof(T))};

  operands() {
    const auto n = x.size();
#pragma omp parallel for
    for (std::int64_t i = 0; i < n; ++i) {
      x[i] = T(1) / T(static_cast<float>(1 + i % 1000));
      y[i] = T(static_cast<float>(i % 7));
    }
  }
};

template <class T> operands<T>& vectors() {
  static operands<T> both;
  return both;
}

void count_bytes(benchmark::State& state, int vectors_moved) {
  state.SetBytesProcessed(state.iterations() * vectors_moved * bytes);
}

template <class T> void dot(benchmark::State& state, lacis::multiply_options options) {
  auto& [x, y] = vectors<T>();
  for (auto _ : state) benchmark::DoNotOptimize(lacis::dot(x, y, options));
  count_bytes(state, 2);
}

template <class T> void norm(benchmark::State& state, lacis::multiply_options options) {
  auto& [x, y] = vectors<T>();
  for (auto _ : state) benchmark::DoNotOptimize(lacis::norm(x, options));
  count_bytes(state, 1);
}

template <class T> void axpy(benchmark::State& state, lacis::multiply_options options) {
  auto& [x, y] = vectors<T>();
  for (auto _ : state) lacis::axpy(T(1e-9f), x, y, options);
  count_bytes(state, 3);
}

/// The order is left to the compiler and to the number of threads.
void openmp_dot(benchmark::State& state, lacis::multiply_options options) {
  auto& both = vectors<double>();
  const double* x = both.x.data();
  const double* y = both.y.data();
  const std::int64_t n = both.x.size();
  for (auto _ : state) {
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(options.threads)
    for (std::int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
    benchmark::DoNotOptimize(sum);
  }
  count_bytes(state, 2);
}

void openmp_norm(benchmark::State& state, lacis::multiply_options options) {
  auto& both = vectors<double>();
  const double* x = both.x.data();
  const std::int64_t n = both.x.size();
  for (auto _ : state) {
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(options.threads)
    for (std::int64_t i = 0; i < n; ++i) sum += x[i] * x[i];
    benchmark::DoNotOptimize(std::sqrt(sum));
  }
  count_bytes(state, 1);
}

void openmp_axpy(benchmark::State& state, lacis::multiply_options options) {
  auto& both = vectors<double>();
  const double* x = both.x.data();
  double* y = both.y.data();
  const std::int64_t n = both.x.size();
  for (auto _ : state) {
#pragma omp parallel for simd num_threads(options.threads)
    for (std::int64_t i = 0; i < n; ++i) y[i] += 1e-9 * x[i];
    benchmark::ClobberMemory();
  }
  count_bytes(state, 3);
}

template <class T> void add(const std::string& type, const std::string& how, const lacis::multiply_options& options) {
  benchmark::RegisterBenchmark(("dot/" + type + how).c_str(), dot<T>, options)->UseRealTime();
  benchmark::RegisterBenchmark(("norm/" + type + how).c_str(), norm<T>, options)->UseRealTime();
  benchmark::RegisterBenchmark(("axpy/" + type + how).c_str(), axpy<T>, options)->UseRealTime();
}

const bool registered = [] {
  for (const int threads : {1, 2}) {
    const std::string suffix = "/threads:" + std::to_string(threads);
    const lacis::multiply_options plain{.threads = threads};
    benchmark::RegisterBenchmark(("openmp_dot/double" + suffix).c_str(), openmp_dot, plain)->UseRealTime();
    benchmark::RegisterBenchmark(("openmp_norm/double" + suffix).c_str(), openmp_norm, plain)->UseRealTime();
    benchmark::RegisterBenchmark(("openmp_axpy/double" + suffix).c_str(), openmp_axpy, plain)->UseRealTime();
    for (const lacis::isa set : lacis::supported_isas()) {
      const std::string how = std::string("/").append(lacis::name_of(set)) + suffix;
      add<double>("double", how, {.threads = threads, .isa = set});
      add<std::complex<float>>("complex_float", how, {.threads = threads, .isa = set});
    }
  }
  return true;
}();

}  // namespace
