// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of matrices with entries of type std::complex<double>.
#include "verify/sweep-inl.hpp"

namespace lacis::verification {
template void sweep<std::complex<double>>(const sweep_options&, ledger&);
}
