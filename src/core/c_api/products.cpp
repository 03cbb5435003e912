// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a matrix in the caller's arrays, in C.
#include <lacis/multiply.hpp>

#include "c_api/objects.hpp"
#include "c_api/operands.hpp"

using namespace lacis;
using namespace lacis::c_api;

namespace {

/// y = alpha op(A) x + beta y for operands that are vectors or dense columns, `columns` of them.
template <class Operands>
void multiply_view(const lacis_view& a, std::int64_t columns, const lacis_product_options& o,
                   Operands&& with_operands) {
  const std::int64_t enough = std::min<std::int64_t>(columns, detail::parallel_threshold);
  const multiply_options options{.threads = threads_at_most(o.threads, (a.rows + a.nnz) * enough)};
  with_stored_rows(a, [&](const auto& rows) {
    using Value = typename std::remove_cvref_t<decltype(rows)>::value_type;
    require(o.transpose != 2 || !is_complex<Value>,
            "the conjugate transpose of a complex matrix is for a plan that holds it (conjugate_transpose)");
    if ((a.format == LACIS_CSR) == (o.transpose == 0)) {
      with_operands(Value{}, rows.rows, rows.cols, [&](const auto& x, const auto& y) {
        using T = detail::element_of<decltype(y)>;
        multiply(number<T>(o.alpha, 1), rows, x, number<T>(o.beta, 0), y, options);
      });
    } else {
      const auto matrix = transposed(rows);
      with_operands(Value{}, matrix.rows, matrix.cols, [&](const auto& x, const auto& y) {
        using T = detail::element_of<decltype(y)>;
        const T alpha = number<T>(o.alpha, 1);
        const T beta = number<T>(o.beta, 0);
        if (o.memory != nullptr)
          multiply(alpha, matrix, x, beta, y, o.memory->held, options);
        else
          multiply(alpha, matrix, x, beta, y, options);
      });
    }
  });
}

}  // namespace

lacis_status lacis_multiply(const lacis_view* a, lacis_type x_type, const void* x, void* y,
                            const lacis_product_options* options) {
  return guarded([&] {
    const lacis_view view = checked_view(a);
    multiply_view(view, 1, checked_options(options), vectors(x_type, x, y));
  });
}

lacis_status lacis_multiply_dense(const lacis_view* a, const lacis_dense* x, const lacis_dense* y,
                                  const lacis_product_options* options) {
  return guarded([&] {
    const lacis_view view = checked_view(a);
    multiply_view(view, x == nullptr ? 1 : x->cols, checked_options(options), columns(x, y));
  });
}

lacis_status lacis_product_memory_make(int64_t memory_limit, lacis_product_memory** made) {
  return guarded([&] {
    required(made, "memory");
    require(memory_limit >= 0, "memory_limit is not negative");
    *made = new lacis_product_memory{product_memory(memory_limit)};
  });
}

int64_t lacis_product_memory_bytes(const lacis_product_memory* memory) {
  return memory == nullptr ? 0 : memory->held.storage_bytes();
}

void lacis_product_memory_free(lacis_product_memory* memory) { delete memory; }
