// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Along paths: each vertex keeps at most two of its links, and the chains that remain are numbered one after the other.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "reorder/orders.hpp"

namespace lacis::detail {
namespace {

/// A vertex with at most two neighbours is *plain* and wants to keep both. One with more is a *branch*: it keeps its
/// first two plain neighbours, and where it has fewer, other branches that have room. Every step but that last one
/// decides each vertex by itself, so threads are free and the result does not depend on them.
///
/// What a vertex keeps is one number (4 bytes for 32-bit Id: the walk misses cache at every step, so bytes count): the
/// exclusive or of both neighbours, from either of which it gives the other; ~w at the end of a chain, where w is the
/// only neighbour; ~v for a vertex v alone. So a chain ends where the number is negative.
template <index Index, index Id> class chains {
 public:
  explicit chains(const graph<Index>& g) : graph_(g), links_(g.size()), branches_(g.size()), open_(g.size()) {
    find_branches();
    set_limits();
    link_plain_vertices();
    link_branches();
    join_open_branches();
    find_ends();
  }

  [[nodiscard]] buffer<std::int64_t> numbered() {
    // A chain is walked from both ends, and kept from the smaller one.
    buffer<std::int64_t> start(ends_.size() + 1);
    walk_all([](std::int64_t) { return std::int64_t{0}; }, [](Id, std::int64_t) {},
             [&](std::int64_t k, Id last, std::int64_t length) { start[k] = ends_[k] <= last ? length : 0; });
    const std::int64_t in_chains = counts_to_offsets(start);
    buffer<std::int64_t> order(graph_.size());
    const bool has_cycles = in_chains < graph_.size();
    walk_all([&](std::int64_t k) { return start[k] < start[k + 1] ? start[k] : skipped; },
             [&](Id v, std::int64_t number) {
               order[number] = v;
               if (has_cycles) links_[v] = passed;
             },
             [](std::int64_t, Id, std::int64_t) {});
    if (has_cycles) number_cycles(in_chains, order);
    return order;
  }

 private:
  static constexpr Id passed = std::numeric_limits<Id>::min();
  static constexpr Id no_limit = std::numeric_limits<Id>::max();
  static constexpr std::int64_t skipped = -1;
  static constexpr std::size_t in_flight = 32;

  /// work(first, last) on one range of words of a set a thread, which hold the vertices of whole words.
  template <class Work> void parallel_words(Work&& work) const {
    const int threads = threads_for(graph_.size());
    on_threads(threads, [&](int t, int parts) {
      const auto cut = [&](int part) {
        const std::int64_t row = balanced_cut(graph_.row_offsets(), part, parts);
        return part == parts ? branches_.words() : row / vertex_set::word_bits;
      };
      work(cut(t), cut(t + 1));
    });
  }

  /// visit(w) for the neighbours of v.
  template <class Visit> void each_neighbour(std::int64_t v, Visit&& visit) const {
    for (const Index w : graph_.row(v))
      if (w != v) visit(static_cast<Id>(w));
  }

  /// visit(b) for the members of a set in words first .. last; by then the bits of b's neighbours in it are in cache.
  template <class Visit>
  void each_member(const vertex_set& set, std::int64_t first, std::int64_t last, Visit&& visit) const {
    for (std::int64_t word = first; word < last; ++word) {
      set.for_each(word + 1, std::min(word + 2, last), [&](std::int64_t b) {
        for (const Index w : graph_.row(b)) set.prefetch(w);
      });
      set.for_each(word, word + 1, visit);
    }
  }

  /// visit(w) for all entries w of the rows of one word.
  template <class Visit> void each_entry(std::int64_t word, std::int64_t last_word, Visit&& visit) const {
    if (word >= last_word) return;
    const std::int64_t* offsets = graph_.row_offsets().data();
    const std::int64_t last_row = std::min((word + 1) * vertex_set::word_bits, graph_.size());
    for (std::int64_t k = offsets[word * vertex_set::word_bits]; k < offsets[last_row]; ++k)
      visit(graph_.columns().data()[k]);
  }

  void find_branches() {
    parallel_words([&](std::int64_t first, std::int64_t last) {
      const std::int64_t end = std::min(last * vertex_set::word_bits, graph_.size());
      for (std::int64_t v = first * vertex_set::word_bits; v < end; ++v) {
        if (graph_.degree(v) > 2) branches_.add(v);
        links_[v] = no_limit;
      }
    });
  }

  /// A branch keeps its plain neighbours up to a limit: for now its number, so that those can ask.
  void set_limits() {
    parallel_words([&](std::int64_t first, std::int64_t last) {
      each_member(branches_, first, last, [&](std::int64_t b) {
        int plain = 0;
        Id limit = no_limit;
        each_neighbour(b, [&](Id w) {
          if (!branches_.holds(w) && ++plain == 2) limit = w;
        });
        links_[b] = limit;
      });
    });
  }

  void link_plain_vertices() {
    parallel_words([&](std::int64_t first, std::int64_t last) {
      for (std::int64_t word = first; word < last; ++word) {
        // What is read comes from all over memory: ask for the bits of neighbours, and a word later for the limits.
        each_entry(word + 2, last, [&](Index w) { branches_.prefetch(w); });
        each_entry(word + 1, last, [&](Index w) { ask_for(&limit_of(w, word * vertex_set::word_bits)); });
        branches_.for_each_other(word, word + 1, [&](std::int64_t v) { link_plain_vertex(v); });
      }
    });
  }

  /// The limit of w if it is a branch, and otherwise what stands at v; without a branch of code, which would often be
  /// mispredicted.
  [[nodiscard]] const Id& limit_of(std::int64_t w, std::int64_t v) const {
    const std::int64_t all_if_branch = -static_cast<std::int64_t>(branches_.holds(w));
    return links_[v ^ ((v ^ w) & all_if_branch)];
  }

  void link_plain_vertex(std::int64_t v) {
    std::int64_t kept = 0;
    std::int64_t both = 0;
    for (const Index w : graph_.row(v)) {
      const bool keeps = w != v && v <= limit_of(w, v);  // at v there is no limit yet
      kept += keeps;
      both ^= w & -static_cast<std::int64_t>(keeps);
    }
    links_[v] = kept == 2 ? static_cast<Id>(both) : kept == 1 ? static_cast<Id>(~both) : alone(v);
  }

  void link_branches() {
    parallel_words([&](std::int64_t first, std::int64_t last) {
      each_member(branches_, first, last, [&](std::int64_t b) {
        const Id limit = links_[b];
        Id number = alone(b);
        each_neighbour(b, [&](Id w) {
          if (w <= limit && !branches_.holds(w)) number = joined(number, b, w);
        });
        links_[b] = number;
        if (number < 0) open_.add(b);
      });
    });
  }

  /// Branches with room for a neighbour, in order: each takes the first ones that have room, too. Few are left here.
  void join_open_branches() {
    each_member(open_, 0, open_.words(), [&](std::int64_t b) {
      each_neighbour(b, [&](Id w) {
        if (w < b || links_[b] >= 0 || !open_.holds(w)) return;
        links_[b] = joined(links_[b], b, w);
        links_[w] = joined(links_[w], w, b);
        if (links_[w] >= 0) open_.remove(w);
      });
    });
  }

  [[nodiscard]] static Id alone(std::int64_t v) { return static_cast<Id>(~v); }
  /// The number of v after it also keeps w, given its number before: it had room, so that was negative.
  [[nodiscard]] static Id joined(Id number, std::int64_t v, std::int64_t w) {
    return number == alone(v) ? static_cast<Id>(~w) : static_cast<Id>(~number ^ w);
  }

  void find_ends() {
    const std::int64_t size = graph_.size();
    const int threads = threads_for(size);
    std::vector<std::int64_t> place(static_cast<std::size_t>(threads) + 1);
    const auto each_end = [&](int t, int parts, auto&& visit) {
      const std::int64_t end = even_cut(size, t + 1, parts);
      for (std::int64_t v = even_cut(size, t, parts); v < end; ++v)
        if (links_[v] < 0) visit(v);
    };
    on_threads(threads, [&](int t, int parts) {
      std::int64_t count = 0;
      each_end(t, parts, [&](std::int64_t) { ++count; });
      place[static_cast<std::size_t>(t)] = count;
    });
    ends_ = buffer<Id>(counts_to_offsets(place));
    on_threads(threads, [&](int t, int parts) {
      std::int64_t k = place[static_cast<std::size_t>(t)];
      each_end(t, parts, [&](std::int64_t v) { ends_[k++] = static_cast<Id>(v); });
    });
  }

  /// Walks from end k, for every k, counting from first_count(k) on unless that is `skipped`: visit(vertex, count) on
  /// the way, finish(k, last vertex, count) after it.
  template <class FirstCount, class Visit, class Finish>
  void walk_all(FirstCount&& first_count, Visit&& visit, Finish&& finish) {
    parallel_ranges(ends_.size(),
                    [&](std::int64_t first, std::int64_t last) { walk(first, last, first_count, visit, finish); });
  }

  /// Many chains in turn, as each step waits for memory: by the time a chain's turn comes its vertex has arrived.
  template <class FirstCount, class Visit, class Finish>
  void walk(std::int64_t first, std::int64_t last, FirstCount& first_count, Visit& visit, Finish& finish) {
    struct walker {
      std::int64_t end;
      std::int64_t count;
      Id previous;
      Id vertex;
    };
    std::array<walker, in_flight> walkers;
    std::size_t walking = 0;
    const auto set_out = [&](walker& w) {
      for (; first < last; ++first) {
        std::int64_t count = first_count(first);
        if (count == skipped) continue;
        const Id end = ends_[first];
        const Id neighbour = static_cast<Id>(~links_[end]);
        visit(end, count++);
        if (neighbour == end) {
          finish(first, end, count);
          continue;
        }
        ask_for(&links_[neighbour]);
        w = {first++, count, end, neighbour};
        return true;
      }
      return false;
    };
    while (walking < in_flight && set_out(walkers[walking])) ++walking;
    for (std::size_t turn = 0; walking > 0; turn = turn + 1 < walking ? turn + 1 : 0) {
      walker& w = walkers[turn];
      const Id number = links_[w.vertex];
      visit(w.vertex, w.count++);
      if (number >= 0) {
        w.previous = std::exchange(w.vertex, static_cast<Id>(number ^ w.previous));
        ask_for(&links_[w.vertex]);
      } else {
        finish(w.end, w.vertex, w.count);
        if (!set_out(w)) w = walkers[--walking];
      }
    }
  }

  /// What no walk from an end has passed lies on cycles: from each one's least vertex on, to a neighbour not yet
  /// numbered for as long as there is one.
  void number_cycles(std::int64_t next, buffer<std::int64_t>& order) {
    for (std::int64_t least = 0; next < graph_.size(); ++least)
      for (std::int64_t v = links_[least] == passed ? -1 : least; v >= 0;) {
        order[next++] = v;
        links_[v] = passed;
        const auto row = graph_.row(v);
        const auto on = std::find_if(row.begin(), row.end(), [&](Index w) { return links_[w] != passed; });
        v = on == row.end() ? -1 : static_cast<std::int64_t>(*on);
      }
  }

  const graph<Index>& graph_;
  buffer<Id> links_;  ///< the number of each vertex, as above
  vertex_set branches_;
  vertex_set open_;  ///< branches with room for another neighbour
  buffer<Id> ends_;  ///< of chains, ascending
};

}  // namespace

template <class Id, class Index> buffer<std::int64_t> chain_order(const graph<Index>& g) {
  return chains<Index, Id>(g).numbered();
}

#define LACIS_CHAIN(Id, Index) template buffer<std::int64_t> chain_order<Id>(const graph<Index>&);
LACIS_FOR_EACH_ID(LACIS_CHAIN)

}  // namespace lacis::detail
