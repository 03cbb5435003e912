// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in the memory of a device. Everything is in the null stream: operators and preconditioners have spaces of
// their own, and their work must stay in order.
#pragma once

#include <memory>

#include <lacis/device_vector.hpp>
#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "base/text.hpp"

namespace lacis {

template <value T> class device_space final : public vector_space<T> {
 public:
  using vector = space_vector<T>;

  explicit device_space(const device_context& where) : where_(where), stream_(lacis::device_stream::null(where)) {}

  [[nodiscard]] const lacis::device_stream& stream() const { return stream_; }
  [[nodiscard]] device_id device() const { return where_.id(); }
  /// What is behind a vector of this space.
  [[nodiscard]] static device_vector<T>& there(const vector& x) { return *static_cast<device_vector<T>*>(x.memory()); }

  [[nodiscard]] vector zeros(std::int64_t size) override {
    auto memory = std::make_shared<device_vector<T>>(where_, size);
    T* address = memory->address();
    return {std::move(memory), address, size};
  }
  void from_host(std::span<const T> host, const vector& x) override { there(x).from_host(host, stream_); }
  void to_host(const vector& x, std::span<T> host) override {
    const std::vector<T> all = there(x).to_host(stream_);
    std::copy(all.begin(), all.end(), host.begin());
  }

  void axpby(T alpha, const vector& x, T beta, const vector& y) override {
    // On a device x and y must be two vectors: what does not read x scales y.
    if (alpha == T(0))
      detail::scale(beta, there(y), stream_);
    else
      detail::axpby(alpha, there(x), beta, there(y), stream_);
  }
  T dot(const vector& x, const vector& y) override { return detail::dotc(there(x), there(y), stream_); }

 private:
  device_context where_;
  lacis::device_stream stream_;
};

/// Where the vectors of a space are.
template <value T> [[nodiscard]] device_id device_of(const vector_space<T>& space) {
  const auto* there = dynamic_cast<const device_space<T>*>(&space);
  return there != nullptr ? there->device() : devices::cpu();
}

/// Throws error(invalid_argument) where an operator cannot take the vectors of A, which are elsewhere.
template <value T>
void require_same_device(const linear_operator<T>& a, const linear_operator<T>& other, const char* name_of_other) {
  const device_id of_a = device_of(a.space());
  const device_id of_other = device_of(other.space());
  if (of_a != of_other)
    throw error(errc::invalid_argument,
                detail::text("A is on ", name_of(of_a), ", ", name_of_other, " on ", name_of(of_other),
                             "; make both for one device (plan_options.device, preconditioner_options.device)"));
}

}  // namespace lacis
