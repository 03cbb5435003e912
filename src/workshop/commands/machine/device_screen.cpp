// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis doctor --device on a terminal, and its figures.
#include <algorithm>
#include <fmt/format.h>

#include "commands/machine/device_report.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using table_row = std::vector<std::string>;

std::string bits_text(const device_time& time, const painter& paint) {
  const std::string word(word_of(time.bits));
  return time.bits == device_bits::differ ? paint.red(word) : word;
}

std::string rate_text(double rate) { return fmt::format("{:.{}f}", rate, rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0); }
std::string milliseconds(double seconds) { return fmt::format("{:.4g}", seconds * 1e3); }
std::string spread_text(const measure::estimate& time) {
  if (time.median == 0) return "-";  // a phase with nothing to do
  return fmt::format("{:.1f} %", 100 * (time.high - time.low) / (2 * time.median));
}

table_row cells_of(const device_subject& subject, const device_time& time, const painter& paint) {
  if (!time.refused.empty()) return {time.name, "-", "-", "-", "-", "-", "-", "", ""};
  const device_figures figures = figures_of(subject, time);
  return {
      time.name,
      bits_text(time, paint),
      milliseconds(figures.seconds.median),
      spread_text(figures.seconds),
      rate_text(figures.gbs),
      fmt::format("{:.0f} %", 100 * figures.share_of_copy.median),
      figures.speed_to_peer ? fmt::format("{:.2f}", figures.speed_to_peer->median) : "-",
      figures.speed_to_thread ? fmt::format("{:.2f}", figures.speed_to_thread->median) : "",
      time.conversion_seconds.empty() ? "" : milliseconds(measure::median_estimate(time.conversion_seconds).median)};
}

table_row cells_of(const std::string& name, const std::vector<double>& seconds, std::int64_t bytes) {
  const measure::estimate time = measure::median_estimate(seconds);
  return {name,
          "",
          milliseconds(time.median),
          spread_text(time),
          bytes > 0 ? rate_text(static_cast<double>(bytes) / time.median * 1e-9) : "",
          "",
          "",
          "",
          ""};
}

