// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Ranks of pages from their links, and the best of them. The values of the matrix are not used.
#include <iostream>

#include <lacis/lacis.hpp>

int main() {
  // A star: every page links to page 0, which links to page 1.
  const int pages = 1000;
  lacis::builder<float> links(pages, pages);
  auto put = links.inserter();
  for (int i = 1; i < pages; ++i) put(i, 0, 1.0f);
  put(0, 1, 1.0f);

  const auto result = lacis::pagerank(links.build(), {.tolerance = 1e-10, .max_iterations = 1000});
  const auto best = lacis::top_pages(result.ranks, 2);
  for (const auto& [page, rank] : best) std::cout << "page " << page << ": " << rank << '\n';
  std::cout << result.iterations << " iterations, " << result.links << " links\n";
  return result.converged && best[0].page == 0 && best[1].page == 1 ? 0 : 1;
}
