// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis eigs: what a user meets, and what it says when it goes wrong.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "program/program.hpp"
#include "program/xml.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

TEST_F(Program, EigsFindsTheSmallestOfALaplacian) {
  const outcome ran = shell("$LACIS eigs @poisson2d:20 -k 3 --json --threads 2 --preconditioner ic0");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["method"], "lobpcg");
  EXPECT_EQ(all["converged"], true);
  ASSERT_EQ(all["pairs"].size(), 3u);
  const auto line = [](int j) { return 4 * std::pow(std::sin(std::numbers::pi * j / 42), 2); };
  const double expected[] = {line(1) + line(1), line(1) + line(2), line(1) + line(2)};
  for (std::size_t k = 0; k < 3; ++k) {
    const double residual = all["pairs"][k]["residual"];
    EXPECT_LE(residual, 1e-8 * expected[k] + residual * 1e-8);
    EXPECT_LE(std::fabs(all["pairs"][k]["eigenvalue"].get<double>() - expected[k]), residual + 1e-14);
  }
  const outcome alone = shell("$LACIS eigs @poisson2d:20 -k 3 --json --threads 1 --preconditioner ic0");
  EXPECT_EQ(json::parse(alone.out)["hash"], all["hash"]);
}

TEST_F(Program, EigsOnTheHostExecutorHasTheBitsOfTheProcessor) {
  for (const char* how :
       {"--method lobpcg --preconditioner jacobi --max-iterations 5", "--max-iterations 40 --which both"}) {
    const std::string command = std::string("$LACIS eigs @poisson2d:9 -k 2 --json ") + how;
    const outcome here = shell(command);
    const outcome there = shell(command + " --device simt");
    ASSERT_TRUE(here.code == 0 || here.code == 3) << here.err;
    EXPECT_EQ(json::parse(there.out)["hash"], json::parse(here.out)["hash"]) << there.err;
  }
}

