// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis compare: where two matrices or vectors differ, entry by entry.
#include <cmath>
#include <complex>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>

#include <lacis/facts.hpp>
#include <lacis/structure.hpp>

#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "input/operands.hpp"
#include "input/vector_file.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

struct compare_request {
  common_options common;
  source_options source;  ///< A
  std::string b;
  bool vectors = false;
  std::optional<double> tolerance;  ///< nothing: equal bits
};

/// A or B as it was read.
struct operand {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;     ///< once normalised
  std::int64_t duplicates = 0;  ///< entries that were added to another one at their position
  std::string value_type;
};

/// The entry at which a difference is largest; positions are counted from 0.
struct difference {
  double size = -1;  ///< negative: there is none
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::string a;
  std::string b;
};

struct compare_findings {
  operand a;
  operand b;
  double tolerance = 0;
  bool has_tolerance = false;
  std::int64_t only_in_a = 0;
  std::int64_t only_in_b = 0;
  std::int64_t common = 0;          ///< positions that both store
  std::int64_t differing = 0;       ///< of these, with other bits
  std::int64_t over_tolerance = 0;  ///< of all positions
  difference absolute;
  difference relative;

  [[nodiscard]] bool same_size() const { return a.rows == b.rows && a.cols == b.cols; }
  [[nodiscard]] bool same_pattern() const { return same_size() && only_in_a == 0 && only_in_b == 0; }
  [[nodiscard]] bool same_bits() const { return same_pattern() && differing == 0; }
  [[nodiscard]] bool is_equal() const { return same_bits() || (has_tolerance && same_size() && over_tolerance == 0); }
  [[nodiscard]] std::int64_t all_differing() const { return only_in_a + only_in_b + differing; }
  [[nodiscard]] const char* outcome() const {
    return same_bits() ? "equal bits" : is_equal() ? "equal within the tolerance" : "different";
  }
};

template <class T> std::string number_text(const T* x) {
  if (x == nullptr) return "not stored";
  if constexpr (is_complex<T>)
    return fmt::format("({}, {})", x->real(), x->imag());
  else
    return fmt::format("{}", *x);
}

/// Takes pairs of values at one position; nullptr where one has no entry, which counts as 0.
template <class T> class comparison {
 public:
  explicit comparison(compare_findings& found) : found_(found) {}

  void operator()(std::int64_t row, std::int64_t col, const T* x, const T* y) {
    if (x != nullptr && y != nullptr) {
      ++found_.common;
      if (std::memcmp(x, y, sizeof(T)) == 0) return;
      ++found_.differing;
    } else {
      ++(y == nullptr ? found_.only_in_a : found_.only_in_b);
    }
    const wide a = x == nullptr ? wide(0) : wide(*x);
    const wide b = y == nullptr ? wide(0) : wide(*y);
    const double larger = std::max(magnitude(a), magnitude(b));
    double absolute = magnitude(a - b);
    double relative = larger > 0 ? absolute / larger : 0;
    // What has no difference in numbers (NaN, infinity) has the largest.
    if (!std::isfinite(larger)) absolute = relative = std::numeric_limits<double>::infinity();
    if (!(relative <= found_.tolerance)) ++found_.over_tolerance;
    note(found_.absolute, absolute, row, col, x, y);
    note(found_.relative, relative, row, col, x, y);
  }

 private:
  using wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

  /// Infinity for NaN.
  static double magnitude(const wide& x) {
    const double size = std::abs(x);
    return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;
  }

  static void note(difference& largest, double size, std::int64_t row, std::int64_t col, const T* x, const T* y) {
    if (size > largest.size) largest = {size, row, col, number_text(x), number_text(y)};
  }

  compare_findings& found_;
};

/// Rows in ascending order of columns, each once.
template <class Matrix> void compare_rows(const Matrix& a, const Matrix& b, compare_findings& found) {
  using T = typename Matrix::value_type;
  comparison<T> take(found);
  for (std::int64_t row = 0; row < a.rows; ++row) {
    std::int64_t i = a.row_offsets[row];
    std::int64_t j = b.row_offsets[row];
    while (i < a.row_offsets[row + 1] || j < b.row_offsets[row + 1]) {
      const bool has_a = i < a.row_offsets[row + 1];
      const bool has_b = j < b.row_offsets[row + 1];
      const auto col = !has_b || (has_a && a.columns[i] <= b.columns[j]) ? a.columns[i] : b.columns[j];
      const bool in_a = has_a && a.columns[i] == col;
      const bool in_b = has_b && b.columns[j] == col;
      const T x = in_a ? T(a.values[i++]) : T(0);
      const T y = in_b ? T(b.values[j++]) : T(0);
      take(row, col, in_a ? &x : nullptr, in_b ? &y : nullptr);
    }
  }
}

