// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Comparing bits, counting, and telling what differs.
#include "verify/ledger.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "summation/hash.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::verification {
namespace {

template <class Real> std::string bits_text(Real x) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, summation::bits_of(x), 16).ptr;
  const std::string hex(digits, end);
  return detail::text("0x", std::string(2 * sizeof(Real) - hex.size(), '0'), hex, " (", x, ')');
}

template <class T> std::string value_text(T x) {
  if constexpr (is_complex<T>)
    return bits_text(x.real()) + " + i " + bits_text(x.imag());
  else
    return bits_text(x);
}

template <class T> bool same(T a, T b) {
  const T x = summation::canonical_nan(a);
  const T y = summation::canonical_nan(b);
  return std::memcmp(&x, &y, sizeof x) == 0;
}

/// Of the pattern of a matrix: row offsets and columns.
template <class T, class Index> std::uint64_t pattern_hash(const csr_view<T, Index>& a) {
  std::uint64_t hash = 0;
  for (const std::int64_t offset : a.row_offsets) hash = mix(hash + static_cast<std::uint64_t>(offset));
  for (const Index column : a.columns) hash = mix(hash + static_cast<std::uint64_t>(column));
  return hash;
}

std::string place_of(const trial& t, std::int64_t element) {
  if (t.stride == 0) return detail::text("row ", element);
  const std::int64_t major = element / t.stride;
  const std::int64_t minor = element % t.stride;
  return t.column_major ? detail::text("row ", minor, ", column ", major)
                        : detail::text("row ", major, ", column ", minor);
}

}  // namespace

std::uint64_t hash_of(std::string_view words) {
  std::uint64_t hash = 0;
  for (const char letter : words) hash = mix(hash + static_cast<unsigned char>(letter));
  return hash;
}

template <value T>
std::string difference(std::span<const T> got, std::span<const T> expected,
                       const std::function<std::string(std::int64_t)>& place) {
  if (got.size() != expected.size())
    return detail::text("has ", got.size(), " elements, the order gives ", expected.size());
  if (got.empty() || std::memcmp(got.data(), expected.data(), got.size_bytes()) == 0) return {};
  const auto [g, e] = std::mismatch(got.begin(), got.end(), expected.begin(), expected.end(), same<T>);
  if (g == got.end()) return {};
  return detail::text(place(g - got.begin()), " is ", value_text(*g), ", the order gives ", value_text(*e));
}

template <value T, index Index>
std::string difference(const csr_view<T, Index>& got, const csr_view<T, Index>& expected) {
  if (got.rows != expected.rows || got.cols != expected.cols)
    return detail::text("is ", got.rows, " x ", got.cols, ", the definition gives ", expected.rows, " x ",
                        expected.cols);
  if (got.values.iso != expected.values.iso) return "is iso where the definition is not, or the other way round";
  const auto& offsets = expected.row_offsets;
  const auto row_of = [&](std::int64_t entry) {
    return std::upper_bound(offsets.begin(), offsets.end(), entry) - offsets.begin() - 1;
  };
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const std::int64_t entries = got.row_offsets[i + 1] - got.row_offsets[i];
    if (entries != offsets[i + 1] - offsets[i])
      return detail::text("row ", i, " has ", entries, " entries, the definition gives ", offsets[i + 1] - offsets[i]);
  }
  const auto [g, e] =
      std::mismatch(got.columns.begin(), got.columns.end(), expected.columns.begin(), expected.columns.end());
  if (g != got.columns.end() || e != expected.columns.end())
    return detail::text("row ", row_of(g - got.columns.begin()), " has other columns than the definition gives");
  return difference<T>(got.values.data, expected.values.data, [&](std::int64_t entry) {
    return detail::text("row ", row_of(entry), ", column ", expected.columns[static_cast<std::size_t>(entry)]);
  });
}

#ifdef __clang__
const char* compiler_text() { return "clang " __clang_version__; }
#else
const char* compiler_text() { return "g++ " __VERSION__; }
#endif

template <value T> void ledger::compare(const trial& t, std::span<const T> got, std::span<const T> expected) {
  compared(t, summation::solution_hash(got),
           difference(got, expected, [&](std::int64_t element) { return place_of(t, element); }));
}

template <value T, index Index>
void ledger::compare(const trial& t, const csr_view<T, Index>& got, const csr_view<T, Index>& expected) {
  compared(t, pattern_hash(got) + summation::solution_hash(got.values.data), difference(got, expected));
}

void ledger::compared(const trial& t, std::uint64_t hash, const std::string& apart) {
  ++report_.products;
  ++count_of(t).compared;
  if (t.digested) report_.digest += mix(hash_of(detail::text(t.what, '/', t.types, '/', t.matrix, '/', t.form)) + hash);
  if (!apart.empty()) fault(t, apart);
}

void ledger::failed(const trial& t, std::string_view message) {
  ++report_.products;
  ++count_of(t).compared;
  fault(t, message);
}

void ledger::refused(const trial& t, std::string_view instead) {
  ++report_.refusals;
  if (!instead.empty()) fault(t, instead);
}

verify_count& ledger::count_of(const trial& t) {
  for (verify_count& count : report_.table)
    if (count.isa == t.set && count.what == t.row) return count;
  report_.table.push_back({std::string(t.row), t.set, 0, 0});
  return report_.table.back();
}

void ledger::fault(const trial& t, std::string_view what) {
  ++report_.differing;
  ++count_of(t).differing;
  if (report_.faults.size() < most_faults)
    report_.faults.push_back(detail::text(t.what, ", ", name_of(t.set), ", ", t.threads,
                                          t.threads == 1 ? " thread" : " threads", ", ", t.types, ", matrix '",
                                          t.matrix, "', ", t.form, ": ", what));
}

#define LACIS_DIFFERENCE(T)                                               \
  template std::string difference(std::span<const T>, std::span<const T>, \
                                  const std::function<std::string(std::int64_t)>&);
LACIS_DIFFERENCE(float)
LACIS_DIFFERENCE(double)
LACIS_DIFFERENCE(std::complex<float>)
LACIS_DIFFERENCE(std::complex<double>)
#undef LACIS_DIFFERENCE

template void ledger::compare(const trial&, std::span<const float>, std::span<const float>);
template void ledger::compare(const trial&, std::span<const double>, std::span<const double>);
template void ledger::compare(const trial&, std::span<const std::complex<float>>, std::span<const std::complex<float>>);
template void ledger::compare(const trial&, std::span<const std::complex<double>>,
                              std::span<const std::complex<double>>);

#define LACIS_COMPARE(T, Index)                                                          \
  template std::string difference(const csr_view<T, Index>&, const csr_view<T, Index>&); \
  template void ledger::compare(const trial&, const csr_view<T, Index>&, const csr_view<T, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_COMPARE)

}  // namespace lacis::verification
