// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// States of a solver, written beside and renamed, found again by their number and their sum.
#include "solve/checkpoint.hpp"

#include <cstring>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "io/sink.hpp"
#include "io/source.hpp"

namespace lacis::solver {
namespace {

constexpr std::uint64_t magic = 0x31307473636c'0a0du;

struct header {
  std::uint64_t magic;
  std::uint64_t system;
  std::int64_t saved;
  std::int64_t iteration;
  std::uint64_t history;  ///< how many residuals follow
  std::uint64_t bytes;    ///< and bytes of state
  std::uint64_t sum;      ///< of what follows
};

/// A sum over bytes, FNV-1a a word at a time.
std::uint64_t sum_of(std::string_view bytes, std::uint64_t sum = 0xcbf29ce484222325u) {
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29;
  }
  return sum;
}

std::string_view bytes_of(std::span<const double> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

checkpoint::checkpoint(const std::filesystem::path& directory, std::uint64_t system)
    : directory_(directory), system_(system) {
  std::error_code fault;
  std::filesystem::create_directories(directory, fault);
  if (fault)
    throw error(errc::io, detail::text(directory.string(), ": cannot be made for checkpoints: ", fault.message()));
}

std::filesystem::path checkpoint::file(std::int64_t number) const {
  return directory_ / detail::text("state-", number % 2, ".lacis");
}

std::optional<checkpoint::state> checkpoint::read(std::int64_t number, std::int64_t& saved) const {
  std::error_code fault;
  if (!std::filesystem::is_regular_file(file(number), fault)) return std::nullopt;
  const detail::byte_store all = detail::read_bytes(file(number), file(number).string());
  std::string_view rest = all.text();
  header head{};
  if (rest.size() < sizeof(head)) return std::nullopt;
  std::memcpy(&head, rest.data(), sizeof(head));
  rest.remove_prefix(sizeof(head));
  if (head.magic != magic || head.system != system_ || head.history > rest.size() / sizeof(double)) return std::nullopt;
  const std::size_t of_history = head.history * sizeof(double);
  if (rest.size() - of_history != head.bytes || sum_of(rest) != head.sum) return std::nullopt;
  state found{head.iteration, std::vector<double>(head.history), std::string(rest.substr(of_history))};
  std::memcpy(found.history.data(), rest.data(), of_history);
  saved = head.saved;
  return found;
}

std::optional<checkpoint::state> checkpoint::newest() {
  std::optional<state> best;
  for (std::int64_t number = 0; number < 2; ++number) {
    std::int64_t saved = 0;
    auto one = read(number, saved);
    if (!one || (best && saved < saved_)) continue;
    best = std::move(one);
    saved_ = saved;
  }
  return best;
}

void checkpoint::save(const state& now) {
  ++saved_;
  std::string body(bytes_of(now.history));
  body += now.bytes;
  const header head{magic, system_, saved_, now.iteration, now.history.size(), now.bytes.size(), sum_of(body)};
  detail::sink out(file(saved_), detail::compression::none);
  out.put({reinterpret_cast<const char*>(&head), sizeof(head)});
  out.put(body);
  out.commit();
}

void checkpoint::remove() {
  std::error_code ignored;
  for (std::int64_t number = 0; number < 2; ++number) {
    std::int64_t saved = 0;
    if (read(number, saved)) std::filesystem::remove(file(number), ignored);
  }
}

}  // namespace lacis::solver
