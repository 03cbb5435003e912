// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The laboratory for products of two sparse matrices: every launch traced, added up by phase and list of rows.
#include <algorithm>
#include <map>
#include <vector>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "device/spgemm.hpp"
#include "lab/lab.hpp"
#include "lab/model.hpp"
#include "lab/sample.hpp"
#include "lab/trace.hpp"
#include "simt/runtime.hpp"

namespace lacis::lab {
namespace {

using device::spgemm_array;
using device::spgemm_bin;
using device::spgemm_phase;

constexpr role role_of(spgemm_array which) {
  return static_cast<role>(static_cast<int>(role::a_offsets) + static_cast<int>(which));
}
static_assert(role_of(spgemm_array::counters) == role::counters && role_of(spgemm_array::b_values) == role::b_values &&
              role_of(spgemm_array::table_sums) == role::table_sums);

constexpr const char* name_of(spgemm_phase phase) {
  constexpr std::array names = {"inspect", "count", "fill", "sort"};
  return names[static_cast<std::size_t>(phase)];
}

/// What the launches of one phase and list asked for.
struct launches {
  traffic counts;
  int made = 0;
};
using launches_by_part = std::map<std::pair<spgemm_phase, spgemm_bin>, launches>;

/// Gives every array its place before a launch, and takes what the launch before asked for.
class watcher final : public device::spgemm_observer {
 public:
  explicit watcher(const gpu& model) : trace_(model, map_, counts_) {}

  [[nodiscard]] launch_trace& trace() { return trace_; }
  [[nodiscard]] const launches_by_part& parts() const { return parts_; }

  void launching(spgemm_phase phase, spgemm_bin bin, std::span<const device::spgemm_array_place> arrays) override {
    close();
    open_ = &parts_[{phase, phase == spgemm_phase::inspect ? spgemm_bin::few : bin}];
    map_.clear();
    std::vector<address_map::array> known;
    for (const device::spgemm_array_place& place : arrays) {
      if (place.data == nullptr) continue;
      known.push_back(placed(place, phase));
      map_.put(known.back());
    }
    known_ = std::move(known);  // an array that is not among them may be gone
    trace_.arrays_changed();
  }
  /// After the last launch.
  void close() {
    if (open_ != nullptr) {
      open_->counts += counts_.since(before_);
      ++open_->made;
    }
    open_ = nullptr;
    before_ = counts_;
  }

 private:
  address_map::array placed(const device::spgemm_array_place& place, spgemm_phase phase) {
    address_map::array array{role_of(place.which), static_cast<const char*>(place.data), place.bytes, 0, false};
    const auto same = std::find_if(known_.begin(), known_.end(), [&](const address_map::array& one) {
      return one.which == array.which && one.begin == array.begin && one.bytes == array.bytes;
    });
    array.address = same != known_.end() ? same->address : map_.reserve(place.bytes);
    const bool of_table = array.which == role::table_keys || array.which == role::table_sums;
    const bool sorted =
        phase == spgemm_phase::sort && (array.which == role::c_columns || array.which == role::c_values);
    array.updated = of_table || sorted;
    return array;
  }

  address_map map_;
  traffic counts_;
  traffic before_;
  launch_trace trace_;
  std::vector<address_map::array> known_;
  launches_by_part parts_;
  launches* open_ = nullptr;
};

void add(std::array<device::spgemm_bin_share, device::spgemm_bins>& sums,
         const std::array<device::spgemm_bin_share, device::spgemm_bins>& more) {
  for (std::size_t k = 0; k < sums.size(); ++k) {
    sums[k].rows += more[k].rows;
    sums[k].products += more[k].products;
    sums[k].probes += more[k].probes;
  }
}

/// The products before each row.
template <class Value>
std::vector<std::int64_t> products_before(const csr_view<Value, std::int32_t>& a,
                                          const csr_view<Value, std::int32_t>& b) {
  std::vector<std::int64_t> before{0};
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
    std::int64_t products = before.back();
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const auto row = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)]);
      products += b.row_offsets[row + 1] - b.row_offsets[row];
    }
    before.push_back(products);
  }
  return before;
}

