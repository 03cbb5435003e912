// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the two limits of the order of summation cost: products with other limits interleaved, and errors of sums.
//
//   bench_order [SPEC ...]     products of generated matrices; the ratios are times, canonical limits / these
//   bench_order errors         errors of sums of random products, in units of u times the sum of magnitudes
//
// One thread. Each contestant has limits S and C and is first compared with the definition for those, bit for bit.
#define HWY_COMPILE_ONLY_STATIC  // for the machine that compiles
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <lacis/lacis.hpp>

#include "measure/interleave.hpp"
#include "measure/statistics.hpp"
#include "summation/sum.hpp"

namespace {

namespace hn = hwy::HWY_NAMESPACE;
namespace measure = lacis::measure;
namespace summation = lacis::summation;
using matrix = lacis::csr_matrix<double, std::int32_t>;
using numbers = hn::ScalableTag<double>;
using vector = hn::Vec<numbers>;

constexpr std::int64_t width = HWY_MAX_BYTES / sizeof(double);
constexpr numbers tag;
constexpr hn::Rebind<std::int32_t, numbers> narrow;
constexpr hn::RebindToSigned<numbers> wide;

vector gather(const double* x, const std::int32_t* columns) {
  return hn::GatherIndex(tag, x, hn::PromoteTo(wide, hn::LoadU(narrow, columns)));
}

/// As many rows as a vector has lanes, stored slot by slot.
struct slice {
  std::int64_t first_slot = 0;  ///< in units of `width`
  std::int64_t first_row = 0;   ///< in `rows`
  std::int32_t shortest = 0;
  std::int32_t longest = 0;
  bool runs_on = false;  ///< in every slot the columns ascend by one from row to row: a load serves for the gather
};

/// Rows of similar length side by side.
struct packed {
  std::vector<slice> slices;
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> lengths;
  lacis::buffer<std::int32_t> columns;
  lacis::buffer<double> values;
};

/// The rows of `above` + 1 to `most` entries. Sorted by length in windows, so that little is padded.
packed pack(const matrix& a, std::int64_t above, std::int64_t most) {
  constexpr std::size_t window = 1024;
  const auto length = [&](std::int32_t i) { return a.row_offsets[i + 1] - a.row_offsets[i]; };
  packed p;
  for (std::int32_t i = 0; i < a.rows; ++i)
    if (length(i) > above && length(i) <= most) p.rows.push_back(i);
  for (std::size_t begin = 0; begin < p.rows.size(); begin += window)
    std::stable_sort(p.rows.begin() + static_cast<std::ptrdiff_t>(begin),
                     p.rows.begin() + static_cast<std::ptrdiff_t>(std::min(p.rows.size(), begin + window)),
                     [&](std::int32_t i, std::int32_t j) { return length(i) > length(j); });
  std::int64_t slots = 0;
  for (std::size_t r = 0; r < p.rows.size(); r += static_cast<std::size_t>(width)) {
    slice s{.first_slot = slots, .first_row = static_cast<std::int64_t>(r), .shortest = INT32_MAX};
    for (std::size_t l = r; l < r + static_cast<std::size_t>(width); ++l) {
      const std::int64_t n = l < p.rows.size() ? length(p.rows[l]) : 0;
      p.lengths.push_back(n);
      s.shortest = std::min(s.shortest, static_cast<std::int32_t>(n));
      s.longest = std::max(s.longest, static_cast<std::int32_t>(n));
    }
    slots += s.longest;
    p.slices.push_back(s);
  }
  p.columns = lacis::buffer<std::int32_t>(slots * width, 0);
  p.values = lacis::buffer<double>(slots * width, NAN);  // padding that entered a sum would show
  for (slice& s : p.slices) {
    s.runs_on = s.shortest == s.longest;
    for (std::int64_t l = 0; l < width; ++l) {
      const std::int64_t n = p.lengths[static_cast<std::size_t>(s.first_row + l)];
      for (std::int64_t k = 0; k < n; ++k) {
        const std::int64_t entry = a.row_offsets[p.rows[static_cast<std::size_t>(s.first_row + l)]] + k;
        const std::int64_t place = (s.first_slot + k) * width + l;
        p.columns[place] = a.columns[entry];
        p.values[place] = a.values[entry];
        if (l > 0 && p.columns[place] != p.columns[place - l] + l) s.runs_on = false;
      }
    }
  }
  return p;
}

/// Adds slot k of a slice to the sums of its rows, in lanes that have one.
template <bool RunsOn, bool Whole>
HWY_INLINE vector add_slot(vector sum, const packed& p, const slice& s, std::int64_t k, const double* x) {
  const std::int64_t place = (s.first_slot + k) * width;
  const std::int32_t* columns = p.columns.data() + place;
  const vector elements = RunsOn ? hn::LoadU(tag, x + columns[0]) : gather(x, columns);
  const vector added = hn::Add(sum, hn::Mul(hn::LoadU(tag, p.values.data() + place), elements));
  if constexpr (Whole) return added;
  const auto lengths = hn::LoadU(wide, p.lengths.data() + s.first_row);
  return hn::IfThenElse(hn::RebindMask(tag, hn::Gt(lengths, hn::Set(wide, k))), added, sum);
}

template <bool RunsOn> vector left_to_right(const packed& p, const slice& s, const double* x) {
  vector sum = hn::Zero(tag);
  for (std::int64_t k = 0; k < s.shortest; ++k) sum = add_slot<RunsOn, true>(sum, p, s, k, x);
  for (std::int64_t k = s.shortest; k < s.longest; ++k) sum = add_slot<RunsOn, false>(sum, p, s, k, x);
  return sum;
}

/// The order's 32 lanes of each row, for rows of one chunk: a row a lane of the vector, eight of the order's lanes at a
/// time in registers. Slots are not read as they lie, so the slice after the next is fetched ahead
/// (gathers keep the memory busy without).
template <bool RunsOn> vector lanes_across_rows(const packed& p, const slice& s, const double* x) {
  vector quarters[4];
  const std::int64_t ahead = 2 * s.longest * width;
  for (std::int64_t t = 0; t < 4; ++t) {
    vector sums[8];
    for (auto& sum : sums) sum = hn::Zero(tag);
    for (std::int64_t first = t; first < s.longest; first += 32) {
      for (int m = 0; m < 8 && first + 4 * m < s.longest; ++m) {
        const std::int64_t k = first + 4 * m;
        if constexpr (RunsOn) {
          hwy::Prefetch(p.values.data() + (s.first_slot + k) * width + ahead);
          hwy::Prefetch(p.columns.data() + (s.first_slot + k) * width + ahead);
        }
        sums[m] =
            k < s.shortest ? add_slot<RunsOn, true>(sums[m], p, s, k, x) : add_slot<RunsOn, false>(sums[m], p, s, k, x);
      }
    }
    for (int half = 4; half > 0; half /= 2)
      for (int m = 0; m < half; ++m) sums[m] = hn::Add(sums[m], sums[m + half]);
    quarters[t] = sums[0];
  }
  return hn::Add(hn::Add(quarters[0], quarters[2]), hn::Add(quarters[1], quarters[3]));
}

template <bool Lanes> void multiply_packed(const packed& p, const double* x, double* y) {
  alignas(64) double sums[width];
  for (const slice& s : p.slices) {
    if constexpr (Lanes)
      hn::Store(s.runs_on ? lanes_across_rows<true>(p, s, x) : lanes_across_rows<false>(p, s, x), tag, sums);
    else
      hn::Store(s.runs_on ? left_to_right<true>(p, s, x) : left_to_right<false>(p, s, x), tag, sums);
    const auto count = std::min(width, static_cast<std::int64_t>(p.rows.size()) - s.first_row);
    for (std::int64_t l = 0; l < count; ++l) y[p.rows[static_cast<std::size_t>(s.first_row + l)]] = sums[l];
  }
}

/// One chunk of a row in 32 lanes. Where 32 columns follow each other a load serves for the gather.
double chunk_sum(const double* values, const std::int32_t* columns, std::int64_t count, const double* x) {
  constexpr int vectors = static_cast<int>(32 / width);
  vector sums[vectors];
  for (auto& sum : sums) sum = hn::Zero(tag);
  std::int64_t k = 0;
  for (; k + 32 <= count; k += 32) {
    const bool run = columns[k + 31] - columns[k] == 31;  // they ascend strictly
    for (int v = 0; v < vectors; ++v) {
      const std::int64_t first = k + v * width;
      const vector elements = run ? hn::LoadU(tag, x + columns[k] + v * width) : gather(x, columns + first);
      sums[v] = hn::Add(sums[v], hn::Mul(hn::LoadU(tag, values + first), elements));
    }
  }
  for (int v = 0; v < vectors && k < count; ++v, k += width) {
    const auto left = static_cast<std::size_t>(std::min(width, count - k));
    const auto some = hn::FirstN(tag, left);
    const auto places = hn::PromoteTo(wide, hn::MaskedLoad(hn::FirstN(narrow, left), narrow, columns + k));
    const auto product = hn::Mul(hn::MaskedLoad(some, tag, values + k), hn::GatherIndex(tag, x, places));
    sums[v] = hn::IfThenElse(some, hn::Add(sums[v], product), sums[v]);
  }
  for (int half = vectors / 2; half > 0; half /= 2)
    for (int v = 0; v < half; ++v) sums[v] = hn::Add(sums[v], sums[v + half]);
  alignas(64) double lanes[width];
  hn::Store(sums[0], tag, lanes);
  for (std::int64_t half = width / 2; half > 0; half /= 2)
    for (std::int64_t l = 0; l < half; ++l) lanes[l] = lanes[l] + lanes[l + half];
  return lanes[0];
}

/// Rows of more than `above` entries, one after the other.
template <std::int64_t Chunk> void multiply_long(const matrix& a, std::int64_t above, const double* x, double* y) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::int64_t begin = a.row_offsets[i];
    const std::int64_t count = a.row_offsets[i + 1] - begin;
    if (count <= above) continue;
    const double* values = a.values.data.data() + begin;
    const std::int32_t* columns = a.columns.data() + begin;
    if (count <= Chunk) {
      y[i] = chunk_sum(values, columns, count, x);
      continue;
    }
    summation::node_range<double> sums;
    for (std::int64_t k = 0; k < count; k += Chunk)
      sums.append(chunk_sum(values + k, columns + k, std::min(Chunk, count - k), x));
    y[i] = sums.total();
  }
}

