// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Views of temporaries, which the library's types refuse to give.
#pragma once

namespace lacis::test {

/// The view of a matrix that lives to the end of the expression: for calls that are done by then.
template <class Matrix> auto view_of(const Matrix& a) { return a.view(); }

}  // namespace lacis::test
