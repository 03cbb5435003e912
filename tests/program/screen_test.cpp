// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Screens on terminals of any width.
#include "console/screen.hpp"

#include <algorithm>
#include <sstream>

#include "console/console.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

TEST(Screen, LeavesLinesThatFit) {
  const std::string screen = "one two\n\n   three  four\nfive";
  EXPECT_EQ(fitted(screen, 14), screen);
}

TEST(Screen, ContinuesALineBelowItsText) {
  EXPECT_EQ(fitted("  row   one two three four\n", 20), "  row   one two\n        three four\n");
  EXPECT_EQ(fitted("a sentence of some words", 12), "a sentence\n  of some\n  words");
}

TEST(Screen, CutsWordsThatAreTooLong) {
  EXPECT_EQ(fitted("a 0123456789abcdefghij", 10), "a\n  01234567\n  89abcdef\n  ghij");
  EXPECT_EQ(fitted("\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5", 4), "\xC2\xB5\xC2\xB5\xC2\xB5\xC2\xB5\n  \xC2\xB5");
}

TEST(Screen, CountsNoEscapeSequences) {
  const std::string painted = "\x1b[1mbold\x1b[0m words";
  EXPECT_EQ(fitted(painted, 10), painted);
  EXPECT_EQ(fitted(painted, 8), "\x1b[1mbold\x1b[0m\n  words");
}

TEST_F(Program, NoScreenPassesTheEdge) {
  put("a.mtx", small_matrix);
  for (const std::string columns : {"24", "40", "80"})
    for (const std::string command :
         {"help", "help solve", "help bench", "info a.mtx", "info @poisson2d:30", "generate --list",
          "spmv @poisson2d:9", "spgemm @poisson2d:9 --explain", "plan @poisson2d:30", "solve @poisson2d:30",
          "solve @poisson2d:9 --profile", "pagerank @rmat:6", "partition @poisson2d:200 --ranks 2,4",
          "scale @poisson2d:200 --ranks 2,4 --network loopback --bandwidth 10", "lab @poisson2d:9 --kernel csr_row",
          "lab @poisson2d:9 --kernel csr_row --explain", "lab @poisson2d:9 --op spgemm", "doctor"}) {
      const outcome ran = shell("COLUMNS=" + columns + " OMP_NUM_THREADS=1 $LACIS " + command);
      EXPECT_EQ(ran.code, 0) << command << ran.err;
      std::istringstream lines(ran.out);
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(columns_of(line), static_cast<std::size_t>(std::stoi(columns))) << command << '\n' << line;
    }
}

}  // namespace
}  // namespace lacis::app
