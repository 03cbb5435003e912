// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arrays through the buffer protocol: about 0.1 us per array, and every NumPy array has it.
#include "arrays.hpp"

#include <complex>
#include <cstring>
#include <nanobind/ndarray.h>

#include "errors.hpp"

namespace lacis_python {

namespace {

element element_from(const char* format, Py_ssize_t bytes) {
  if (format == nullptr) return element::other;
  // Byte order: native, or little-endian on a machine that is. Other orders are converted by the caller.
  if (*format == '@' || *format == '=' || *format == '<' || *format == '^') ++format;
  if (std::strcmp(format, "d") == 0 && bytes == 8) return element::float64;
  if (std::strcmp(format, "f") == 0 && bytes == 4) return element::float32;
  if (std::strcmp(format, "Zd") == 0 && bytes == 16) return element::complex128;
  if (std::strcmp(format, "Zf") == 0 && bytes == 8) return element::complex64;
  if (std::strcmp(format, "i") == 0 || std::strcmp(format, "l") == 0 || std::strcmp(format, "q") == 0) {
    return bytes == 4 ? element::int32 : bytes == 8 ? element::int64 : element::other;
  }
  return element::other;
}

// Never freed: they live as long as the interpreter does.
PyObject* numpy_empty = nullptr;
PyObject* numpy_dtypes[6] = {};
PyObject* fortran_order = nullptr;

}  // namespace

std::int64_t bytes_of(element e) {
  static constexpr std::int64_t bytes[] = {4, 8, 8, 16, 4, 8, 0};
  return bytes[static_cast<int>(e)];
}

bool array::open(nb::handle object, bool writable) {
  close();
  if (PyObject_GetBuffer(object.ptr(), &view_, writable ? PyBUF_RECORDS : PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    view_ = {};
    return false;
  }
  open_ = true;
  kind_ = element_from(view_.format, view_.itemsize);
  return true;
}

void array::close() {
  if (open_) PyBuffer_Release(&view_);
  open_ = false;
}

bool array::aligned() const {
  const auto bytes = static_cast<std::uintptr_t>(view_.itemsize);
  const std::uintptr_t unit = kind_ == element::complex64 || kind_ == element::complex128 ? bytes / 2 : bytes;
  return unit == 0 || reinterpret_cast<std::uintptr_t>(view_.buf) % unit == 0;
}

bool array::is_vector() const {
  return open_ && view_.ndim == 1 && aligned() && (view_.shape[0] <= 1 || view_.strides[0] == view_.itemsize);
}

bool array::is_matrix() const {
  return open_ && view_.ndim == 2 && aligned() && view_.strides[0] % view_.itemsize == 0 &&
         view_.strides[1] % view_.itemsize == 0;
}

void use_numpy(nb::handle numpy) {
  static constexpr const char* names[] = {"float32", "float64", "complex64", "complex128", "int32", "int64"};
  numpy_empty = numpy.attr("empty").inc_ref().ptr();
  for (int i = 0; i < 6; ++i) numpy_dtypes[i] = numpy.attr("dtype")(names[i]).inc_ref().ptr();
  fortran_order = nb::str("F").inc_ref().ptr();
}

nb::object dtype_of(element e) { return nb::borrow(numpy_dtypes[static_cast<int>(e)]); }

nb::object new_vector(element e, std::int64_t size) {
  PyObject* length = PyLong_FromLongLong(size);
  if (length == nullptr) throw nb::python_error();
  PyObject* arguments[2] = {length, numpy_dtypes[static_cast<int>(e)]};
  PyObject* made = PyObject_Vectorcall(numpy_empty, arguments, 2, nullptr);
  Py_DECREF(length);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object copied_vector(element e, const void* data, std::int64_t size) {
  nb::object made = new_vector(e, size);
  array filled;
  if (!filled.open(made, true)) throw nb::type_error("numpy.empty gave no array");
  if (size != 0) std::memcpy(filled.data(), data, static_cast<std::size_t>(size * bytes_of(e)));
  return made;
}

nb::object new_matrix(element e, std::int64_t rows, std::int64_t cols, bool fortran) {
  const nb::tuple shape = nb::make_tuple(rows, cols);
  PyObject* arguments[3] = {shape.ptr(), numpy_dtypes[static_cast<int>(e)], fortran_order};
  PyObject* made = PyObject_Vectorcall(numpy_empty, arguments, fortran ? 3 : 2, nullptr);
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

namespace {
template <class T> nb::object wrap(const void* data, std::int64_t size, nb::handle owner) {
  const auto length = static_cast<std::size_t>(size);
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(const_cast<void*>(data), {length}, owner));
}
}  // namespace

nb::object wrap_vector(element e, const void* data, std::int64_t size, nb::handle owner) {
  if (size == 0 || data == nullptr) return new_vector(e, 0);
  switch (e) {
    case element::float32:
      return wrap<float>(data, size, owner);
    case element::float64:
      return wrap<double>(data, size, owner);
    case element::complex64:
      return wrap<std::complex<float>>(data, size, owner);
    case element::complex128:
      return wrap<std::complex<double>>(data, size, owner);
    case element::int32:
      return wrap<std::int32_t>(data, size, owner);
    default:
      return wrap<std::int64_t>(data, size, owner);
  }
}

bool matrix::open(nb::handle parts) {
  if (!PyTuple_Check(parts.ptr()) || PyTuple_Size(parts.ptr()) != 6) {
    throw nb::type_error("a matrix is the tuple (format, rows, cols, indptr, indices, data)");
  }
  const auto part = [&](int i) { return nb::handle(PyTuple_GetItem(parts.ptr(), i)); };
  const auto number = [&](int i) {
    const long long value = PyLong_AsLongLong(part(i).ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return static_cast<std::int64_t>(value);
  };
  view.format = number(0) == 0 ? LACIS_CSR : LACIS_CSC;
  view.rows = number(1);
  view.cols = number(2);
  if (!offsets.open(part(3)) || !indices.open(part(4)) || !values.open(part(5))) return false;
  if (!offsets.is_vector() || !indices.is_vector() || !values.is_vector()) return false;
  if (!is_index(offsets.kind()) || !is_index(indices.kind()) || !is_value(values.kind())) return false;
  const std::int64_t ranges = view.format == LACIS_CSR ? view.rows : view.cols;
  if (view.rows < 0 || view.cols < 0 || offsets.size() != ranges + 1) {
    raise(LACIS_INVALID_MATRIX, "indptr has " + std::to_string(offsets.size()) + " elements; a matrix of " +
                                    std::to_string(view.rows) + " x " + std::to_string(view.cols) +
                                    " in this format needs " + std::to_string(ranges + 1));
  }
  view.offset_bits = offsets.kind() == element::int32 ? 32 : 64;
  view.index_bits = indices.kind() == element::int32 ? 32 : 64;
  view.type = type_of(values.kind());
  // SciPy's arrays may be longer than what they hold: the last offset is the number of entries.
  view.nnz = view.offset_bits == 32 ? static_cast<const std::int32_t*>(offsets.data())[ranges]
                                    : static_cast<const std::int64_t*>(offsets.data())[ranges];
  if (view.nnz < 0 || view.nnz > indices.size() || view.nnz > values.size()) {
    raise(LACIS_INVALID_MATRIX, "indptr ends with " + std::to_string(view.nnz) + ", but there are " +
                                    std::to_string(indices.size()) + " indices and " + std::to_string(values.size()) +
                                    " values; the last offset must be the number of entries");
  }
  view.offsets = offsets.data();
  view.indices = indices.data();
  view.values = values.data();
  return true;
}

void matrix::require(nb::handle parts) {
  if (!open(parts)) {
    throw nb::type_error(
        "indptr and indices must be contiguous int32 or int64 arrays, data a contiguous array of float32, float64, "
        "complex64 "
        "or complex128, all in native byte order");
  }
}

void matrix::flip() {
  view.format = view.format == LACIS_CSR ? LACIS_CSC : LACIS_CSR;
  std::swap(view.rows, view.cols);
}

}  // namespace lacis_python