TEST_F(Program, EigsTakesTheOptionsOfMultigrid) {
  const std::string command = "$LACIS eigs @poisson2d:200 -k 2 --preconditioner amg --tolerance 1e-3 ";
  const std::vector<std::string> ways[] = {{"--cycle v", "V-cycle", "Chebyshev"},
                                           {"--cycle w", "W-cycle", "Chebyshev"},
                                           {"--smoother l1-jacobi", "V-cycle", "l1-Jacobi"},
                                           {"--cycle k", "K-cycle", "Chebyshev"}};
  std::set<std::string> hashes;
  for (const auto& way : ways) {
    const outcome shown = shell(command + way[0]);
    ASSERT_EQ(shown.code, 0) << shown.err;
    EXPECT_NE(shown.out.find(way[1]), std::string::npos) << shown.out;
    EXPECT_NE(shown.out.find(way[2]), std::string::npos) << shown.out;
    const auto hash_on = [&](const char* threads) {
      return json::parse(shell(command + way[0] + " --json --threads " + threads).out)["hash"];
    };
    EXPECT_EQ(hash_on("1"), hash_on("3")) << way[0];
    hashes.insert(hash_on("1"));
  }
  EXPECT_EQ(hashes.size(), std::size(ways)) << "each has bits of its own";
  const std::string unknown = shell(command + "--cycle f").err;
  EXPECT_NE(unknown.find("there is no cycle 'f'"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("lacis help eigs"), std::string::npos) << unknown;
  EXPECT_NE(shell("$LACIS eigs @poisson2d:9 --cycle w").err.find("give --preconditioner amg"), std::string::npos);
  EXPECT_NE(shell(command + "--cycle k --device simt").err.find("cycles on devices are v and w"), std::string::npos);
}

TEST_F(Program, EigsWritesVectors) {
  const outcome ran = shell("$LACIS eigs @poisson2d:4 -k 2 -o - --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 32);
  const outcome shown = shell("$LACIS eigs @poisson2d:4 -k 2 --which largest");
  EXPECT_NE(shown.out.find("eigenvalue"), std::string::npos);
  EXPECT_NE(shown.out.find("7.236"), std::string::npos) << shown.out;  // 4 + 2 cos 36 degrees, twice
}

TEST_F(Program, EigsGoesOnFromItsStates) {
  const std::string command = "$LACIS eigs @poisson2d:40 -k 3 --json";
  const json expected = json::parse(shell(command).out);
  EXPECT_EQ(expected["resumed_at"], 0);
  EXPECT_EQ(expected["history"].size(), expected["iterations"].get<std::size_t>());
  EXPECT_EQ(expected["history"][0], nullptr);  // before the basis is full nothing is known
  const std::string states = command + " --checkpoint here --every 40";
  EXPECT_EQ(shell(states + " --max-iterations 100").code, 3);
  EXPECT_TRUE(std::filesystem::exists(file("here/state-0.lacis")));
  const json resumed = json::parse(shell(states).out);
  EXPECT_EQ(resumed["resumed_at"], 80);
  for (const char* same : {"hash", "pairs", "iterations", "products", "history"})
    EXPECT_EQ(resumed[same], expected[same]) << same;
  EXPECT_FALSE(std::filesystem::exists(file("here/state-0.lacis")));
  static_cast<void>(shell("$LACIS eigs @poisson2d:40 -k 3 --checkpoint here --every 40 --max-iterations 100"));
  EXPECT_NE(shell("$LACIS eigs @poisson2d:40 -k 3 --checkpoint here").out.find("resumed at iteration 80"),
            std::string::npos);
}

TEST_F(Program, EigsDrawsItsConvergence) {
  for (const char* how : {"--preconditioner ic0", "", "--max-iterations 3", "--which both"}) {
    const outcome drawn = shell(std::string("$LACIS eigs @poisson2d:30 -k 3 -q --svg - ") + how);
    EXPECT_TRUE(is_well_formed(drawn.out)) << how << drawn.err;
    EXPECT_NE(drawn.out.find("@poisson2d:30: 3 eigenvalues by"), std::string::npos) << drawn.out;
    EXPECT_EQ(drawn.out.find("inf"), std::string::npos);
    EXPECT_EQ(drawn.out.find("nan"), std::string::npos);
  }
  const outcome shown = shell("$LACIS eigs @poisson2d:30 -k 3");
  EXPECT_NE(shown.out.find("the largest |A x - w x| / |w|"), std::string::npos) << shown.out;
  // All at once: no steps, and no curve.
  EXPECT_EQ(shell("$LACIS eigs @poisson2d:5 -k 3").out.find("iteration 1 to"), std::string::npos);
}

TEST_F(Program, EigsSaysWhatDidNotConverge) {
  const outcome ran = shell("$LACIS eigs @poisson2d:40 -k 4 --max-iterations 30 --json");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("of 4 pairs converged in 30 iterations"), std::string::npos) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["converged"], false);
  EXPECT_EQ(all["pairs"].size(), 4u);
  EXPECT_EQ(all["pairs"][3]["converged"], false);
}

TEST_F(Program, EigsInTheWholeSpaceStopsByASignalAndAtItsLimit) {
  // Without an end of its own a quarter of an hour.
  const outcome stopped = shell("timeout --preserve-status -k 60 1 $LACIS eigs @poisson2d:60 -k 3 --vectors 100000 -q");
  EXPECT_EQ(stopped.code, 128 + 15) << stopped.err;
  const outcome bounded = shell("$LACIS eigs @poisson2d:12 -k 144 --max-iterations 2 --json");
  EXPECT_EQ(bounded.code, 3);
  EXPECT_EQ(json::parse(bounded.out)["iterations"], 2);
  EXPECT_EQ(shell("$LACIS eigs @poisson2d:12 -k 144 -q -o all.txt").code, 0);
}

