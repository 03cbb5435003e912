// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What an error was.
#pragma once

#include <gtest/gtest.h>

#include <lacis/error.hpp>

namespace lacis::test {

/// The code of the error that `work` throws; it is a failure when it throws none.
template <class Work> errc code_of(Work&& work) {
  try {
    work();
  } catch (const error& problem) {
    return problem.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return errc::io;
}

}  // namespace lacis::test
