// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the shared library exports to plugins and to the program of the same build, and to no other.
#pragma once

/// Not part of the interface: no header in include/lacis declares it, and it may change in any version.
#define LACIS_INTERNAL __attribute__((visibility("default")))
