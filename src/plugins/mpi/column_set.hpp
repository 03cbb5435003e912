// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A set of columns of a very wide matrix, and the number of each in it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include <lacis/buffer.hpp>

namespace lacis::dist {

/// One bit per column, in pages that exist only where columns are.
class column_set {
 public:
  explicit column_set(std::int64_t columns) : pages_(static_cast<std::size_t>(columns / page_columns + 1)) {}

  void add(std::int64_t column) {
    auto& page = pages_[static_cast<std::size_t>(column / page_columns)];
    if (page == nullptr) page = std::make_unique<columns_of_page>();
    page->words[word_of(column)] |= bit(column);
  }

  /// Numbers the columns in ascending order; nothing may be added after that. Their count.
  std::int64_t number() {
    size_ = 0;
    for (auto& page : pages_) {
      if (page == nullptr) continue;
      page->before = size_;
      std::uint32_t inside = 0;
      for (std::size_t w = 0; w < page->words.size(); ++w) {
        page->inside[w] = inside;
        inside += static_cast<std::uint32_t>(std::popcount(page->words[w]));
      }
      size_ += inside;
    }
    return size_;
  }
  [[nodiscard]] std::int64_t size() const { return size_; }

  /// The number of a column that is in the set.
  [[nodiscard]] std::int64_t number_of(std::int64_t column) const {
    const columns_of_page& page = *pages_[static_cast<std::size_t>(column / page_columns)];
    const std::size_t w = word_of(column);
    return page.before + page.inside[w] + std::popcount(page.words[w] & (bit(column) - 1));
  }

  /// The columns, ascending.
  [[nodiscard]] buffer<std::int64_t> list() const {
    buffer<std::int64_t> all(size_);
    std::int64_t next = 0;
    for (std::size_t p = 0; p < pages_.size(); ++p) {
      if (pages_[p] == nullptr) continue;
      for (std::size_t w = 0; w < pages_[p]->words.size(); ++w)
        for (std::uint64_t rest = pages_[p]->words[w]; rest != 0; rest &= rest - 1)
          all[next++] =
              static_cast<std::int64_t>(p) * page_columns + static_cast<std::int64_t>(w) * 64 + std::countr_zero(rest);
    }
    return all;
  }

 private:
  static constexpr std::int64_t page_columns = std::int64_t{1} << 16;
  struct columns_of_page {
    std::int64_t before = 0;  ///< columns in the pages before
    std::array<std::uint64_t, page_columns / 64> words = {};
    std::array<std::uint32_t, page_columns / 64> inside = {};  ///< columns in the words before
  };

  static std::size_t word_of(std::int64_t column) { return static_cast<std::size_t>(column % page_columns / 64); }
  static std::uint64_t bit(std::int64_t column) { return std::uint64_t{1} << (column % 64); }

  std::vector<std::unique_ptr<columns_of_page>> pages_;
  std::int64_t size_ = 0;
};

}  // namespace lacis::dist
