// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How ranks agree on the failure of one of them.
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <thread>

#include <lacis/mpi.hpp>

#include "base/exit_code.hpp"
#include "base/text.hpp"
#include "mpi/processes.hpp"
#include "solve/stop.hpp"

namespace lacis::dist {
namespace {

constexpr int tag = 7;
/// How long a rank that has failed waits for the others. They answer at once when they wait for it, and not at all
/// where they wait inside MPI; a rank that computes for longer than this is ended with the rest.
constexpr double patience = 3;
/// A rank that has not failed lets those that have speak first.
constexpr double more_patience = 5;
constexpr std::size_t longest_text = 2048;
constexpr std::int64_t nothing_yet = -1;

/// An exception of the caller's kind that ranks have agreed on, and that is on its way through functions around: they
/// must not ask the others again, who have theirs already.
struct own_exception {
  std::exception_ptr what;
  int ranks = 0;
  [[nodiscard]] bool is_current(int size) const { return what && ranks >= size && what == std::current_exception(); }
};
own_exception last_own;

}  // namespace

/// Memory is taken when all is well: failures are often for want of it.
struct processes::agreement {
  struct state {
    std::int64_t has_failed = 0;
    std::int64_t code = 0;
    std::uint64_t text = 0;  ///< its number
    std::int64_t begun = 0;
    std::int64_t is_interrupted = 0;
  };
  state mine;
  std::int64_t word = 0;            ///< that this rank sends: how many collectives it had begun
  std::vector<std::int64_t> words;  ///< of each rank, or nothing_yet
  bool is_own_kind = false;         ///< neither lacis::error nor std::bad_alloc: goes back to the caller as it is
  std::vector<state> all;
  std::array<char, longest_text> text{};

  void fail(errc code, std::string_view what) {
    const std::size_t size = std::min(what.size(), longest_text - 1);
    text.fill('\0');
    std::copy_n(what.begin(), size, text.begin());
    mine.has_failed = 1;
    mine.code = static_cast<std::int64_t>(code);
    mine.text = number_of(what.substr(0, size));
  }
};

processes::processes(MPI_Comm given) {
  MPI_Comm_dup(given, &communicator_);
  MPI_Comm_dup(given, &failures_);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(given, &handler);
  ends_all_ = handler == MPI_ERRORS_ARE_FATAL;
  MPI_Errhandler_free(&handler);
  for (const MPI_Comm own : {communicator_, failures_}) MPI_Comm_set_errhandler(own, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
  agreement_ = std::make_unique<agreement>();
  agreement_->all.resize(static_cast<std::size_t>(size_));
  agreement_->words.assign(static_cast<std::size_t>(size_), nothing_yet);
}

processes::~processes() {
  int is_over = 0;
  MPI_Finalized(&is_over);
  if (is_over != 0) return;
  MPI_Comm_free(&communicator_);
  if (agreement_) MPI_Comm_free(&failures_);
}

/// A rank that failed after it had begun what this one waits for has done its part of it.
bool processes::waits_for_failed_rank() const {
  if (!agreement_) return false;
  for (;;) {
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, failures_, &is_there, &status);
    if (is_there == 0) break;
    receive_word(status.MPI_SOURCE);
  }
  const auto& words = agreement_->words;
  return std::any_of(words.begin(), words.end(),
                     [&](std::int64_t word) { return word != nothing_yet && word < begun_; });
}

void processes::receive_word(int from) const {
  MPI_Recv(&agreement_->words[static_cast<std::size_t>(from)], 1, MPI_INT64_T, from, tag, failures_, MPI_STATUS_IGNORE);
}

bool processes::arrives(std::span<MPI_Request> requests) const {
  constexpr int turns_between_looks = 16;
  for (int turn = 1;; ++turn) {
    int is_done = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE);
    if (is_done != 0) return true;
    if (turn % turns_between_looks == 0 && waits_for_failed_rank()) return false;
    std::this_thread::yield();
  }
}

bool processes::arrives_in_time(MPI_Request& request, double deadline) const {
  for (;;) {
    int is_done = 0;
    MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0) return true;
    if (MPI_Wtime() > deadline) return false;
    std::this_thread::yield();
  }
}

