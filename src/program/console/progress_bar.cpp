// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Progress on standard error.
#include "console/progress_bar.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

#include "console/interrupt.hpp"
#include "plot/bars.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using namespace std::chrono_literals;

// Short work shows no bar at all.
constexpr auto patience = 300ms;
constexpr auto refresh = 100ms;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

void write_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_line(std::string_view stage, double share, double seconds, std::int64_t bytes,
                          const terminal& where) {
  const double done = std::clamp(share, 0.0, 1.0);
  const std::string percent = std::to_string(static_cast<int>(done * 100)) + " %";
  std::string rate;
  std::string left;
  if (seconds > 0 && done > 0) {
    const double speed = done / seconds;
    rate = bytes > 0 ? plot::bytes_text(speed * static_cast<double>(bytes)) + "/s" : plot::percent(speed) + "/s";
    left = plot::duration_text(std::max(1.0, std::ceil((1 - done) / speed))) + " left";
  }
  const std::string after = ' ' + pad_left(percent, 5) + pad_left(rate, 15) + pad_left(left, 18);
  const std::string before = pad_right(stage, 12) + ' ';
  const int room = where.columns - 1 - static_cast<int>(columns_of(before) + columns_of(after)) - 2;
  if (room < 5) return (before + percent).substr(0, static_cast<std::size_t>(where.columns - 1));
  const std::string_view open = where.unicode ? "▕" : "[";
  const std::string_view close = where.unicode ? "▏" : "]";
  std::string line = before;
  line += open;
  line += plot::padded_bar(done, std::min(room, 40), where.unicode);
  line += close;
  return line + after;
}

progress_bar::progress_bar(bool quiet, std::int64_t bytes)
    : where_(terminal_of(STDERR_FILENO)), wanted_(where_.rewrites && !quiet), bytes_(bytes), began_(clock::now()) {}

progress_bar::~progress_bar() {
  if (visible_) write_error("\r\x1b[K");
}

progress progress_bar::callback() {
  return [this](std::string_view stage, double share) {
    throw_if_interrupted();
    if (wanted_) show(stage, share);
  };
}

void progress_bar::announce(std::string_view stage) {
  throw_if_interrupted();
  if (!wanted_) return;
  visible_ = true;
  write_error("\r" + std::string(stage) + (where_.unicode ? " …" : " ...") + "\x1b[K");
}

void progress_bar::show(std::string_view stage, double share) {
  const auto now = clock::now();
  const bool is_new = stage != stage_;
  if (is_new) {
    stage_ = stage;
    stage_began_ = now;
  }
  if (now - began_ < patience || (visible_ && !is_new && now - shown_ < refresh)) return;
  shown_ = now;
  visible_ = true;
  write_error("\r" + progress_line(stage, share, seconds_between(stage_began_, now), bytes_, where_) + "\x1b[K");
}

}  // namespace lacis::app
