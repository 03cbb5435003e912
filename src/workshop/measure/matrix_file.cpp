// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Raw arrays in a temporary file.
#include "measure/matrix_file.hpp"

#include <cerrno>
#include <complex>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/statvfs.h>
#include <unistd.h>

#include <lacis/error.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"

namespace lacis::measure {
namespace {

constexpr std::int64_t header_bytes = 4096;
constexpr std::int64_t alignment = 4096;

template <class Value> constexpr const char* numpy_name() {
  if constexpr (is_complex<Value>)
    return sizeof(Value) == 8 ? "complex64" : "complex128";
  else
    return sizeof(Value) == 4 ? "float32" : "float64";
}

bool has_room(const char* folder, std::int64_t bytes) {
  struct statvfs state{};
  return statvfs(folder, &state) == 0 && static_cast<std::int64_t>(state.f_bavail * state.f_frsize) > bytes;
}

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

template <class T> std::int64_t bytes_of(std::span<const T> array) {
  return static_cast<std::int64_t>(array.size_bytes());
}

/// Where each array begins; the last is the end of the file.
template <class Value, class Index> struct places {
  std::int64_t row_offsets = header_bytes;
  std::int64_t columns;
  std::int64_t values;
  std::int64_t x;
  std::int64_t end;
  explicit places(const csr_view<Value, Index>& a)
      : columns(aligned(row_offsets + bytes_of(a.row_offsets))),
        values(aligned(columns + bytes_of(a.columns))),
        x(aligned(values + bytes_of(a.values.data))),
        end(aligned(x + a.cols * static_cast<std::int64_t>(sizeof(Value)))) {}
};

}  // namespace

exchange_file::exchange_file(std::int64_t bytes) {
  const char* memory = "/dev/shm";
  path_ = (has_room(memory, bytes) ? std::filesystem::path(memory) : std::filesystem::temp_directory_path()) /
          "lacis-XXXXXX";
  std::string name = path_.string();
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) throw error(errc::io, detail::text(name, ": cannot be created: ", std::strerror(errno)));
  path_ = name;
}

exchange_file::~exchange_file() {
  close(descriptor_);
  unlink(path_.c_str());
}

void exchange_file::write(std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0)
      throw error(errc::io, detail::text(path_.string(), ": cannot be written: ", std::strerror(errno)));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += written;
  }
}

void exchange_file::read(std::span<std::byte> bytes, std::int64_t offset) const {
  while (!bytes.empty()) {
    const ssize_t got = pread(descriptor_, bytes.data(), bytes.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw error(errc::io, path_.string() + ": shorter than expected");
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

template <class Value, class Index> std::int64_t matrix_file_bytes(const csr_view<Value, Index>& a) {
  return places(a).end;
}

template <class Value, class Index>
void write_matrix(exchange_file& file, const csr_view<Value, Index>& a, std::span<const Value> x) {
  const places where(a);
  std::string header = nlohmann::json{
      {"rows", a.rows},
      {"cols", a.cols},
      {"entries", a.nnz()},
      {"value", numpy_name<Value>()},
      {"index", sizeof(Index) == 4 ? "int32" : "int64"},
      {"iso", a.values.iso},
      {"row_offsets", where.row_offsets},
      {"columns", where.columns},
      {"values", where.values},
      {"x", where.x}}.dump();
  header.resize(header_bytes, ' ');
  file.write(0, std::as_bytes(std::span(header)));
  file.write(where.row_offsets, std::as_bytes(a.row_offsets));
  file.write(where.columns, std::as_bytes(a.columns));
  file.write(where.values, std::as_bytes(a.values.data));
  file.write(where.x, std::as_bytes(x));
  const std::byte last{};
  file.write(where.end, std::span(&last, 1));  // so that empty arrays at the end have a place
}

#define LACIS_MATRIX_FILE(Value, Index)                                   \
  template std::int64_t matrix_file_bytes(const csr_view<Value, Index>&); \
  template void write_matrix(exchange_file&, const csr_view<Value, Index>&, std::span<const Value>);
LACIS_FOR_EACH_TYPE(LACIS_MATRIX_FILE)

}  // namespace lacis::measure
