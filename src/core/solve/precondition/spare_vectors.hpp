// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors that a preconditioner works in.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <lacis/operator.hpp>

namespace lacis::solver {

/// Kept from call to call, so that the usual call makes no vectors. Several threads may take them at a time: the first
/// gets those that are kept, the others make their own.
template <value T, std::size_t Count> class spare_vectors {
 public:
  spare_vectors(vector_space<T>& space, std::int64_t size) : space_(space), size_(size), spare_(make().release()) {}
  spare_vectors(const spare_vectors&) = delete;
  spare_vectors& operator=(const spare_vectors&) = delete;
  ~spare_vectors() { delete spare_.load(); }

  /// The vectors of one call, which go back with it, also where it throws: ranks that share vectors make them together.
  class taken {
   public:
    explicit taken(const spare_vectors& home) : home_(home), held_(home.spare_.exchange(nullptr)) {
      if (held_ == nullptr) held_ = home.make();
    }
    taken(const taken&) = delete;
    taken& operator=(const taken&) = delete;
    ~taken() { delete home_.spare_.exchange(held_.release()); }

    [[nodiscard]] const space_vector<T>& operator[](std::size_t i) const { return (*held_)[i]; }

   private:
    const spare_vectors& home_;
    std::unique_ptr<std::array<space_vector<T>, Count>> held_;
  };
  [[nodiscard]] taken take() const { return taken(*this); }

 private:
  using vectors = std::array<space_vector<T>, Count>;

  [[nodiscard]] std::unique_ptr<vectors> make() const {
    auto made = std::make_unique<vectors>();
    for (space_vector<T>& one : *made) one = space_.zeros(size_);
    return made;
  }

  vector_space<T>& space_;
  std::int64_t size_;
  mutable std::atomic<vectors*> spare_;
};

}  // namespace lacis::solver