void processes::finish(MPI_Request request, std::unique_ptr<held_arrays>& held) const {
  if (arrives({&request, 1})) return;
  static_cast<void>(held.release());
  interrupt();
}

void processes::finish_messages(std::span<MPI_Request> receives, std::span<MPI_Request> sends) const {
  ++begun_;
  if (arrives(receives) && arrives(sends)) return;
  // What has begun to come ends, the rest is called off. Sends end when they are met, or are never met; their memory
  // stays until all ranks have agreed.
  for (MPI_Request& one : receives) {
    if (one == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&one);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
  }
  for (MPI_Request& one : sends)
    if (one != MPI_REQUEST_NULL) MPI_Request_free(&one);
  interrupt();
}

void processes::interrupt() const {
  is_interrupted_ = true;
  try {
    throw other_rank_failed{};
  } catch (...) {
    agree();
  }
}

void processes::agree() const {
  if (size_ == 1 || !agreement_ || last_own.is_current(size_)) throw;
  agreement& all = *agreement_;
  all.mine = {.begun = begun_, .is_interrupted = is_interrupted_ ? 1 : 0};
  all.is_own_kind = false;
  try {
    throw;
  } catch (const solver::stop_asked&) {
    throw;  // of all ranks at once
  } catch (const other_rank_failed&) {
  } catch (const rank_error& problem) {
    if (problem.ranks() >= size_) throw;  // all have agreed on it
    all.fail(problem.code(), problem.what());
  } catch (const error& problem) {
    all.fail(problem.code(), problem.what());
  } catch (const std::bad_alloc&) {
    all.fail(errc::out_of_memory, "out of memory; use more ranks, on more machines");
  } catch (const std::exception& problem) {
    all.is_own_kind = true;
    all.fail(errc::invalid_argument, problem.what());
  } catch (...) {
    all.is_own_kind = true;
    all.fail(errc::invalid_argument,
             "a function of the caller threw an exception that is none of the standard library's");
  }
  all.word = begun_;
  if (all.mine.has_failed != 0)
    for (int k = 0; k < size_; ++k) {
      if (k == rank_) continue;
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(&all.word, 1, MPI_INT64_T, k, tag, failures_, &request);
      MPI_Request_free(&request);
    }
  const double deadline = MPI_Wtime() + (all.mine.has_failed != 0 ? patience : more_patience);
  MPI_Request request = MPI_REQUEST_NULL;
  constexpr auto size_of_state = static_cast<int>(sizeof(agreement::state));
  MPI_Iallgather(&all.mine, size_of_state, MPI_BYTE, all.all.data(), size_of_state, MPI_BYTE, failures_, &request);
  if (!arrives_in_time(request, deadline)) give_up();
  const auto failed = [](const agreement::state& one) { return one.has_failed != 0; };
  const auto first = std::find_if(all.all.begin(), all.all.end(), failed);
  const auto lowest = static_cast<int>(first - all.all.begin());
  const bool all_alike = std::all_of(all.all.begin(), all.all.end(), [&](const agreement::state& one) {
    return failed(one) && one.code == first->code && one.text == first->text;
  });
  MPI_Ibcast(all.text.data(), static_cast<int>(longest_text), MPI_BYTE, lowest, failures_, &request);
  if (!arrives_in_time(request, MPI_Wtime() + more_patience)) give_up();
  bool is_in_order = true;
  for (int k = 0; k < size_; ++k) {
    const agreement::state& one = all.all[static_cast<std::size_t>(k)];
    std::int64_t& word = all.words[static_cast<std::size_t>(k)];
    if (k != rank_ && failed(one) && word == nothing_yet) receive_word(k);
    word = nothing_yet;
    is_in_order = is_in_order && one.is_interrupted == 0 && one.begun == all.mine.begun;
  }
  // Collectives that some ranks began and others did not stay on the old communicator for ever.
  if (!is_in_order) MPI_Comm_dup(failures_, &communicator_);
  is_interrupted_ = false;
  begun_ = 0;
  if (all.is_own_kind) {
    last_own = {std::current_exception(), size_};
    throw;
  }
  const std::string text = all.text.data();
  throw rank_error(static_cast<errc>(first->code), all_alike ? text : lacis::detail::text("rank ", lowest, ": ", text),
                   lowest, size_);
}

