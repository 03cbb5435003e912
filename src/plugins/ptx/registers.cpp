// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Registers that are never needed at the same time share a place. PTX gives every value a register of its own,
// thousands in a kernel of CUB; a warp starts with all of them filled, and those it uses should stay in the cache.
#include <algorithm>
#include <bit>
#include <queue>

#include "ptx/program.hpp"

namespace lacis::ptx {
namespace {

class bits {
 public:
  explicit bits(std::size_t size) : words_((size + 63) / 64, 0) {}

  void set(int bit) { words_[place(bit)] |= one(bit); }
  [[nodiscard]] bool has(int bit) const { return (words_[place(bit)] & one(bit)) != 0; }
  /// Adds those of `from` that `without` lacks; true when that changed anything.
  bool add(const bits& from, const bits* without = nullptr) {
    bool changed = false;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      const std::uint64_t more = from.words_[k] & (without != nullptr ? ~without->words_[k] : ~std::uint64_t{0});
      changed = changed || (more & ~words_[k]) != 0;
      words_[k] |= more;
    }
    return changed;
  }
  template <class Work> void each(const Work& work) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (std::uint64_t rest = words_[k]; rest != 0; rest &= rest - 1)
        work(static_cast<int>(k * 64) + std::countr_zero(rest));
  }

 private:
  static std::size_t place(int bit) { return static_cast<std::size_t>(bit) / 64; }
  static std::uint64_t one(int bit) { return std::uint64_t{1} << (bit % 64); }
  std::vector<std::uint64_t> words_;
};

/// Instructions that are executed one after the other.
struct stretch {
  int first;
  int last;
  bits read;     ///< before it is written here
  bits written;  ///< whatever the predicate
  bits needed_before;
  bits needed_after;
};

template <class Work> void each_read(instruction& i, const Work& work) {
  work(i.predicate);
  work(i.address);
  for (int& reg : i.from) work(reg);
}

bool ends_stretch(const instruction& i) { return i.what == action::branch || i.what == action::leave; }

std::vector<stretch> stretches_of(kernel& k) {
  const auto registers = static_cast<std::size_t>(k.registers);
  std::vector<char> begins(k.code.size() + 1, 0);
  begins[0] = 1;
  for (std::size_t at = 0; at < k.code.size(); ++at) {
    if (k.code[at].target != none) begins[static_cast<std::size_t>(k.code[at].target)] = 1;
    if (ends_stretch(k.code[at])) begins[at + 1] = 1;
  }
  std::vector<stretch> all;
  for (std::size_t at = 0; at < k.code.size(); ++at) {
    const int number = static_cast<int>(at);
    if (begins[at] != 0)
      all.push_back({number, number, bits(registers), bits(registers), bits(registers), bits(registers)});
    stretch& s = all.back();
    instruction& i = k.code[at];
    s.last = number;
    each_read(i, [&](int reg) {
      if (reg != none && !s.written.has(reg)) s.read.set(reg);
    });
    for (const int reg : i.to)
      if (reg != none && i.predicate == none) s.written.set(reg);
  }
  return all;
}

/// Which registers may still be read before and after every stretch.
void find_needed(const kernel& k, std::vector<stretch>& all) {
  std::vector<std::size_t> stretch_at(k.code.size(), 0);
  for (std::size_t s = 0; s < all.size(); ++s) stretch_at[static_cast<std::size_t>(all[s].first)] = s;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t s = all.size(); s-- > 0;) {
      stretch& own = all[s];
      const instruction& last = k.code[static_cast<std::size_t>(own.last)];
      if (last.target != none)
        own.needed_after.add(all[stretch_at[static_cast<std::size_t>(last.target)]].needed_before);
      const bool goes_on = !ends_stretch(last) || last.predicate != none;
      if (goes_on && s + 1 < all.size()) own.needed_after.add(all[s + 1].needed_before);
      changed = own.needed_before.add(own.read) || changed;
      changed = own.needed_before.add(own.needed_after, &own.written) || changed;
    }
  }
}

struct interval {
  int first = none;
  int last = none;

  void include(int at) {
    first = first == none ? at : std::min(first, at);
    last = std::max(last, at);
  }
};

std::vector<interval> intervals_of(kernel& k) {
  std::vector<stretch> all = stretches_of(k);
  find_needed(k, all);
  std::vector<interval> found(static_cast<std::size_t>(k.registers));
  const auto include = [&](int reg, int at) {
    if (reg != none) found[static_cast<std::size_t>(reg)].include(at);
  };
  for (const stretch& s : all) {
    s.needed_before.each([&](int reg) { include(reg, s.first); });
    s.needed_after.each([&](int reg) { include(reg, s.last); });
  }
  for (std::size_t at = 0; at < k.code.size(); ++at) {
    each_read(k.code[at], [&](int reg) { include(reg, static_cast<int>(at)); });
    for (const int reg : k.code[at].to) include(reg, static_cast<int>(at));
  }
  // What is set before the kernel begins.
  for (const constant& c : k.constants) include(c.reg, 0);
  each_special(k, [&](int reg) { include(reg, 0); });
  return found;
}

}  // namespace

void share_registers(kernel& k) {
  const std::vector<interval> needed = intervals_of(k);
  std::vector<int> order;
  for (std::size_t reg = 0; reg < needed.size(); ++reg)
    if (needed[reg].first != none) order.push_back(static_cast<int>(reg));
  const auto of = [&](int reg) { return needed[static_cast<std::size_t>(reg)]; };
  std::ranges::sort(order, {}, [&](int reg) { return std::pair(of(reg).first, reg); });
  std::vector<int> places(needed.size(), none);
  using taken = std::pair<int, int>;  // until when, and the place
  std::priority_queue<taken, std::vector<taken>, std::greater<>> in_use;
  int count = 0;
  for (const int reg : order) {
    int place = count;
    if (!in_use.empty() && in_use.top().first < of(reg).first) {
      place = in_use.top().second;
      in_use.pop();
    } else {
      ++count;
    }
    places[static_cast<std::size_t>(reg)] = place;
    in_use.emplace(of(reg).last, place);
  }
  const auto move = [&](int& reg) {
    if (reg != none) reg = places[static_cast<std::size_t>(reg)];
  };
  for (instruction& i : k.code) {
    each_read(i, move);
    for (int& reg : i.to) move(reg);
  }
  for (constant& c : k.constants) move(c.reg);
  each_special(k, move);
  k.registers = count;
}

}  // namespace lacis::ptx