/// Limits, and up to which length rows are packed side by side: short ones left to right, others in lanes.
struct limits {
  std::int64_t short_limit = 32;
  std::int64_t chunk = 1024;
  std::int64_t packed_limit = 0;  ///< 0: only short rows

  [[nodiscard]] std::string name() const {
    return "S " + std::to_string(short_limit) + ", C " + std::to_string(chunk) +
           (packed_limit == 0 ? "" : ", packed to " + std::to_string(packed_limit));
  }
};

struct product {
  limits at;
  const matrix* a = nullptr;
  const packed* short_rows = nullptr;
  const packed* lane_rows = nullptr;  ///< or null

  void operator()(const double* x, double* y) const {
    multiply_packed<false>(*short_rows, x, y);
    if (lane_rows != nullptr) multiply_packed<true>(*lane_rows, x, y);
    const std::int64_t above = std::max(at.short_limit, at.packed_limit);
    switch (at.chunk) {
      case 256:
        return multiply_long<256>(*a, above, x, y);
      case 512:
        return multiply_long<512>(*a, above, x, y);
      case 1024:
        return multiply_long<1024>(*a, above, x, y);
      case 2048:
        return multiply_long<2048>(*a, above, x, y);
      default:
        return multiply_long<4096>(*a, above, x, y);
    }
  }
};

