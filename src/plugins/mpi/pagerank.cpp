// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// PageRank on links that are spread over processes.
#include "solve/pagerank.hpp"

#include <lacis/error.hpp>
#include <lacis/mpi.hpp>

#include "base/text.hpp"
#include "mpi/processes.hpp"
#include "mpi/product.hpp"

namespace lacis {
namespace {

/// The incoming links of this process's pages, and vectors for their product.
struct incoming_links {
  incoming_links(distributed_csr<double> backwards, int threads)
      : space(backwards.group, {.threads = threads}),
        product(std::move(backwards), {.threads = threads, .expected_uses = 50}) {
    space.reserve(product.before(), product.behind());
    x = space.zeros(product.cols());
    y = space.zeros(product.rows());
  }

  void multiply(std::span<const double> gifts, std::span<double> brought) {
    space.from_host(gifts, x);
    product.multiply(x, y, space);
    space.to_host(y, brought);
  }

  dist::spread_space<double> space;
  dist::spread_product<double> product;
  space_vector<double> x;
  space_vector<double> y;
};

}  // namespace

namespace {

std::shared_ptr<detail::pagerank_data> inspected(const distributed_csr<double>& links, int threads) {
  links.group->require_same("pagerank_inspect()", {});
  if (links.rows() != links.cols())
    throw error(errc::invalid_argument,
                detail::text("links of ", links.rows(), " pages to ", links.cols(), "; the matrix must be square"));
  const double begin = MPI_Wtime();
  auto data = std::make_shared<detail::pagerank_data>();
  const row_range own = links.own_rows();
  data->pages = own.last - own.first;
  data->first_page = own.first;
  data->all_pages = links.rows();
  data->links = links.nnz();
  data->threads = threads;
  data->share = detail::shares_of(links.local.row_offsets);
  distributed_csr<double> backwards = transpose(links);
  backwards.local.values = values_array<double>::same(1);
  auto incoming = std::make_shared<incoming_links>(std::move(backwards), threads);
  data->multiply = [incoming](std::span<const double> x, std::span<double> y, workspace&) { incoming->multiply(x, y); };
  data->total = [incoming](const summation::node_range<double>& mine) { return incoming->space.total(mine); };
  const auto group = links.group;
  data->sum_of_all = [group](std::int64_t mine) { return group->sum(mine); };
  data->goes_on = [group](bool mine) { return group->all(mine); };
  data->together = [group](const std::function<void()>& work) { group->together(work); };
  data->seconds = MPI_Wtime() - begin;
  return data;
}

}  // namespace

pagerank_plan pagerank_inspect(const distributed_csr<double>& links, int threads) {
  return pagerank_plan(links.group->together([&] { return inspected(links, threads); }));
}

}  // namespace lacis
