// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "collective.hpp"

#include <array>
#include <mpi.h>
#include <new>

namespace lacis_python {

namespace {

constexpr std::string_view interrupted = "KeyboardInterrupt";

// The words of lacis/_errors.py.
std::optional<lacis::errc> code_named(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, lacis::errc>, 7> words = {
      {{"invalid argument", lacis::errc::invalid_argument},
       {"invalid matrix", lacis::errc::invalid_matrix},
       {"bad input", lacis::errc::bad_input},
       {"io", lacis::errc::io},
       {"unsupported", lacis::errc::unsupported},
       {"overflow", lacis::errc::overflow},
       {"out of memory", lacis::errc::out_of_memory}}};
  for (const auto& [known, code] : words) {
    if (known == word) return code;
  }
  return {};
}

std::string text_of(nb::handle object) {
  const nb::str text = nb::str(object);
  return text.c_str();
}

}  // namespace

void python_work::keep() {
  kept_ = std::current_exception();
  code_.reset();
  try {
    throw;
  } catch (const nb::python_error& e) {
    text_ = text_of(e.type().attr("__name__"));
    const std::string message = text_of(e.value());
    const nb::object known = nb::module_::import_("lacis._errors").attr("Error");
    if (PyObject_IsInstance(e.value().ptr(), known.ptr()) == 1) code_ = code_named(text_of(e.value().attr("code")));
    if (code_)
      text_ = message;
    else if (!message.empty())
      text_ += ": " + message;
  } catch (const lacis::error& e) {
    code_ = e.code();
    text_ = e.what();
  } catch (const std::bad_alloc&) {
    code_ = lacis::errc::out_of_memory;
    text_ = "out of memory; use more ranks, on more machines";
  } catch (const std::exception& e) {
    text_ = e.what();
  }
}

void python_work::require() const {
  if (code_) throw lacis::error(*code_, text_);
  if (kept_) throw raised_in_python(text_);
}

void require_mpi() {
  int is_ready = 0;
  int is_over = 0;
  MPI_Initialized(&is_ready);
  MPI_Finalized(&is_over);
  if (is_ready == 0 || is_over != 0)
    throw lacis::error(lacis::errc::invalid_argument,
                       is_over != 0 ? "MPI is finalised: distributed matrices cannot be used after MPI.Finalize()"
                                    : "MPI is not initialised: call MPI.Init() first");
}

void raise_from(const lacis::rank_error& problem) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (std::string_view(problem.what()).ends_with(interrupted)) raise(LACIS_STOPPED, problem.what());
  throw problem;
}

}  // namespace lacis_python
