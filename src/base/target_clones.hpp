// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A function compiled once more for newer processors, for loops too small for a dispatch of their own.
#pragma once

// Under ThreadSanitizer the loader would choose between the copies with instrumented code before the detector exists.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LACIS_TARGET_CLONES(...)
#endif
#endif
#if !defined(LACIS_TARGET_CLONES) && defined(__x86_64__)
#define LACIS_TARGET_CLONES(...) [[gnu::target_clones(__VA_ARGS__, "default")]]
#elif !defined(LACIS_TARGET_CLONES)
#define LACIS_TARGET_CLONES(...)
#endif
