// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis compare: equal bits, differences and where they are, tolerances, vectors.
#include <nlohmann/json.hpp>

#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

class Compare : public Program {
 protected:
  /// A Matrix Market file of 3 x 3 with these lines.
  void matrix(const std::string& name, const std::string& lines) const {
    const auto entries = std::count(lines.begin(), lines.end(), '\n');
    put(name, "%%MatrixMarket matrix coordinate real general\n3 3 " + std::to_string(entries) + '\n' + lines);
  }
  [[nodiscard]] json compared(const std::string& arguments, int code) const {
    const outcome ran = shell("$LACIS compare --json " + arguments);
    EXPECT_EQ(ran.code, code) << ran.err;
    return json::parse(ran.out);
  }
};

TEST_F(Compare, FindsEqualBitsInFilesOfOtherFormatsAndOrders) {
  matrix("a.mtx", "1 1 0.1\n3 2 7\n");
  matrix("b.mtx", "3 2 7\n1 1 0.1\n");
  ASSERT_EQ(shell("$LACIS convert -q a.mtx a.csr").code, 0);
  for (const char* other : {"a.mtx", "b.mtx", "a.csr"}) {
    const json all = compared(std::string("a.mtx ") + other, 0);
    EXPECT_EQ(all["outcome"], "equal bits");
    EXPECT_EQ(all["common"], 2);
    EXPECT_TRUE(all["largest_absolute"].is_null());
  }
}

TEST_F(Compare, AddsDuplicatesAndStatesThem) {
  matrix("a.mtx", "1 1 3\n2 2 1\n");
  matrix("b.mtx", "1 1 1\n2 2 1\n1 1 2\n");
  const json all = compared("a.mtx b.mtx", 0);
  EXPECT_EQ(all["a"]["duplicates"], 0);
  EXPECT_EQ(all["b"]["duplicates"], 1);
  EXPECT_NE(shell("$LACIS compare a.mtx b.mtx").out.find("1 duplicate of B added up"), std::string::npos);
}

TEST_F(Compare, CountsDifferencesAndNamesTheLargest) {
  matrix("a.mtx", "1 1 1000\n1 2 5\n2 2 1\n3 3 4\n");
  matrix("b.mtx", "1 1 1001\n2 2 3\n3 1 2\n3 3 4\n");
  const json all = compared("a.mtx b.mtx", 3);
  EXPECT_EQ(all["outcome"], "different");
  EXPECT_EQ(all["equal_size"], true);
  EXPECT_EQ(all["equal_pattern"], false);
  EXPECT_EQ(all["only_in_a"], 1);
  EXPECT_EQ(all["only_in_b"], 1);
  EXPECT_EQ(all["common"], 3);
  EXPECT_EQ(all["differing"], 2);
  const json absolute = {{"difference", 5.0}, {"row", 1}, {"col", 2}, {"a", "5"}, {"b", "not stored"}};
  EXPECT_EQ(all["largest_absolute"], absolute);
  EXPECT_EQ(all["largest_relative"]["difference"], 1.0);
  const outcome screen = shell("$LACIS compare a.mtx b.mtx");
  EXPECT_EQ(screen.code, 3);
  EXPECT_EQ(screen.err, "lacis: A and B differ at 4 positions\n");
  for (const char* words : {"different: 1 entries in A only, 1 in B only", "2 of 3 common positions differ",
                            "at most 5, at row 1, column 2: 5 and not stored"})
    EXPECT_NE(screen.out.find(words), std::string::npos) << words << '\n' << screen.out;
}

TEST_F(Compare, TakesDifferencesWithinATolerance) {
  matrix("a.mtx", "1 1 1000\n2 2 1\n");
  matrix("b.mtx", "1 1 1001\n2 2 1\n3 3 0\n");
  EXPECT_EQ(compared("a.mtx b.mtx --tolerance 1e-4", 3)["over_tolerance"], 1);
  const json all = compared("a.mtx b.mtx --tolerance 1e-3", 0);  // 1 / 1001
  EXPECT_EQ(all["outcome"], "equal within the tolerance");
  EXPECT_EQ(all["equal_bits"], false);
  EXPECT_EQ(all["differing"], 1);
  EXPECT_EQ(all["only_in_b"], 1);  // a stored zero
  EXPECT_NE(shell("$LACIS compare a.mtx b.mtx --tolerance 1e-3").out.find("0.001 of the larger magnitude"),
            std::string::npos);
}

TEST_F(Compare, NeverTakesNanOrInfinityForNear) {
  matrix("a.mtx", "1 1 nan\n2 2 inf\n3 3 -0\n");
  matrix("b.mtx", "1 1 1\n2 2 1e308\n3 3 0\n");
  EXPECT_EQ(compared("a.mtx a.mtx", 0)["equal_bits"], true);
  const json all = compared("a.mtx b.mtx --tolerance 1", 3);
  EXPECT_EQ(all["differing"], 3);  // the zeros have other bits
  EXPECT_EQ(all["over_tolerance"], 2);
}

TEST_F(Compare, RefusesOtherSizesAndTwoStandardInputs) {
  ASSERT_EQ(shell("$LACIS generate -q @poisson2d:3 -o a.mtx && $LACIS generate -q @poisson2d:4 -o b.mtx").code, 0);
  const json all = compared("a.mtx b.mtx", 3);
  EXPECT_EQ(all["equal_size"], false);
  EXPECT_EQ(all["common"], 0);
  EXPECT_EQ(shell("$LACIS compare - - < a.mtx").code, 2);
  EXPECT_EQ(shell("$LACIS compare a.mtx").code, 2);
  EXPECT_EQ(shell("$LACIS compare a.mtx missing").code, 4);
}

TEST_F(Compare, TakesVectors) {
  put("x.txt", "1\n2\n3\n");
  put("y.txt", "1\n2.5\n3\n");
  put("z.txt", "1.0 0\n2 0\n3 1\n");
  put("x.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
  EXPECT_EQ(compared("--vectors x.txt x.mtx", 0)["outcome"], "equal bits");
  const json all = compared("--vectors x.txt y.txt", 3);
  EXPECT_EQ(all["differing"], 1);
  EXPECT_EQ(all["largest_absolute"]["row"], 2);
  EXPECT_EQ(all["largest_relative"]["difference"], 0.2);
  EXPECT_EQ(compared("--vectors x.txt z.txt", 3)["largest_absolute"]["difference"], 1.0);
  EXPECT_NE(shell("$LACIS compare --vectors x.txt y.txt").out.find("element 2"), std::string::npos);
}

TEST_F(Compare, ComparesTypesInTheWiderOne) {
  ASSERT_EQ(shell("$LACIS generate -q @poisson2d:5 --values ones -o a.mtx && "
                  "$LACIS generate -q @poisson2d:5 --values pattern -o b.mtx")
                .code,
            0);
  EXPECT_EQ(compared("a.mtx b.mtx", 0)["outcome"], "equal bits");
}

}  // namespace
}  // namespace lacis::app
