// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing .npz files that scipy.sparse.load_npz reads.
#include <algorithm>
#include <complex>
#include <limits>
#include <vector>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "io/npz/npz.hpp"

namespace lacis::detail {
namespace {

/// One member after the other, with a share of the progress for every piece written.
class npz_writer {
 public:
  npz_writer(const byte_writer& out, std::int64_t elements, const progress& report)
      : zip_(out), elements_(elements), report_(report) {}

  void word(const std::string& member, std::string_view content) {
    const std::string header = npy_header(text("|S", content.size()), "()");
    zip_.begin(member, static_cast<std::int64_t>(header.size() + content.size()));
    zip_.put(header);
    zip_.put(content);
  }

  /// get(i) for every i below count, as elements of type T.
  template <class T, class Get> void array(const std::string& member, std::int64_t count, Get&& get) {
    constexpr std::int64_t piece = 1 << 17;
    const std::string header = npy_header(npy_descr<T>(), text('(', count, ",)"));
    zip_.begin(member, static_cast<std::int64_t>(header.size()) + count * static_cast<std::int64_t>(sizeof(T)));
    zip_.put(header);
    std::vector<T> block(static_cast<std::size_t>(std::min(count, piece)));
    for (std::int64_t first = 0; first < count; first += piece) {
      const std::int64_t size = std::min(piece, count - first);
      for (std::int64_t i = 0; i < size; ++i) block[static_cast<std::size_t>(i)] = static_cast<T>(get(first + i));
      zip_.put({reinterpret_cast<const char*>(block.data()), static_cast<std::size_t>(size) * sizeof(T)});
      done_ += size;
      if (report_) report_("writing", static_cast<double>(done_) / static_cast<double>(elements_));
    }
  }

  void finish() { zip_.finish(); }

 private:
  zip_writer zip_;
  std::int64_t elements_;
  std::int64_t done_ = 0;
  const progress& report_;
};

/// SciPy keeps indices and offsets in one type.
template <class Whole, class Value, class Index>
void write_structure(npz_writer& writer, const csr_view<Value, Index>& a) {
  writer.array<Whole>("indices.npy", a.nnz(), [&](std::int64_t k) { return a.columns[static_cast<std::size_t>(k)]; });
  writer.array<Whole>("indptr.npy", a.rows + 1,
                      [&](std::int64_t i) { return a.row_offsets[static_cast<std::size_t>(i)]; });
}

}  // namespace

template <value Value, index Index>
void write_npz(const byte_writer& out, const csr_view<Value, Index>& a, const write_options& options) {
  npz_writer writer(out, 2 * a.nnz() + a.rows + 3, options.progress);
  const std::int64_t largest = std::max({a.rows, a.cols, a.nnz()});
  if (largest <= std::numeric_limits<std::int32_t>::max())
    write_structure<std::int32_t>(writer, a);
  else
    write_structure<std::int64_t>(writer, a);
  writer.word("format.npy", "csr");
  writer.array<std::int64_t>("shape.npy", 2, [&](std::int64_t i) { return i == 0 ? a.rows : a.cols; });
  writer.array<Value>("data.npy", a.nnz(), [&](std::int64_t k) { return a.values[k]; });
  writer.finish();
}

#define LACIS_INSTANTIATE(Value, Index) \
  template void write_npz(const byte_writer&, const csr_view<Value, Index>&, const write_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

}  // namespace lacis::detail
