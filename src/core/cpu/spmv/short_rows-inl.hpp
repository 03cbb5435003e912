// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums of short contiguous rows: the products of some of them in an array, then a row per lane. Compiled once per
// target.
#if defined(LACIS_CPU_SHORT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SHORT_ROWS_INL
#undef LACIS_CPU_SHORT_ROWS_INL
#else
#define LACIS_CPU_SHORT_ROWS_INL
#endif

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// A few rows at a time, each of at most short_limit entries, real values.
template <class A, class X> class short_rows {
 public:
  using T = product_of<A, X>;
  static constexpr std::int64_t most_rows = 64;

  explicit short_rows(const operand<A, std::int32_t, X>& e) : e_(e) {}

  /// Whether rows begin .. end are such rows, whose entries are all in the matrix.
  bool take(const std::int64_t* offsets, std::int64_t begin, std::int64_t end) {
    first_ = offsets[begin];
    rows_ = end - begin;
    const std::int64_t last = offsets[end];
    if (first_ < 0 || last < first_ || last > e_.entries || last - first_ > rows_ * short_limit) return false;
    count_ = last - first_;
    if (count_ > 0 && e_.cols <= 0) return false;
    const tag<std::int64_t> d;
    const hn::RebindToUnsigned<tag<std::int64_t>> wide;
    const hn::Rebind<std::uint32_t, tag<std::int64_t>> narrow;
    constexpr std::int64_t lanes = width<std::int64_t>;
    const auto lowest = hn::Set(d, first_);
    const auto highest = hn::Set(d, last);
    const auto longest = hn::Set(d, short_limit);
    auto bad = hn::Lt(lowest, lowest);
    std::int64_t i = 0;
    for (; i + lanes <= rows_; i += lanes) {
      const auto from = hn::LoadU(d, offsets + begin + i);
      const auto to = hn::LoadU(d, offsets + begin + i + 1);
      // Only where both are inside does their difference say something.
      bad = hn::Or(bad, hn::Or(hn::Or(hn::Lt(from, lowest), hn::Gt(to, highest)),
                               hn::Or(hn::Gt(from, to), hn::Gt(hn::Sub(to, from), longest))));
      hn::StoreU(hn::TruncateTo(narrow, hn::BitCast(wide, hn::Sub(from, lowest))), narrow,
                 reinterpret_cast<std::uint32_t*>(begins_ + i));
    }
    if (!hn::AllFalse(d, bad)) return false;
    for (; i < rows_; ++i) {
      const std::int64_t from = offsets[begin + i];
      const std::int64_t to = offsets[begin + i + 1];
      if (from < first_ || to > last || from > to || to - from > short_limit) return false;
      begins_[i] = static_cast<std::int32_t>(from - first_);
    }
    std::fill_n(begins_ + rows_, spare, static_cast<std::int32_t>(count_));
    return true;
  }

  /// Sums the rows that were taken, of which `row` is the first; whether the columns of each ascend and lie in the
  /// matrix. What does not lie there is not read.
  bool sum(std::int64_t row, const scaling<T>& scale, T* y) {
    const std::int64_t descents = e_.iso ? multiply_all<true>() : multiply_all<false>();
    for (std::int64_t i = 0; i < rows_; i += lanes_of_sums) {
      const auto sums = sum_lanes(begins_ + i);
      const std::int64_t rows = std::min(lanes_of_sums, rows_ - i);
      if (scale.plain && rows == lanes_of_sums) {
        hn::StoreU(sums, tag<T>(), y + row + i);
      } else {
        HWY_ALIGN T some[static_cast<std::size_t>(lanes_of_sums)];
        hn::Store(sums, tag<T>(), some);
        for (std::int64_t l = 0; l < rows; ++l) scale.store(y[row + i + l], some[l]);
      }
    }
    return inside_ && descents == descents_between_rows();
  }

 private:
  static_assert(std::is_same_v<T, X>);
  static constexpr std::int64_t lanes_of_sums = width<T>;
  static constexpr std::int64_t most_entries = most_rows * short_limit;
  static constexpr std::int64_t spare = width<std::int32_t> + 1;  // begins behind the last row, as vectors read them

  /// Products of all entries to products_, zeros behind them; how many columns are not less than the next one.
  template <bool Iso> std::int64_t multiply_all() {
    const index_tag<T> d;
    const hn::RebindToUnsigned<index_tag<T>> without_sign;  // where what is negative is large
    const auto same = broadcast<T>(Iso ? e_.values[0] : A{});
    const std::int32_t* const columns = e_.columns + first_;
    const A* const values = Iso ? e_.values : e_.values + first_;
    const auto last_column = hn::Set(without_sign, static_cast<std::uint32_t>(e_.cols - 1));
    auto largest = hn::Zero(without_sign);
    std::int64_t descents = 0;
    const auto multiply_lanes = [&](auto of_columns, auto of_values, std::int64_t k) {
      const auto place = hn::BitCast(without_sign, of_columns);
      largest = hn::Max(largest, place);
      const auto x = gather(e_.x, hn::BitCast(d, hn::Min(place, last_column)));
      store<T>(multiply(of_values, x), products_ + k);
    };
    std::int64_t k = 0;
    for (; k + lanes_of_sums < count_; k += lanes_of_sums) {
      if constexpr (!Iso) __builtin_prefetch(reinterpret_cast<const char*>(values + k) + fetch_distance);
      if (k % (2 * lanes_of_sums) == 0)
        __builtin_prefetch(reinterpret_cast<const char*>(columns + k) + fetch_distance / 2);
      const auto here = hn::LoadU(d, columns + k);
      descents +=
          lanes_of_sums - static_cast<std::int64_t>(hn::CountTrue(d, hn::Lt(here, hn::LoadU(d, columns + k + 1))));
      multiply_lanes(here, value_lanes<Iso>(values, k, lanes_of_sums, same), k);
    }
    if (k < count_) {  // at most a vector of columns, the last of which nothing follows
      const auto rest = static_cast<std::size_t>(count_ - k);
      const auto here = hn::MaskedLoad(hn::FirstN(d, rest), d, columns + k);
      const auto pairs = hn::FirstN(d, rest - 1);
      const auto rises = hn::And(pairs, hn::Lt(here, hn::MaskedLoad(pairs, d, columns + k + 1)));
      descents += static_cast<std::int64_t>(rest - 1) - static_cast<std::int64_t>(hn::CountTrue(d, rises));
      multiply_lanes(here, value_lanes<Iso>(values, k, count_ - k, same), k);
    }
    for (std::int64_t v = 0; v < short_limit; v += lanes_of_sums) store<T>(zero<T>(), products_ + count_ + v);
    inside_ = count_ == 0 || hn::GetLane(hn::MaxOfLanes(without_sign, largest)) < static_cast<std::uint64_t>(e_.cols);
    return descents;
  }

  template <bool Iso, class V>
  static HWY_INLINE V value_lanes(const A* values, std::int64_t k, std::int64_t count, V same) {
    if constexpr (Iso)
      return same;
    else
      return count < lanes_of_sums ? load_first<T>(values + k, count) : load<T>(values + k);
  }

  /// How many of the rows begin with a column that is not greater than the one before it, in the row before.
  std::int64_t descents_between_rows() const {
    if (count_ < 2) return 0;
    const tag<std::int32_t> d;
    const std::int32_t* const columns = e_.columns + first_;
    const auto one = hn::Set(d, 1);
    const auto last = hn::Set(d, static_cast<std::int32_t>(count_ - 1));
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < rows_; i += width<std::int32_t>) {
      const auto begin = hn::LoadU(d, begins_ + i);
      const auto behind = hn::And(hn::Gt(begin, hn::Zero(d)), hn::Lt(begin, hn::LoadU(d, begins_ + i + 1)));
      const auto at = hn::Max(hn::Min(begin, last), one);
      const auto rises = hn::Lt(hn::GatherIndex(d, columns, hn::Sub(at, one)), hn::GatherIndex(d, columns, at));
      found += static_cast<std::int64_t>(hn::CountTrue(d, hn::AndNot(rises, behind)));
    }
    return found;
  }

  /// The sums of rows that begin at begins[0], begins[1], ..., each from left to right.
  HWY_INLINE vec<T> sum_lanes(const std::int32_t* begins) const {
    const tag<T> d;
    const index_tag<T> places;
    auto at = hn::LoadU(places, begins);
    const auto length = hn::Sub(hn::LoadU(places, begins + 1), at);
    const std::int32_t longest = hn::GetLane(hn::MaxOfLanes(places, length));
    vec<T> left;
    if constexpr (std::is_same_v<T, float>)
      left = hn::ConvertTo(d, length);
    else
      left = hn::PromoteTo(d, length);
    vec<T> sums = hn::Zero(d);
    for (std::int32_t s = 0; s < longest; ++s) {
      const auto more = hn::Gt(left, hn::Set(d, static_cast<T>(s)));
      sums = choose(more, add(sums, gather(products_, at)), sums);
      at = hn::Add(at, hn::Set(places, 1));
    }
    return sums;
  }

  const operand<A, std::int32_t, X>& e_;
  std::int64_t first_ = 0;  ///< of the entries that were taken
  std::int64_t count_ = 0;
  std::int64_t rows_ = 0;
  bool inside_ = true;
  HWY_ALIGN std::int32_t begins_[static_cast<std::size_t>(most_rows + spare)];
  HWY_ALIGN T products_[static_cast<std::size_t>(most_entries + short_limit + width<T>)];
};

}  // namespace
#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
