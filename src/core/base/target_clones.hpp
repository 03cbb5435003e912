// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A function compiled once more for newer processors, for loops too small for a dispatch of their own.
#pragma once

// Under ThreadSanitizer the loader would choose between the copies with instrumented code before the detector exists.
#if defined(__x86_64__) && !defined(LACIS_THREAD_SANITIZER)
#define LACIS_TARGET_CLONES(...) [[gnu::target_clones(__VA_ARGS__, "default")]]
#else
#define LACIS_TARGET_CLONES(...)
#endif