TEST_F(Program, EigsFindsAllOfASmallMatrixUnlessAskedForFewer) {
  const json all = json::parse(shell("$LACIS eigs @poisson2d:2 --json").out);
  EXPECT_EQ(all["pairs"].size(), 4u);
  EXPECT_EQ(json::parse(shell("$LACIS eigs @poisson2d:3 --json").out)["pairs"].size(), 6u);
  EXPECT_EQ(json::parse(shell("$LACIS eigs @poisson2d:3 -k 2 --json").out)["pairs"].size(), 2u);
}

TEST_F(Program, EigsSaysWhichEntryIsNotFiniteAndLeavesFilesAlone) {
  for (const std::string entry : {"nan", "inf", "-inf"}) {
    put("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 " + entry + "\n3 3 1\n");
    put("x.txt", "kept\n");
    const outcome ran = shell("$LACIS eigs a.mtx -o x.txt");
    EXPECT_EQ(ran.code, 4);
    EXPECT_NE(ran.err.find("a.mtx: the entry of row 2 and column 2, counted from 1, is not finite"), std::string::npos)
        << ran.err;
    EXPECT_EQ(shell("cat x.txt").out, "kept\n");
  }
}

TEST_F(Program, EigsSaysThatASearchForCopiesDidNotFinish) {
  // Sixty copies of one value: two are found at once, each look finds two more.
  std::string file = "%%MatrixMarket matrix coordinate real general\n300 300 300\n";
  for (int i = 1; i <= 300; ++i) {
    const std::string place = std::to_string(i);
    file += place + ' ' + place + ' ' + (i <= 60 ? "400" : place) + '\n';
  }
  put("copies.mtx", file);
  const std::string command = "$LACIS eigs copies.mtx -k 6 --which largest --json";
  const outcome whole = shell(command);
  ASSERT_EQ(whole.code, 0) << whole.err;
  const auto needed = json::parse(whole.out)["iterations"].get<int>();
  bool is_said = false;
  for (int most = needed - 1; most > 0 && !is_said; --most) {
    const outcome ran = shell(command + " --max-iterations " + std::to_string(most));
    ASSERT_EQ(ran.code, 3) << most;
    const json pairs = json::parse(ran.out)["pairs"];
    const bool all = std::ranges::all_of(pairs, [](const json& pair) { return pair["converged"].get<bool>(); });
    is_said = all && ran.err.find("the search for further copies of an eigenvalue did not finish") != std::string::npos;
    if (is_said) {
      EXPECT_EQ(ran.err.find("not all eigenvalues converged"), std::string::npos) << ran.err;
    }
  }
  EXPECT_TRUE(is_said);
}

TEST_F(Program, EigsTakesAMatrixThatIsSymmetricExceptForRoundingErrors) {
  const auto with = [&](const std::string& entry) {
    put("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 0.5\n2 1 " + entry + "\n2 2 1\n");
    return shell("$LACIS eigs a.mtx -k 1 --json");
  };
  const outcome close = with("0.5000000000000001");
  ASSERT_EQ(close.code, 0) << close.err;
  EXPECT_NEAR(json::parse(close.out)["pairs"][0]["eigenvalue"].get<double>(), 0.5, 1e-12);
  EXPECT_NE(with("0.5000000001").err.find("is not symmetric"), std::string::npos);
}

TEST_F(Program, EigsRefusesWhatHasNoSuchEigenvalues) {
  EXPECT_NE(shell("$LACIS eigs @rmat:6").err.find("is not symmetric"), std::string::npos);
  EXPECT_NE(shell("$LACIS eigs @poisson2d:3 -k 10").err.find("no 10 eigenvalues"), std::string::npos);
  EXPECT_NE(shell("$LACIS eigs @poisson2d:9 --method lanczos --preconditioner ic0").err.find("lobpcg"),
            std::string::npos);
  EXPECT_NE(shell("$LACIS eigs @poisson2d:9 --which smalest").err.find("smallest"), std::string::npos);
  EXPECT_NE(shell("$LACIS eigs @poisson2d:9 --json -o -").err.find("standard output"), std::string::npos);
}

}  // namespace
}  // namespace lacis::app
