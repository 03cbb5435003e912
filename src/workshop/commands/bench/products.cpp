// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Contestants of lacis bench spmv.
#include "commands/bench/products.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <omp.h>
#include <optional>

#include <lacis/convert.hpp>
#include <lacis/error.hpp>
#include <lacis/format.hpp>
#include <lacis/isa.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>

#include "base/instantiate.hpp"
#include "commands/bench/vectors.hpp"
#include "commands/machine/machine.hpp"
#include "measure/plain_loop.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

constexpr const char* plan_name = "plan";

template <class Value, class Index> class product_maker {
 public:
  product_maker(std::shared_ptr<const csr_matrix<Value, Index>> a, const product_options& options)
      : a_(std::move(a)), options_(options), csr_bytes_(storage_bytes(*a_, matrix_format::csr)) {}

  products<Value> make() {
    add_loop();
    for (const matrix_format which : all_formats)
      if (is_wanted(name_of(which))) add_format(which);
    if (is_wanted(plan_name)) {
      add_plans();
      for (const reordering how : options_.reorder) add_reordered(how);
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool is_wanted(std::string_view name) const {
    return options_.formats.empty() ||
           std::find(options_.formats.begin(), options_.formats.end(), name) != options_.formats.end();
  }

  void add(std::string name, std::string stored_as, std::string_view kernel, std::int64_t bytes, auto run) {
    made_.all.push_back({std::move(name), std::move(stored_as), std::string(kernel),
                         bytes + vector_bytes<Value>(a_->rows, a_->cols), std::move(run)});
  }

  /// A plan tells the bytes itself, those of the vectors included.
  void add_planned(std::string name, const plan<Value, Index>& made, isa set) {
    made_.all.push_back({std::move(name), made.layout(), std::string(name_of(set)), made.moved_bytes(),
                         [made, memory = std::make_shared<workspace>()](std::span<const Value> x, std::span<Value> y) {
                           multiply(made, x, y, *memory);
                         },
                         made.permutation()});
  }

  /// With a value for each entry, also where the matrix keeps a single one: a plain loop knows nothing else.
  void add_loop() {
    auto values = std::make_shared<buffer<Value>>(expanded_values(*a_));
    const std::int64_t expanded = values->size() * static_cast<std::int64_t>(sizeof(Value));
    add("loop", "csr", "loop", csr_bytes_ + expanded,
        [a = a_, values, threads = omp_get_max_threads()](std::span<const Value> x, std::span<Value> y) {
          measure::plain_loop(a->rows, a->row_offsets.data(), a->columns.data(),
                              a->values.iso ? values->data() : a->values.data.data(), x.data(), y.data(), threads);
        });
  }

  void add_format(matrix_format which) {
    switch (which) {
      case matrix_format::coo:
        return add_converted<coo_matrix<Value, Index>>(which);
      case matrix_format::csr:
        return add_csr();
      case matrix_format::csc:
        return add_converted<csc_matrix<Value, Index>>(which);
      case matrix_format::ell:
        return add_converted<ell_matrix<Value, Index>>(which);
      case matrix_format::hyb:
        return add_converted<hyb_matrix<Value, Index>>(which);
      case matrix_format::jds:
        return add_converted<jds_matrix<Value, Index>>(which);
      case matrix_format::sell: {
        convert_options one_vector;
        one_vector.slice_height = std::max<std::int64_t>(4, 64 / static_cast<std::int64_t>(sizeof(Value)));
        for (const convert_options& options : {one_vector, convert_options{}})
          add_converted<sell_matrix<Value, Index>>(which, options, fmt::format("sell-{}", options.slice_height));
        return;
      }
      case matrix_format::bsr:
        return add_converted<bsr_matrix<Value, Index>>(which);
      case matrix_format::dia:
        return add_converted<dia_matrix<Value, Index>>(which);
    }
  }

  void add_csr() {
    const isa usual = default_isa();
    for (const isa set : supported_isas())
      add(set == usual ? "csr" : fmt::format("csr/{}", name_of(set)), "csr", name_of(set), csr_bytes_,
          [a = a_, set](std::span<const Value> x, std::span<Value> y) {
            multiply(*a, x, y, multiply_options{.threads = 0, .isa = set});
          });
  }

  template <class Format>
  void add_converted(matrix_format which, const convert_options& options = {}, std::string name = {}) {
    if (name.empty()) name = name_of(which);
    const std::optional<std::int64_t> bytes = bytes_if_reasonable(which, options, name);
    if (!bytes) return;
    options_.announce("converting to " + name);
    auto stored = std::make_shared<const Format>(convert<Format>(*a_, options));
    add(name, name, name_of(default_isa()), *bytes,
        [stored](std::span<const Value> x, std::span<Value> y) { multiply(*stored, x, y); });
  }

  std::optional<std::int64_t> bytes_if_reasonable(matrix_format which, const convert_options& options,
                                                  const std::string& name) {
    std::int64_t bytes = 0;
    try {
      bytes = storage_bytes(*a_, which, options);
    } catch (const error& problem) {
      if (problem.code() != errc::overflow) throw;
      made_.remarks.push_back(name + " is left out: more bytes than 64 bits can count");
      return std::nullopt;
    }
    const std::string size = plot::bytes_text(static_cast<double>(bytes));
    if (bytes > 3 * csr_bytes_) {
      made_.remarks.push_back(
          fmt::format("{} is left out: {}, {} times CSR", name, size,
                      plot::significant(static_cast<double>(bytes) / static_cast<double>(csr_bytes_))));
      return std::nullopt;
    }
    return fits_memory(bytes, name) ? std::optional(bytes) : std::nullopt;
  }

  /// Whether there is room for so many bytes and for what is needed on the way.
  bool fits_memory(std::int64_t bytes, const std::string& name) {
    if (bytes + csr_bytes_ <= memory_of_machine().available - options_.reserved_memory) return true;
    made_.remarks.push_back(
        fmt::format("{} is left out: no memory for {}", name, plot::bytes_text(static_cast<double>(bytes))));
    return false;
  }

  plan<Value, Index> inspected(const std::string& name, const plan_options& asked) {
    options_.announce("inspecting for the " + name);
    const auto begin = std::chrono::steady_clock::now();
    auto made = multiply_inspect(*a_, asked);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!asked.isa) made_.costs.push_back({name, seconds, made.report().inspection_seconds});
    return made;
  }

  void add_plans() {
    const isa usual = default_isa();
    for (const isa set : supported_isas()) {
      const std::string name = set == usual ? plan_name : fmt::format("{}/{}", plan_name, name_of(set));
      if (!fits_memory(csr_bytes_, name)) continue;
      plan_options asked = options_.plan;
      if (set != usual) asked.isa = set;
      const auto made = inspected(name, asked);
      if (set == usual) made_.plan = made.explain();
      add_planned(name, made, set);
    }
  }

  void add_reordered(reordering how) {
    const std::string name = reordered_name(how);
    if (a_->rows != a_->cols) {
      made_.remarks.push_back(name + " is left out: only a square matrix can be reordered");
      return;
    }
    if (!fits_memory(2 * csr_bytes_, name)) return;
    plan_options asked = options_.plan;
    asked.reorder = how;
    const auto made = inspected(name, asked);
    add_planned(name, made, default_isa());
    if (made.permutation().empty()) {
      made_.remarks.push_back(name + " is the order of the matrix already");
      return;
    }
    // Beside what the product moves: the order twice, x and the result read in one ordering and written in the other.
    const std::int64_t bytes = made.moved_bytes() + a_->rows * static_cast<std::int64_t>(2 * 8 + 4 * sizeof(Value));
    made_.all.push_back(
        {permuting_name(how), made.layout(), std::string(name_of(default_isa())), bytes,
         [made, memory = std::make_shared<workspace>(), in = std::make_shared<buffer<Value>>(a_->rows),
          out = std::make_shared<buffer<Value>>(a_->rows)](std::span<const Value> x, std::span<Value> y) {
           permute_into<Value>(made.permutation(), x, *in);
           multiply(made, *in, *out, *memory);
           permute_back<Value>(made.permutation(), *out, y);
         }});
  }

  std::shared_ptr<const csr_matrix<Value, Index>> a_;
  const product_options& options_;
  std::int64_t csr_bytes_;
  products<Value> made_;
};

}  // namespace

const std::vector<std::string>& product_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const matrix_format which : all_formats) all.emplace_back(name_of(which));
    all.emplace_back(plan_name);
    return all;
  }();
  return names;
}

std::string reordered_name(reordering how) { return fmt::format("{} in {} order", plan_name, name_of(how)); }
std::string permuting_name(reordering how) { return reordered_name(how) + " with permutation"; }

template <class Value, class Index>
products<Value> make_products(std::shared_ptr<const csr_matrix<Value, Index>> a, const product_options& options) {
  return product_maker<Value, Index>(std::move(a), options).make();
}

#define LACIS_MAKE_PRODUCTS(Value, Index) \
  template products<Value> make_products(std::shared_ptr<const csr_matrix<Value, Index>>, const product_options&);
LACIS_FOR_EACH_TYPE(LACIS_MAKE_PRODUCTS)

}  // namespace lacis::app
