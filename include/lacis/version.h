/* SPDX-FileCopyrightText: The lacis authors
   SPDX-License-Identifier: Apache-2.0
   The version of these headers, for C and C++. CMakeLists.txt reads it from here. */
#ifndef LACIS_VERSION_H
#define LACIS_VERSION_H

/** Incompatible versions differ in it, from 1 on. */
#define LACIS_VERSION_MAJOR 0
/** New features; before 1.0 perhaps incompatible ones (docs/compatibility.md). */
#define LACIS_VERSION_MINOR 2
/** Corrections only. */
#define LACIS_VERSION_PATCH 0
/** The three as text. lacis_version() is that of the library which is loaded. */
#define LACIS_VERSION "0.2.0"

#endif
