// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Input that is not to be trusted: exit codes, limits, pipes, and what reaches the terminal of it.
#include <nlohmann/json.hpp>

#include "console/console.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

TEST_F(Program, CallsEveryFaultOfAFileBadInput) {
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  const std::string complex = "%%MatrixMarket matrix array complex general\n";
  const std::pair<const char*, std::string> files[] = {
      {"largest_id", "0 9223372036854775807\n"},
      {"id_past_64_bits", "0 99999999999999999999\n"},
      {"large_id", "0 4611686018427387904\n"},
      {"nodes", "# Nodes: 9223372036854775807\n0 1\n"},
      {"entries", general + "9223372036854775807 9223372036854775807 9223372036854775807\n1 1 1\n"},
      {"rows", general + "9223372036854775807 1 0\n"},
      {"array", complex + "9223372036854775807 9223372036854775807\n1 1\n"},
      {"vertices", "9223372036854775806 1 11 9223372036854775807\n1\n"},
      {"cut_short", general + "3 3 3\n1 1 1\n"},
      {"empty", ""},
      {"blank", " \n"},
      {"binary", std::string("\0\1\2\3", 4)},
      {"zip", "PK\x03\x04 and no more"},
      {"gzip", "\x1f\x8b and no more"},
      {"zstd", "\x28\xb5\x2f\xfd and no more"},
      {"value", general + "1 1 1\n1 1 1e999\n"},
      {"whole", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 9007199254740993\n"}};
  for (const auto& [name, content] : files) {
    put(name, content);
    const outcome ran = shell(std::string("$LACIS info ") + name);
    EXPECT_EQ(ran.code, 4) << name << ": " << ran.err;
    EXPECT_EQ(ran.out, "") << name;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << name << ": " << ran.err;
    EXPECT_EQ(ran.err.find("read_options"), std::string::npos) << ran.err;
  }
}

#ifdef LACIS_WITH_ARCHIVE
TEST_F(Program, CallsArraysItCannotUseBadInput) {
  // The arrays of a matrix, each with a header that says what the test is about.
  const auto array = [](const std::string& dictionary, const std::string& elements) {
    std::string out("\x93NUMPY\x01\0", 8);
    out += static_cast<char>(dictionary.size());
    out += '\0';
    return out + dictionary + elements;
  };
  const auto described = [&](const std::string& descr, const std::string& shape, const std::string& elements) {
    return array("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + "}", elements);
  };
  const std::string description =
      R"({"binsparse": {"format": "CSR", "shape": [1, 1], "number_of_stored_values": 1,
          "data_types": {"pointers_to_1": "int64", "indices_1": "int8", "values": "int8"}}})";
  const std::string pointers = std::string(8, '\0') + '\1' + std::string(7, '\0');
  const auto make = [&](const std::string& values) {
    std::filesystem::create_directories(file("a.csr"));
    put("a.csr/matrix.json", description);
    put("a.csr/row_offsets.npy", described("<i8", "(2,)", pointers));
    put("a.csr/columns.npy", described("|i1", "(1,)", std::string(1, '\0')));
    put("a.csr/values.npy", values);
    return shell("$LACIS info a.csr");
  };
  const outcome good = make(described("|i1", "(1,)", "\3"));
  EXPECT_EQ(good.code, 0) << good.err;
  for (const std::string& values : {described("|O", "(1,)", "\3"), described("<f2", "(1,)", "\3\3"),
                                    described("|i1", "(4611686018427387904, 4611686018427387904)", "\3"),
                                    described("|i1", "(0, 4611686018427387904, 4611686018427387904)", ""),
                                    described("|i1", "(2,)", "\3"), std::string("no array")}) {
    const outcome ran = make(values);
    EXPECT_EQ(ran.code, 4) << ran.err;
  }
  std::filesystem::remove(file("a.csr/values.npy"));
  const outcome waits = shell("mkfifo a.csr/values.npy; timeout 10 $LACIS info a.csr");
  EXPECT_EQ(waits.code, 4) << waits.err;
  EXPECT_NE(waits.err.find("is no regular file"), std::string::npos) << waits.err;
}
#endif

TEST_F(Program, StopsAtLimitsOfInputAndNamesTheirOptions) {
  for (const char* command :
       {"info", "plan", "spmv", "spgemm", "solve", "pagerank", "lab", "partition --ranks 2", "bench spmv"}) {
    const outcome ran = shell(std::string("exec $LACIS ") + command + " /dev/zero --max-bytes 16M");
    EXPECT_EQ(ran.code, 5) << command << ": " << ran.err;
    EXPECT_NE(ran.err.find("/dev/zero: holds more than 16777216 bytes, the limit; raise --max-bytes"),
              std::string::npos)
        << ran.err;
#ifndef LACIS_SANITIZED
    EXPECT_LT(ran.peak_kilobytes, 128 * 1024);
#endif
  }
  put("b", "1\n2\n3\n");
  EXPECT_EQ(shell("$LACIS solve @poisson2d:2 b --max-bytes 5").code, 5);
  put("rows.mtx", "%%MatrixMarket matrix coordinate real general\n9000000 1 0\n");
  const outcome rows = shell("$LACIS info rows.mtx");
  EXPECT_EQ(rows.code, 4);
  EXPECT_NE(rows.err.find("raise --max-bytes"), std::string::npos) << rows.err;
  EXPECT_EQ(shell("$LACIS info rows.mtx --max-bytes 100M --no-spy").code, 0);
#ifdef LACIS_WITH_ARCHIVE
  const outcome bomb = shell("head -c 100M /dev/zero | gzip -1 > bomb.gz; exec $LACIS info bomb.gz");
  EXPECT_EQ(bomb.code, 5) << bomb.err;
  EXPECT_NE(bomb.err.find("raise --max-ratio"), std::string::npos) << bomb.err;
#endif
  for (const char* nonsense : {"--max-bytes much", "--max-bytes 0", "--max-ratio 0", "--max-ratio x"})
    EXPECT_EQ(shell(std::string("$LACIS info @rmat:4 ") + nonsense).code, 2) << nonsense;
}