/// A matrix with sorted rows and no duplicates, and what it is.
any_csr normalised(loaded source, operand& about) {
  about.name = source.name;
  about.duplicates = source.report.duplicates;
  std::visit(
      [&]<class Value, class Index>(csr_matrix<Value, Index>& matrix) {
        const std::int64_t before = matrix.nnz();
        if (!is_canonical(matrix)) matrix = canonical(matrix);
        about.rows = matrix.rows;
        about.cols = matrix.cols;
        about.entries = matrix.nnz();
        about.duplicates += before - matrix.nnz();
        about.value_type = type_name<Value>();
      },
      source.matrix);
  return std::move(source.matrix);
}

void compare_matrices(const compare_request& request, compare_findings& found) {
  source_options second = request.source;
  second.matrix = request.b;
  any_csr a = normalised(load(request.source, request.common), found.a);
  any_csr b = normalised(load(second, request.common), found.b);
  if (!found.same_size()) return;
  make_alike(a, b);  // to wider types, which changes no value
  std::visit([&]<class Matrix>(const Matrix& left) { compare_rows(left, std::get<Matrix>(b), found); }, a);
}

void compare_vectors(const compare_request& request, compare_findings& found) {
  const any_vector a = read_vector(request.source.matrix, request.source, request.common);
  const any_vector b = read_vector(request.b, request.source, request.common);
  std::visit(
      [&](const auto& x, const auto& y) {
        using X = typename std::decay_t<decltype(x)>::value_type;
        using Y = typename std::decay_t<decltype(y)>::value_type;
        using T = std::conditional_t<is_complex<X>, X, Y>;
        found.a = {shown(request.source.matrix), x.size(), 1, x.size(), 0, type_name<X>()};
        found.b = {shown(request.b), y.size(), 1, y.size(), 0, type_name<Y>()};
        if (!found.same_size()) return;
        comparison<T> take(found);
        for (std::int64_t i = 0; i < x.size(); ++i) {
          const T left = x[i];
          const T right = y[i];
          take(i, 0, &left, &right);
        }
      },
      a, b);
}

std::string place_text(const difference& at, bool is_vector) {
  return is_vector ? fmt::format("element {}", plot::grouped(at.row + 1))
                   : fmt::format("row {}, column {}", plot::grouped(at.row + 1), plot::grouped(at.col + 1));
}

std::string normalised_text(const compare_findings& found) {
  std::string words = "entries compared by row and column";
  for (const operand* one : {&found.a, &found.b})
    if (one->duplicates > 0)
      words += fmt::format("; {} duplicate{} of {} added up", plot::grouped(one->duplicates),
                           one->duplicates == 1 ? "" : "s", one == &found.a ? "A" : "B");
  if (found.a.value_type != found.b.value_type) words += "; values compared in the wider type";
  return words;
}

