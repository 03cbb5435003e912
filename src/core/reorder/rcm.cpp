// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reverse Cuthill-McKee (Cuthill and McKee 1969; George 1971): breadth-first from a vertex at the rim, so that
// neighbours get near numbers. One thread: each vertex's number depends on all before it.
#include <algorithm>
#include <compare>
#include <vector>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "base/radix.hpp"
#include "reorder/orders.hpp"

namespace lacis::detail {
namespace {

template <index Index, index Id> class cuthill_mckee {
 public:
  explicit cuthill_mckee(const graph<Index>& g)
      : graph_(g), degree_(g.size()), order_(g.size()), seen_(g.size()), numbered_(g.size()) {
    parallel_for(g.size(), [&](std::int64_t v) { degree_[v] = static_cast<Id>(g.degree(v)); });
  }

  /// The vertices in reverse order.
  buffer<std::int64_t> reversed() {
    const std::int64_t size = graph_.size();
    const Id most = size == 0 ? 0 : *std::max_element(degree_.begin(), degree_.end());
    // By rising degree, so the first vertex of each component that comes up is one of its least degree.
    for (const Id v : order_by_key<Id>(size, most, [&](Id i) { return degree_[i]; }))
      if (!numbered_.holds(v)) number(at_the_rim(v));
    buffer<std::int64_t> result(size);
    parallel_for(size, [&](std::int64_t k) { result[k] = order_[size - 1 - k]; });
    return result;
  }

 private:
  /// The vertices at the largest distance from a root, and that distance.
  struct last_level {
    std::int64_t distance;
    std::span<const Id> vertices;
  };

  struct candidate {
    Id degree;
    Id vertex;
    auto operator<=>(const candidate&) const = default;
  };

  /// Asks for the row of the vertex that comes up soon, in the two steps in which it is found.
  void prefetch_row(std::int64_t place, std::int64_t end) const {
    constexpr std::int64_t far = 16;
    constexpr std::int64_t near = 8;
    if (place + far < end) ask_for(&graph_.row_offsets().data()[order_[place + far]]);
    if (place + near < end) {
      const Index* soon = graph_.row(order_[place + near]).data();
      ask_for(soon);
      ask_for(reinterpret_cast<const char*>(soon) + 64);
    }
  }

  /// Breadth-first from the root, in the part of order_ that has no numbers yet.
  last_level search(Id root) {
    std::int64_t end = next_;
    order_[end++] = root;
    seen_.add(root);
    std::int64_t distance = 0;
    std::int64_t level = next_;
    for (std::int64_t level_end = end;; ++distance) {
      for (std::int64_t place = level; place < level_end; ++place) {
        stop_.at(place);
        prefetch_row(place, end);
        for (const Index w : graph_.row(order_[place]))
          if (!seen_.holds(w)) {
            seen_.add(w);
            order_[end++] = static_cast<Id>(w);
          }
      }
      if (end == level_end) break;
      level = level_end;
      level_end = end;
    }
    for (std::int64_t place = next_; place < end; ++place) seen_.remove(order_[place]);
    return {distance, {order_.data() + level, static_cast<std::size_t>(end - level)}};
  }

  /// A vertex of v's component that is about as far from another as any two are: the farthest one of least degree
  /// becomes the next root for as long as distances grow (George and Liu 1979), a few times at most.
  Id at_the_rim(Id v) {
    if (degree_[v] == 0) return v;
    constexpr int most_searches = 3;
    Id root = v;
    std::int64_t distance = -1;
    for (int searches = 0; searches < most_searches; ++searches) {
      const last_level found = search(root);
      if (found.distance <= distance) break;
      distance = found.distance;
      candidate least{degree_[found.vertices[0]], found.vertices[0]};
      for (const Id w : found.vertices) least = std::min(least, candidate{degree_[w], w});
      root = least.vertex;
    }
    return root;
  }

  /// Numbers the component: the neighbours of each vertex by rising degree, equal ones by their old number.
  void number(Id root) {
    numbered_.add(root);
    std::int64_t end = next_;
    order_[end++] = root;
    for (; next_ < end; ++next_) {
      stop_.at(next_);
      prefetch_row(next_, end);
      fresh_.clear();
      for (const Index w : graph_.row(order_[next_]))
        if (!numbered_.holds(w)) {
          numbered_.add(w);
          fresh_.push_back({degree_[w], static_cast<Id>(w)});
        }
      std::sort(fresh_.begin(), fresh_.end());
      for (const candidate& c : fresh_) order_[end++] = c.vertex;
    }
  }

  const graph<Index>& graph_;
  buffer<Id> degree_;
  buffer<Id> order_;       ///< numbered vertices, then the queue of the search under way
  std::int64_t next_ = 0;  ///< the first number that is free
  vertex_set seen_;        ///< by the search under way
  vertex_set numbered_;
  std::vector<candidate> fresh_;
  stop_check stop_;
};

}  // namespace

template <class Id, class Index> buffer<std::int64_t> rcm_order(const graph<Index>& g) {
  return cuthill_mckee<Index, Id>(g).reversed();
}

#define LACIS_RCM(Id, Index) template buffer<std::int64_t> rcm_order<Id>(const graph<Index>&);
LACIS_FOR_EACH_ID(LACIS_RCM)

}  // namespace lacis::detail
