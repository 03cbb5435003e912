// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Each word is mixed with a key that depends on its place, and the halves of the result are multiplied, in the way of
// XXH3 and of the NH family of universal hashes. Pieces are hashed by themselves and joined by a sum.
#include "cpu/vector/content_hash.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/parallel.hpp"
#include "cpu/simd/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/vector/content_hash.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef LACIS_CONTENT_HASH_WORDS
#define LACIS_CONTENT_HASH_WORDS
namespace lacis::cpu {
/// Words that are taken at once: sums do not wait for each other.
inline constexpr std::size_t words_at_once = 16;
inline constexpr std::uint64_t key_step = 0xc2b2ae3d27d4eb4f;
struct hash_state {
  alignas(64) std::uint64_t sums[words_at_once];
  alignas(64) std::uint64_t keys[words_at_once];
};
}  // namespace lacis::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
void take_words(hash_state& state, const std::byte* bytes, std::size_t blocks) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint64_t, 4> d;
  const hn::Repartition<std::uint32_t, decltype(d)> halves;
  constexpr std::size_t lanes = 4;
  constexpr std::size_t chains = words_at_once / lanes;
  const auto step = hn::Set(d, key_step);
  hn::Vec<decltype(d)> sums[chains];
  hn::Vec<decltype(d)> keys[chains];
  HWY_UNROLL(4)
  for (std::size_t c = 0; c < chains; ++c) {
    sums[c] = hn::Load(d, state.sums + c * lanes);
    keys[c] = hn::Load(d, state.keys + c * lanes);
  }
  for (; blocks > 0; --blocks) {
    __builtin_prefetch(bytes + 4096);
    __builtin_prefetch(bytes + 4096 + 64);
    HWY_UNROLL(4)
    for (std::size_t c = 0; c < chains; ++c) {
      const auto word = hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(bytes) + c * lanes);
      const auto mixed = hn::Xor(word, keys[c]);
      const auto product = hn::MulEven(hn::BitCast(halves, mixed), hn::BitCast(halves, hn::ShiftRight<32>(mixed)));
      sums[c] = hn::Add(sums[c], hn::Add(product, hn::Reverse2(d, word)));
      keys[c] = hn::Add(keys[c], step);
    }
    bytes += words_at_once * sizeof(std::uint64_t);
  }
  HWY_UNROLL(4)
  for (std::size_t c = 0; c < chains; ++c) {
    hn::Store(sums[c], d, state.sums + c * lanes);
    hn::Store(keys[c], d, state.keys + c * lanes);
  }
}
#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lacis::cpu {
namespace {

constexpr std::size_t block_bytes = words_at_once * sizeof(std::uint64_t);
constexpr std::size_t piece_bytes = std::size_t{1} << 18;
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

/// A bijection that spreads every bit over all others (the finisher of SplitMix64).
std::uint64_t spread(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
  h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
  return h ^ (h >> 31);
}

using take_function = void (*)(hash_state&, const std::byte*, std::size_t);

void take_words_portably(hash_state& state, const std::byte* bytes, std::size_t blocks) {
  for (; blocks > 0; --blocks, bytes += block_bytes) {
    std::uint64_t words[words_at_once];
    std::memcpy(words, bytes, block_bytes);
    for (std::size_t k = 0; k < words_at_once; ++k) {
      const std::uint64_t mixed = words[k] ^ state.keys[k];
      state.sums[k] += (mixed & 0xffffffff) * (mixed >> 32) + words[k ^ 1];
      state.keys[k] += key_step;
    }
  }
}

take_function take_for(isa set) {
#if HWY_TARGETS & HWY_AVX2
  if (set != isa::scalar && is_supported(isa::avx2)) return N_AVX2::take_words;
#endif
  static_cast<void>(set);
  return take_words_portably;
}

std::uint64_t hash_of_piece(take_function take, std::span<const std::byte> bytes, std::uint64_t seed) {
  hash_state state;
  for (std::size_t k = 0; k < words_at_once; ++k) {
    state.sums[k] = 0;
    state.keys[k] = spread(seed + (k + 1) * golden);
  }
  const std::size_t blocks = bytes.size() / block_bytes;
  take(state, bytes.data(), blocks);
  const auto rest = bytes.subspan(blocks * block_bytes);
  if (!rest.empty()) {
    std::array<std::byte, block_bytes> padded{};
    std::memcpy(padded.data(), rest.data(), rest.size());
    take(state, padded.data(), 1);
  }
  std::uint64_t all = spread(seed ^ bytes.size());
  for (const std::uint64_t sum : state.sums) all = spread(all + golden + sum);
  return all;
}

}  // namespace

std::uint64_t content_hash(std::span<const std::byte> bytes, std::uint64_t seed, int threads, isa set) {
  const take_function take = take_for(set);
  const auto pieces = static_cast<std::int64_t>((bytes.size() + piece_bytes - 1) / piece_bytes);
  std::atomic<std::uint64_t> all = spread(seed + bytes.size());
  detail::on_threads(static_cast<int>(std::min<std::int64_t>(threads, pieces)), [&](int thread, int count) {
    std::uint64_t sum = 0;
    for (std::int64_t k = detail::even_cut(pieces, thread, count); k < detail::even_cut(pieces, thread + 1, count);
         ++k) {
      const std::size_t begin = static_cast<std::size_t>(k) * piece_bytes;
      const auto piece = bytes.subspan(begin, std::min(piece_bytes, bytes.size() - begin));
      sum += hash_of_piece(take, piece, spread(seed) + static_cast<std::uint64_t>(k) * golden);
    }
    all += sum;
  });
  return spread(all);
}

}  // namespace lacis::cpu
#endif
