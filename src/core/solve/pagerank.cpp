// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The power iteration of PageRank (Page, Brin, Motwani and Winograd 1999): a product with the pattern of the transpose,
// then one pass over the pages.
#include "solve/pagerank.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <lacis/error.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/plan.hpp>
#include <lacis/structure.hpp>

#include "base/text.hpp"
#include "cpu/spmv/portable.hpp"
#include "cpu/vector/blocks.hpp"
#include "summation/parallel.hpp"

namespace lacis {

namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

/// What the pass over the pages adds up.
struct page_sums {
  double change = 0;
  double lost = 0;  ///< rank of pages without links
};

/// The pages: ranks, what each gives to every page that it links to, and where readers start anew.
class pages {
 public:
  pages(const detail::pagerank_data& links, const pagerank_options& options)
      : options_(options),
        links_(links),
        share_(links.share),
        count_(links.pages),
        how_(cpu::launch_of({.threads = links.threads}, count_)),
        rank_(count_),
        gift_(count_) {
    if (!options.personalisation.empty()) start_ = normalised(options.personalisation);
    const double even = 1 / static_cast<double>(links_.all_pages);
    detail::parallel_for(count_, [&](std::int64_t i) { rank_[i] = start_.empty() ? even : start_[i]; });
    lost_ = sums([&](std::int64_t i) { give(i); }).lost;
  }

  [[nodiscard]] const buffer<double>& gift() const { return gift_; }
  [[nodiscard]] buffer<double>& ranks() { return rank_; }
  [[nodiscard]] std::int64_t dangling() const {
    return links_.sum_of_all(std::count(share_.begin(), share_.end(), 0.0));
  }

  /// New ranks from what the links brought; how much changed.
  double renew(const buffer<double>& brought) {
    const double anew = options_.damping * lost_ + (1 - options_.damping);
    const double even = anew / static_cast<double>(links_.all_pages);
    const page_sums all = sums([&](std::int64_t i) {
      const double rank = options_.damping * brought[i] + (start_.empty() ? even : anew * start_[i]);
      const double change = std::fabs(rank - rank_[i]);
      rank_[i] = rank;
      give(i);
      return change;
    });
    lost_ = all.lost;
    return all.change;
  }

 private:
  void give(std::int64_t i) { gift_[i] = rank_[i] * share_[i]; }

  /// visit(i) for every page, in blocks on threads; what it returns and the ranks that are lost, summed in blocks.
  template <class Visit> page_sums sums(Visit&& visit) {
    buffer<double> lost(summation::chunks_of(count_, cpu::block_size));
    const auto change = nodes([&](std::int64_t begin, std::int64_t size) {
      const double changed = cpu::portable::lanes_sum<double>(size, [&](std::int64_t k) {
        if constexpr (std::is_void_v<decltype(visit(k))>) {
          visit(begin + k);
          return 0.0;
        } else {
          return visit(begin + k);
        }
      });
      lost[begin / cpu::block_size] = cpu::portable::lanes_sum<double>(
          size, [&](std::int64_t k) { return share_[begin + k] == 0 ? rank_[begin + k] : 0.0; });
      return changed;
    });
    summation::node_range<double> tree(links_.first_page / cpu::block_size);
    for (const double one : lost) tree.append(one);
    return {links_.total(change), links_.total(tree)};
  }

  /// sum(begin, size) of every block, as leaves of the tree over all pages.
  template <class Sum> summation::node_range<double> nodes(Sum&& sum) const {
    return cpu::nodes_of_blocks<double>(how_, count_, links_.first_page / cpu::block_size, sum);
  }

  [[nodiscard]] buffer<double> normalised(std::span<const double> weights) const {
    if (static_cast<std::int64_t>(weights.size()) != count_)
      throw error(errc::invalid_argument,
                  detail::text("the personalisation has ", weights.size(), " numbers for ", count_, " pages"));
    const double all = links_.total(nodes([&](std::int64_t begin, std::int64_t size) {
      return cpu::portable::lanes_sum<double>(
          size, [&](std::int64_t k) { return weights[static_cast<std::size_t>(begin + k)]; });
    }));
    const bool is_fine = std::all_of(weights.begin(), weights.end(), [](double w) { return w >= 0; });
    if (!is_fine || !(all > 0) || !std::isfinite(all))
      throw error(errc::invalid_argument,
                  "the personalisation must have no negative numbers and a sum that is positive and finite");
    buffer<double> shares(count_);
    for (std::int64_t i = 0; i < count_; ++i) shares[i] = weights[static_cast<std::size_t>(i)] / all;
    return shares;
  }

