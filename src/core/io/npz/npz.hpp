// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// SciPy's sparse matrices in .npz files: scipy.sparse.save_npz and load_npz.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <lacis/csr.hpp>
#include <lacis/io.hpp>

#include "io/bytes/archive.hpp"
#include "io/npz/npy.hpp"
#include "io/text_input.hpp"

namespace lacis::detail {

/// The arrays of a matrix, still in the types of the file.
struct npz_content {
  std::string name;
  std::map<std::string, npy_array, std::less<>> arrays;  ///< "data", "indices", ...
  std::string format;                                    ///< csr, csc, coo, bsr or dia
  std::string shape_from;                                ///< "file: member" that tells rows and columns
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t file_bytes = 0;  ///< what allocation is measured by: every array, decompressed

  [[nodiscard]] const npy_array& array(std::string_view member) const;
  /// The array, which the caller now owns; its bytes are gone when that ends.
  [[nodiscard]] npy_array take(std::string_view member);
  [[nodiscard]] bool is_complex() const { return array("data").kind == 'c'; }
};

/// Reads every array and checks that it is one of a matrix. Throws error(bad_input).
[[nodiscard]] npz_content load_npz(const text_input& input, const read_options& options);

/// The same from members that are unpacked already.
[[nodiscard]] npz_content gather_npz(std::vector<zip_member> members, const std::string& name);

/// The matrix with canonical rows. Explicit zeros are kept; every slot of a BSR block, and of a DIA diagonal inside the
/// matrix, is an entry. Throws error(bad_input) when arrays do not fit each other or the shape.
template <value Value, index Index>
[[nodiscard]] csr_matrix<Value, Index> to_csr(npz_content content, const read_options& options, read_report& report);

/// Writes a CSR matrix that scipy.sparse.load_npz reads, iso values expanded.
template <value Value, index Index>
void write_npz(const byte_writer& out, const csr_view<Value, Index>& a, const write_options& options);

}  // namespace lacis::detail
