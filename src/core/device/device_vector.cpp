// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors on open devices: memory, copies, and the operations of src/core/device/vector.cpp on them.
#include <mutex>

#include <lacis/device_vector.hpp>

#include "base/checked.hpp"
#include "base/text.hpp"
#include "device/context.hpp"
#include "device/spmv.hpp"

namespace lacis::detail {
namespace {

using device::device_of;

template <class T> const device_of<T>* numbers(const device_vector<T>& x) {
  return reinterpret_cast<const device_of<T>*>(x.address());
}
template <class T> device_of<T>* numbers(device_vector<T>& x) { return reinterpret_cast<device_of<T>*>(x.address()); }

template <class T> void require_operands(const device_stream& s, const device_vector<T>& x, const device_vector<T>& y) {
  const device::core& where = *s.context().internals();
  device::require_device(where, x.context(), "x");
  device::require_device(where, y.context(), "y");
  if (x.size() != y.size())
    throw error(errc::invalid_argument,
                text("vectors of ", x.size(), " and ", y.size(), " elements do not go together"));
}

/// work(sums) with the stream's memory for sums over `count` elements.
template <class T, class Work> auto with_sums(const device_stream& s, std::int64_t count, Work&& work) {
  const device::visit here(*s.context().internals());
  device::stream_state& state = s.internals();
  const std::lock_guard guard(state.sums_turn);
  auto& sums = std::get<std::optional<device::vector_sums<T>>>(state.sums);
  if (!sums || sums->most() < count) sums.emplace(state.device, count);
  return work(*sums);
}

}  // namespace

std::shared_ptr<void> device_zeros(const device_context& where, std::int64_t size, std::size_t element_size) {
  using array = device::device_array<std::byte>;
  if (size < 0) throw error(errc::invalid_argument, text("a vector of ", size, " elements"));
  const std::int64_t bytes =
      checked_multiply(size, static_cast<std::int64_t>(element_size), "the bytes of a vector on a device");
  const std::shared_ptr<device::core>& core = where.internals();
  const device::visit here(*core);
  array zeros = core->home().zeros<std::byte>(bytes);
  core->home().wait();
  const auto owner = std::make_shared<device::resident<array>>(core, std::move(zeros));
  return {owner, (*owner)->data()};
}

void copy_to_device(void* to, const void* from, std::int64_t bytes, const device_stream& s) {
  const device::visit here(*s.context().internals());
  s.internals().device.copy(to, from, static_cast<std::size_t>(bytes), lacis_copy_to_device);
  s.internals().device.wait();
}

void copy_to_host(void* to, const void* from, std::int64_t bytes, const device_stream& s) {
  const device::visit here(*s.context().internals());
  s.internals().device.copy(to, from, static_cast<std::size_t>(bytes), lacis_copy_to_host);
  s.internals().device.wait();
}

void require_elements(std::int64_t has, std::int64_t needs) {
  if (has != needs)
    throw error(errc::invalid_argument, text("the vector has ", needs, " elements, the host array ", has));
}

template <class T> T dot(const device_vector<T>& x, const device_vector<T>& y, const device_stream& s) {
  require_operands(s, x, y);
  return with_sums<T>(s, x.size(), [&](auto& sums) { return sums.dot(x.size(), numbers(x), numbers(y)); });
}

template <class T> T dotc(const device_vector<T>& x, const device_vector<T>& y, const device_stream& s) {
  require_operands(s, x, y);
  return with_sums<T>(s, x.size(), [&](auto& sums) { return sums.dotc(x.size(), numbers(x), numbers(y)); });
}

template <class T> real_of<T> norm(const device_vector<T>& x, const device_stream& s) {
  require_operands(s, x, x);
  return with_sums<T>(s, x.size(), [&](auto& sums) { return sums.norm(x.size(), numbers(x)); });
}

template <class T> real_of<T> largest(const device_vector<T>& x, const device_stream& s) {
  require_operands(s, x, x);
  return with_sums<T>(s, x.size(), [&](auto& sums) { return sums.largest(x.size(), numbers(x)); });
}

template <class T> void axpby(T alpha, const device_vector<T>& x, T beta, device_vector<T>& y, const device_stream& s) {
  require_operands(s, x, y);
  if (&x == &y)
    throw error(errc::invalid_argument, "x and y are one vector; scale(alpha + beta, y), or give axpby a copy of it");
  const device::visit here(*s.context().internals());
  device::axpby(s.internals().device, x.size(), alpha, numbers(x), beta, numbers(y));
}

template <class T> void scale(T alpha, device_vector<T>& x, const device_stream& s) {
  require_operands(s, x, x);
  const device::visit here(*s.context().internals());
  device::scale_without_product(s.internals().device, x.size(), alpha, numbers(x));
}

#define LACIS_DEVICE_VECTOR(T)                                                                           \
  template LACIS_API T dot(const device_vector<T>&, const device_vector<T>&, const device_stream&);      \
  template LACIS_API T dotc(const device_vector<T>&, const device_vector<T>&, const device_stream&);     \
  template LACIS_API real_of<T> norm(const device_vector<T>&, const device_stream&);                     \
  template real_of<T> largest(const device_vector<T>&, const device_stream&);                            \
  template LACIS_API void axpby(T, const device_vector<T>&, T, device_vector<T>&, const device_stream&); \
  template LACIS_API void scale(T, device_vector<T>&, const device_stream&);
LACIS_DEVICE_VECTOR(float)
LACIS_DEVICE_VECTOR(double)
LACIS_DEVICE_VECTOR(std::complex<float>)
LACIS_DEVICE_VECTOR(std::complex<double>)

}  // namespace lacis::detail
