// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A sparse product of which only some entries are needed: the triangles of a graph are the entries of L L that lie on
// L, added up.
#include <algorithm>
#include <iostream>

#include <lacis/lacis.hpp>

int main() {
  // A ring in which everyone knows the next two: every three in a row know each other, so there are as many triangles
  // as people.
  const int people = 1000;
  lacis::builder<double> known(people, people);
  auto put = known.inserter();
  for (int i = 0; i < people; ++i)
    for (int step : {1, 2}) {
      const int j = (i + step) % people;
      put(std::max(i, j), std::min(i, j), 1.0);  // below the diagonal: every pair once
    }
  const auto lower = known.build();

  const auto closed = lacis::multiply_masked(lower, lower, lower);  // computes nothing outside of the mask
  double triangles = 0;
  for (const double paths : closed.values.data) triangles += paths;
  std::cout << triangles << " triangles; all of L L has " << lacis::multiply(lower, lower).nnz()
            << " entries, those on L " << closed.nnz() << '\n';
  return triangles == people ? 0 : 1;
}
