// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the shared library exports.
#pragma once

/// Marks what the shared library exports.
#define LACIS_API __attribute__((visibility("default")))
