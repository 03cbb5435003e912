// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in host memory, of one process or of several that join their sums.
#pragma once

#include <lacis/export.hpp>
#include <lacis/operator.hpp>

#include "summation/tree.hpp"

namespace lacis {

template <value T> class LACIS_API host_space : public vector_space<T> {
 public:
  using vector = space_vector<T>;
  using real = real_of<T>;
  using nodes = summation::node_range<T>;

  explicit host_space(const multiply_options& options);

  [[nodiscard]] vector zeros(std::int64_t size) override;
  void from_host(std::span<const T> host, const vector& x) override;
  void to_host(const vector& x, std::span<T> host) override;
  void axpby(T alpha, const vector& x, T beta, const vector& y) override;
  [[nodiscard]] T dot(const vector& x, const vector& y) override;
  [[nodiscard]] real norm(const vector& x) override;
  [[nodiscard]] std::uint64_t hash(const vector& x) override;
  T axpy_and_square(T alpha, const vector& x, const vector& y) override;
  void advance(T alpha, const vector& x, const vector& z, T beta, const vector& p) override;
  void dots(std::span<const vector> basis, const vector& x, std::span<T> products) override;
  void add_combination(std::span<const T> factors, std::span<const vector> basis, const vector& x) override;
  void add_combinations(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) override;
  void gram(std::span<const vector> x, std::span<const vector> y, std::span<T> products) override;
  void combine(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y) override;

  /// The sum of the tree of which this process has these nodes.
  [[nodiscard]] T total(nodes mine) {
    join({&mine, 1});
    return mine.total();
  }
  [[nodiscard]] const multiply_options& options() const { return options_; }

 protected:
  static std::span<const T> read(const vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
  static std::span<T> elements(const vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

  /// Takes in what other processes have of the same sums; afterwards each begins at leaf 0.
  virtual void join(std::span<nodes>) {}
  /// The largest over all processes.
  [[nodiscard]] virtual real largest_of_all(real mine) { return mine; }
  /// The sum, modulo 2^64, over all processes.
  [[nodiscard]] virtual std::uint64_t sum_of_all(std::uint64_t mine) { return mine; }

 private:
  /// As `combine` of block_table.
  void combine_blocks(std::span<const T> factors, std::span<const vector> x, std::span<const vector> y, bool onto);
  /// The leaf that the first element of x is in.
  [[nodiscard]] std::int64_t first_leaf(const vector& x);

  multiply_options options_;
};

extern template class host_space<float>;
extern template class host_space<double>;
extern template class host_space<std::complex<float>>;
extern template class host_space<std::complex<double>>;

}  // namespace lacis
