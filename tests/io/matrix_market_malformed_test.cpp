// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Malformed Matrix Market files: each kind names its line and says what is wrong and what to do.
#include <gtest/gtest.h>
#include <omp.h>
#include <string>

#include "io/matrix_market/matrix_market.hpp"

namespace lacis::detail {
namespace {

enum class read_as { doubles, floats, wide };

struct malformed_case {
  std::string_view name;
  std::string_view content;
  int line;
  std::string_view phrase;
  read_as as = read_as::doubles;
  errc code = errc::bad_input;
};

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"
#define INTEGER "%%MatrixMarket matrix coordinate integer general\n"
#define COMPLEX "%%MatrixMarket matrix coordinate complex general\n"
#define PATTERN "%%MatrixMarket matrix coordinate pattern general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define SKEW "%%MatrixMarket matrix coordinate real skew-symmetric\n"
#define HERMITIAN "%%MatrixMarket matrix coordinate complex hermitian\n"

using namespace std::string_view_literals;

const malformed_case cases[] = {
    // The banner.
    {"empty file", "", 1, "the file is empty"},
    {"no banner", "3 3 1\n1 1 1\n", 1, "does not begin with %%MatrixMarket"},
    {"one percent sign", "%MatrixMarket matrix coordinate real general\n1 1 0\n", 1, "does not begin with"},
    {"blank before the banner", " " GENERAL "1 1 0\n", 1, "does not begin with"},
    {"banner glued to a word", "%%MatrixMarketmatrix coordinate real general\n1 1 0\n", 1, "does not begin with"},
    {"byte order mark", "\xef\xbb\xbf" GENERAL "1 1 0\n", 1, "byte order mark"},
    {"lines end with CR alone", "%%MatrixMarket matrix coordinate real general\r1 1 0\r", 1, "carriage return"},
    {"banner alone", "%%MatrixMarket\n1 1 0\n", 1, "ends before the object"},
    {"no format", "%%MatrixMarket matrix\n1 1 0\n", 1, "ends before the format"},
    {"no field", "%%MatrixMarket matrix coordinate\n1 1 0\n", 1, "ends before the field"},
    {"no symmetry", "%%MatrixMarket matrix coordinate real\n1 1 0\n", 1, "ends before the symmetry"},
    {"object vector", "%%MatrixMarket vector coordinate real general\n1 1 0\n", 1, "unknown object 'vector'; only"},
    {"unknown format", "%%MatrixMarket matrix dense real general\n1 1 0\n", 1, "unknown format 'dense'; it is"},
    {"unknown field", "%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n", 1,
     "unknown field 'quaternion'; it is"},
    {"unknown symmetry", "%%MatrixMarket matrix coordinate real lower\n1 1 0\n", 1, "unknown symmetry 'lower'; it is"},
    {"control characters in the banner", "%%MatrixMarket matrix coordinate \x1b[31m general\n1 1 0\n", 1,
     "unknown field '?[31m'"},
    {"a sixth word", "%%MatrixMarket matrix coordinate real general sorted\n1 1 0\n", 1, "goes on with 'sorted'"},
    {"array pattern", "%%MatrixMarket matrix array pattern general\n1 1\n", 1, "an array cannot be a pattern"},
    {"real hermitian", "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", 1, "cannot be hermitian; declare"},
    {"pattern skew-symmetric", "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", 1,
     "cannot be skew-symmetric; without"},

    // The size line.
    {"nothing after the banner", GENERAL, 2, "ends before the size line"},
    {"only comments", GENERAL "% one\n\n% two", 4, "ends before the size line"},
    {"no entries declared", GENERAL "% a\n3 3\n", 3, "the number of entries is missing; the size line reads"},
    {"no columns declared", GENERAL "3\n", 2, "the number of columns is missing"},
    {"array with three sizes", ARRAY "1 1 1\n1\n", 2, "goes on with '1'; the size line of an array"},
    {"four sizes", GENERAL "1 1 1 1\n1 1 1\n", 2, "goes on with '1'; the size line reads"},
    {"negative rows", GENERAL "-3 3 0\n", 2, "the number of rows is negative"},
    {"negative entries", GENERAL "3 3 -1\n", 2, "the number of entries is negative"},
    {"fractional rows", GENERAL "3.5 3 0\n", 2, "the number of rows, '3.5', is not a number"},
    {"a word for a size", GENERAL "3 many 0\n", 2, "the number of columns, 'many', is not a number"},
    {"size beyond 64 bits", GENERAL "3 9223372036854775808 0\n", 2, "does not fit in 64 bits"},
    {"rows x columns beyond 64 bits", ARRAY "4294967296 4294967296\n1\n", 2, "does not fit in 64 bits"},
    {"triangle beyond 64 bits", "%%MatrixMarket matrix array real symmetric\n4294967296 4294967296\n1\n", 2,
     "does not fit in 64 bits"},
    {"rows + 1 beyond 64 bits",
     "%%MatrixMarket matrix array real symmetric\n9223372036854775807 9223372036854775807\n1\n", 2,
     "does not fit in 64 bits"},
    {"entries that the bytes cannot hold", PATTERN "1000000 1000000 100000000000\n1 1\n", 2,
     "100000000000 entries are declared, but the 4 bytes that follow hold at most 1; is"},
    {"an array that the bytes cannot hold", ARRAY "100000 100000\n1\n", 2, "10000000000 entries are declared"},
    {"symmetric but not square", SYMMETRIC "3 4 0\n", 2, "a symmetric matrix is square, this one declares 3 x 4"},
    {"entries without rows", GENERAL "0 3 1\n1 1 1\n", 2, "has no room for entries"},
    {"rows beyond the memory limit", GENERAL "1000000000000 1 0\n", 2, "raise read_options::memory_limit",
     read_as::wide},
    {"rows beyond any memory", GENERAL "9223372036854775807 1 0\n", 2, "raise read_options::memory_limit",
     read_as::wide},
    {"columns beyond 32 bits", GENERAL "1 3000000000 0\n", 2, "does not fit 32-bit indices; read it with 64-bit",
     read_as::doubles, errc::overflow},

    // Places.
    {"row zero", GENERAL "3 3 1\n0 1 1\n", 3, "row 0 does not exist; Matrix Market counts from 1"},
    {"column zero", GENERAL "3 3 1\n1 00 1\n", 3, "column 0 does not exist"},
    {"row too large", GENERAL "3 3 2\n1 1 1\n4 1 1\n", 4, "row 4 exceeds the declared 3"},
    {"column too large", GENERAL "3 3 2\n1 1 1\n1 5 1\n", 4, "column 5 exceeds the declared 3"},
    {"row beyond 64 bits", GENERAL "3 3 1\n99999999999999999999 1 1\n", 3, "row 99999999999999999999 exceeds"},
    {"row that wraps to zero", GENERAL "3 3 1\n18446744073709551617 1 1\n", 3, "row 18446744073709551617 exceeds"},
    {"negative column", GENERAL "3 3 1\n1 -1 1\n", 3, "column '-1' is negative; Matrix Market counts"},
    {"fractional row", GENERAL "3 3 1\n1.0 1 1\n", 3, "the row, '1.0', is not an integer"},
    {"fractional column", GENERAL "3 3 1\n1 1.5 1\n", 3, "the column, '1.5', is not an integer"},
    {"letters for a row", GENERAL "3 3 2\n1 1 1\nabc 1 1\n", 4, "the row, 'abc', is not"},
    {"comma between places", GENERAL "3 3 1\n1,1,1.0\n", 3, "the row, '1,1,1.0', is not"},
    {"nothing but a row", GENERAL "3 3 2\n1 1 1\n2\n", 4, "the column is missing"},
    {"a comment between entries", GENERAL "3 3 2\n1 1 1\n% note\n2 2 2\n", 4, "a comment stands between"},
    {"a comment in an array", ARRAY "1 2\n1\n% note\n2\n", 4, "a comment stands between"},
    {"a NUL byte", GENERAL "3 3 2\n1 1 1\n\0002 2 2\n"sv, 4, "the row, '?2', is not"},

    // Values.
    {"no value", GENERAL "3 3 2\n1 1 1\n2 2\n", 4, "the value is missing; without values the field is 'pattern'"},
    {"no value at the end of the file", GENERAL "3 3 2\n1 1 1.00\n2 2 ", 4, "the value is missing"},
    {"a word for a value", GENERAL "1 1 1\n1 1 one\n", 3, "the value, 'one', is not a number"},
    {"a hexadecimal value", GENERAL "1 1 1\n1 1 0x10\n", 3, "the value, '0x10', is not a number"},
    {"a decimal comma", GENERAL "1 1 1\n1 1 1,5\n", 3, "has a comma; numbers have a decimal point"},
    {"a value with two points", GENERAL "1 1 1\n1 1 1.2.3\n", 3, "the value, '1.2.3', is not a number"},
    {"an exponent without digits", GENERAL "1 1 1\n1 1 1e\n", 3, "the value, '1e', is not a number"},
    {"two signs", GENERAL "1 1 1\n1 1 +-1\n", 3, "the value, '+-1', is not a number"},
    {"a value beyond double", GENERAL "1 1 1\n1 1 1e400\n", 3, "too large for double"},
    {"a value beyond float", GENERAL "1 1 1\n1 1 1e39\n", 3, "too large for float; read the matrix as double",
     read_as::floats},
    {"a fraction in an integer file", INTEGER "1 1 1\n1 1 1.5\n", 3, "'1.5', is not an integer; declare"},
    {"an integer that no double holds", INTEGER "1 1 1\n1 1 9007199254740993\n", 3,
     "no double holds '9007199254740993' exactly; set read_options::round_integers"},
    {"a long integer that no double holds", INTEGER "1 1 1\n1 1 -18446744073709551617\n", 3, "no double holds"},
    {"a negative unsigned integer", "%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 -1\n", 3,
     "of an unsigned integer is negative"},
    {"a value in a pattern", PATTERN "1 1 1\n1 1 1\n", 3, "goes on with '1' after the entry; a pattern has no values"},
    {"two values in a real file", GENERAL "1 1 1\n1 1 1 2\n", 3, "an entry has one value: is the field 'complex'?"},
    {"three numbers of a complex value", COMPLEX "1 1 1\n1 1 1 0 3\n", 3, "goes on with '3' after the entry"},
    {"no imaginary part", COMPLEX "1 1 1\n1 1 1   \n", 3, "the imaginary part is missing"},
    {"a word for an imaginary part", COMPLEX "1 1 1\n1 1 1 i\n", 3, "the value, 'i', is not a number"},
    {"complex read as real", COMPLEX "1 1 2\n1 1 1 0\n1 1 1 2\n", 4, "the imaginary part, '2', is not 0; read"},
    {"two array values on a line", ARRAY "1 2\n1 2\n3\n", 3, "an array has one value per line"},
    {"a carriage return inside a line", GENERAL "1 1 1\n1 1 1 \r 2\n", 3, "a control character stands inside"},

    // The whole.
    {"too few entries", GENERAL "3 3 3\n1 1 1.0000\n2 2 2.0000\n", 4, "the file ends after 2 of 3 entries; is it cut"},
    {"too few entries and blank lines", GENERAL "3 3 3\n1 1 1.0000\n\n2 2 2.0000\n\n\n", 5, "ends after 2 of 3"},
    {"a blank line instead of an entry", GENERAL "3 3 3\n1 1 1.0000\n\n2 2 2.0000\n", 5, "ends after 2 of 3"},
    {"too many entries", GENERAL "3 3 2\n1 1 1\n2 2 2\n3 3 3\n", 5, "more entries follow than the declared 2"},
    {"an entry where none is declared", GENERAL "3 3 0\n\n1 1 1\n", 4, "more entries follow than the declared 0"},
    {"words after the entries", GENERAL "3 3 1\n1 1 1\n\nthe end\n", 5, "more entries follow than the declared 1"},
    {"too few array values", ARRAY "2 2\n1\n2.00\n3\n", 5, "the file ends after 3 of 4 entries"},
    {"too many array values", ARRAY "1 2\n1\n2\n3\n", 5, "more entries follow than the declared 2"},
    {"cut off inside an entry", GENERAL "3 3 2\n1 1 1.0\n2 2 -", 4, "the value, '-', is not a number"},
    {"an earlier fault than the wrong number of entries", GENERAL "3 3 1\n1 x 1\n2 2 2\n", 3, "the column, 'x', is"},
    {"a symmetric entry from both sides", SYMMETRIC "3 3 3\n2 1 1\n3 2 5\n1 2 1\n", 5,
     "given already, from the other side of the diagonal; a symmetric file lists one triangle"},
    {"the first of several entries from both sides", SYMMETRIC "3 3 4\n\n2 1 1\n1 3 5\n3 1 1\n1 2 1\n", 6,
     "given already, from the other side"},
    {"a skew entry from both sides", SKEW "2 2 2\n1 2 1\n2 1 -1\n", 4, "a skew-symmetric file lists one triangle"},
    {"a pattern entry from both sides", "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n1 2\n", 4,
     "given already, from the other side"},
    {"a skew diagonal", SKEW "2 2 2\n2 1 1\n2 2 3\n", 4,
     "the value, '3', on the diagonal of a skew-symmetric matrix is not 0; declare"},
    {"a skew diagonal of NaN", SKEW "2 2 2\n2 1 1\n2 2 nan\n", 4, "diagonal of a skew-symmetric matrix is not 0"},
};

std::string message_of(const malformed_case& c, errc& code) {
  read_report report;
  const text_input input{c.content, "bad.mtx"};
  try {
    if (c.as == read_as::doubles) (void)parse_matrix_market<double, std::int32_t>(input, {}, report);
    if (c.as == read_as::floats) (void)parse_matrix_market<float, std::int32_t>(input, {}, report);
    if (c.as == read_as::wide) (void)parse_matrix_market<double, std::int64_t>(input, {}, report);
  } catch (const error& e) {
    code = e.code();
    return e.what();
  }
  return "no error";
}

TEST(MalformedMatrixMarket, IsReportedWithItsLineAndAHint) {
  ASSERT_GE(std::size(cases), 40u);
  for (const auto& c : cases) {
    errc code{};
    const std::string message = message_of(c, code);
    EXPECT_TRUE(message.starts_with(text("bad.mtx:", c.line, ": "))) << c.name << ": " << message;
    EXPECT_NE(message.find(c.phrase), std::string::npos) << c.name << ": " << message;
    EXPECT_NE(message.find("; "), std::string::npos) << c.name << " lacks a hint: " << message;
    EXPECT_EQ(code, c.code) << c.name;
  }
}

TEST(MalformedMatrixMarket, HermitianDiagonalsAreReal) {
  read_report report;
  const text_input input{HERMITIAN "2 2 2\n2 1 1 1\n2 2 3 1\n", "bad.mtx"};
  try {
    (void)parse_matrix_market<std::complex<double>, std::int32_t>(input, {}, report);
    ADD_FAILURE() << "no error";
  } catch (const error& e) {
    EXPECT_STREQ(e.what(),
                 "bad.mtx:4: the value on the diagonal of a hermitian matrix is not real; declare it 'general'");
  }
}

TEST(MalformedMatrixMarket, TheFirstFaultOfALongFileIsReportedForAnyNumberOfThreads) {
  constexpr int size = 40000;
  for (const int first : {0, 1, 20000, 39998, 39999}) {
    std::string file = text(GENERAL, size, ' ', size, ' ', size, '\n');
    for (int k = 0; k < size; ++k) {
      const bool bad = k == first || (k > first && k % 1000 == 7);
      file += text(k + 1, bad ? " x" : " 1", ' ', k, '\n');
    }
    for (const int threads : {1, 2, 3, 7}) {
      omp_set_num_threads(threads);
      errc code{};
      const std::string message = message_of({"long", file, 0, ""}, code);
      EXPECT_TRUE(message.starts_with(text("bad.mtx:", first + 3, ": the column, 'x'"))) << message;
    }
  }
}

TEST(MalformedMatrixMarket, TheMemoryLimitIsTheCallersToRaise) {
  const text_input input{GENERAL "10000000 1 1\n10000000 1 1\n", "tall.mtx"};
  read_report report;
  read_options options;
  EXPECT_THROW((void)(parse_matrix_market<double, std::int32_t>(input, options, report)), error);
  options.memory_limit = 80000008;
  EXPECT_EQ((parse_matrix_market<double, std::int32_t>(input, options, report).nnz()), 1);
  options.memory_limit = 80000007;
  EXPECT_THROW((void)(parse_matrix_market<double, std::int32_t>(input, options, report)), error);
}

}  // namespace
}  // namespace lacis::detail
