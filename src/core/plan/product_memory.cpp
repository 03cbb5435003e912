// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plan of the transpose that is kept for as long as the hash of the matrix's arrays is the same.
#include <any>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/product_memory.hpp>
#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "base/instantiate.hpp"
#include "base/machine_memory.hpp"
#include "base/parallel.hpp"
#include "cpu/launch.hpp"
#include "cpu/vector/content_hash.hpp"

namespace lacis {
namespace detail {

struct remembered_matrix {
  std::int64_t memory_limit = 0;
  std::mutex mutex;
  std::uint64_t hash = 0;     ///< of the last matrix and how it is multiplied
  bool known = false;         ///< whether there was one
  bool without_plan = false;  ///< one is being made, or none can be made
  std::any made;              ///< plan<Value, std::int32_t> of its transpose
  std::int64_t bytes = 0;     ///< of that plan
};

namespace {

/// A plan pays for itself within so many products, or is not made.
constexpr double expected_products = 100;

template <class Value, class Index, class Offset>
std::uint64_t hash_of(const csr_view<Value, Index, Offset>& a, const multiply_options& options) {
  const cpu::launch how = cpu::launch_of(options, a.rows + a.nnz());
  const auto with = [&](std::uint64_t before, auto array) {
    return cpu::content_hash(array, before, how.threads, how.set);
  };
  const std::int64_t sizes[] = {a.rows,
                                a.cols,
                                a.nnz(),
                                a.values.iso ? 1 : 0,
                                is_complex<Value> ? 1 : 0,
                                sizeof(Value),
                                sizeof(Index),
                                sizeof(Offset),
                                options.threads,
                                options.isa ? 1 + static_cast<std::int64_t>(*options.isa) : 0};
  return with(with(with(with(0, std::span<const std::int64_t>(sizes)), a.row_offsets), a.columns), a.values.data);
}

/// Nothing where the matrix is not valid or not canonical: a product without a plan says what is wrong with it.
template <class Value, class Index>
std::optional<plan<Value, std::int32_t>> plan_of_transpose(const csr_view<Value, Index>& stored,
                                                           const multiply_options& options, std::int64_t memory_limit) {
  if (validate(stored) || !is_canonical(stored)) return std::nullopt;
  plan_options wanted;
  wanted.expected_uses = expected_products;
  wanted.threads = options.threads;
  wanted.isa = options.isa;
  wanted.memory_limit = memory_limit;
  const csr_matrix<Value, Index> rows = transpose(stored, false);
  if constexpr (std::is_same_v<Index, std::int32_t>) {
    return multiply_inspect(rows.view(), wanted);
  } else {
    const csr_matrix<Value, std::int32_t> narrow = cast_indices<std::int32_t>(rows.view());
    return multiply_inspect(narrow.view(), wanted);
  }
}

}  // namespace

template <class Value, class Index, class Offset>
std::optional<plan<Value, std::int32_t>> remembered_transpose(product_memory& memory,
                                                              const csr_view<Value, Index, Offset>& stored,
                                                              const multiply_options& options) {
  const std::uint64_t hash = hash_of(stored, options);
  remembered_matrix& held = memory.internals();
  std::unique_lock lock(held.mutex);
  if (!held.known || held.hash != hash) {
    held.hash = hash;
    held.known = true;
    held.without_plan = false;
    held.made.reset();
    held.bytes = 0;
    return std::nullopt;
  }
  if (const auto* made = std::any_cast<plan<Value, std::int32_t>>(&held.made)) return *made;
  if (held.without_plan) return std::nullopt;
  held.without_plan = true;
  const std::int64_t limit = held.memory_limit > 0 ? held.memory_limit : available_memory() / 4;
  lock.unlock();
  const std::int64_t least = stored.nnz() * static_cast<std::int64_t>(sizeof(Value) + sizeof(Index));
  if (least > limit || stored.rows > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  try {
    auto made = plan_of_transpose(wide(stored).view(), options, limit);
    lock.lock();
    if (made && held.hash == hash) {
      held.made = *made;
      held.bytes = made->storage_bytes();
      held.without_plan = false;
    }
    return made;
  } catch (const error& e) {
    if (e.code() != errc::out_of_memory) throw;
  } catch (const std::bad_alloc&) {
  }
  return std::nullopt;
}

#define LACIS_REMEMBER(Value, Index, Offset)                                        \
  template LACIS_API std::optional<plan<Value, std::int32_t>> remembered_transpose( \
      product_memory&, const csr_view<Value, Index, Offset>&, const multiply_options&);
#define LACIS_REMEMBER_WIDE(Value, Index) LACIS_REMEMBER(Value, Index, std::int64_t)
LACIS_FOR_EACH_TYPE(LACIS_REMEMBER_WIDE)
#define LACIS_REMEMBER_NARROW(Value)                \
  LACIS_REMEMBER(Value, std::int32_t, std::int32_t) \
  LACIS_REMEMBER(Value, std::int64_t, std::int32_t)
LACIS_FOR_EACH_VALUE(LACIS_REMEMBER_NARROW)

}  // namespace detail

product_memory::product_memory(std::int64_t memory_limit) : held_(new detail::remembered_matrix) {
  held_->memory_limit = memory_limit;
}
product_memory::~product_memory() { delete held_; }

std::int64_t product_memory::storage_bytes() const {
  const std::scoped_lock lock(held_->mutex);
  return held_->bytes;
}

void product_memory::clear() {
  const std::scoped_lock lock(held_->mutex);
  held_->known = false;
  held_->made.reset();
  held_->bytes = 0;
}

}  // namespace lacis
