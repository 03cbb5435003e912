// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading compressed files, tar archives and zip files through libarchive.
#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <optional>

#include <lacis/error.hpp>

#include "base/interruption.hpp"
#include "base/text.hpp"
#include "io/bytes/archive.hpp"
#include "io/bytes/input_budget.hpp"
#include "io/bytes/source.hpp"

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
  archive_reader(std::string_view bytes, std::string name, const read_options& options)
      : name_(std::move(name)),
        size_(bytes.size()),
        options_(options),
        budget_(input_budget::for_unpacking(options, name_, bytes.size())) {
    if (handle_ == nullptr) throw error(errc::out_of_memory, text(name_, ": no memory to decompress"));
  }
  archive_reader(const archive_reader&) = delete;
  archive_reader& operator=(const archive_reader&) = delete;
  ~archive_reader() { archive_read_free(handle_); }

  /// zstd around a tar archive or around anything, or a tar archive as it is.
  static std::unique_ptr<archive_reader> compressed(std::string_view bytes, const std::string& name,
                                                    const read_options& options) {
    auto reader = std::make_unique<archive_reader>(bytes, name, options);
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

  static std::unique_ptr<archive_reader> zip(std::string_view bytes, const std::string& name,
                                             const read_options& options) {
    auto reader = std::make_unique<archive_reader>(bytes, name, options);
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

  byte_store content() {
    const progress& report = options_.progress;
    byte_store bytes;
    const stop_check stop;
    std::int64_t told = 0;
    while (true) {
      stop();
      const void* block = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int status = archive_read_data_block(handle_, &block, &size, &offset);
      if (status == ARCHIVE_EOF) return bytes;
      if (status != ARCHIVE_OK) damaged();
      // A sparse member would be filled with zeros that the archive does not hold.
      if (offset != static_cast<la_int64_t>(bytes.text().size()))
        throw error(errc::bad_input, text(name_, ": ", member_, ": is stored with holes; extract it with tar first"));
      budget_.take(size);
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
  const read_options& options_;
  input_budget budget_;  ///< for the content of all members together
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
                         const read_options& options) {
  const std::string wanted = text(archive_stem(name), ".mtx");
  constexpr std::int64_t listed = 12;
  constexpr std::size_t longest = 100;
  std::string candidate;
  std::string found_at;  // the member of that name
  byte_store found;
  std::string list;
  std::int64_t candidates = 0;
  std::int64_t members = 0;
  do {
    if (!reader->is_file()) continue;
    if (file_name(reader->member()) == wanted) {
      if (!found_at.empty())
        throw error(errc::bad_input, text(name, ": two members of this archive are named ", wanted, ": ", found_at,
                                          " and ", reader->member(), "; extract the one you want"));
      found_at = reader->member();
      found = reader->content();
    }
    if (members < listed) list += text(members == 0 ? "" : ", ", reader->member().substr(0, longest));
    ++members;
    if (reader->member().ends_with(".mtx") && candidates++ == 0) candidate = reader->member();
  } while (reader->next());
  if (!found_at.empty()) return found;

  if (candidates != 1) {
    if (members > listed) list += text(", and ", members - listed, " more");
    throw error(errc::bad_input, text(name, ": no member of this archive is named ", wanted, ", and ",
                                      candidates == 0 ? "none ends in .mtx" : "several end in .mtx",
                                      "; extract the one you want. Members: ", members == 0 ? "none" : list));
  }
  reader = archive_reader::compressed(bytes, name, options);
  while (reader->next())
    if (reader->is_file() && reader->member() == candidate) return reader->content();
  throw error(errc::bad_input, text(name, ": changed while it was read"));
}

}  // namespace

byte_store decompress(std::string_view bytes, const std::string& name, const read_options& options) {
  if (is_gzip(bytes)) {
    byte_store inflated = gunzip(bytes, name, options);
    if (!is_archive(inflated.text())) return inflated;
    if (!is_tar(inflated.text())) refuse_two_layers(name);
    return decompress(inflated.text(), name, options);
  }
  auto reader = archive_reader::compressed(bytes, name, options);
  if (!reader->next()) return {};
  if (reader->is_tar()) return pick_from_tar(std::move(reader), bytes, name, options);
  return reader->content();
}

std::vector<zip_member> read_zip(std::string_view bytes, const std::string& name,
                                 const std::function<bool(std::string_view member)>& wanted,
                                 const read_options& options) {
  const auto reader = archive_reader::zip(bytes, name, options);
  std::vector<zip_member> members;
  while (reader->next()) {
    members.push_back({reader->member(), {}});
    if (wanted(reader->member())) members.back().content = reader->content();
  }
  return members;
}

}  // namespace lacis::detail