/// The first row (of every one up to a million entries, of fewer beyond) whose bits are not those of the definition; -1
/// when there is none.
std::int64_t wrong_row(const product& p, std::span<const double> x, const std::vector<double>& y) {
  const summation::order order{.short_limit = p.at.short_limit, .chunk = p.at.chunk};
  const std::int64_t step = 1 + p.a->row_offsets[p.a->rows] / 1'000'000;
  for (std::int64_t i = 0; i < p.a->rows; i += step) {
    const double expected = summation::row_sum<double, std::int32_t, double>(p.a->view(), i, x, order);
    if (std::bit_cast<std::uint64_t>(expected) != std::bit_cast<std::uint64_t>(y[static_cast<std::size_t>(i)]))
      return i;
  }
  return -1;
}

/// The limits that can make a difference for rows of these lengths; the canonical ones first.
std::vector<limits> worth_comparing(const matrix& a) {
  std::set<std::int64_t> lengths;
  for (std::int64_t i = 0; i < a.rows; ++i) lengths.insert(a.row_offsets[i + 1] - a.row_offsets[i]);
  const auto any = [&](std::int64_t above, std::int64_t most) {
    return lengths.upper_bound(above) != lengths.upper_bound(most);
  };
  std::vector<limits> all{{}};
  if (any(16, 32)) all.push_back({.short_limit = 16});
  if (any(32, 64)) all.push_back({.short_limit = 64});
  if (any(32, 128)) all.push_back({.short_limit = 128});
  if (any(32, 128)) all.push_back({.packed_limit = 128});
  for (const std::int64_t chunk : {256, 512, 2048, 4096})
    if (any(std::min<std::int64_t>(chunk, 1024), INT64_MAX)) all.push_back({.chunk = chunk});
  return all;
}

