// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// States of a solver: a header, what every process knows, then the vectors, found again by their number and their sum.
#include "solve/checkpoint.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace lacis::solver {
namespace {

constexpr std::uint64_t magic = 0x33307473636c'0a0du;
constexpr std::int64_t word = 8;

struct header {
  std::uint64_t magic;
  std::uint64_t system;
  std::int64_t saved;
  std::int64_t iteration;
  std::int64_t history;  ///< how many residuals follow
  std::int64_t numbers;  ///< and bytes of numbers, and of vectors, each up to a multiple of a word
  std::int64_t vectors;
  std::uint64_t sum;  ///< of all words of the file but itself
};

std::int64_t whole_words(std::int64_t bytes) { return (bytes + word - 1) / word * word; }

/// A sum over words that depends on where each stands; the sums of parts add up, so threads and processes share it. An
/// incomplete last word is filled with zeros.
std::uint64_t sum_of(std::string_view bytes, std::int64_t first_word) {
  std::atomic<std::uint64_t> all = 0;
  const auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  };
  const auto words = (static_cast<std::int64_t>(bytes.size()) + word - 1) / word;
  detail::parallel_ranges(words, [&](std::int64_t begin, std::int64_t end) {
    std::uint64_t sum = 0;
    for (std::int64_t k = begin; k < end; ++k) {
      const auto at = static_cast<std::size_t>(k * word);
      std::uint64_t content = 0;
      std::memcpy(&content, bytes.data() + at, std::min<std::size_t>(word, bytes.size() - at));
      sum += mix(content + mix(static_cast<std::uint64_t>(first_word + k) + 0x9e3779b97f4a7c15u));
    }
    all += sum;
  });
  return all;
}

/// The header's part of the sum: words in front of the others, itself left out.
std::uint64_t sum_of_head(header head) {
  head.sum = 0;
  constexpr auto words = static_cast<std::int64_t>(sizeof(header)) / word;
  return sum_of({reinterpret_cast<const char*>(&head), sizeof(header)}, -words);
}

std::string name_of_file(std::int64_t number) { return detail::text("state-", number % 2, ".lacis"); }

template <class U> std::string_view bytes_of(std::span<const U> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

struct checkpoint::found {
  header head{};
  std::string known;  ///< history and numbers
};

checkpoint::checkpoint(std::unique_ptr<state_files> files, std::uint64_t system)
    : files_(std::move(files)), system_(system) {
  files_->make_directory();
}

std::optional<checkpoint::found> checkpoint::examine(std::int64_t number) {
  const std::string name = name_of_file(number);
  const std::int64_t size = files_->size_of(name);
  constexpr auto of_head = static_cast<std::int64_t>(sizeof(header));
  if (size < of_head) return std::nullopt;
  found one;
  files_->read_same(name, 0, {reinterpret_cast<char*>(&one.head), sizeof(header)});
  const header& head = one.head;
  if (head.magic != magic || head.system != system_) return std::nullopt;
  constexpr std::int64_t most = std::int64_t{1} << 60;
  if (head.saved < 0 || head.saved > most || head.iteration < 0 || head.iteration != head.history) return std::nullopt;
  const std::int64_t body = size - of_head;
  if (head.history < 0 || head.history > body / word || head.numbers < 0 || head.numbers > body || head.vectors < 0 ||
      head.vectors != body - whole_words(head.numbers) - head.history * word)
    return std::nullopt;
  // Each process looks at its share of the words.
  const std::int64_t begin = detail::even_cut(body / word, files_->process(), files_->processes()) * word;
  const std::int64_t end = detail::even_cut(body / word, files_->process() + 1, files_->processes()) * word;
  std::uint64_t sum = 0;
  std::string piece;
  constexpr std::int64_t at_once = std::int64_t{1} << 26;
  for (std::int64_t at = begin; at < end; at += at_once) {
    piece.resize(static_cast<std::size_t>(std::min(at_once, end - at)));
    files_->read_own(name, of_head + at, piece);
    sum += sum_of(piece, at / word);
  }
  if (files_->sum_of_all(sum) + sum_of_head(head) != head.sum) return std::nullopt;
  one.known.resize(static_cast<std::size_t>(head.history * word + head.numbers));
  files_->read_same(name, of_head, one.known);
  return one;
}

std::optional<solver_state> checkpoint::newest() {
  std::optional<solver_state> best;
  for (std::int64_t number = 0; number < 2; ++number) {
    const auto one = examine(number);
    if (!one || (best && one->head.saved < saved_)) continue;
    const auto of_history = static_cast<std::size_t>(one->head.history * word);
    best.emplace();
    best->iteration = one->head.iteration;
    best->history.resize(static_cast<std::size_t>(one->head.history));
    std::memcpy(best->history.data(), one->known.data(), of_history);
    best->numbers = one->known.substr(of_history);
    saved_ = one->head.saved;
    reading_ = name_of_file(number);
    end_ = files_->size_of(reading_);
    next_ = end_ - one->head.vectors;
  }
  return best;
}

void checkpoint::read_vector(std::int64_t first, std::int64_t whole, std::span<char> bytes) {
  if (whole_words(whole) > end_ - next_)
    throw error(errc::bad_input, "a checkpoint is shorter than the state that it should hold; remove it");
  files_->read_own(reading_, next_ + first, bytes);
  next_ += whole_words(whole);
}

void checkpoint::save(const solver_state& now) {
  ++saved_;
  std::string known(bytes_of(std::span<const double>(now.history)));
  known += now.numbers;
  header head{magic,
              system_,
              saved_,
              now.iteration,
              static_cast<std::int64_t>(now.history.size()),
              static_cast<std::int64_t>(now.numbers.size()),
              0,
              0};
  const std::int64_t of_known = head.history * word + whole_words(head.numbers);
  known.resize(static_cast<std::size_t>(of_known));
  constexpr auto of_head = static_cast<std::int64_t>(sizeof(header));
  std::vector<file_piece> mine;
  const bool is_first = files_->process() == 0;
  std::uint64_t sum = is_first ? sum_of(known, 0) : 0;
  for (const auto& one : now.vectors) {
    const std::int64_t begin = of_known + head.vectors;
    mine.push_back({of_head + begin + one.first, one.bytes});
    sum += sum_of(one.bytes, (begin + one.first) / word);
    head.vectors += whole_words(one.whole);
  }
  head.sum = files_->sum_of_all(sum) + sum_of_head(head);
  if (is_first) {
    mine.push_back({0, {reinterpret_cast<const char*>(&head), sizeof(head)}});
    mine.push_back({of_head, known});
  }
  files_->write(name_of_file(saved_), of_head + of_known + head.vectors, mine);
}

void checkpoint::remove() {
  for (std::int64_t number = 0; number < 2; ++number)
    if (examine(number)) files_->remove(name_of_file(number));
}

}  // namespace lacis::solver
