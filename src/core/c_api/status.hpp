// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How functions of lacis.h fail: exceptions become a status and a message, structures are read by their size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>

#include <lacis/error.hpp>
#include <lacis/lacis.h>

#include "base/text.hpp"

namespace lacis::c_api {

/// Thrown where a function of the caller asks to stop.
struct stopped {};

/// Keeps the message for lacis_last_error() of this thread.
lacis_status failed(lacis_status status, const char* message) noexcept;

/// The status that a code has in C.
[[nodiscard]] lacis_status status_of(errc code) noexcept;

/// work(), its exceptions turned into a status.
template <class Work> lacis_status guarded(Work&& work) noexcept {
  try {
    work();
    return LACIS_OK;
  } catch (const error& e) {
    return failed(status_of(e.code()), e.what());
  } catch (const stopped&) {
    return failed(LACIS_STOPPED, "stopped by a function of the caller");
  } catch (const std::bad_alloc&) {
    return failed(LACIS_OUT_OF_MEMORY, "not enough memory");
  } catch (const std::exception& e) {
    return failed(LACIS_INTERNAL, e.what());
  } catch (...) {
    return failed(LACIS_INTERNAL, "an unknown exception");
  }
}

inline void require(bool holds, const char* message) {
  if (!holds) throw error(errc::invalid_argument, message);
}
template <class T> T& required(T* pointer, const char* name) {
  if (pointer == nullptr) throw error(errc::invalid_argument, detail::text(name, " is NULL"));
  return *pointer;
}

/// Bytes of a structure that the caller has: one of another version may be shorter or longer.
inline void require_struct_size(std::size_t size, const char* type) {
  constexpr std::size_t most = 4096;
  if (size < sizeof(std::size_t) || size > most)
    throw error(errc::invalid_argument, detail::text("the struct_size of a ", type, " is ", size, "; begin with ", type,
                                                     " name = LACIS_INIT(", type, ")"));
}

/// The caller's structure, what it lacks zero. Members that this version does not know must be zero.
template <class Struct> Struct read_struct(const Struct* given, const char* type) {
  Struct known = {};
  known.struct_size = sizeof(Struct);
  if (given == nullptr) return known;
  require_struct_size(given->struct_size, type);
  std::memcpy(&known, given, std::min(given->struct_size, sizeof(Struct)));
  if (given->struct_size > sizeof(Struct)) {
    const std::span rest(reinterpret_cast<const char*>(given) + sizeof(Struct), given->struct_size - sizeof(Struct));
    if (std::any_of(rest.begin(), rest.end(), [](char c) { return c != 0; }))
      throw error(errc::unsupported, detail::text("a ", type, " sets members that lacis ", LACIS_VERSION,
                                                  " does not know: the program was compiled for a later version"));
  }
  return known;
}

/// Fills the caller's structure as far as it goes.
template <class Struct> void write_struct(const Struct& known, Struct* given, const char* type) {
  require_struct_size(required(given, type).struct_size, type);
  const std::size_t size = given->struct_size;
  std::memcpy(static_cast<void*>(given), &known, std::min(size, sizeof(Struct)));
  given->struct_size = size;
}

}  // namespace lacis::c_api
