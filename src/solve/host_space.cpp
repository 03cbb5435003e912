// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in host memory. What is two in one goes block by block: the second reads what the first has left in the
// cache.
#include <algorithm>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/operator.hpp>
#include <lacis/vector.hpp>

#include "cpu/launch.hpp"
#include "cpu/vector_blocks.hpp"
#include "cpu/vector_kernels.hpp"

namespace lacis {
namespace {

template <value T> class host_space final : public vector_space<T> {
 public:
  using vector = space_vector<T>;

  explicit host_space(const multiply_options& options) : options_(options) {}

  [[nodiscard]] vector zeros(std::int64_t size) override {
    auto memory = std::make_shared<buffer<T>>(size);
    scale(T(0), *memory, options_);  // by the threads that will use it
    T* data = memory->data();
    return {std::move(memory), data, size};
  }
  void from_host(std::span<const T> host, const vector& x) override {
    detail::axpby(T(1), host, T(0), elements(x), options_);
  }
  void to_host(const vector& x, std::span<T> host) override { detail::axpby(T(1), read(x), T(0), host, options_); }

  void axpby(T alpha, const vector& x, T beta, const vector& y) override {
    detail::axpby(alpha, read(x), beta, elements(y), options_);
  }
  T dot(const vector& x, const vector& y) override { return detail::dotc(read(x), read(y), options_); }

  T axpy_and_square(T alpha, const vector& x, const vector& y) override {
    const cpu::launch how = cpu::launch_of(options_, y.size());
    const auto& kernels = cpu::vector_kernels_for<T>(how.set);
    return cpu::sum_of_blocks<T>(how, y.size(), [&](std::int64_t begin, std::int64_t size) {
      T* part = y.data() + begin;
      if (alpha != T(0)) kernels.axpby(alpha, x.data() + begin, T(1), part, size);
      return kernels.dotc(part, part, size);
    });
  }

  void advance(T alpha, const vector& x, const vector& z, T beta, const vector& p) override {
    const cpu::launch how = cpu::launch_of(options_, x.size());
    const auto& kernels = cpu::vector_kernels_for<T>(how.set);
    each_block(how, x.size(), [&](std::int64_t begin, std::int64_t size) {
      if (alpha != T(0)) kernels.axpby(alpha, p.data() + begin, T(1), x.data() + begin, size);
      kernels.axpby(T(1), z.data() + begin, beta, p.data() + begin, size);
    });
  }

  void dots(std::span<const vector> basis, const vector& x, std::span<T> products) override {
    const cpu::launch how = cpu::launch_of(options_, x.size());
    const auto& kernels = cpu::vector_kernels_for<T>(how.set);
    std::vector<std::vector<summation::node_range<T>>> parts(static_cast<std::size_t>(how.threads));
    cpu::on_blocks(how, x.size(), [&](int thread, std::int64_t first, std::int64_t last) {
      auto& mine = parts[static_cast<std::size_t>(thread)];
      mine.assign(basis.size(), summation::node_range<T>(first));
      for (std::int64_t block = first; block < last; ++block) {
        const std::int64_t begin = cpu::begin_of(block, x.size());
        const std::int64_t size = cpu::begin_of(block + 1, x.size()) - begin;
        for (std::size_t i = 0; i < basis.size(); ++i)
          mine[i].append(kernels.dotc(basis[i].data() + begin, x.data() + begin, size));
      }
    });
    const summation::rounding_guard guard;
    for (std::size_t i = 0; i < basis.size(); ++i) {
      for (std::size_t t = 1; t < parts.size(); ++t) parts[0][i].append(parts[t][i]);
      products[i] = parts[0][i].total();
    }
  }

  void add_combination(std::span<const T> factors, std::span<const vector> basis, const vector& x) override {
    const cpu::launch how = cpu::launch_of(options_, x.size());
    const auto& kernels = cpu::vector_kernels_for<T>(how.set);
    each_block(how, x.size(), [&](std::int64_t begin, std::int64_t size) {
      for (std::size_t i = 0; i < basis.size(); ++i)
        if (factors[i] != T(0)) kernels.axpby(factors[i], basis[i].data() + begin, T(1), x.data() + begin, size);
    });
  }

 private:
  static std::span<const T> read(const vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
  static std::span<T> elements(const vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

  template <class Work> static void each_block(const cpu::launch& how, std::int64_t count, Work&& work) {
    cpu::on_blocks(how, count, [&](int, std::int64_t first, std::int64_t last) {
      for (std::int64_t block = first; block < last; ++block) {
        const std::int64_t begin = cpu::begin_of(block, count);
        work(begin, cpu::begin_of(block + 1, count) - begin);
      }
    });
  }

  multiply_options options_;
};

}  // namespace

template <value T> std::unique_ptr<vector_space<T>> make_host_space(const multiply_options& options) {
  return std::make_unique<host_space<T>>(options);
}

#define LACIS_INSTANTIATE(T) \
  template LACIS_API std::unique_ptr<vector_space<T>> make_host_space<T>(const multiply_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
