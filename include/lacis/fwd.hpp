// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Declarations of the types that other headers define, for code that only names them.
#pragma once

#include <cstdint>

#include <lacis/types.hpp>

namespace lacis {

template <class T> class buffer;
template <class T> struct dense_view;
template <value Value> struct values_view;
template <value Value> struct values_array;

template <value Value, index Index = std::int32_t> struct coo_view;
template <value Value, index Index = std::int32_t> struct coo_matrix;
template <value Value, index Index = std::int32_t, index Offset = std::int64_t> struct csr_view;
template <value Value, index Index = std::int32_t> struct csr_matrix;
template <value Value, index Index = std::int32_t, index Offset = std::int64_t> struct csc_view;
template <value Value, index Index = std::int32_t> struct csc_matrix;
template <value Value, index Index = std::int32_t> struct ell_view;
template <value Value, index Index = std::int32_t> struct ell_matrix;
template <value Value, index Index = std::int32_t> struct hyb_view;
template <value Value, index Index = std::int32_t> struct hyb_matrix;
template <value Value, index Index = std::int32_t> struct jds_view;
template <value Value, index Index = std::int32_t> struct jds_matrix;
template <value Value, index Index = std::int32_t> struct sell_view;
template <value Value, index Index = std::int32_t> struct sell_matrix;
template <value Value, index Index = std::int32_t> struct bsr_view;
template <value Value, index Index = std::int32_t> struct bsr_matrix;
template <value Value, index Index = std::int32_t> struct dia_view;
template <value Value, index Index = std::int32_t> struct dia_matrix;

template <value Value, index Index = std::int32_t> class plan;
template <value Value, index Index> class spgemm_plan;
template <value T, index Index = std::int32_t> class triangular_plan;
template <value T> class linear_operator;
template <value T> class preconditioner;
template <value T> class space_vector;
template <value T> class vector_space;
class workspace;
class device_context;
class device_stream;
template <value T> class device_vector;

class error;
struct auto_options;
struct auto_report;
struct convert_options;
struct multiply_options;
struct plan_options;
struct plan_report;
struct preconditioner_options;
struct read_options;
struct solve_options;
struct solve_report;
struct spgemm_options;
struct spgemm_report;
struct write_options;
template <value T> struct method_options;
template <value T> struct eigen_options;
template <value T> struct eigen_result;

}  // namespace lacis