void processes::give_up() const {
  const bool has_failed = agreement_->mine.has_failed != 0;
  const int code =
      !has_failed || agreement_->is_own_kind ? exit_failure : exit_code_of(static_cast<errc>(agreement_->mine.code));
  const std::string text = has_failed ? agreement_->text.data() : "another rank failed, and not all ranks answer";
  bool is_lowest = has_failed;
  for (int k = 0; k < rank_ && is_lowest; ++k) {
    int is_there = 0;
    MPI_Iprobe(k, tag, failures_, &is_there, MPI_STATUS_IGNORE);
    is_lowest = is_there == 0 && agreement_->words[static_cast<std::size_t>(k)] == nothing_yet;
  }
  static_cast<void>(agreement_.release());  // MPI may still write to it
  if (!is_lowest) std::this_thread::sleep_for(std::chrono::duration<double>(patience));
  if (ends_all_) {
    std::fprintf(stderr, "lacis: rank %d of %d: %s\n", rank_, size_, text.c_str());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  if (has_failed) throw;
  throw rank_error(errc::io, text, rank_, 1);
}

std::uint64_t number_of(std::string_view text) {
  std::uint64_t number = 0xcbf29ce484222325u;  // FNV-1a
  for (const char one : text) number = (number ^ static_cast<unsigned char>(one)) * 0x100000001b3u;
  return number;
}

std::uint64_t number_of(double value) { return std::bit_cast<std::uint64_t>(value); }

std::uint64_t number_of(std::span<const std::int64_t> values) {
  return number_of(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
}

void processes::require_same(std::string_view function, std::span<const same_argument> arguments, errc code) const {
  constexpr std::size_t slots = 16;  // the name of the function and its arguments
  auto held = std::make_unique<held_arrays>();
  held->in.assign(2 * slots, 0);
  std::array<std::int64_t, slots> mine{};
  mine[0] = static_cast<std::int64_t>(number_of(function));
  std::size_t count = 1;
  for (const same_argument& one : arguments) mine.at(count++) = static_cast<std::int64_t>(one.number);
  // The largest of the numbers and of their complements: the same where all numbers are.
  for (std::size_t s = 0; s < slots; ++s) {
    held->in[s] = mine[s];
    held->in[slots + s] = ~mine[s];
  }
  collective(held, [&](held_arrays& all, MPI_Request* request) {
    MPI_Iallreduce(MPI_IN_PLACE, all.in.data(), static_cast<int>(all.in.size()), MPI_INT64_T, MPI_MAX, communicator_,
                   request);
  });
  std::size_t different = 0;
  while (different < slots && held->in[different] == ~held->in[slots + different]) ++different;
  if (different == slots) return;
  const std::vector<std::int64_t> all = collect(mine[different]);
  const auto alike = [&](std::int64_t number) { return std::count(all.begin(), all.end(), number); };
  const auto usual =
      *std::max_element(all.begin(), all.end(), [&](std::int64_t a, std::int64_t b) { return alike(a) < alike(b); });
  const auto place = [&](auto found) { return found - all.begin(); };
  const auto other = place(std::find_if(all.begin(), all.end(), [&](std::int64_t one) { return one != usual; }));
  const auto with = place(std::find(all.begin(), all.end(), usual));
  if (different == 0)
    throw error(errc::invalid_argument, lacis::detail::text("rank ", other, " calls another function than rank ", with,
                                                            "; all ranks must make the same calls in the same order"));
  throw error(code,
              lacis::detail::text("rank ", other, ": ", function, " is given another ", arguments[different - 1].name,
                                  " than on rank ", with, "; it must be the same on all ranks"));
}

}  // namespace lacis::dist

void lacis::together(MPI_Comm communicator, const std::function<void()>& work) {
  const dist::processes group(communicator);
  group.together(work);
}
