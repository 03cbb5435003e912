// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Two triangles of which the second takes what the first gives, on the processor or on a device.
#pragma once

#include <cstdint>
#include <memory>

#include <lacis/csr.hpp>
#include <lacis/device.hpp>
#include <lacis/operator.hpp>

namespace lacis::solver {

template <class T, class Index> class triangles {
 public:
  virtual ~triangles() = default;

  [[nodiscard]] virtual vector_space<T>& space() const = 0;
  /// z = U^-1 L^-1 r.
  virtual void solve(const space_vector<T>& r, const space_vector<T>& z) const = 0;
  /// Other values in the same places. When it throws, everything is as before.
  virtual void update(const csr_view<T, Index>& lower, const csr_view<T, Index>& upper) = 0;
  [[nodiscard]] virtual std::int64_t nnz() const = 0;
  [[nodiscard]] virtual std::int64_t storage_bytes() const = 0;
  /// "in 298 levels", "every row waits for those that it reads".
  [[nodiscard]] virtual std::string describe() const = 0;
};

/// `unit`: the diagonal of L is one. Entries on the other side of the diagonal are not read.
template <class T, class Index>
[[nodiscard]] std::unique_ptr<triangles<T, Index>> make_triangles(const csr_view<T, Index>& lower,
                                                                  const csr_view<T, Index>& upper, bool unit,
                                                                  int threads, device_id device);

}  // namespace lacis::solver
