// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Flexible gmres (Saad 1993).
#pragma once

#include "solve/methods/gmres.hpp"

namespace lacis::solver {

template <value T> using fgmres = gmres_steps<T, true>;

}  // namespace lacis::solver
