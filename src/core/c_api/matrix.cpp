// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices that lacis owns, in C.
#include <lacis/spgemm.hpp>
#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "c_api/objects.hpp"

namespace lacis::c_api {

lacis_view checked_view(const lacis_view* given) {
  const lacis_view a = read_struct(&required(given, "the matrix"), "lacis_view");
  require(a.format == LACIS_CSR || a.format == LACIS_CSC, "the format of a lacis_view is LACIS_CSR or LACIS_CSC");
  require(a.offset_bits == 32 || a.offset_bits == 64, "offset_bits of a lacis_view is 32 or 64");
  require(a.index_bits == 32 || a.index_bits == 64, "index_bits of a lacis_view is 32 or 64");
  require(a.rows >= 0 && a.cols >= 0 && a.nnz >= 0, "rows, cols and nnz of a lacis_view are not negative");
  require(a.offsets != nullptr, "offsets of a lacis_view is NULL");
  require(a.nnz == 0 || (a.indices != nullptr && a.values != nullptr), "indices or values of a lacis_view is NULL");
  require(a.iso == 0 || a.values != nullptr, "a lacis_view that is iso needs its one value");
  return a;
}

}  // namespace lacis::c_api

using namespace lacis;
using namespace lacis::c_api;

lacis_type lacis_product_type(lacis_type a, lacis_type x) {
  const bool is_complex = a >= LACIS_COMPLEX64 || x >= LACIS_COMPLEX64;
  const bool is_double = a == LACIS_FLOAT64 || a == LACIS_COMPLEX128 || x == LACIS_FLOAT64 || x == LACIS_COMPLEX128;
  return static_cast<lacis_type>((is_complex ? 2 : 0) + (is_double ? 1 : 0));
}

lacis_status lacis_check(const lacis_view* a) {
  return guarded([&] { with_stored_rows(checked_view(a), [&](const auto& rows) { require_valid(rows); }); });
}

lacis_status lacis_copy(const lacis_view* a, lacis_matrix** copy) {
  return guarded([&] {
    required(copy, "copy");
    with_csr(checked_view(a), [&](const auto& rows) { give(copy, canonical(rows)); });
  });
}

lacis_status lacis_transpose(const lacis_view* a, int conjugate, lacis_matrix** result) {
  return guarded([&] {
    required(result, "result");
    with_csr(checked_view(a), [&](const auto& rows) {
      require_valid(rows);
      give(result, conjugate != 0 ? conjugate_transpose(rows) : transpose(rows));
    });
  });
}

lacis_status lacis_spgemm(const lacis_view* a, const lacis_view* b, int threads, int64_t memory_limit,
                          lacis_matrix** c) {
  return guarded([&] {
    required(c, "c");
    const lacis_view left = checked_view(a);
    const lacis_view right = checked_view(b);
    require(left.type == right.type && left.index_bits == right.index_bits,
            "A and B have the same type of values and the same bits of indices");
    spgemm_options options;
    const std::int64_t row_of_b = right.nnz / std::max<std::int64_t>(1, right.rows);
    options.threads = threads_at_most(threads, left.nnz * std::min(1 + row_of_b, detail::parallel_threshold));
    options.memory_limit = memory_limit;
    with_csr(left, [&](const auto& rows_of_a) {
      using Rows = std::remove_cvref_t<decltype(rows_of_a)>;
      with_csr(right, [&](const auto& rows_of_b) {
        if constexpr (std::is_same_v<Rows, std::remove_cvref_t<decltype(rows_of_b)>>)
          give(c, multiply(rows_of_a, rows_of_b, options));
      });
    });
  });
}

lacis_status lacis_matrix_view(const lacis_matrix* a, lacis_view* view) {
  return guarded([&] {
    std::visit(
        [&](const auto& m) {
          lacis_view all = LACIS_INIT(lacis_view);
          all.format = LACIS_CSR;
          all.type = type_of<typename std::remove_cvref_t<decltype(m)>::value_type>;
          all.offset_bits = 64;
          all.index_bits = 8 * sizeof(typename std::remove_cvref_t<decltype(m)>::index_type);
          all.iso = m.values.iso ? 1 : 0;
          all.rows = m.rows;
          all.cols = m.cols;
          all.nnz = m.nnz();
          all.offsets = m.row_offsets.data();
          all.indices = m.columns.data();
          all.values = m.values.data.data();
          write_struct(all, view, "lacis_view");
        },
        required(a, "the matrix").all);
  });
}

void lacis_matrix_free(lacis_matrix* a) { delete a; }