/// Cells under their headings, the first column to the left.
std::string table_text(const std::vector<table_row>& table, const painter& paint) {
  std::vector<std::size_t> widths(table.front().size());
  for (const table_row& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  std::string text;
  for (std::size_t k = 0; k < table.size(); ++k) {
    std::string line = "  " + pad_right(table[k][0], widths[0]);
    for (std::size_t i = 1; i < widths.size(); ++i) line += "  " + pad_left(table[k][i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += (k == 0 ? paint.dim(line) : line) + '\n';
  }
  return text;
}

std::string title(const device_subject& subject) {
  if (subject.entries == 0) return fmt::format("{} elements, {}", plot::grouped(subject.rows), subject.value_type);
  return fmt::format("{} rows, {} entries, {}", plot::grouped(subject.rows), plot::grouped(subject.entries),
                     subject.value_type);
}

std::string subject_screen(const device_subject& subject, const terminal& where) {
  const painter paint{where.color};
  const bool products = subject.entries > 0;
  std::vector<table_row> table = {{"", "bits", "ms", "spread", "GB/s", "of copy",
                                   products ? "vs cuSPARSE" : "vs cuBLAS", products ? "vs 1 thread" : "",
                                   products ? "from CSR, ms" : ""}};
  table.push_back(cells_of("copy", subject.copy_seconds, subject.copied_bytes));
  for (const device_time& time : subject.times) table.push_back(cells_of(subject, time, paint));
  for (const device_peer& peer : subject.peers)
    if (peer.refused.empty()) table.push_back(cells_of(peer.name, peer.seconds, 0));
  for (const processor_time& row : subject.processor)
    table.push_back(cells_of("processor, " + row.name, row.seconds, row.bytes));
  std::string text = fmt::format("\n{}  {}\n", paint.bold(subject.name), title(subject)) + table_text(table, paint);
  const auto note = [&](const std::string& words) {
    text += "  " + paint.dim(wrapped(words, 4, static_cast<std::size_t>(where.columns))) + '\n';
  };
  for (const device_time& time : subject.times) {
    if (!time.fault.empty()) text += "  " + paint.red(time.name + ": " + time.fault) + '\n';
    if (!time.refused.empty()) note(fmt::format("{} was left out: {}", time.name, time.refused));
  }
  std::string told;
  for (const device_peer& peer : subject.peers) {
    if (!peer.remark.empty()) note(fmt::format("{}: {}", peer.library, peer.remark));
    if (!peer.refused.empty() && peer.refused != told) note(fmt::format("{} did not run: {}", peer.name, peer.refused));
    told = peer.refused;
  }
  return text;
}

std::string product_screen(const device_sparse_product& product, const painter& paint) {
  std::string text = fmt::format("\n{}  C = A A: {} rows, {} entries, {} products, {} entries of C\n",
                                 paint.bold(product.name), plot::grouped(product.rows), plot::grouped(product.entries),
                                 plot::grouped(product.products), plot::grouped(product.result_entries));
  if (!product.refused.empty()) return text + "  left out: " + product.refused + '\n';
  std::vector<table_row> table = {{"", "bits", "ms", "spread", "million products/s"}};
  const auto add = [&](const std::string& name, const std::string& bits, const std::vector<double>& seconds,
                       bool rate) {
    const measure::estimate time = measure::median_estimate(seconds);
    table.push_back({name, bits, milliseconds(time.median), spread_text(time),
                     rate ? rate_text(static_cast<double>(product.products) / time.median * 1e-6) : ""});
  };
  add("device", product.bits == device_bits::differ ? paint.red("differ") : "ok", product.seconds, true);
  for (const auto& [phase, seconds] : product.phases) add("  " + phase, "", seconds, false);
  for (const processor_time& row : product.processor) add("processor, " + row.name, "", row.seconds, true);
  return text + table_text(table, paint);
}

std::string device_text(const device_report& found) {
  std::string text = found.name;
  if (found.architecture > 0)
    text += fmt::format(", compute capability {}.{}, {} multiprocessors, {}", found.architecture / 10,
                        found.architecture % 10, found.multiprocessors,
                        plot::bytes_text(static_cast<double>(found.memory_bytes)));
  const auto version = [](int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); };
  if (found.driver_version > 0)
    text += fmt::format("; driver for CUDA {}, kernels of CUDA {}", version(found.driver_version),
                        version(found.toolkit_version));
  return text;
}

}  // namespace

device_figures figures_of(const device_subject& subject, const device_time& time) {
  device_figures figures;
  figures.seconds = measure::median_estimate(time.seconds);
  figures.gbs = static_cast<double>(time.bytes) / figures.seconds.median * 1e-9;
  figures.share_of_copy = measure::ratio_estimate(subject.copy_seconds, time.seconds);
  const double bytes_per_copied = static_cast<double>(time.bytes) / static_cast<double>(subject.copied_bytes);
  for (double* const share : {&figures.share_of_copy.median, &figures.share_of_copy.low, &figures.share_of_copy.high})
    *share *= bytes_per_copied;
  const device_peer& peer = subject.peers[static_cast<std::size_t>(time.peer)];
  if (peer.refused.empty()) figures.speed_to_peer = measure::ratio_estimate(peer.seconds, time.seconds);
  if (!subject.processor.empty())
    figures.speed_to_thread = measure::ratio_estimate(subject.processor.front().seconds, time.seconds);
  return figures;
}

std::string device_screen(const device_diagnosis& all, const terminal& where) {
  const painter paint{where.color};
  const device_measurements& measured = all.measured;
  std::string text = fmt::format("{}  {}\n", paint.bold(name_of(measured.device)), device_text(measured.found));
  const kernel_report& kernels = all.kernels;
  const std::string verdict = fmt::format("{} runs of {} kernels compared, {} differing", plot::grouped(kernels.runs),
                                          kernels.kernels, plot::grouped(kernels.differing));
  text += (kernels.good() ? paint.green(verdict + " bits") : paint.red(verdict)) + '\n';
  for (const std::string& fault : kernels.faults)
    text += wrapped("- " + fault, 2, static_cast<std::size_t>(where.columns)) + '\n';
  for (const std::string& kernel : kernels.never_launched) text += "- never launched: " + kernel + '\n';
  if (!measured.times_count()) text += paint.yellow("host executor: times have no meaning") + '\n';
  for (const device_subject& subject : measured.subjects) text += subject_screen(subject, where);
  for (const device_sparse_product& product : measured.sparse_products) text += product_screen(product, paint);
  text +=
      '\n' +
      paint.dim(wrapped(
          fmt::format("{} interleaved rounds; ms: the median; spread: half of its 95 % interval; "
                      "GB/s: the bytes that have to be moved, each once; a share above 100 % of a copy comes from "
                      "the caches; vs: how many times as fast; from CSR: conversion on the device; phases of C = A A "
                      "are waited for one by one; ok: the bits of its "
                      "order of summation; whole: no fixed order, exact on integers",
                      measured.rounds),
          0, static_cast<std::size_t>(where.columns))) +
      '\n';
  return text;
}

}  // namespace lacis::app
