// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of sparse products with entries of type double.
#include "verify/spgemm_sweep-inl.hpp"

namespace lacis::verification {
template void sweep_spgemm<double>(const sweep_options&, ledger&);
}
