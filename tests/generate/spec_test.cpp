// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Descriptions: what they mean and what is said when they are wrong.
#include "generate/spec.hpp"

#include <gtest/gtest.h>
#include <string>

#include <lacis/generate.hpp>

namespace lacis {
namespace {

std::string message_of(std::string_view spec, errc code) {
  try {
    static_cast<void>(size_of_generated(spec));
  } catch (const error& e) {
    EXPECT_EQ(e.code(), code) << spec << ": " << e.what();
    return e.what();
  }
  return "no error";
}

TEST(Spec, SizesAreKnownWithoutTheMatrix) {
  const auto rows = [](std::string_view spec) {
    const matrix_size size = size_of_generated(spec);
    EXPECT_EQ(size.rows, size.cols);
    return size.rows;
  };
  EXPECT_EQ(rows("@poisson2d:1000"), 1000000);
  EXPECT_EQ(rows("@poisson3d:1e3"), 1000000000);
  EXPECT_EQ(rows("@stencil27:2k"), 8000000000);
  EXPECT_EQ(rows("@mesh3d:3"), 27 + 8);
  EXPECT_EQ(rows("@mesh3d:3,shuffled"), 27 + 8);
  EXPECT_EQ(rows("@rmat:40"), std::int64_t{1} << 40);
  EXPECT_EQ(rows("@rmat:0,3"), 1);
  EXPECT_EQ(rows("@kmer:55M"), 55000000);
  EXPECT_EQ(rows("@kmer:55.042369M"), 55042369);
  EXPECT_EQ(rows("@uniform:4G,10"), 4000000000);
  EXPECT_EQ(rows("@density:12.50e2,1e-3,seed=5"), 1250);
  EXPECT_EQ(rows("@banded:0100,007"), 100);
  EXPECT_EQ(rows("@powerlaw:1e+6,8.5,100000"), 1000000);
}

TEST(Spec, ErrorsSayWhatIsWrongAndHowItIsWritten) {
  const std::string usage = "; usage: @uniform:N,PER_ROW[,seed=NUMBER]";
  const struct {
    std::string_view spec;
    std::string message;
  } cases[] = {
      {"poisson2d:3",
       "'poisson2d:3': a description of a generated matrix begins with '@'; a description looks like "
       "@name:argument,argument"},
      {"@", "'@': there is no name after '@'; a description looks like @name:argument,argument"},
      {"@:3", "'@:3': there is no name after '@'; a description looks like @name:argument,argument"},
      {"@rmta:3", "'@rmta:3': there is no generator 'rmta'; did you mean 'rmat'?"},
      {"@poison3d:3", "'@poison3d:3': there is no generator 'poison3d'; did you mean 'poisson3d'?"},
      {"@unifrom:3", "'@unifrom:3': there is no generator 'unifrom'; did you mean 'uniform'?"},
      {"@x:3",
       "'@x:3': there is no generator 'x'; the generators are banded, density, kmer, mesh3d, poisson2d, poisson3d, "
       "powerlaw, rmat, stencil27, uniform"},
      {"@uniform", "'@uniform': 0 arguments given, at least 2 needed" + usage},
      {"@uniform:5", "'@uniform:5': 1 argument given, at least 2 needed" + usage},
      {"@uniform:5,2,1", "'@uniform:5,2,1': 3 arguments given, at most 2 allowed" + usage},
      {"@uniform:", "'@uniform:': an argument is empty; a description looks like @name:argument,argument"},
      {"@uniform:5,", "'@uniform:5,': an argument is empty; a description looks like @name:argument,argument"},
      {"@uniform:five,2",
       "'@uniform:five,2': N is 'five', not an integer (1000000, 1e6 or 1M) that fits 64 bits" + usage},
      {"@uniform:-5,2", "'@uniform:-5,2': N is '-5', not an integer (1000000, 1e6 or 1M) that fits 64 bits" + usage},
      {"@uniform:1.5,1", "'@uniform:1.5,1': N is '1.5', not an integer (1000000, 1e6 or 1M) that fits 64 bits" + usage},
      {"@uniform:1e19,1",
       "'@uniform:1e19,1': N is '1e19', not an integer (1000000, 1e6 or 1M) that fits 64 bits" + usage},
      {"@uniform:0,1", "'@uniform:0,1': N is 0, not from 1 to 9223372036854775807" + usage},
      {"@uniform:5,6", "'@uniform:5,6': PER_ROW is 6, not from 0 to 5" + usage},
      {"@uniform:5,2,seed=x",
       "'@uniform:5,2,seed=x': the seed 'x' is not an integer from 0 to 2^64 - 1; a description looks like "
       "@name:argument,argument"},
      {"@uniform:5,seed=1,2",
       "'@uniform:5,seed=1,2': '2' stands after the seed, which comes last; a description looks like "
       "@name:argument,argument"},
      {"@uniform:5,2,seed=1,seed=2",
       "'@uniform:5,2,seed=1,seed=2': the seed is given twice; a description looks like @name:argument,argument"},
      {"@uniform:5,rows=2",
       "'@uniform:5,rows=2': 'rows' is no option; the only one is seed=NUMBER; a description looks like "
       "@name:argument,argument"},
      {"@mesh3d:5,shufled",
       "'@mesh3d:5,shufled': 'shufled' is not 'shuffled'; usage: @mesh3d:N[,shuffled][,seed=NUMBER]"},
      {"@density:5,1.01",
       "'@density:5,1.01': D, the share of all places, is above 1; usage: @density:N,D[,seed=NUMBER]"},
      {"@density:5,1e-40",
       "'@density:5,1e-40': D is '1e-40', not a number from 0 up with at most 18 digits and 36 places; usage: "
       "@density:N,D[,seed=NUMBER]"},
      {"@rmat:63", "'@rmat:63': SCALE is 63, not from 0 to 62; usage: @rmat:SCALE[,EDGEFACTOR][,seed=NUMBER]"},
      {"@banded:5,5", "'@banded:5,5': K is 5, not from 0 to 4; usage: @banded:N,K[,seed=NUMBER]"},
      {"@powerlaw:100,11,10",
       "'@powerlaw:100,11,10': MEAN is above MAXROW; usage: @powerlaw:N,MEAN,MAXROW[,seed=NUMBER]"},
      {"@powerlaw:100,0.5,60",
       "'@powerlaw:100,0.5,60': MEAN is too small: N rows of MEAN entries are fewer than MAXROW; usage: "
       "@powerlaw:N,MEAN,MAXROW[,seed=NUMBER]"},
      {"@kmer:12x",
       "'@kmer:12x': NODES is '12x', not an integer (1000000, 1e6 or 1M) that fits 64 bits; usage: "
       "@kmer:NODES[,seed=NUMBER]"},
  };
  for (const auto& c : cases) EXPECT_EQ(message_of(c.spec, errc::invalid_argument), c.message);
}

TEST(Spec, SizesThatDoNotFitAreRefusedBeforeAnythingIsAllocated) {
  EXPECT_EQ(message_of("@poisson2d:4e9", errc::overflow),
            "the rows of @poisson2d:4e9: 4000000000 x 4000000000 does not fit in 64 bits");
  EXPECT_EQ(message_of("@stencil27:2e6", errc::overflow),
            "the entries of @stencil27:2e6: 8000000000000000000 x 27 does not fit in 64 bits");
  EXPECT_EQ(message_of("@mesh3d:2e6", errc::overflow),
            "the rows of @mesh3d:2e6: 8000000000000000000 + 7999988000005999999 does not fit in 64 bits");
  EXPECT_EQ(message_of("@rmat:60", errc::overflow),
            "the edges of @rmat:60: 1152921504606846976 x 16 does not fit in 64 bits");
  EXPECT_EQ(message_of("@kmer:3e18", errc::overflow),
            "the entries of @kmer:3e18: 3000000000000000000 x 4 does not fit in 64 bits");
  EXPECT_EQ(message_of("@uniform:4e9,3e9", errc::overflow),
            "the entries of @uniform:4e9,3e9: 4000000000 x 3000000000 does not fit in 64 bits");
  EXPECT_EQ(message_of("@density:4e9,1e-9", errc::overflow),
            "the places of @density:4e9,1e-9: 4000000000 x 4000000000 does not fit in 64 bits");
  EXPECT_EQ(message_of("@banded:4e9,2e9", errc::overflow),
            "the entries of @banded:4e9,2e9: 4000000000 x 4000000001 does not fit in 64 bits");
  EXPECT_EQ(message_of("@powerlaw:6e10,1e9,6e10", errc::overflow),
            "the entries of @powerlaw:6e10,1e9,6e10 do not fit in 64 bits");
}

TEST(Spec, RecognisesDescriptionsByTheirFirstLetter) {
  EXPECT_TRUE(is_generator_spec("@anything"));
  EXPECT_FALSE(is_generator_spec("matrix@home.mtx"));
  EXPECT_FALSE(is_generator_spec(""));
}

TEST(Spec, ListsTheGeneratorsInOrderOfName) {
  std::string_view last;
  for (const generator_info& info : generators()) {
    EXPECT_LT(last, info.name);
    EXPECT_FALSE(info.arguments.empty());
    EXPECT_FALSE(info.summary.empty());
    last = info.name;
  }
  EXPECT_EQ(generators().size(), 10u);
}

TEST(Spec, RoundsProductsOfDecimalsExactly) {
  using detail::decimal;
  using detail::rounded_product;
  EXPECT_EQ(rounded_product(1369, decimal{5, -1}, "x"), 685);
  EXPECT_EQ(rounded_product(1368, decimal{5, -1}, "x"), 684);
  EXPECT_EQ(rounded_product(3, decimal{333333333333333333, -18}, "x"), 1);
  EXPECT_EQ(rounded_product(INT64_MAX, decimal{1, 0}, "x"), INT64_MAX);
  EXPECT_EQ(rounded_product(INT64_MAX, decimal{999999999999999999, -18}, "x"), 9223372036854775798);
  EXPECT_EQ(rounded_product(7, decimal{3, 2}, "x"), 2100);
  EXPECT_EQ(rounded_product(0, decimal{3, 900}, "x"), 0);
  EXPECT_THROW(static_cast<void>(rounded_product(7, decimal{3, 18}, "x")), error);
  EXPECT_TRUE((decimal{11, -1}.above_one()));
  EXPECT_TRUE((decimal{2, 0}.above_one()));
  EXPECT_TRUE((decimal{1, 1}.above_one()));
  EXPECT_TRUE((decimal{100000000000000001, -17}.above_one()));
  EXPECT_FALSE((decimal{1, 0}.above_one()));
  EXPECT_FALSE((decimal{999999999999999999, -18}.above_one()));
  EXPECT_FALSE((decimal{999999999999999999, -36}.above_one()));
}

}  // namespace
}  // namespace lacis
