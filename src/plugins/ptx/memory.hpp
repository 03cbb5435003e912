// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory of the device: arrays, and for every word who touched it last in this launch.
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>

#include "ptx/clocks.hpp"

namespace lacis::ptx {

/// Four bytes. Of several threads that read, the last two are remembered.
struct word_state {
  std::uint64_t time = 0;      ///< the launch and the use of the memory that the rest belongs to
  std::uint32_t previous = 0;  ///< the value before the last store
  access write;
  access read;
  access earlier_read;
};

/// An array of the device, or the shared memory of a block.
class storage {
 public:
  explicit storage(std::size_t bytes);

  [[nodiscard]] char* begin() { return memory_.get(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] bool contains(const char* at, std::size_t bytes) const {
    return at >= memory_.get() && offset_of(at) <= bytes_ && bytes <= bytes_ - offset_of(at);
  }

  /// Forgets contents and accesses, as new memory. Records of accesses stay where they are, and are out of date.
  void clear();
  void mark_filled(const char* at, std::size_t bytes) { std::memset(filled_.data() + offset_of(at), 1, bytes); }
  [[nodiscard]] bool is_filled(const char* at, std::size_t bytes) const {
    const std::uint8_t* const begin = filled_.data() + offset_of(at);
    std::uint8_t all = 1;
    for (std::size_t k = 0; k < bytes; ++k) all &= begin[k];
    return all != 0;
  }
  void copy_filled(const char* to, const storage& from, const char* begin, std::size_t bytes);
  /// The word that the byte lies in, in this launch.
  [[nodiscard]] word_state& word_of(const char* at, std::uint32_t launch) {
    if (words_.empty()) words_.resize(bytes_ / 4 + 1);
    word_state& word = words_[offset_of(at) / 4];
    const std::uint64_t now = std::uint64_t{uses_} << 32 | launch;
    if (word.time != now) {
      word = {};
      word.time = now;
    }
    return word;
  }

 private:
  [[nodiscard]] std::size_t offset_of(const char* at) const { return static_cast<std::size_t>(at - memory_.get()); }
  struct free_memory {
    void operator()(char* memory) const;
  };
  std::size_t bytes_;
  std::unique_ptr<char, free_memory> memory_;
  std::vector<std::uint8_t> filled_;  ///< one per byte
  std::vector<word_state> words_;     ///< made when a kernel touches the array
  std::uint32_t uses_ = 0;            ///< how often it was new
};

class device_memory {
 public:
  explicit device_memory(std::size_t bytes) : bytes_(bytes) {}

  /// Null when there is not enough.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// False when it is no array.
  [[nodiscard]] bool release(void* memory);
  /// The array that has these bytes, or null.
  [[nodiscard]] storage* find(const void* at, std::size_t bytes) {
    const char* const begin = static_cast<const char*>(at);
    return last_ != nullptr && last_->contains(begin, bytes) ? last_ : search(begin, bytes);
  }
  [[nodiscard]] std::size_t all_bytes() const { return bytes_; }
  [[nodiscard]] std::size_t free_bytes() const { return bytes_ - used_; }

 private:
  [[nodiscard]] storage* search(const char* begin, std::size_t bytes);

  std::size_t bytes_;
  std::size_t used_ = 0;
  std::map<const char*, storage> arrays_;
  std::multimap<std::size_t, storage> spare_;  ///< released, by size: new pages cost more than what is done with them
  storage* last_ = nullptr;                    ///< that was found
};

}  // namespace lacis::ptx
