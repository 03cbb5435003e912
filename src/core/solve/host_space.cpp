// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in host memory. What is two in one goes block by block: the second reads what the first has left in the
// cache.
#include "solve/host_space.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/hash.hpp>
#include <lacis/row_ranges.hpp>
#include <lacis/vector.hpp>

#include "cpu/launch.hpp"
#include "cpu/vector/block_kernels.hpp"
#include "cpu/vector/blocks.hpp"
#include "cpu/vector/kernels.hpp"
#include "solve/checkpoint.hpp"
#include "solve/stop.hpp"
#include "summation/hash.hpp"
#include "summation/vector.hpp"

namespace lacis {

static_assert(rows_in_chunk == cpu::block_size);

template <value T> real_of<T> vector_space<T>::norm(const vector& x) {
  std::vector<T> host(static_cast<std::size_t>(x.size()));
  to_host(x, host);
  return detail::norm(std::span<const T>(host), {});
}

template <value T> std::uint64_t vector_space<T>::hash(const vector& x) {
  std::vector<T> host(static_cast<std::size_t>(x.size()));
  to_host(x, host);
  return detail::solution_hash(std::span<const T>(host));
}

template <value T>
std::unique_ptr<solver::state_files> vector_space<T>::make_state_files(const std::string& directory) {
  return std::make_unique<solver::local_state_files>(directory);
}

template <value T> void vector_space<T>::ask_to_stop(std::exception_ptr why) {
  if (why) std::rethrow_exception(std::move(why));
  throw solver::stop_asked{};
}

namespace {

template <class Work> void each_block(const cpu::launch& how, std::int64_t count, Work&& work) {
  cpu::on_blocks(how, count, [&](int, std::int64_t first, std::int64_t last) {
    for (std::int64_t block = first; block < last; ++block) {
      const std::int64_t begin = cpu::begin_of(block, count);
      work(begin, cpu::begin_of(block + 1, count) - begin);
    }
  });
}

/// y^H x as x^H y gives it.
template <class T> T mirrored(T product) {
  if constexpr (is_complex<T>)
    return {product.real(), 0 - product.imag()};
  else
    return product;
}

template <class T> void require_length(std::span<const space_vector<T>> vectors, std::int64_t size) {
  for (const space_vector<T>& one : vectors)
    summation::require_same_length(static_cast<std::size_t>(one.size()), static_cast<std::size_t>(size));
}
template <class T> void require_length(const space_vector<T>& x, std::int64_t size) {
  require_length(std::span<const space_vector<T>>(&x, 1), size);
}

/// Where the elements of each vector are.
template <class T> std::vector<T*> addresses(std::span<const space_vector<std::remove_const_t<T>>> vectors) {
  std::vector<T*> all;
  for (const auto& one : vectors) all.push_back(one.data());
  return all;
}

}  // namespace

template <value T> host_space<T>::host_space(const multiply_options& options) : options_(options) {}

template <value T> std::int64_t host_space<T>::first_leaf(const vector& x) {
  return this->place(x).first / cpu::block_size;
}

template <value T> space_vector<T> host_space<T>::zeros(std::int64_t size) {
  auto memory = std::make_shared<buffer<T>>(size);
  scale(T(0), *memory, options_);  // by the threads that will use it
  T* data = memory->data();
  return {std::move(memory), data, size};
}

template <value T> void host_space<T>::from_host(std::span<const T> host, const vector& x) {
  detail::axpby(T(1), host, T(0), elements(x), options_);
}

template <value T> void host_space<T>::to_host(const vector& x, std::span<T> host) {
  detail::axpby(T(1), read(x), T(0), host, options_);
}

template <value T> void host_space<T>::axpby(T alpha, const vector& x, T beta, const vector& y) {
  detail::axpby(alpha, read(x), beta, elements(y), options_);
}

template <value T> T host_space<T>::dot(const vector& x, const vector& y) {
  require_length(y, x.size());
  const cpu::launch how = cpu::launch_of(options_, x.size());
  const auto kernel = cpu::vector_kernels_for<T>(how.set).dotc;
  return total(cpu::nodes_of_blocks<T>(how, x.size(), first_leaf(x), [&](std::int64_t begin, std::int64_t size) {
    return kernel(x.data() + begin, y.data() + begin, size);
  }));
}

template <value T> real_of<T> host_space<T>::norm(const vector& x) {
  const cpu::launch how = cpu::launch_of(options_, x.size());
  const auto& kernels = cpu::vector_kernels_for<T>(how.set);
  // The parts of a complex sum are summed apart, so a real sum is one with an imaginary part of 0.
  const auto sum_at = [&](real factor) {
    return std::real(
        total(cpu::nodes_of_blocks<T>(how, x.size(), first_leaf(x), [&](std::int64_t begin, std::int64_t size) {
          return T(kernels.sum_of_squares(x.data() + begin, size, factor));
        })));
  };
  const auto largest = [&] { return largest_of_all(kernels.largest(x.data(), x.size())); };
  const summation::rounding_guard guard;
  return summation::root_of_squares<real>(sum_at, largest);
}

template <value T> std::uint64_t host_space<T>::hash(const vector& x) {
  return sum_of_all(summation::solution_hash(read(x), this->place(x).first));
}

template <value T> T host_space<T>::axpy_and_square(T alpha, const vector& x, const vector& y) {
  require_length(x, y.size());
  const cpu::launch how = cpu::launch_of(options_, y.size());
  const auto& kernels = cpu::vector_kernels_for<T>(how.set);
  return total(cpu::nodes_of_blocks<T>(how, y.size(), first_leaf(y), [&](std::int64_t begin, std::int64_t size) {
    T* part = y.data() + begin;
    if (alpha != T(0)) kernels.axpby(alpha, x.data() + begin, T(1), part, size);
    return kernels.dotc(part, part, size);
  }));
}

template <value T> void host_space<T>::advance(T alpha, const vector& x, const vector& z, T beta, const vector& p) {
  require_length(z, x.size());
  require_length(p, x.size());
  const cpu::launch how = cpu::launch_of(options_, x.size());
  const auto& kernels = cpu::vector_kernels_for<T>(how.set);
  each_block(how, x.size(), [&](std::int64_t begin, std::int64_t size) {
    if (alpha != T(0)) kernels.axpby(alpha, p.data() + begin, T(1), x.data() + begin, size);
    kernels.axpby(T(1), z.data() + begin, beta, p.data() + begin, size);
  });
}

template <value T> void host_space<T>::dots(std::span<const vector> basis, const vector& x, std::span<T> products) {
  require_length(basis, x.size());
  const cpu::launch how = cpu::launch_of(options_, x.size());
  const auto& kernels = cpu::vector_kernels_for<T>(how.set);
  const std::int64_t leaf = first_leaf(x);
  std::vector<std::vector<nodes>> parts(static_cast<std::size_t>(how.threads));
  cpu::on_blocks(how, x.size(), [&](int thread, std::int64_t first, std::int64_t last) {
    auto& mine = parts[static_cast<std::size_t>(thread)];
    mine.assign(basis.size(), nodes(leaf + first));
    for (std::int64_t block = first; block < last; ++block) {
      const std::int64_t begin = cpu::begin_of(block, x.size());
      const std::int64_t size = cpu::begin_of(block + 1, x.size()) - begin;
      for (std::size_t i = 0; i < basis.size(); ++i)
        mine[i].append(kernels.dotc(basis[i].data() + begin, x.data() + begin, size));
    }
  });
  const summation::rounding_guard guard;
  for (std::size_t i = 0; i < basis.size(); ++i)
    for (std::size_t t = 1; t < parts.size(); ++t) parts[0][i].append(parts[t][i]);
  join(parts[0]);
  for (std::size_t i = 0; i < basis.size(); ++i) products[i] = parts[0][i].total();
}

template <value T>
void host_space<T>::add_combination(std::span<const T> factors, std::span<const vector> basis, const vector& x) {
  add_combinations(factors, basis, {&x, 1});
}

template <value T>
void host_space<T>::add_combinations(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) {
  combine_blocks(factors, x, y, true);
}

template <value T>
void host_space<T>::gram(std::span<const vector> x, std::span<const vector> y, std::span<T> products) {
  if (x.empty() || y.empty()) return;
  // Of a vector's products with itself and the others half are conjugates of the rest, in their bits too: a part that
  // is 0 is +0 either way.
  const bool is_hermitian = x.data() == y.data() && x.size() == y.size();
  const std::size_t ys = y.size();
  const auto wanted = [&](std::size_t i, std::size_t j) { return !is_hermitian || j >= i; };
  const std::int64_t count = x[0].size();
  require_length(x, count);
  require_length(y, count);
  const auto from_x = addresses<const T>(x);
  const auto from_y = addresses<const T>(y);
  const cpu::launch how = cpu::launch_of(options_, count * static_cast<std::int64_t>(x.size()));
  const auto kernel = cpu::block_kernels_for<T>(how.set).gram;
  const std::int64_t leaf = first_leaf(x[0]);
  std::vector<std::vector<nodes>> parts(static_cast<std::size_t>(how.threads));
  cpu::on_blocks(how, count, [&](int thread, std::int64_t first, std::int64_t last) {
    auto& mine = parts[static_cast<std::size_t>(thread)];
    mine.assign(x.size() * ys, nodes(leaf + first));
    std::vector<T> sums(x.size() * ys);
    for (std::int64_t block = first; block < last; ++block) {
      const std::int64_t begin = cpu::begin_of(block, count);
      kernel(from_x.data(), static_cast<std::int64_t>(x.size()), from_y.data(), static_cast<std::int64_t>(ys), begin,
             cpu::begin_of(block + 1, count) - begin, is_hermitian, sums.data());
      for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < ys; ++j)
          if (wanted(i, j)) mine[i * ys + j].append(sums[i * ys + j]);
    }
  });
  const summation::rounding_guard guard;
  std::vector<nodes> all;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < ys; ++j)
      if (wanted(i, j)) {
        for (std::size_t t = 1; t < parts.size(); ++t) parts[0][i * ys + j].append(parts[t][i * ys + j]);
        all.push_back(parts[0][i * ys + j]);
      }
  join(all);
  auto next = all.begin();
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < ys; ++j)
      if (wanted(i, j)) {
        products[i * ys + j] = (next++)->total();
        if (is_hermitian && i != j) products[j * ys + i] = mirrored(products[i * ys + j]);
      }
}

