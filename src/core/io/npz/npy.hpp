// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// NumPy's array files, as the members of an .npz are: a header in Python's notation, then the elements.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>
#include <lacis/io.hpp>
#include <lacis/types.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/bytes/byte_store.hpp"
#include "io/bytes/input_file.hpp"

namespace lacis::detail {

/// An array as it lies in its file, of exactly the bytes that type and shape ask for: in memory, or still in the file,
/// from which its elements are then read in pieces.
struct npy_array {
  std::string where;  ///< "file: member", begins every message
  byte_store bytes;
  std::shared_ptr<const input_file> file;  ///< nothing for an array in memory
  std::int64_t file_place = 0;             ///< of the first element
  char kind = 0;                           ///< b bool, i signed, u unsigned, f real, c complex, S bytes, U text
  int item_size = 0;                       ///< bytes per element
  bool swapped = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::int64_t count = 0;
  std::string_view elements;  ///< of an array in memory

  [[nodiscard]] error fault(std::string_view what_and_hint) const {
    return {errc::bad_input, text(where, ": ", what_and_hint)};
  }
  void require_dimensions(std::size_t dimensions) const;
  /// How far apart neighbours along `dimension` lie, in elements.
  [[nodiscard]] std::int64_t stride(std::size_t dimension) const;
  /// The bytes of elements first .. first + count; those of a file are put into `room`, which the result refers to.
  [[nodiscard]] std::string_view piece(std::int64_t first, std::int64_t number, std::vector<char>& room) const;
};

/// Versions 1 to 3 of the format, either byte order. Throws error(bad_input), also for element types that no matrix is
/// made of.
[[nodiscard]] npy_array parse_npy(byte_store bytes, std::string where);
/// The same for an array that stays in its file.
[[nodiscard]] npy_array open_npy(input_file file);

/// A scalar or a string of one element: "csr".
[[nodiscard]] std::string text_of(const npy_array& array);

/// The number of type T whose bytes lie there, in the other order where they are swapped.
template <class T, bool swapped> [[nodiscard]] T number_at(const char* place) {
  T number;
  std::memcpy(&number, place, sizeof(T));
  if constexpr (swapped) {
    // Of a complex number each part by itself.
    constexpr std::size_t parts = is_complex<T> ? 2 : 1;
    char* const raw = reinterpret_cast<char*>(&number);
    for (std::size_t part = 0; part < parts; ++part)
      std::reverse(raw + part * sizeof(T) / parts, raw + (part + 1) * sizeof(T) / parts);
  }
  return number;
}

/// Element i of an array in memory, in its own type T.
template <class T> [[nodiscard]] T element_at(const npy_array& array, std::int64_t i) {
  const char* const place = array.elements.data() + i * static_cast<std::int64_t>(sizeof(T));
  return array.swapped ? number_at<T, true>(place) : number_at<T, false>(place);
}

/// visit(T{}) with the whole-number type of the elements. Throws error(bad_input) when they are not integers.
template <class Visit> auto with_whole_type(const npy_array& array, Visit&& visit) {
  switch (array.kind == 'i' ? array.item_size : array.kind == 'u' ? -array.item_size : 0) {
    case 1:
      return visit(std::int8_t{});
    case 2:
      return visit(std::int16_t{});
    case 4:
      return visit(std::int32_t{});
    case 8:
      return visit(std::int64_t{});
    case -1:
      return visit(std::uint8_t{});
    case -2:
      return visit(std::uint16_t{});
    case -4:
      return visit(std::uint32_t{});
    case -8:
      return visit(std::uint64_t{});
    default:
      throw array.fault("holds no integers; was it written by scipy.sparse.save_npz?");
  }
}

/// Elements first, first + stride, ... as indices below `bound`; names the first that is not.
template <index Index>
[[nodiscard]] buffer<Index> indices_of(const npy_array& array, std::int64_t first, std::int64_t stride,
                                       std::int64_t count, std::int64_t bound);

/// All elements of a one-dimensional array of any integers that fit 64 bits with a sign.
[[nodiscard]] buffer<std::int64_t> whole_numbers_of(const npy_array& array);

/// Elements first .. first + count in the order in which they lie in the file. Throws error(bad_input) when an
/// imaginary part that Value cannot hold is not 0, and when no double equals an integer, unless those may be
/// rounded.
template <value Value>
[[nodiscard]] buffer<Value> values_of(const npy_array& array, std::int64_t first, std::int64_t count,
                                      const read_options& options);
/// All elements.
template <value Value> [[nodiscard]] buffer<Value> values_of(const npy_array& array, const read_options& options) {
  return values_of<Value>(array, 0, array.count, options);
}

/// The header of a one- or zero-dimensional array of `descr` elements ("<f8"), of at least `least` bytes.
[[nodiscard]] std::string npy_header(std::string_view descr, std::string_view shape, std::size_t least = 0);

/// What NumPy calls T on this machine: "<f8", "<i4".
template <class T> [[nodiscard]] std::string npy_descr() {
  constexpr char order = std::endian::native == std::endian::little ? '<' : '>';
  if constexpr (std::is_integral_v<T>)
    return text(order, 'i', sizeof(T));
  else
    return text(order, is_complex<T> ? 'c' : 'f', sizeof(T));
}

}  // namespace lacis::detail
