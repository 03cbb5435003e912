// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Work that all ranks do together, and Python inside of it: what it raises on one rank, all ranks raise.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/rank_error.hpp>

#include "arrays.hpp"
#include "errors.hpp"

namespace lacis_python {

/// Stands for an exception of Python on its way through lacis, which may keep it until the program ends: so it holds
/// no object of Python.
class raised_in_python final : public std::exception {
 public:
  explicit raised_in_python(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Python inside of collective work. Made and destroyed with the GIL held.
class python_work {
 public:
  /// work(), with the GIL held; an exception is kept for require().
  template <class Work> void attempt(Work&& work) {
    try {
      work();
    } catch (...) {
      keep();
    }
  }
  /// Throws where attempt() failed. A lacis.Error is thrown as the lacis::error of its code, which all ranks raise;
  /// of anything else the other ranks get the text, and this one gets it back by rethrow(). Needs no GIL.
  void require() const;
  /// Both, without the GIL.
  template <class Work> void run(Work&& work) {
    {
      const nb::gil_scoped_acquire held;
      attempt(std::forward<Work>(work));
    }
    require();
  }
  /// With the GIL held: throws the exception of this rank, if there is one.
  void rethrow() {
    if (kept_) std::rethrow_exception(std::exchange(kept_, nullptr));
  }

 private:
  /// In a handler, with the GIL held.
  void keep();

  std::exception_ptr kept_;
  std::string text_;
  std::optional<lacis::errc> code_;  ///< of a lacis.Error
};

/// Whose turn it is to use a matrix and everything that was made from it: one thread per process at a time. Taken
/// without the GIL.
class turn {
 public:
  void lock() {
    if (owner_.load() == std::this_thread::get_id())
      throw lacis::error(lacis::errc::invalid_argument,
                         "this matrix is in use by the call that is under way: a progress function must not use it");
    mutex_.lock();
    owner_.store(std::this_thread::get_id());
  }
  void unlock() {
    owner_.store(std::thread::id());
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_;
};

/// Throws where MPI is not initialised, or is finalised: MPI would end the program.
void require_mpi();
/// Throws the exception of Python for a failure of another rank: KeyboardInterrupt where this rank has it too,
/// lacis.Stopped where another one has.
[[noreturn]] void raise_from(const lacis::rank_error& problem);

/// work() without the GIL, on all ranks.
template <class Work> auto collectively(python_work& python, Work&& work) {
  require_mpi();
  try {
    const nb::gil_scoped_release released;
    return work();
  } catch (const raised_in_python&) {
    python.rethrow();
    throw;
  } catch (const lacis::rank_error& problem) {
    raise_from(problem);
  }
}

}  // namespace lacis_python
