// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the tests tell a library that stands for cuSPARSE or cuBLAS, and what it has seen.
#pragma once

#include <cstdint>

struct stub_peer_state {
  // Told.
  int fail_call;      ///< the call of that number, counted from 1, fails; 0: none
  bool refuse_mixed;  ///< cuSPARSE: offsets and columns of different widths are not supported
  // Seen.
  int calls;    ///< that can fail
  int created;  ///< handles and descriptors
  int destroyed;
  int products;  ///< or vector operations
  int prepared;
  int last_offset_bytes;
  int last_column_bytes;
  int algorithms;  ///< a bit for each number that was asked for
  void* last_stream;
};

/// The name of the function that gives it: stub_peer_state* lacis_stub_peer().
inline constexpr const char* stub_peer_function = "lacis_stub_peer";