bool compare(const std::string& spec) {
  const matrix a = lacis::generate<double>(spec, {.values = lacis::generated_values::random});
  std::vector<double> x(static_cast<std::size_t>(a.cols));
  std::mt19937_64 random(7);
  for (double& element : x) element = std::uniform_real_distribution<double>(-1, 1)(random);
  std::vector<double> y(static_cast<std::size_t>(a.rows));

  std::map<std::pair<std::int64_t, std::int64_t>, packed> layouts;
  const auto layout = [&](std::int64_t above, std::int64_t most) -> const packed* {
    const auto [at, missing] = layouts.try_emplace({above, most});
    if (missing) at->second = pack(a, above, most);
    return &at->second;
  };
  std::vector<measure::contestant> contestants;
  for (const limits& at : worth_comparing(a)) {
    const product p{at, &a, layout(-1, at.short_limit),
                    at.packed_limit == 0 ? nullptr : layout(at.short_limit, at.packed_limit)};
    std::fill(y.begin(), y.end(), -1.0);
    p(x.data(), y.data());
    if (const std::int64_t row = wrong_row(p, x, y); row >= 0) {
      std::fprintf(stderr, "%s, %s: row %lld is not what the order defines; the kernels of this file are wrong\n",
                   spec.c_str(), at.name().c_str(), static_cast<long long>(row));
      return false;
    }
    contestants.push_back({at.name(), [p, &x, &y](int times) {
                             const auto begin = std::chrono::steady_clock::now();
                             for (int n = 0; n < times; ++n) p(x.data(), y.data());
                             return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
                                    times;
                           }});
  }
  const auto nnz = static_cast<double>(a.row_offsets[a.rows]);
  std::printf("%s: %lld rows, %.3g entries, %.0f MB\n", spec.c_str(), static_cast<long long>(a.rows), nnz, nnz * 12e-6);
  const auto samples = measure::interleave(contestants, {.seconds = 0, .least_rounds = 21});
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    const auto ratio = measure::ratio_estimate(samples[0].seconds, samples[i].seconds);
    const auto [least, most] = std::minmax_element(samples[i].seconds.begin(), samples[i].seconds.end());
    std::printf("  %-26s %8.3f ms (%.3f to %.3f)  %.3f [%.3f, %.3f]  %d disturbed\n", contestants[i].name.c_str(),
                measure::median(samples[i].seconds) * 1e3, *least * 1e3, *most * 1e3, ratio.median, ratio.low,
                ratio.high, samples[i].disturbed);
  }
  std::fflush(stdout);
  return true;
}

