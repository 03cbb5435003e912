// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What every rank throws when one of them has failed.
#pragma once

#include <string>

#include <lacis/error.hpp>

namespace lacis {

/// The failure of one rank, thrown by all ranks of the communicator with the same code and message. The message begins
/// with "rank 2: ", unless every rank failed in the same way. Immutable, as error is.
class LACIS_API rank_error : public error {
 public:
  /// For the library: thrown by every rank, with the number of the one that failed.
  rank_error(errc code, const std::string& message, int rank, int ranks)
      : error(code, message), rank_(rank), ranks_(ranks) {}
  /// The rank that failed; of several the lowest.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// How many ranks throw it: those of the communicator.
  [[nodiscard]] int ranks() const noexcept { return ranks_; }

 private:
  int rank_;
  int ranks_;
};

}  // namespace lacis
