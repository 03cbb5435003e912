// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// NumPy arrays as lacis reads them: borrowed through the buffer protocol, never copied.
#pragma once

#include <cstdint>
#include <nanobind/nanobind.h>

#include <lacis/lacis.h>

namespace lacis_python {

namespace nb = nanobind;

/// What an array holds. The first four are lacis_type; `other` is everything that lacis does not compute with.
enum class element : int { float32 = 0, float64 = 1, complex64 = 2, complex128 = 3, int32 = 4, int64 = 5, other = 6 };

[[nodiscard]] inline bool is_value(element e) { return static_cast<int>(e) < 4; }
[[nodiscard]] inline bool is_index(element e) { return e == element::int32 || e == element::int64; }
[[nodiscard]] inline lacis_type type_of(element e) { return static_cast<lacis_type>(e); }
[[nodiscard]] inline element element_of(lacis_type type) { return static_cast<element>(type); }
[[nodiscard]] std::int64_t bytes_of(element e);

/// An array of another owner, open while this object lives. Made and destroyed with the GIL held; its memory may be
/// read without.
class array {
 public:
  array() = default;
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { close(); }

  /// False where the object has no buffer (or, if `writable`, only one that must not be written); no exception is set.
  [[nodiscard]] bool open(nb::handle object, bool writable = false);

  [[nodiscard]] element kind() const { return kind_; }
  [[nodiscard]] int dimensions() const { return view_.ndim; }
  [[nodiscard]] std::int64_t extent(int axis) const { return view_.shape[axis]; }
  /// In elements; meaningful where strides_fit().
  [[nodiscard]] std::int64_t stride(int axis) const { return view_.strides[axis] / view_.itemsize; }
  [[nodiscard]] std::int64_t size() const { return view_.itemsize == 0 ? 0 : view_.len / view_.itemsize; }
  [[nodiscard]] void* data() const { return view_.buf; }
  /// One dimension, one element after the other, aligned.
  [[nodiscard]] bool is_vector() const;
  /// Two dimensions, aligned, strides that are multiples of an element.
  [[nodiscard]] bool is_matrix() const;
  /// Element after element in the order of C, or of Fortran.
  [[nodiscard]] bool is_c_contiguous() const { return PyBuffer_IsContiguous(&view_, 'C') != 0; }
  [[nodiscard]] bool is_f_contiguous() const { return PyBuffer_IsContiguous(&view_, 'F') != 0; }

 private:
  void close();
  [[nodiscard]] bool aligned() const;

  Py_buffer view_ = {};
  bool open_ = false;
  element kind_ = element::other;
};

/// Remembers the functions of NumPy that this module calls.
void use_numpy(nb::handle numpy);
/// numpy.dtype of an element.
[[nodiscard]] nb::object dtype_of(element e);
/// numpy.empty(size, dtype).
[[nodiscard]] nb::object new_vector(element e, std::int64_t size);
/// numpy.empty((rows, cols), dtype, order).
[[nodiscard]] nb::object new_matrix(element e, std::int64_t rows, std::int64_t cols, bool fortran);
/// A new vector with these elements.
[[nodiscard]] nb::object copied_vector(element e, const void* data, std::int64_t size);
/// A NumPy array over memory that `owner` keeps alive.
[[nodiscard]] nb::object wrap_vector(element e, const void* data, std::int64_t size, nb::handle owner);

/// A sparse matrix in arrays of Python: (format, rows, cols, indptr, indices, data); format 0 is CSR, 1 is CSC.
struct matrix {
  lacis_view view = LACIS_INIT(lacis_view);
  array offsets, indices, values;

  /// False where the arrays are not of a kind that lacis reads as they are. Throws TypeError where `parts` is no such
  /// tuple.
  [[nodiscard]] bool open(nb::handle parts);
  /// The same, but throws.
  void require(nb::handle parts);
  /// The transpose of it, in the same arrays.
  void flip();
};

/// The number of threads that threads=None stands for; 0: as many as OpenMP gives.
[[nodiscard]] int default_threads();

}  // namespace lacis_python
