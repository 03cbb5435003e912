// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of sparse products with entries of type complex float.
#include "verify/spgemm_sweep-inl.hpp"

namespace lacis::verification {
template void sweep_spgemm<std::complex<float>>(const sweep_options&, ledger&);
}
