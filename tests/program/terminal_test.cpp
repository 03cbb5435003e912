// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Suggestions, terminals, progress lines and exit codes.
#include <gtest/gtest.h>

#include "console/console.hpp"
#include "console/exit_code.hpp"
#include "console/progress_bar.hpp"
#include "parse/suggest.hpp"

namespace lacis::app {
namespace {

TEST(Suggest, CountsInsertionsRemovalsChangesAndSwaps) {
  EXPECT_EQ(edit_distance("info", "info"), 0);
  EXPECT_EQ(edit_distance("inof", "info"), 1);
  EXPECT_EQ(edit_distance("inf", "info"), 1);
  EXPECT_EQ(edit_distance("infoo", "info"), 1);
  EXPECT_EQ(edit_distance("imfo", "info"), 1);
  EXPECT_EQ(edit_distance("", "info"), 4);
  EXPECT_EQ(edit_distance("abc", "xyz"), 3);
}

TEST(Suggest, OffersTheNearestWordOrNothing) {
  const std::string words[] = {"info", "convert", "generate"};
  EXPECT_EQ(did_you_mean("inof", words), "; did you mean 'info'?");
  EXPECT_EQ(did_you_mean("gen", words), "; did you mean 'generate'?");
  EXPECT_EQ(did_you_mean("covnertt", words), "; did you mean 'convert'?");
  EXPECT_EQ(did_you_mean("multiply", words), "");
}

TEST(Console, TellsUtf8FromTheFirstVariableThatIsSet) {
  EXPECT_TRUE(is_utf8_locale(nullptr, nullptr, "en_GB.UTF-8"));
  EXPECT_TRUE(is_utf8_locale("", "C.utf8", "C"));
  EXPECT_FALSE(is_utf8_locale("C", nullptr, "en_GB.UTF-8"));
  EXPECT_FALSE(is_utf8_locale(nullptr, nullptr, nullptr));
}

TEST(Console, CountsColumnsNotBytes) {
  EXPECT_EQ(columns_of("abc"), 3u);
  EXPECT_EQ(columns_of("█▌"), 2u);
  EXPECT_EQ(columns_of("\x1b[1mab\x1b[0m"), 2u);
  EXPECT_EQ(pad_left("×", 3), "  ×");
  EXPECT_EQ(pad_right("×", 3), "×  ");
  EXPECT_EQ(pad_right("long", 3), "long");
}

TEST(Console, WrapsWordsBelowTheFirst) {
  EXPECT_EQ(wrapped("one two three", 4, 11), "one two\n    three");
  EXPECT_EQ(wrapped("unbreakable", 4, 8), "unbreakable");
  EXPECT_EQ(wrapped("", 4, 8), "");
}

TEST(Console, PaintsOnlyWhenAllowed) {
  EXPECT_EQ(painter{true}.bold("x"), "\x1b[1mx\x1b[0m");
  EXPECT_EQ(painter{false}.bold("x"), "x");
}

TEST(ProgressLine, ShowsStageBarPercentRateAndTimeLeft) {
  const terminal ascii{.is_terminal = true, .columns = 80};
  EXPECT_EQ(progress_line("reading", 0.5, 2, 1 << 20, ascii),
            "reading      [#############            ]  50 %      256 KiB/s          2 s left");
  EXPECT_EQ(progress_line("writing", 0.25, 1, 0, ascii),
            "writing      [######                   ]  25 %         25 %/s          3 s left");
  EXPECT_EQ(progress_line("reading", 0, 0, 0, ascii),
            "reading      [                         ]   0 %                                 ");
}

TEST(ProgressLine, NeverPassesTheEdgeOfTheScreen) {
  for (int columns = 20; columns < 200; ++columns)
    for (const bool unicode : {false, true})
      EXPECT_LT(columns_of(progress_line("sorting rows", 0.333, 1, 12345678,
                                         {.is_terminal = true, .unicode = unicode, .columns = columns})),
                static_cast<std::size_t>(columns));
}

TEST(ExitCode, FollowsTheKindOfError) {
  EXPECT_EQ(exit_code_of(errc::invalid_argument), 2);
  EXPECT_EQ(exit_code_of(errc::bad_input), 4);
  EXPECT_EQ(exit_code_of(errc::invalid_matrix), 4);
  EXPECT_EQ(exit_code_of(errc::out_of_memory), 5);
  EXPECT_EQ(exit_code_of(errc::io), 1);
}

}  // namespace
}  // namespace lacis::app
