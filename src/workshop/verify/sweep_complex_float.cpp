// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of matrices with entries of type std::complex<float>.
#include "verify/sweep-inl.hpp"

namespace lacis::verification {
template void sweep<std::complex<float>>(const sweep_options&, ledger&);
}
