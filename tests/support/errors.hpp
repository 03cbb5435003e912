// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What an error was.
#pragma once

#include <gtest/gtest.h>
#include <string_view>

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

/// `work` throws error(code) with these words in its message.
template <class Work> void expect_error(errc code, std::string_view words, Work&& work) {
  try {
    work();
    ADD_FAILURE() << "nothing was thrown; expected '" << words << "'";
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), code) << problem.what();
    EXPECT_NE(std::string_view(problem.what()).find(words), std::string_view::npos)
        << "'" << problem.what() << "' has no '" << words << "'";
  }
}

}  // namespace lacis::test
