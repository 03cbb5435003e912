// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers in text: every spelling that matrix files have, at the edges of the types.
#include "io/numbers.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace lacis::detail {
namespace {

constexpr auto ok = number_status::ok;
constexpr auto malformed = number_status::malformed;
constexpr auto out_of_range = number_status::out_of_range;

struct integer_case {
  std::string_view spelling;
  number_status status;
  std::int64_t number = 0;
  std::string_view rest = "";
};

TEST(Numbers, ReadsWholeNumbers) {
  const integer_case cases[] = {
      {"0", ok, 0},
      {"7", ok, 7},
      {"+7", ok, 7},
      {"-7", ok, -7},
      {"12345678", ok, 12345678},
      {"123456789", ok, 123456789},
      {"999999999999999999", ok, 999999999999999999},
      {"1000000000000000000", ok, 1000000000000000000},
      {"9223372036854775807", ok, INT64_MAX},
      {"-9223372036854775808", ok, INT64_MIN},
      {"9223372036854775808", out_of_range},
      {"-9223372036854775809", out_of_range},
      {"99999999999999999999999", out_of_range},
      {"00000000000000000000000000042", ok, 42},
      {"42 7", ok, 42, " 7"},
      {"42\n", ok, 42, "\n"},
      {"4:2", ok, 4, ":2"},
      {"4/2", ok, 4, "/2"},
      {"1.5", ok, 1, ".5"},
      {"", malformed},
      {"+", malformed, 0, "+"},
      {"-", malformed, 0, "-"},
      {"+-7", malformed, 0, "+-7"},
      {"--7", malformed, 0, "--7"},
      {" 7", malformed, 0, " 7"},
      {"x", malformed, 0, "x"},
  };
  for (const auto& c : cases) {
    for (const std::string_view padding : {"", " 1 1 1 1 1 1 1 1 1 1"}) {
      const std::string text = std::string(c.spelling) + std::string(padding);
      std::int64_t number = -1;
      const auto parsed = parse_integer(text.data(), text.data() + text.size(), number);
      EXPECT_EQ(parsed.status, c.status) << text;
      if (c.status == ok) {
        EXPECT_EQ(number, c.number) << text;
      }
      if (c.status != out_of_range) {
        EXPECT_EQ(std::string(parsed.end, text.data() + text.size()), std::string(c.rest) + std::string(padding));
      }
    }
  }
}

TEST(Numbers, ReadsDigitsOfEveryLengthWithEveryNeighbour) {
  for (int length = 1; length <= 19; ++length) {
    for (int after = 0; after < 256; ++after) {
      const char next = static_cast<char>(after);
      if (is_digit(next)) continue;
      for (const bool room : {false, true}) {
        std::string text;
        std::int64_t expected = 0;
        for (int i = 0; i < length; ++i) {
          const int digit = (i * 7 + length) % 9 + (i == 0 ? 0 : 1);
          text += static_cast<char>('0' + digit);
          expected = expected * 10 + digit;
        }
        text += next;
        if (room) text += "9999999999999999";
        std::int64_t number = -1;
        const auto parsed = parse_digits(text.data(), text.data() + text.size(), number);
        ASSERT_EQ(parsed.status, ok) << text;
        ASSERT_EQ(number, expected) << text;
        ASSERT_EQ(parsed.end, text.data() + length) << text;
      }
    }
  }
}

template <class Real> struct real_case {
  std::string_view spelling;
  number_status status;
  Real number = 0;
  std::string_view rest = "";
};

template <class Real> auto bits(Real x) {
  return std::bit_cast<std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>>(x);
}

template <class Real> void check(const real_case<Real>& c) {
  const std::string text = std::string(c.spelling);
  Real number = Real(-77);
  const auto parsed = parse_real(text.data(), text.data() + text.size(), number);
  EXPECT_EQ(parsed.status, c.status) << text;
  if (c.status != ok) return;
  EXPECT_EQ(bits(number), bits(c.number)) << text << " gave " << number;
  EXPECT_EQ(std::string(parsed.end, text.data() + text.size()), c.rest) << text;
}

TEST(Numbers, ReadsDoubles) {
  using limits = std::numeric_limits<double>;
  const real_case<double> cases[] = {
      {"0", ok, 0.0},
      {"-0", ok, -0.0},
      {"+0.0", ok, 0.0},
      {"1.5", ok, 1.5},
      {"+1.5", ok, 1.5},
      {"-1.5e3", ok, -1500.0},
      {"1.5E+3", ok, 1500.0},
      {".5", ok, 0.5},
      {"5.", ok, 5.0},
      {"1.5D3", ok, 1500.0},
      {"-1.5d+03", ok, -1500.0},
      {"1.D-2", ok, 0.01},
      {"+1D2", ok, 100.0},
      {"1.5D+03 7", ok, 1500.0, " 7"},
      {"0.1234567890123456789012345678901234567890123456789012345678901234567890D+01", ok, 1.2345678901234567},
      {"1.7976931348623157e308", ok, limits::max()},
      {"1.7976931348623157D308", ok, limits::max()},
      {"1.8e308", out_of_range},
      {"1.8D308", out_of_range},
      {"-1e400", out_of_range},
      {"1e99999999999999999999", out_of_range},
      {"100000e304", out_of_range},
      {"4.9406564584124654e-324", ok, limits::denorm_min()},
      {"2.4703282292062328e-324", ok, limits::denorm_min()},
      {"2.4703282292062327e-324", ok, 0.0},
      {"-2.4703282292062327D-324", ok, -0.0},
      {"2.2250738585072011e-308", ok, 2.2250738585072011e-308},
      {"-1e-400", ok, -0.0},
      {"+1e-400", ok, 0.0},
      {"1e-99999999999999999999", ok, 0.0},
      {"-1D-99999999999999999999", ok, -0.0},
      {"0.00001e-320", ok, 0.0},
      {"12345e-340", ok, 0.0},
      {"inf", ok, limits::infinity()},
      {"+Inf", ok, limits::infinity()},
      {"-INFINITY", ok, -limits::infinity()},
      {"nan", ok, limits::quiet_NaN()},
      {"NaN", ok, limits::quiet_NaN()},
      {"-nan", ok, limits::quiet_NaN()},
      {"1.5D", ok, 1.5, "D"},
      {"1.5D+", ok, 1.5, "D+"},
      {"1e5D3", ok, 1e5, "D3"},
      {"infD3", ok, limits::infinity(), "D3"},
      {"1.5.2", ok, 1.5, ".2"},
      {"1,5", ok, 1, ",5"},
      {"0x10", ok, 0, "x10"},
      {"", malformed},
      {"+", malformed},
      {"-", malformed},
      {"+-1", malformed},
      {"++1", malformed},
      {".", malformed},
      {"e5", malformed},
      {"D5", malformed},
      {"one", malformed},
  };
  for (const auto& c : cases) check(c);
  std::string tiny = "0.";
  tiny.append(400, '0');
  tiny += "1";
  check(real_case<double>{tiny, ok, 0.0});
  check(real_case<double>{tiny + "e+401", ok, 1.0});
  check(real_case<double>{"1" + std::string(400, '0'), out_of_range});
  check(real_case<double>{"1" + std::string(400, '0') + "e-400", ok, 1.0});
}

TEST(Numbers, ReadsFloatsRoundedOnce) {
  using limits = std::numeric_limits<float>;
  const real_case<float> cases[] = {
      {"3.4028234663852886e38", ok, limits::max()},
      {"3.5e38", out_of_range},
      {"1e39", out_of_range},
      {"1.4e-45", ok, limits::denorm_min()},
      {"7.0064923216240854e-46", ok, limits::denorm_min()},
      {"7.0064923216240853e-46", ok, 0.0F},
      {"-1e-60", ok, -0.0F},
      {"1.0D-60", ok, 0.0F},
      // Just below the middle of two floats; its nearest double is that middle, which ties to the upper one.
      {"1.00000017881393432617187499", ok, 0x1.000002p0F},
      {"1.00000017881393432617187501", ok, 0x1.000004p0F},
      {"nan", ok, limits::quiet_NaN()},
      {"-inf", ok, -limits::infinity()},
  };
  for (const auto& c : cases) check(c);
}

TEST(Numbers, FindsTheEndsOfLines) {
  const std::string_view text = "a\r\nb\rc\r";
  const char* last = text.data() + text.size();
  EXPECT_FALSE(at_line_end(text.data(), last));
  EXPECT_TRUE(at_line_end(text.data() + 1, last));
  EXPECT_TRUE(at_line_end(text.data() + 2, last));
  EXPECT_FALSE(at_line_end(text.data() + 4, last));
  EXPECT_TRUE(at_line_end(text.data() + 6, last));
  EXPECT_TRUE(at_line_end(last, last));
  EXPECT_EQ(next_line(text.data(), last), text.data() + 3);
  EXPECT_EQ(next_line(text.data() + 3, last), last);
  EXPECT_EQ(next_line(last, last), last);
}

}  // namespace
}  // namespace lacis::detail
