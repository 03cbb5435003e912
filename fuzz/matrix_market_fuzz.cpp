// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a Matrix Market file: an error, or a valid matrix that survives being written and read again.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "io/matrix_market/matrix_market.hpp"

namespace lacis::detail {
namespace {

[[noreturn]] void fail(std::string_view what) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// Equal bits, but any NaN is as good as another: sums and images of NaN have signs that no text keeps.
template <class Real> bool same_number(Real a, Real b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <value Value>
bool same_matrix(const csr_view<Value, std::int32_t>& a, const csr_view<Value, std::int32_t>& b) {
  if (a.rows != b.rows || a.cols != b.cols || a.nnz() != b.nnz()) return false;
  if (!std::equal(a.row_offsets.begin(), a.row_offsets.end(), b.row_offsets.begin())) return false;
  if (!std::equal(a.columns.begin(), a.columns.end(), b.columns.begin())) return false;
  for (std::int64_t k = 0; k < a.nnz(); ++k)
    if (!same_number(std::real(a.values[k]), std::real(b.values[k])) ||
        !same_number(std::imag(a.values[k]), std::imag(b.values[k])))
      return false;
  return true;
}

template <value Value> void check(std::string_view bytes) {
  read_options options;
  options.memory_limit = 1 << 20;
  read_report report;
  csr_matrix<Value, std::int32_t> a;
  try {
    a = parse_matrix_market<Value, std::int32_t>({bytes, "input"}, options, report);
  } catch (const error&) {
    return;
  }
  if (const auto broken = validate(a)) fail(broken->message);
  if (!is_canonical(a)) fail("the rows are not canonical");
  std::string written;
  write_matrix_market([&](std::string_view part) { written += part; }, a.view(), {});
  try {
    const auto again = parse_matrix_market<Value, std::int32_t>({written, "written"}, options, report);
    if (!same_matrix(again.view(), a.view())) fail("the matrix changed by being written and read");
  } catch (const error& e) {
    fail(e.what());
  }
}

}  // namespace
}  // namespace lacis::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t largest = std::size_t{64} << 10;
  if (size > largest) return -1;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  lacis::detail::check<double>(bytes);
  lacis::detail::check<std::complex<double>>(bytes);
  return 0;
}
