// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A CSR matrix whose value and index types are known only at run time: what a file holds.
#pragma once

#include <complex>
#include <cstdint>
#include <variant>

#include <lacis/csr.hpp>

/// Sparse matrices: formats, files, products, plans, solvers. Names in nested namespaces `detail` are not part of it.
namespace lacis {

/// Use std::visit: `std::visit([](const auto& a) { ... a.view() ... }, matrix)`.
using any_csr =
    std::variant<csr_matrix<float, std::int32_t>, csr_matrix<float, std::int64_t>, csr_matrix<double, std::int32_t>,
                 csr_matrix<double, std::int64_t>, csr_matrix<std::complex<float>, std::int32_t>,
                 csr_matrix<std::complex<float>, std::int64_t>, csr_matrix<std::complex<double>, std::int32_t>,
                 csr_matrix<std::complex<double>, std::int64_t>>;

}  // namespace lacis
