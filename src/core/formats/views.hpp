// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The list of the nine formats' views, for explicit instantiation.
#pragma once

#include <cstdint>

#include <lacis/convert.hpp>

namespace lacis {
/// CSR with offsets of 32 bits, which products read as they are.
template <value Value, index Index> using narrow_csr_view = csr_view<Value, Index, std::int32_t>;
}  // namespace lacis

/// Expands Macro(View, A, Index) for the view of every format.
#define LACIS_FOR_EACH_VIEW(Macro, A, Index)                                                                   \
  Macro(coo_view, A, Index) Macro(csr_view, A, Index) Macro(csc_view, A, Index) Macro(ell_view, A, Index)      \
      Macro(hyb_view, A, Index) Macro(jds_view, A, Index) Macro(sell_view, A, Index) Macro(bsr_view, A, Index) \
          Macro(dia_view, A, Index)