std::string screen_of(const compare_findings& found, bool is_vector, const terminal& where) {
  const painter paint{where.color};
  const auto line = [&](std::string_view name, const std::string& words) {
    return "  " + paint.dim(pad_right(name, 12)) + wrapped(words, 14, static_cast<std::size_t>(where.columns)) + '\n';
  };
  std::string text;
  for (const operand* one : {&found.a, &found.b})
    text += line(one == &found.a ? "A" : "B",
                 fmt::format("{}: {} x {}, {} entries, {}", one->name, plot::grouped(one->rows),
                             plot::grouped(one->cols), plot::grouped(one->entries), one->value_type));
  text += line("size", found.same_size() ? "equal" : "different; nothing else was compared");
  if (found.same_size()) {
    text += line("normalised", normalised_text(found));
    text += line("pattern", found.same_pattern()
                                ? "equal"
                                : fmt::format("different: {} entries in A only, {} in B only",
                                              plot::grouped(found.only_in_a), plot::grouped(found.only_in_b)));
    text += line("values", found.differing == 0
                               ? fmt::format("equal bits at {} common positions", plot::grouped(found.common))
                               : fmt::format("{} of {} common positions differ", plot::grouped(found.differing),
                                             plot::grouped(found.common)));
    for (const difference* at : {&found.absolute, &found.relative})
      if (at->size >= 0)
        text +=
            line(at == &found.absolute ? "absolute" : "relative",
                 fmt::format("at most {:.3g}, at {}: {} and {}", at->size, place_text(*at, is_vector), at->a, at->b));
    if (found.has_tolerance)
      text +=
          line("tolerance", fmt::format("{} of the larger magnitude; {} of {} differences exceed it", found.tolerance,
                                        plot::grouped(found.over_tolerance), plot::grouped(found.all_differing())));
  }
  return text + line("result", found.is_equal() ? paint.green(found.outcome()) : paint.red(found.outcome()));
}

json operand_json(const operand& one) {
  return {{"name", one.name},
          {"rows", one.rows},
          {"cols", one.cols},
          {"entries", one.entries},
          {"duplicates", one.duplicates},
          {"value_type", one.value_type}};
}

/// Positions counted from 1, as on the screen. A difference that is not finite is null.
json difference_json(const difference& at) {
  if (at.size < 0) return nullptr;
  return {{"difference", at.size}, {"row", at.row + 1}, {"col", at.col + 1}, {"a", at.a}, {"b", at.b}};
}

std::string json_of(const compare_findings& found) {
  return json_text({{"a", operand_json(found.a)},
                    {"b", operand_json(found.b)},
                    {"outcome", found.outcome()},
                    {"equal_size", found.same_size()},
                    {"equal_pattern", found.same_pattern()},
                    {"equal_bits", found.same_bits()},
                    {"only_in_a", found.only_in_a},
                    {"only_in_b", found.only_in_b},
                    {"common", found.common},
                    {"differing", found.differing},
                    {"largest_absolute", difference_json(found.absolute)},
                    {"largest_relative", difference_json(found.relative)},
                    {"tolerance", found.tolerance},
                    {"over_tolerance", found.over_tolerance}});
}

void run_compare(const compare_request& request) {
  require_one_standard_input(request.source, request.b);
  use_threads(request.common.threads);
  compare_findings found;
  found.tolerance = request.tolerance.value_or(0);
  found.has_tolerance = request.tolerance.has_value();
  request.vectors ? compare_vectors(request, found) : compare_matrices(request, found);
  if (request.common.json)
    print(json_of(found));
  else
    print_screen(screen_of(found, request.vectors, terminal_of(1)));
  flush_output();
  if (found.is_equal()) return;
  throw not_verified(found.same_size()
                         ? fmt::format("A and B differ at {} position{}", plot::grouped(found.all_differing()),
                                       found.all_differing() == 1 ? "" : "s")
                         : "A and B have different sizes");
}

void add_options(option_list& options, compare_request& request) {
  add_matrix(options, request.source, "A");
  options.add("B", request.b, "the other one").required().names_file(file_use::read_matrix);
  options.add("--vectors", request.vectors,
              "A and B are vectors: matrix files of one column, or text files with one number per line");
  options
      .add("--tolerance R", request.tolerance,
           "count values as equal that differ by at most R times the larger magnitude")
      .reals(0, 1)
      .otherwise("equal bits");
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command compare_command() {
  return make_command<compare_request>(
      {.name = "compare",
       .group = command_group::check,
       .summary = "compare two matrices or vectors entry by entry, bit by bit",
       .about =
           "Prints whether A and B have equal sizes, equal patterns and equal bits of values, how many entries "
           "differ, and where the absolute and the relative difference are largest. Duplicate entries are added up "
           "and the order of entries does not count; an entry that one does not store counts as 0 in differences. "
           "Rows and columns are counted from 1. The exit status is 0 when all bits are equal, or when all "
           "differences are within the tolerance, and 3 otherwise.",
       .examples = {{"lacis compare A.mtx B.npz", "the same matrix in two files?"},
                    {"lacis compare --vectors x.txt y.txt --tolerance 1e-12", "two solutions"}}},
      add_options, run_compare);
}

}  // namespace lacis::app
