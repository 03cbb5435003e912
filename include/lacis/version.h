/* SPDX-FileCopyrightText: The lacis authors
   SPDX-License-Identifier: Apache-2.0
   The version of these headers, for C and C++. CMakeLists.txt reads it from here. */
#ifndef LACIS_VERSION_H
#define LACIS_VERSION_H

#define LACIS_VERSION_MAJOR 0
#define LACIS_VERSION_MINOR 2
#define LACIS_VERSION_PATCH 0
#define LACIS_VERSION "0.2.0"

#endif
