// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading compressed files, tar archives and zip files through libarchive.
#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <optional>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "io/archive.hpp"
#include "io/source.hpp"

namespace lacis::detail {
namespace {

/// libarchive's input is fed in pieces of this size, so that progress can be told and cancelled between them.
constexpr std::size_t piece = std::size_t{1} << 20;

[[noreturn]] void refuse_two_layers(const std::string& name) {
  throw error(errc::bad_input, text(name, ": compressed more than once; decompress it once and try again"));
}

/// An open archive, positioned before its first member.
class archive_reader {
 public:
  archive_reader(std::string_view bytes, std::string name) : name_(std::move(name)), size_(bytes.size()) {
    if (handle_ == nullptr) throw error(errc::out_of_memory, text(name_, ": no memory to decompress"));
  }
  archive_reader(const archive_reader&) = delete;
  archive_reader& operator=(const archive_reader&) = delete;
  ~archive_reader() { archive_read_free(handle_); }

  /// zstd around a tar archive or around anything, or a tar archive as it is.
  static std::unique_ptr<archive_reader> compressed(std::string_view bytes, const std::string& name) {
    auto reader = std::make_unique<archive_reader>(bytes, name);
    archive_read_support_filter_gzip(reader->handle_);  // only to notice a second layer
    archive_read_support_filter_zstd(reader->handle_);
    archive_read_support_format_tar(reader->handle_);
    archive_read_support_format_raw(reader->handle_);
    archive_read_support_format_empty(reader->handle_);
    reader->open(archive_read_open_memory2(reader->handle_, bytes.data(), bytes.size(), piece));
    // libarchive peels every layer it finds; its own bottom layer counts as one.
    if (archive_filter_count(reader->handle_) > 2) refuse_two_layers(name);
    return reader;
  }

  static std::unique_ptr<archive_reader> zip(std::string_view bytes, const std::string& name) {
    auto reader = std::make_unique<archive_reader>(bytes, name);
    archive_read_support_format_zip_seekable(reader->handle_);
    reader->open(archive_read_open_memory(reader->handle_, bytes.data(), bytes.size()));
    return reader;
  }

  /// Steps to the next member; false at the end.
  bool next() {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(handle_, &entry);
    if (status == ARCHIVE_EOF) return false;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) damaged();
    const char* path = archive_entry_pathname_utf8(entry);
    if (path == nullptr) path = archive_entry_pathname(entry);
    member_ = path == nullptr ? "" : path;
    regular_ = archive_entry_filetype(entry) == AE_IFREG;
    return true;
  }
  [[nodiscard]] const std::string& member() const { return member_; }
  [[nodiscard]] bool is_file() const { return regular_; }
  [[nodiscard]] bool is_tar() const {
    return (archive_format(handle_) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
  }

  byte_store content(const progress& report) {
    byte_store bytes;
    std::int64_t told = 0;
    while (true) {
      const void* block = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int status = archive_read_data_block(handle_, &block, &size, &offset);
      if (status == ARCHIVE_EOF) return bytes;
      if (status != ARCHIVE_OK) damaged();
      // A sparse member would be filled with zeros that the archive does not hold.
      if (offset != static_cast<la_int64_t>(bytes.text().size()))
        throw error(errc::bad_input, text(name_, ": ", member_, ": is stored with holes; extract it with tar first"));
      bytes.append({static_cast<const char*>(block), size});
      const auto consumed = archive_filter_bytes(handle_, -1);
      if (report && consumed - told >= static_cast<std::int64_t>(piece)) {
        told = consumed;
        report("decompressing", static_cast<double>(consumed) / static_cast<double>(size_));
      }
    }
  }

 private:
  void open(int status) const {
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) damaged();
  }
  [[noreturn]] void damaged() const {
    const char* reason = archive_error_string(handle_);
    throw error(errc::bad_input,
                text(name_, member_.empty() ? "" : ": ", member_, ": damaged archive or compressed data (",
                     reason == nullptr ? "no reason given" : reason, "); get the file again"));
  }

  std::string name_;
  std::size_t size_;
  archive* handle_ = archive_read_new();
  std::string member_;
  bool regular_ = false;
};

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// The archive's name without what follows its first dot-separated archive ending: bcsstk01.tar.gz is bcsstk01.
std::string_view archive_stem(std::string_view path) {
  std::string_view stem = file_name(path);
  for (const std::string_view ending : {".gz", ".zst", ".tgz", ".tar"})
    if (stem.ends_with(ending)) stem.remove_suffix(ending.size());
  return stem;
}

byte_store pick_from_tar(std::unique_ptr<archive_reader> reader, std::string_view bytes, const std::string& name,
                         const progress& report) {
  const std::string wanted = text(archive_stem(name), ".mtx");
  std::vector<std::string> candidates;
  std::vector<std::string> members;
  do {
    if (!reader->is_file()) continue;
    if (file_name(reader->member()) == wanted) return reader->content(report);
    members.push_back(reader->member());
    if (reader->member().ends_with(".mtx")) candidates.push_back(reader->member());
  } while (reader->next());

  if (candidates.size() != 1) {
    constexpr std::size_t listed = 12;
    std::string list;
    for (std::size_t i = 0; i < std::min(members.size(), listed); ++i) list += text(i == 0 ? "" : ", ", members[i]);
    if (members.size() > listed) list += text(", and ", members.size() - listed, " more");
    throw error(errc::bad_input, text(name, ": no member of this archive is named ", wanted, ", and ",
                                      candidates.empty() ? "none ends in .mtx" : "several end in .mtx",
                                      "; extract the one you want. Members: ", members.empty() ? "none" : list));
  }
  reader = archive_reader::compressed(bytes, name);
  while (reader->next())
    if (reader->is_file() && reader->member() == candidates.front()) return reader->content(report);
  throw error(errc::bad_input, text(name, ": changed while it was read"));
}

}  // namespace

byte_store decompress(std::string_view bytes, const std::string& name, const progress& report) {
  if (is_gzip(bytes)) {
    byte_store inflated = gunzip(bytes, name, report);
    if (!is_archive(inflated.text())) return inflated;
    if (!is_tar(inflated.text())) refuse_two_layers(name);
    return decompress(inflated.text(), name, report);
  }
  auto reader = archive_reader::compressed(bytes, name);
  if (!reader->next()) return {};
  if (reader->is_tar()) return pick_from_tar(std::move(reader), bytes, name, report);
  return reader->content(report);
}

std::vector<zip_member> read_zip(std::string_view bytes, const std::string& name,
                                 const std::function<bool(std::string_view member)>& wanted, const progress& report) {
  const auto reader = archive_reader::zip(bytes, name);
  std::vector<zip_member> members;
  while (reader->next()) {
    members.push_back({reader->member(), {}});
    if (wanted(reader->member())) members.back().content = reader->content(report);
  }
  return members;
}

}  // namespace lacis::detail