TEST_F(Program, TakesVectorsFromPipes) {
  put("b", "1\n2\n3\n4\n");
  const std::string expected = shell("$LACIS solve @poisson2d:2 b -q -o -").out;
  EXPECT_NE(expected, "");
  EXPECT_EQ(shell("$LACIS solve @poisson2d:2 - -q -o - < b").out, expected);
  EXPECT_EQ(shell("cat b | $LACIS solve @poisson2d:2 - -q -o -").out, expected);
  EXPECT_EQ(shell("mkfifo p; cat b > p & $LACIS solve @poisson2d:2 p -q -o -").out, expected);
  const std::string product = shell("$LACIS spmv @poisson2d:2 b -q -o -").out;
  EXPECT_EQ(shell("cat b | $LACIS spmv @poisson2d:2 - -q -o -").out, product);
  const std::string ranks = shell("$LACIS pagerank @poisson2d:2 --personalisation b -q -o -").out;
  EXPECT_EQ(shell("cat b | $LACIS pagerank @poisson2d:2 --personalisation - -q -o -").out, ranks);
}

TEST_F(Program, ReadsBackTheComplexVectorsThatItWrites) {
  const outcome ran = shell(
      "$LACIS solve @poisson2d:2 --type complex-double -q -o x; $LACIS spmv @poisson2d:2 x -q -o - || "
      "$LACIS solve @poisson2d:2 x --type complex-double -q -o -");
  EXPECT_EQ(ran.code, 0) << ran.err;
}

TEST_F(Program, ShowsNothingOfANameOrAFileThatATerminalActsOn) {
  const std::string name = "a\x1b]0;title\x07\x1b[31m\xe2\x80\xaexyz\xff.mtx";
  put(name, small_matrix);
  put("broken" + name, "%%MatrixMarket matrix coordinate \x1b[31m general\n");
  const auto is_clean = [](const std::string& text) {
    return text.find('\x1b') == std::string::npos && text.find('\x07') == std::string::npos &&
           text.find("\xe2\x80\xae") == std::string::npos && text.find('\xff') == std::string::npos;
  };
  for (const char* command : {"info", "plan", "spmv", "solve", "spgemm", "reorder --parts 1", "convert"}) {
    const bool writes = std::string(command).starts_with("re") || std::string(command).starts_with("conv");
    const std::string output = writes ? " \"out$name\"" : "";
    for (const char* file : {"$name", "broken$name", "none$name"}) {
      const outcome ran = shell("set -- a*; name=$1; $LACIS " + std::string(command) + " \"" + file + "\"" + output);
      EXPECT_TRUE(is_clean(ran.out)) << command << ' ' << file << '\n' << ran.out;
      EXPECT_TRUE(is_clean(ran.err)) << command << ' ' << file << '\n' << ran.err;
    }
  }
  const outcome described = shell("set -- a*; name=$1; $LACIS info --json \"$name\"");
  ASSERT_EQ(described.code, 0) << described.err;
  ASSERT_TRUE(json::accept(described.out)) << described.out;
  EXPECT_EQ(json::parse(described.out)["name"], R"(a\x1b]0;title\x07\x1b[31m\xe2\x80\xaexyz\xff.mtx)");
}

#ifdef LACIS_WITH_ARCHIVE
TEST_F(Program, ShowsMembersOfArchivesWithoutTheirEscapes) {
  const outcome ran = shell(
      "name=$(printf 'x\\033[2Jy'); echo hello > \"$name\"; tar czf a.tar.gz \"$name\" 2> /dev/null; $LACIS info "
      "a.tar.gz");
  EXPECT_EQ(ran.code, 4);
  EXPECT_NE(ran.err.find("Members: x\\x1b[2Jy"), std::string::npos) << ran.err;
}
#endif

TEST(Shown, LeavesWhatPeopleWriteAndEscapesTheRest) {
  for (const char* plain : {"", "a.mtx", "Größe – 行列.mtx", "back\\slash", "😀"}) EXPECT_EQ(shown(plain), plain);
  EXPECT_EQ(shown("a\nb\tc\x7f"), "a\\x0ab\\x09c\\x7f");
  EXPECT_EQ(shown("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(shown("\xc2\x9b"
                  "31m"),
            "\\xc2\\x9b31m")
      << "a control sequence in one character";
  EXPECT_EQ(shown("\xe2\x80\xae"), "\\xe2\\x80\\xae");
  for (const char* broken : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xff"}) {
    const std::string once = shown(broken);
    for (const char c : once) EXPECT_TRUE(c >= ' ' && c <= '~');
    EXPECT_EQ(shown(once), once);
  }
}

}  // namespace
}  // namespace lacis::app
