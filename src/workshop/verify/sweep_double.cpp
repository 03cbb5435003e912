// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of matrices with entries of type double.
#include "verify/sweep-inl.hpp"

namespace lacis::verification {
template void sweep<double>(const sweep_options&, ledger&);
}
