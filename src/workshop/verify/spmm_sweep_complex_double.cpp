// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification of products with dense columns, of matrices with entries of type complex double.
#include "verify/spmm_sweep-inl.hpp"

namespace lacis::verification {
template void sweep_spmm<std::complex<double>>(const sweep_options&, ledger&);
}
