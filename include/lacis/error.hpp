// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The exception of lacis: what it throws when it cannot do what it was called for.
#pragma once

#include <stdexcept>
#include <string>

#include <lacis/export.hpp>

namespace lacis {

/// What kind of failure an error is. The command line turns it into an exit code.
enum class errc {
  invalid_argument,  ///< the caller asked for something that has no meaning (sizes that do not fit, unknown names)
  invalid_matrix,    ///< a matrix breaks an invariant, or the operation needs one that it does not keep
  bad_input,         ///< a file is malformed
  io,                ///< the system could not read or write
  unsupported,       ///< this build or this machine cannot do it
  overflow,          ///< a size or a value does not fit its type
  out_of_memory,     ///< an allocation failed, or would have passed a stated limit
  no_device,         ///< the device asked for is not there: no plugin, no driver or no GPU; the message says which
  kernel_fault  ///< a device kernel broke a rule of its threads or its memory; the message names kernel, line, thread
};

/// A failure of an operation: a code, and a message that says what was wrong, where, and what to do. Large arrays that
/// cannot be allocated are error(out_of_memory). Two kinds of exceptions are not of this class: std::bad_alloc from the
/// standard library, when memory ends while something small is allocated, and whatever a function of the caller throws
/// (a monitor, a callback), which passes through unchanged. Immutable: it may be shared between threads.
class LACIS_API error : public std::runtime_error {
 public:
  /// `message` says what was wrong, where, and what to do.
  error(errc code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /// The kind of failure, for programs; what() is for people.
  [[nodiscard]] errc code() const noexcept { return code_; }

 private:
  errc code_;
};

}  // namespace lacis
