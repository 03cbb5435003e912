// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Writing compressed files and zip files through libarchive.
#include <archive.h>
#include <archive_entry.h>
#include <ctime>
#include <exception>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "io/bytes/archive.hpp"

namespace lacis::detail {
namespace {

/// On coordinates in text, deflate at level 4 takes a third of the time of its default, 6, and 3 % more space.
constexpr const char* deflate_level = "4";

/// An archive that is being written. Its bytes leave through a callback of C, which no exception may cross: the first
/// one is kept and thrown by the call that met it. libarchive itself is never told of a failure, because it does not
/// release everything after one; what it still writes is dropped.
class archive_writer {
 public:
  explicit archive_writer(byte_writer out) : out_(std::move(out)) {
    if (handle_ == nullptr) throw error(errc::out_of_memory, "no memory to compress");
  }
  archive_writer(const archive_writer&) = delete;
  archive_writer& operator=(const archive_writer&) = delete;
  ~archive_writer() {
    dropping_ = true;
    archive_write_free(handle_);
  }

  [[nodiscard]] archive* handle() const { return handle_; }

  void check(la_ssize_t status) {
    if (failure_) std::rethrow_exception(failure_);
    if (status >= ARCHIVE_OK) return;
    const char* reason = archive_error_string(handle_);
    throw error(errc::io, text("compression failed: ", reason == nullptr ? "no reason given" : reason));
  }

  void open() {
    check(archive_write_set_bytes_per_block(handle_, 0));
    check(archive_write_open2(handle_, this, nullptr, &archive_writer::write, nullptr, nullptr));
  }

  void begin(const char* member, const std::int64_t* size) {
    archive_entry* entry = archive_entry_new();
    if (entry == nullptr) throw error(errc::out_of_memory, "no memory to compress");
    archive_entry_set_pathname(entry, member);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    if (size != nullptr) archive_entry_set_size(entry, *size);
    // The first moment a zip file can tell: equal matrices make equal files.
    constexpr time_t january_1980 = 315532800;
    if (size != nullptr) archive_entry_set_mtime(entry, january_1980, 0);
    const int status = archive_write_header(handle_, entry);
    archive_entry_free(entry);
    check(status);
  }

  void put(std::string_view bytes) {
    while (!bytes.empty()) {
      const la_ssize_t count = archive_write_data(handle_, bytes.data(), bytes.size());
      check(count);
      if (count <= 0) throw error(errc::io, "compression failed: more bytes than were announced");
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void finish() { check(archive_write_close(handle_)); }

 private:
  static la_ssize_t write(archive*, void* self, const void* data, std::size_t size) {
    auto& writer = *static_cast<archive_writer*>(self);
    try {
      if (!writer.dropping_) writer.out_({static_cast<const char*>(data), size});
    } catch (...) {
      writer.failure_ = std::current_exception();
      writer.dropping_ = true;
    }
    return static_cast<la_ssize_t>(size);
  }

  byte_writer out_;
  archive* handle_ = archive_write_new();
  bool dropping_ = false;
  std::exception_ptr failure_;
};

}  // namespace

struct compressor::state : archive_writer {
  using archive_writer::archive_writer;
};

compressor::compressor(compression method, byte_writer out) : state_(std::make_unique<state>(std::move(out))) {
  archive* handle = state_->handle();
  if (method == compression::gzip) {
    state_->check(archive_write_add_filter_gzip(handle));
    state_->check(archive_write_set_filter_option(handle, "gzip", "timestamp", nullptr));
    state_->check(archive_write_set_filter_option(handle, "gzip", "compression-level", deflate_level));
  } else if (method == compression::zstd) {
    state_->check(archive_write_add_filter_zstd(handle));
  }
  state_->check(archive_write_set_format_raw(handle));
  state_->open();
  state_->begin("data", nullptr);
}
compressor::~compressor() = default;
void compressor::put(std::string_view bytes) { state_->put(bytes); }
void compressor::finish() { state_->finish(); }

struct zip_writer::state : archive_writer {
  using archive_writer::archive_writer;
};

zip_writer::zip_writer(byte_writer out) : state_(std::make_unique<state>(std::move(out))) {
  state_->check(archive_write_set_format_zip(state_->handle()));
  state_->check(archive_write_set_format_option(state_->handle(), "zip", "compression", "deflate"));
  state_->check(archive_write_set_format_option(state_->handle(), "zip", "compression-level", deflate_level));
  state_->open();
}
zip_writer::~zip_writer() = default;
void zip_writer::begin(const std::string& member, std::int64_t size) { state_->begin(member.c_str(), &size); }
void zip_writer::put(std::string_view bytes) { state_->put(bytes); }
void zip_writer::finish() { state_->finish(); }

}  // namespace lacis::detail
