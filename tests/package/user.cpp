// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a user's first program does, through the installed headers and the shared library alone.
#include <iostream>

#include <lacis/lacis.hpp>

/// Whether an exception of the library arrives as what it is: its type is one on both sides.
bool catches_errors() {
  try {
    static_cast<void>(lacis::generate<double>("@nothing"));
  } catch (const lacis::error& problem) {
    const std::exception& general = problem;
    return dynamic_cast<const lacis::error*>(&general) != nullptr;
  } catch (...) {
  }
  return false;
}

int main() {
  lacis::builder<double> b(3, 3);
  auto put = b.inserter();
  for (int i = 0; i < 3; ++i) put(i, i, 2.0);
  put(0, 2, -1.0);
  const auto a = b.build();
  const auto sell = lacis::convert<lacis::sell_matrix<double>>(a, {.slice_height = 4, .sort_window = 4});
  const auto back = lacis::convert<lacis::csr_matrix<double>>(sell);
  const auto grid = lacis::generate<float>("@poisson2d:10");
  std::cout << "lacis " << lacis::version() << ": " << back.nnz() << " entries, transpose norm "
            << lacis::norm_one(lacis::transpose(back)) << ", grid " << grid.rows << '\n';
  const lacis::matrix_facts facts = lacis::find_facts(a);
  const lacis::spy_raster picture = lacis::spy(a, 1, 1);
  const bool known = facts.diagonal_entries == 3 && facts.upper_bandwidth == 2 && picture.counts[0] == 4 &&
                     lacis::storage_of(a, facts, 1 << 20).formats.size() == lacis::all_formats.size() &&
                     lacis::doctor().front().name == "version";
  return known && catches_errors() && back.nnz() == 4 && grid.rows == 100 && !lacis::validate(sell) ? 0 : 1;
}