  const pagerank_options& options_;
  const detail::pagerank_data& links_;
  const buffer<double>& share_;
  std::int64_t count_;
  cpu::launch how_;
  buffer<double> rank_;
  buffer<double> gift_;
  buffer<double> start_;  ///< empty: even
  double lost_ = 0;
};

void require_options(const pagerank_options& options) {
  if (!(options.damping >= 0 && options.damping < 1))
    throw error(errc::invalid_argument,
                detail::text("the damping factor must be at least 0 and less than 1: ", options.damping));
  if (options.max_iterations < 1) throw error(errc::invalid_argument, "at least one iteration");
}

}  // namespace

namespace detail {

buffer<double> shares_of(std::span<const std::int64_t> row_offsets) {
  buffer<double> share(static_cast<std::int64_t>(row_offsets.size()) - 1);
  summation::parallel_for(share.size(), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const std::int64_t count = row_offsets[at + 1] - row_offsets[at];
    share[i] = count == 0 ? 0 : 1 / static_cast<double>(count);
  });
  return share;
}

template <class Index>
std::shared_ptr<const pagerank_data> pagerank_inspect(std::int64_t rows, std::int64_t cols,
                                                      std::span<const std::int64_t> row_offsets,
                                                      std::span<const Index> columns, int threads) {
  if (rows != cols)
    throw error(errc::invalid_argument, text("links of ", rows, " pages to ", cols, "; the matrix must be square"));
  const auto begin = clock::now();
  auto data = std::make_shared<pagerank_data>();
  data->pages = data->all_pages = rows;
  data->threads = threads;
  const double one = 1;
  csr_view<double, Index> links{rows, cols, row_offsets, columns, {std::span<const double>(&one, 1), true}};
  require_valid(links);
  csr_matrix<double, Index> single;
  if (!is_canonical(links)) {
    single = canonical(links, duplicates::keep_first);
    links = single.view();
  }
  data->links = links.nnz();
  data->share = shares_of(links.row_offsets);
  const csr_matrix<double, Index> backwards = transpose(links);
  single = {};
  data->multiply = [incoming = multiply_inspect(backwards.view(), {.threads = threads, .expected_uses = 50})](
                       std::span<const double> x, std::span<double> y, workspace& memory) {
    lacis::multiply(incoming, x, y, memory);
  };
  data->seconds = seconds_since(begin);
  return data;
}

template LACIS_API std::shared_ptr<const pagerank_data> pagerank_inspect(std::int64_t, std::int64_t,
                                                                         std::span<const std::int64_t>,
                                                                         std::span<const std::int32_t>, int);
template LACIS_API std::shared_ptr<const pagerank_data> pagerank_inspect(std::int64_t, std::int64_t,
                                                                         std::span<const std::int64_t>,
                                                                         std::span<const std::int64_t>, int);

}  // namespace detail

namespace {

pagerank_result ranked(const detail::pagerank_data& data, const pagerank_options& options) {
  require_options(options);
  const summation::rounding_guard guard;
  pagerank_result result;
  result.links = data.links;
  result.prepare_seconds = data.seconds;
  if (data.all_pages == 0) {
    result.converged = true;
    return result;
  }
  pages all(data, options);
  result.dangling = all.dangling();
  buffer<double> brought(data.pages);
  workspace memory;
  const auto first = clock::now();
  while (!result.converged && result.iterations < options.max_iterations) {
    data.multiply(all.gift(), brought, memory);
    result.change = all.renew(brought);
    ++result.iterations;
    result.converged = result.change <= options.tolerance;
    result.seconds = seconds_since(first);
    const double rate = static_cast<double>(result.links * result.iterations) / result.seconds;
    if (!data.goes_on(!options.monitor || options.monitor({result.iterations, result.change, rate}))) break;
  }
  result.ranks = std::move(all.ranks());
  return result;
}

}  // namespace

pagerank_result pagerank(const pagerank_plan& links, const pagerank_options& options) {
  pagerank_result result;
  links.internals()->together([&] { result = ranked(*links.internals(), options); });
  return result;
}

std::vector<ranked_page> top_pages(std::span<const double> ranks, std::int64_t count) {
  const auto most = std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(ranks.size()));
  std::vector<std::int64_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto better = [&](std::int64_t a, std::int64_t b) {
    const double left = ranks[static_cast<std::size_t>(a)];
    const double right = ranks[static_cast<std::size_t>(b)];
    return left != right ? left > right : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + most, order.end(), better);
  std::vector<ranked_page> best;
  for (std::int64_t k = 0; k < most; ++k) {
    const std::int64_t page = order[static_cast<std::size_t>(k)];
    best.push_back({page, ranks[static_cast<std::size_t>(page)]});
  }
  return best;
}

}  // namespace lacis
