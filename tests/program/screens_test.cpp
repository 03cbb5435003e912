// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Screens on a plain terminal: 80 columns, ASCII, no colours; and what all JSON has in common.
#include <nlohmann/json.hpp>
#include <sstream>

#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

class PlainScreens : public Program, public testing::WithParamInterface<const char*> {
 protected:
  /// Without COLUMNS nothing is broken into lines afterwards: the screens themselves have to fit.
  [[nodiscard]] outcome plain(const std::string& arguments) const {
    return shell("unset COLUMNS; LC_ALL= LANG=C NO_COLOR=1 HOME=$PWD XDG_CACHE_HOME= $LACIS " + arguments);
  }
};

TEST_P(PlainScreens, FitEightyColumnsOfAscii) {
  const outcome ran = plain(GetParam());
  ASSERT_EQ(ran.code, 0) << ran.err;
  ASSERT_FALSE(ran.out.empty());
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    for (const char c : line) ASSERT_TRUE(c >= ' ' && c <= '~') << line;
  }
  for (const char* word : {"nonzero", "nnz", "edges/s", " links", " 1 threads", " 1 ranks", " 1 products"})
    EXPECT_EQ(ran.out.find(word), std::string::npos) << word << '\n' << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Program, PlainScreens,
                         testing::Values("help", "help bench", "help solve", "info @rmat:12", "info @poisson2d:300",
                                         "plan @rmat:12", "plan @poisson2d:100 --threads 1",
                                         "spmv @poisson2d:60 --threads 1", "spgemm @rmat:9 --explain",
                                         "solve @poisson2d:40 --profile", "pagerank @rmat:10", "generate --list",
                                         "partition @poisson2d:200 -k 1,2,4",
                                         "scale @poisson2d:200 -k 1,2,4 --network infiniband-hdr --bandwidth 10",
                                         "lab @rmat:9 --explain", "lab @rmat:8 --op spgemm", "doctor",
                                         "bench spmv @rmat:8 --seconds 0", "bench spgemm @rmat:8 --seconds 0",
                                         "bench spmm @rmat:8 --seconds 0 --order row,column",
                                         "bench spmm @rmat:5 --seconds 0 --columns 1,2,3,4,5,6,7,8,9,10",
                                         "bench plan @rmat:8 --seconds 0", "bench cg @poisson2d:20 --seconds 0"));

/// What a colour marks has a sign beside it.
TEST_F(PlainScreens, MarkWithoutColours) {
  EXPECT_NE(plain("plan @poisson2d:100").out.find("\n  * "), std::string::npos);
  EXPECT_NE(plain("plan @poisson2d:100 --memory-limit 300K").out.find("\n  ! "), std::string::npos);
  EXPECT_NE(plain("doctor").out.find("  ok  "), std::string::npos);
  EXPECT_NE(plain("solve @poisson2d:40 --max-iterations 2 --method cg").out.find("out of iterations"),
            std::string::npos);
}

TEST_F(PlainScreens, EndInfoWithAdvice) {
  const std::string out = plain("info @poisson2d:20").out;
  const std::size_t last = out.rfind('\n', out.size() - 2);
  EXPECT_NE(out.find("lacis plan", last), std::string::npos) << out;
  EXPECT_NE(out.find("smaller than dense below"), std::string::npos) << out;
}

TEST_F(PlainScreens, GiveThePlansReasonFirst) {
  const std::string out = plain("plan @poisson2d:100").out;
  const std::size_t reason = out.find("\n\n  ");
  const std::size_t table = out.find("    layout");
  ASSERT_LT(reason, table) << out;
  const std::string heading = out.substr(table, out.find('\n', table) - table);
  EXPECT_LT(heading.find("predicted"), heading.find("convert")) << heading;
  EXPECT_TRUE(heading.ends_with("B/entry")) << heading;
}

TEST_F(Program, PrintsTheSchemaFirst) {
  ASSERT_EQ(shell("$LACIS generate -q @poisson2d:9 -o a.mtx").code, 0);
  for (const char* arguments :
       {"info a.mtx", "convert a.mtx b.npz", "generate @rmat:4 -o c.mtx", "plan a.mtx", "spmv a.mtx", "spgemm a.mtx",
        "solve a.mtx", "pagerank a.mtx", "reorder a.mtx --by rcm -o d.mtx", "partition a.mtx -k 1",
        "scale a.mtx -k 1 --network loopback --bandwidth 10", "lab a.mtx --kernel csr_row", "lab a.mtx --op spgemm",
        "bench spmv a.mtx --seconds 0 --formats csr,plan", "bench spgemm a.mtx --seconds 0",
        "bench spmm a.mtx --seconds 0 --columns 2", "bench plan a.mtx --seconds 0", "bench cg a.mtx --seconds 0",
        "doctor"}) {
    const outcome ran = shell(std::string("$LACIS ") + arguments + " --json");
    ASSERT_EQ(ran.code, 0) << arguments << '\n' << ran.err;
    const json all = json::parse(ran.out);
    ASSERT_TRUE(all.is_object()) << arguments;
    EXPECT_EQ(all.begin().key(), "schema") << arguments;
    EXPECT_EQ(all.value("schema", 0), 2) << arguments;
  }
  for (const char* arguments : {"generate --list", "bench spmv a.mtx a.mtx --seconds 0 --formats csr,plan",
                                "bench spmm a.mtx --seconds 0 --columns 2 --order row,column"})
    for (const json& one : json::parse(shell(std::string("$LACIS ") + arguments + " --json").out))
      EXPECT_EQ(one.begin().key(), "schema") << arguments;
}

}  // namespace
}  // namespace lacis::app
