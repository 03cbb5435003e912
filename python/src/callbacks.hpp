// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Functions of Python that lacis calls while it works: monitors, progress, operators; and what Python does on signals,
// so that Ctrl-C ends a long operation. They take the GIL.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

#include <lacis/interruption.hpp>
#include <lacis/lacis.h>

#include "arrays.hpp"

namespace lacis_python {

/// The exception that an operator in Python raised during the call of lacis that is under way in this thread.
class pending_exception {
 public:
  /// Keeps the exception that is being handled, unless there is one already.
  static void keep() {
    if (!kept_) kept_ = std::current_exception();
  }
  /// Throws it, if there is one.
  static void rethrow() {
    if (kept_) {
      const std::exception_ptr thrown = kept_;
      kept_ = nullptr;
      std::rethrow_exception(thrown);
    }
  }
  static void clear() { kept_ = nullptr; }

 private:
  static thread_local std::exception_ptr kept_;
};

/// Runs an operation that may take long; solvers, readers and writers report to it. Made with the GIL held.
class observer {
 public:
  /// Of an operation that reports nothing.
  observer() : observer(nb::none(), false) {}
  /// `function` may be None; it is called at most every 100 ms, or if `every` is set each time.
  observer(nb::handle function, bool every)
      : function_(nb::borrow(function)), wanted_(!function.is_none()), every_(every) {
    pending_exception::clear();
  }

  std::vector<double> history;

  /// Thrown through lacis where the exception is kept here.
  struct stopped {};

  /// work() without the GIL. Throws what Python raised meanwhile: the handler of a signal, a function that was called.
  template <class Work> lacis_status run(Work&& work) {
    lacis_status status = LACIS_OK;
    try {
      const nb::gil_scoped_release released;
      const lacis::interruption signals([this] { look_at_signals(); });
      if constexpr (std::is_void_v<std::invoke_result_t<Work>>)
        work();
      else
        status = work();
    } catch (const stopped&) {
    }
    rethrow();
    return status;
  }

  /// lacis_monitor and lacis_progress.
  static int monitor(void* self, std::int64_t iteration, double residual);
  static int progress(void* self, const char* stage, double share);
  /// Whether the operation has to end.
  template <class... Arguments> bool report(Arguments... arguments) {
    const auto now = clock::now();
    const bool due = now - last_ >= std::chrono::milliseconds(100);
    if (!due && !(wanted_ && every_)) return false;
    if (due) last_ = now;
    const nb::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (wanted_) function_(arguments...);
    } catch (...) {
      raised_ = std::current_exception();
      return true;
    }
    return false;
  }
  /// After the operation, with the GIL held: throws what a function of Python raised on the way.
  void rethrow() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
    pending_exception::rethrow();
  }

 private:
  using clock = std::chrono::steady_clock;
  void look_at_signals() {
    const nb::gil_scoped_acquire held;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
    } catch (...) {
      raised_ = std::current_exception();
      throw stopped();
    }
  }

  nb::object function_;
  bool wanted_ = false;
  bool every_ = false;
  std::exception_ptr raised_;
  clock::time_point last_ = clock::now();
};

}  // namespace lacis_python
