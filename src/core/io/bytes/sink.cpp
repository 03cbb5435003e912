// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Compressing and collecting pieces before they are written.
#include "io/bytes/sink.hpp"

namespace lacis::detail {
namespace {

constexpr std::size_t block = std::size_t{1} << 20;

}  // namespace

sink::sink(const std::filesystem::path& path, compression method) : file_(path) {
  if (method != compression::none) compressor_.emplace(method, [this](std::string_view bytes) { put_raw(bytes); });
}

void sink::put(std::string_view bytes) {
  if (compressor_)
    compressor_->put(bytes);
  else
    put_raw(bytes);
}

void sink::put_raw(std::string_view bytes) {
  if (bytes.size() >= block) {
    flush();
    file_.put(bytes);
    return;
  }
  pending_ += bytes;
  if (pending_.size() >= block) flush();
}

void sink::flush() {
  file_.put(pending_);
  pending_.clear();
}

void sink::commit() {
  if (compressor_) compressor_->finish();
  flush();
  file_.commit();
}

}  // namespace lacis::detail
