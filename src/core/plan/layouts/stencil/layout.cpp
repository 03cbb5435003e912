// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Making, refilling and sampling the layout `stencil`.
#include "plan/layouts/stencil/layout.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "base/instantiate.hpp"

namespace lacis::detail {
namespace {

/// Puts the values of `a` in slices where they do not repeat with the pattern.
template <class Value, class Index>
void set_other_values(stencil_rows<Value>& st, const csr_view<Value, Index>& a, cpu::value_form form) {
  if (st.once && form == cpu::value_form::full && set_symmetric_values(st, a)) return;
  set_values(st, a, form);
}

}  // namespace

template <class Value, class Index>
cpu::value_form build(stencil_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                      const layout_choice& choice) {
  // Where values repeat with patterns, none needs another form.
  cpu::value_form form = choice.form;
  if (form == cpu::value_form::one) form = settled_form(form, given.values);
  const csr_view<Value, Index> a = in_form(given, form);
  constexpr std::int64_t height = stencil_rows<Value>::height;
  slice_patterns patterns = find_patterns(a, 0, a.rows / height);
  auto [long_rows, short_rows] = long_and_short(a, [&](std::int64_t i) { return !patterns.has_row(i, height); });
  l.rows = a.rows;
  l.slices = make_stencil(a, std::move(patterns));
  l.slices.once = choice.kind == plan_layout::symmetric;
  const bool repeat = set_repeated_values(l.slices, a);
  form = repeat && 8 * short_rows.size() <= a.rows ? cpu::value_form::full : settled_form(form, given.values);
  if (!repeat) set_other_values(l.slices, a, form);
  l.others = keep_rows<Value, Index>(a, std::move(long_rows), std::move(short_rows), form);
  return form;
}

template <class Value, class Index>
void set_values(stencil_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form) {
  if (!set_repeated_values(l.slices, a)) set_other_values(l.slices, a, form);
  set_values(l.others, a, form);
}

template <class Value, class Index> void take_sample(stencil_model& m, const csr_view<Value, Index>& a) {
  constexpr std::int64_t height = cpu::slice_height<Value>;
  const auto offset = [&](std::int64_t row) { return a.row_offsets[static_cast<std::size_t>(row)]; };
  std::int64_t seen = 0;
  std::int64_t patterned = 0;
  std::int64_t slots = 0;
  std::int64_t entries = 0;
  bool repeat = true;
  for_each_sample(a.rows / height, [&](std::int64_t first, std::int64_t size) {
    const slice_patterns found = find_patterns(a, first, first + size, 1);
    std::vector<std::int64_t> example(found.patterns.size(), -1);
    seen += size * height;
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int32_t pattern = found.of_slice[k];
      if (pattern < 0) continue;
      const std::int64_t row = (first + k) * height;
      const cpu::stencil_pattern& shape = found.patterns[static_cast<std::size_t>(pattern)];
      patterned += std::popcount(shape.rows);
      slots += shape.slots * height;
      for (std::int64_t l = 0; l < height; ++l)
        if ((shape.rows >> l & 1) != 0) entries += offset(row + l + 1) - offset(row + l);
      if (a.values.iso) continue;
      std::int64_t& like = example[static_cast<std::size_t>(pattern)];
      if (like < 0) like = row;
      for (std::int64_t l = 0; l < height && repeat; ++l)
        if ((shape.rows >> l & 1) != 0)
          repeat = std::memcmp(a.values.data.data() + offset(row + l), a.values.data.data() + offset(like + l),
                               static_cast<std::size_t>(length_of(a.row_offsets, row + l)) * sizeof(Value)) == 0;
    }
  });
  m.in_patterns = seen == 0 ? 0 : static_cast<double>(patterned) / static_cast<double>(seen);
  m.pattern_slots = entries == 0 ? 1 : static_cast<double>(slots) / static_cast<double>(entries);
  m.values_repeat = repeat && patterned > 0;
}

#define LACIS_STENCIL_LAYOUT(Value, Index)                                                                            \
  template cpu::value_form build(stencil_layout<Value, Index>&, const csr_view<Value, Index>&, const layout_choice&); \
  template void set_values(stencil_layout<Value, Index>&, const csr_view<Value, Index>&, cpu::value_form);            \
  template void take_sample(stencil_model&, const csr_view<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_STENCIL_LAYOUT)

}  // namespace lacis::detail