/// Roundings on the longest way from a product to the sum, that of the product included.
std::int64_t depth(std::int64_t n, const limits& at) {
  if (n <= at.short_limit) return n;
  const auto longest = std::min(n, at.chunk);
  return (longest + 31) / 32 + 5 +
         static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(summation::chunks_of(n, at.chunk) - 1)));
}

/// Sums of float products, whose errors double precision shows: medians and largest of many, by n, S and C.
void errors() {
  std::printf("%9s  %-18s %6s  %-21s %-21s\n", "n", "", "bound", "in [0, 1): median max", "in [-1, 1): median max");
  for (const std::int64_t n : {32, 48, 64, 128, 256, 1024, 4096, 16384, 131072, 1000000}) {
    std::vector<limits> all;
    for (const std::int64_t s : {16, 32, 64, 128})
      if (s == 32 || n <= 128) all.push_back({.short_limit = s});
    for (const std::int64_t c : {256, 512, 2048, 4096})
      if (n > std::min<std::int64_t>(c, 1024)) all.push_back({.chunk = c});
    if (n > 128) all.push_back({.short_limit = n});  // left to right
    const int sums = n > 100000 ? 100 : 1000;
    for (const limits& at : all) {
      std::mt19937_64 random(11);
      std::vector<float> left(static_cast<std::size_t>(n));
      std::vector<float> right(static_cast<std::size_t>(n));
      double median[2];
      double most[2];
      for (const int sign : {0, 1}) {
        std::vector<double> found;
        for (int sum = 0; sum < sums; ++sum) {
          double exact = 0;
          double magnitude = 0;
          for (std::size_t k = 0; k < left.size(); ++k) {
            left[k] = std::uniform_real_distribution<float>(sign == 0 ? 0.0f : -1.0f, 1.0f)(random);
            right[k] = std::uniform_real_distribution<float>(sign == 0 ? 0.0f : -1.0f, 1.0f)(random);
            const double exact_product = double{left[k]} * double{right[k]};
            exact += exact_product;
            magnitude += std::abs(exact_product);
          }
          const float result = summation::sum_products<float, float>(
              n, [&](std::int64_t k) { return left[static_cast<std::size_t>(k)]; },
              [&](std::int64_t k) { return right[static_cast<std::size_t>(k)]; },
              {.short_limit = at.short_limit, .chunk = at.chunk});
          found.push_back(std::abs(double{result} - exact) / magnitude / 0x1p-24);
        }
        median[sign] = measure::median(found);
        most[sign] = *std::max_element(found.begin(), found.end());
      }
      std::printf("%9lld  %-18s %6lld  %9.3f %9.3f   %9.3f %9.3f\n", static_cast<long long>(n), at.name().c_str(),
                  static_cast<long long>(depth(n, at)), median[0], most[0], median[1], most[1]);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> specs(arguments + 1, arguments + count);
  if (specs == std::vector<std::string>{"errors"}) {
    errors();
    return 0;
  }
  if (specs.empty())
    specs = {"@uniform:1M,20",   "@uniform:400k,48",      "@uniform:200k,96", "@banded:400k,20", "@banded:200k,48",
             "@rmat:20",         "@mesh3d:100",           "@uniform:10k,20",  "@uniform:5k,48",  "@uniform:2500,96",
             "@banded:5k,20",    "@banded:2500,48",       "@mesh3d:20",       "@rmat:12",        "@uniform:20k,1024",
             "@uniform:5k,4096", "@powerlaw:200k,80,100k"};
  bool good = true;
  for (const std::string& spec : specs) good = compare(spec) && good;
  return good ? 0 : 1;
}
