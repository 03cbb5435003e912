// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A distributed matrix as an operator, with its adjoint where that is asked for.
#include <optional>

#include <lacis/mpi.hpp>

#include "mpi/processes.hpp"
#include "mpi/product.hpp"
#include "summation/hash.hpp"

namespace lacis {

namespace detail {

template <class T> class distributed_operator_data {
 public:
  distributed_operator_data(distributed_csr<T> a, const distributed_options& options)
      : space(a.group, {.threads = options.threads}), hash(hash_of(a)) {
    if (options.adjoint) adjoint.emplace(transpose(a, is_complex<T>), options);
    plain.emplace(std::move(a), options);
    space.reserve(plain->before(), plain->behind());
    if (adjoint) space.reserve(adjoint->before(), adjoint->behind());
  }

  dist::spread_space<T> space;
  std::uint64_t hash;  ///< of all entries, wherever they are
  std::optional<dist::spread_product<T>> plain;
  std::optional<dist::spread_product<T>> adjoint;

 private:
  static std::uint64_t hash_of(const distributed_csr<T>& a) {
    const std::int64_t first = a.own_rows().first;
    std::uint64_t mine = 0;
    for (std::int64_t i = 0; i < a.local.rows; ++i)
      for (std::int64_t k = a.local.row_offsets[i]; k < a.local.row_offsets[i + 1]; ++k)
        mine += summation::entry_hash<T>(first + i, a.column(a.local.columns[k]), a.local.values[k]);
    const std::uint64_t all = a.group->sum(mine) + summation::entry_hash(a.rows(), a.cols(), 1.0);
    return all == 0 ? 1 : all;
  }
};

}  // namespace detail

namespace {

template <value T>
std::unique_ptr<detail::distributed_operator_data<T>> prepared(distributed_csr<T> a,
                                                               const distributed_options& options) {
  const auto group = a.group;
  return group->together([&] {
    group->require_same("distributed_matrix()",
                        {{"type of values", sizeof(T) * 2 + (is_complex<T> ? 1 : 0)},
                         {"options.adjoint", options.adjoint ? 1U : 0U},
                         {"options.exchange", options.exchange ? static_cast<std::uint64_t>(*options.exchange) + 1 : 0},
                         {"options.longest_row", static_cast<std::uint64_t>(options.longest_row)},
                         {"options.longest_message", static_cast<std::uint64_t>(options.longest_message)}});
    return std::make_unique<detail::distributed_operator_data<T>>(std::move(a), options);
  });
}

}  // namespace

template <value T>
distributed_matrix<T>::distributed_matrix(distributed_csr<T> a, const distributed_options& options)
    : data_(prepared(std::move(a), options)) {}
template <value T> distributed_matrix<T>::~distributed_matrix() = default;

template <value T> std::int64_t distributed_matrix<T>::rows() const { return data_->plain->rows(); }
template <value T> std::int64_t distributed_matrix<T>::cols() const { return data_->plain->cols(); }
template <value T> vector_space<T>& distributed_matrix<T>::space() const { return data_->space; }
template <value T> void distributed_matrix<T>::apply(const vector& x, const vector& y) const {
  data_->space.group().guarded([&] { data_->plain->multiply(x, y, data_->space); });
}
template <value T> T distributed_matrix<T>::apply_and_dot(const vector& x, const vector& y) const {
  return data_->space.group().guarded([&] { return data_->plain->multiply_and_dot(x, y, data_->space); });
}
template <value T> void distributed_matrix<T>::apply_adjoint(const vector& x, const vector& y) const {
  if (!data_->adjoint) return linear_operator<T>::apply_adjoint(x, y);
  data_->space.group().guarded([&] { data_->adjoint->multiply(x, y, data_->space); });
}
template <value T> bool distributed_matrix<T>::bound_rounding(const vector& x, const vector& y) const {
  return data_->space.group().guarded([&] { return data_->plain->bound_rounding(x, y); });
}
template <value T>
bool distributed_matrix<T>::precise_residual(const vector& b, const vector& x, const vector& r) const {
  return data_->space.group().guarded([&] { return data_->plain->precise_residual(b, x, r); });
}
template <value T> std::uint64_t distributed_matrix<T>::hash() const { return data_->hash; }
template <value T> std::int64_t distributed_matrix<T>::moved_bytes() const { return data_->plain->moved_bytes(); }
template <value T> const exchange_report& distributed_matrix<T>::exchange() const {
  return data_->plain->exchange().report();
}
template <value T> std::int64_t distributed_matrix<T>::storage_bytes() const {
  return data_->plain->storage_bytes() + (data_->adjoint ? data_->adjoint->storage_bytes() : 0);
}
template <value T> std::string distributed_matrix<T>::explain() const { return data_->plain->explain(); }
template <value T> void distributed_matrix<T>::exchange_only(const vector& x) const { data_->plain->exchange_only(x); }

template class distributed_matrix<float>;
template class distributed_matrix<double>;
template class distributed_matrix<std::complex<float>>;
template class distributed_matrix<std::complex<double>>;

}  // namespace lacis