template <value T>
void host_space<T>::combine(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) {
  combine_blocks(factors, x, y, false);
}

template <value T>
void host_space<T>::combine_blocks(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y,
                                   bool onto) {
  if (y.empty()) return;
  require_length(x, y[0].size());
  require_length(y, y[0].size());
  const auto from = addresses<const T>(x);
  const auto to = addresses<T>(y);
  const cpu::launch how = cpu::launch_of(options_, y[0].size() * static_cast<std::int64_t>(y.size()));
  const auto kernel = cpu::block_kernels_for<T>(how.set).combine;
  each_block(how, y[0].size(), [&](std::int64_t begin, std::int64_t size) {
    kernel(factors.data(), from.data(), static_cast<std::int64_t>(from.size()), to.data(),
           static_cast<std::int64_t>(to.size()), begin, size, onto);
  });
}

template <value T> std::unique_ptr<vector_space<T>> make_host_space(const multiply_options& options) {
  return std::make_unique<host_space<T>>(options);
}

#define LACIS_INSTANTIATE(T)                                                                                     \
  template LACIS_API real_of<T> vector_space<T>::norm(const vector&);                                            \
  template LACIS_API std::uint64_t vector_space<T>::hash(const vector&);                                         \
  template LACIS_API std::unique_ptr<solver::state_files> vector_space<T>::make_state_files(const std::string&); \
  template class host_space<T>;                                                                                  \
  template LACIS_API std::unique_ptr<vector_space<T>> make_host_space<T>(const multiply_options&);
LACIS_INSTANTIATE(float)
LACIS_INSTANTIATE(double)
LACIS_INSTANTIATE(std::complex<float>)
LACIS_INSTANTIATE(std::complex<double>)

}  // namespace lacis