bool has_table_in_shared_memory(spgemm_bin bin) { return bin <= spgemm_bin::wide; }

}  // namespace

template <value Value>
product_report examine_product(const csr_view<Value, std::int32_t>& a, const csr_view<Value, std::int32_t>& b,
                               const lab_options& options) {
  if (options.model == nullptr)
    throw error(errc::invalid_argument, "the laboratory needs a GPU to model; gpu_named(\"t4\") is one");
  if (a.cols != b.rows)
    throw error(errc::invalid_argument, detail::text("A has ", a.cols, " columns, B has ", b.rows, " rows"));
  const gpu& model = *options.model;
  const std::vector<std::int64_t> before = products_before(a, b);
  const std::vector<row_window> windows =
      choose_rows(before, options.most_entries, std::int64_t{model.multiprocessors} * model.threads);

  device::simt_runtime host({.turns = {}, .threads = 1});
  device::runtime device(host.table());
  watcher watch(model);
  device::spgemm_options how;
  how.blocks = 16 * model.multiprocessors;
  how.count_probes = true;
  how.observer = &watch;
  product_report report;
  report.rows = a.rows;
  report.products = before.back();
  report.model = &model;
  for (const row_window& rows : windows) report.sampled_rows += rows.end - rows.begin;
  if (report.sampled_rows < a.rows) watch.trace().measure(measured_blocks::second_half);

  const auto there_b = device::upload(device, b);
  device::spgemm_statistics all;
  double done = 0;
  for (const row_window& rows : windows) {
    const window_matrix<Value> window = cut_rows(a, rows, false);
    const auto there_a = device::upload(device, window.view);
    device::spgemm_statistics counted;
    host.trace_by(&watch.trace());
    static_cast<void>(device::spgemm(device, there_a, there_b, how, &counted));
    host.trace_by(nullptr);
    watch.close();
    report.sampled_products += counted.products;
    report.sampled_entries += counted.entries;
    add(all.count_bins, counted.count_bins);
    add(all.fill_bins, counted.fill_bins);
    if (options.progress) options.progress("products", ++done / static_cast<double>(windows.size()));
  }

  product_size size;
  size.rows = a.rows;
  size.sampled_rows = report.sampled_rows;
  size.whole_bytes[static_cast<std::size_t>(role::b_offsets)] = 8 * (b.rows + 1);
  size.whole_bytes[static_cast<std::size_t>(role::b_columns)] = 4 * b.nnz();
  size.whole_bytes[static_cast<std::size_t>(role::b_values)] =
      static_cast<std::int64_t>(b.values.data.size() * sizeof(Value));
  for (const auto& [key, asked] : watch.parts()) {
    const auto [phase, bin] = key;
    const auto& shares = phase == spgemm_phase::count ? all.count_bins : all.fill_bins;
    const device::spgemm_bin_share& share = shares[static_cast<std::size_t>(bin)];
    const bool everything = phase == spgemm_phase::inspect;
    product_part part;
    part.phase = name_of(phase);
    part.list = everything ? "" : device::name_of(bin);
    part.rows = everything ? report.sampled_rows : share.rows;
    part.products = everything ? report.sampled_products : share.products;
    if (phase == spgemm_phase::count || phase == spgemm_phase::fill)
      (has_table_in_shared_memory(bin) ? part.shared_probes : part.global_probes) = share.probes;
    part.launches = asked.made;
    part.asked.kernel = everything ? part.phase : part.phase + ' ' + part.list;
    size.sampled_entries = part.products;
    size.nnz = report.sampled_products == 0 ? 0
                                            : static_cast<std::int64_t>(static_cast<double>(part.products) *
                                                                        static_cast<double>(report.products) /
                                                                        static_cast<double>(report.sampled_products));
    fill_report(part.asked, asked.counts, size, (asked.made - 1) / static_cast<int>(windows.size()) + 1, model);
    report.parts.push_back(std::move(part));
  }
  return report;
}

template product_report examine_product(const csr_view<float, std::int32_t>&, const csr_view<float, std::int32_t>&,
                                        const lab_options&);
template product_report examine_product(const csr_view<double, std::int32_t>&, const csr_view<double, std::int32_t>&,
                                        const lab_options&);

}  // namespace lacis::lab
