// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis solve, pagerank and their measurements: what a user meets, and what they say when it goes wrong.
#include "commands/bench/solve.hpp"

#include <csignal>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include <lacis/isa.hpp>
#include <lacis/solve_direct.hpp>

#include "commands/solve/findings.hpp"
#include "plot/convergence.hpp"
#include "program/program.hpp"
#include "program/xml.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

TEST_F(Program, SolvesAndSaysWhatItDid) {
  const outcome ran = shell("$LACIS solve @poisson2d:30 --json --threads 2");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["method"], "cg");
  EXPECT_EQ(all["converged"], true);
  EXPECT_GT(all["iterations"], 10);
  EXPECT_LE(all["residual"], 1e-8);
  EXPECT_LE(all["true_residual"], 1e-8);
  EXPECT_GT(all["seconds"], 0);
  EXPECT_EQ(all["history"].size(), all["iterations"]);
  EXPECT_EQ(all["solution_hash"].get<std::string>().size(), 16u);
  double parts = 0;
  for (const json& share : all["shares"]) parts += share["seconds"].get<double>();
  EXPECT_LE(parts, all["seconds"]);
  const outcome alone = shell("$LACIS solve @poisson2d:30 --json --threads 1");
  EXPECT_EQ(json::parse(alone.out)["solution_hash"], all["solution_hash"]);
  const outcome there = shell("$LACIS solve @poisson2d:8 --json --device simt --method cg --preconditioner ic0");
  const outcome here = shell("$LACIS solve @poisson2d:8 --json --method cg --preconditioner ic0");
  ASSERT_EQ(there.code, 0) << there.err;
  EXPECT_EQ(json::parse(there.out)["solution_hash"], json::parse(here.out)["solution_hash"]);
}

TEST_F(Program, SolvesForTheRightSideOfAFileAndWritesX) {
  put("b.txt", "2\n0\n0\n4\n");
  put("a.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 1 2\n2 2 1\n3 3 1\n4 4 8\n");
  const outcome ran = shell("$LACIS solve a.mtx b.txt -o x.txt --method cg --quiet");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content(file("x.txt")), "1\n0\n0\n0.5\n");
  const outcome screen = shell("$LACIS solve a.mtx b.txt --profile");
  for (const char* words : {"matrix", "symmetric, looks positive definite", "b           b.txt", "method",
                            "converged after", "the rest", "hash of x"})
    EXPECT_NE(screen.out.find(words), std::string::npos) << words << '\n' << screen.out;
  put("short.txt", "1\n");
  EXPECT_NE(shell("$LACIS solve a.mtx short.txt").err.find("1 numbers for a matrix of 4 rows"), std::string::npos);
}

TEST_F(Program, EndsWithThreeAndAdviceWhereNothingConverges) {
  const outcome few = shell("$LACIS solve @poisson2d:40 --max-iterations 3 --method cg");
  EXPECT_EQ(few.code, 3);
  EXPECT_NE(few.err.find("did not converge in 3 iterations"), std::string::npos) << few.err;
  EXPECT_NE(few.err.find("--method auto"), std::string::npos) << few.err;
  EXPECT_NE(few.out.find("out of iterations after 3"), std::string::npos) << few.out;
  // Singular, and b is not in its range.
  put("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n");
  put("b.txt", "1\n0\n");
  const outcome none = shell("$LACIS solve a.mtx b.txt --json");
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(json::parse(none.out)["converged"], false);
  EXPECT_GT(json::parse(none.out)["attempts"].size(), 3u);
  EXPECT_NE(none.err.find("--method lsqr gives a least-squares solution"), std::string::npos) << none.err;
  EXPECT_EQ(shell("$LACIS solve a.mtx b.txt --method lsqr").code, 0);
}

TEST_F(Program, CallsLeastSquaresByTheirName) {
  put("zero.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 0\n");
  put("none.mtx", "%%MatrixMarket matrix coordinate real general\n3 0 0\n");
  put("two.txt", "1\n1\n");
  put("three.txt", "1\n1\n1\n");
  for (const char* system : {"zero.mtx two.txt --method lsqr", "none.mtx three.txt"}) {
    const outcome ran = shell(std::string("$LACIS solve ") + system);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("least-squares solution after"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("|A^H r|"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.out.find("converged after"), std::string::npos) << ran.out;
    EXPECT_EQ(json::parse(shell(std::string("$LACIS solve --json ") + system).out)["least_squares"], true);
  }
}

TEST_F(Program, RefusesNumbersThatTheTypeCannotHold) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 ";
  put("a.mtx", head + "2\n2 2 4\n");
  put("huge.mtx", head + "1e50\n2 2 4\n");
  put("tiny.mtx", head + "1e-50\n2 2 1e-60\n");
  put("tiny.txt", "1e-50\n1e-50\n");
  put("huge.txt", "1e50\n1\n");
  for (const char* system : {"a.mtx tiny.txt", "a.mtx huge.txt", "huge.mtx", "tiny.mtx"}) {
    const outcome ran = shell(std::string("$LACIS solve --type float ") + system);
    EXPECT_EQ(ran.code, 4) << system << '\n' << ran.out << ran.err;
    EXPECT_NE(ran.err.find("take --type double"), std::string::npos) << ran.err;
    EXPECT_EQ(shell(std::string("$LACIS solve --type double ") + system).code, 0) << system;
  }
}

TEST_F(Program, SolvesInSinglePrecisionWithTheDefaults) {
  for (const char* spec : {"@poisson2d:100", "@poisson3d:16", "@stencil27:10"}) {
    const outcome ran = shell(std::string("$LACIS solve --json --type float ") + spec);
    EXPECT_EQ(ran.code, 0) << spec << ran.err;
    EXPECT_EQ(json::parse(ran.out)["tolerance"], 1e-4);
  }
  const outcome ran = shell("$LACIS solve @poisson2d:100 --type float --tolerance 1e-8");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("rounding errors"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("residual is 0.00e+00"), std::string::npos) << ran.err;
}

TEST_F(Program, RefusesWhatASolverCannotBeAsked) {
  const auto says = [&](const std::string& options, const std::string& words) {
    const outcome ran = shell("$LACIS solve @poisson2d:5 " + options);
    EXPECT_EQ(ran.code, 2) << options;
    EXPECT_NE(ran.err.find(words), std::string::npos) << ran.err;
  };
  says("--method cgs", "did you mean 'cg'");
  says("--preconditioner ilu", "did you mean 'ilu0'");
  says("--checkpoint here", "needs a named method");
  says("--json --svg -", "write them to files");
  says("--mixed --method direct", "leave one out");
  says("--method direct --device simt", "leave them out");
  says("--preconditioner amg --cycle f", "there is no cycle 'f'");
  says("--preconditioner amg --smoother l1jacobi", "did you mean 'l1-jacobi'");
  says("--cycle w", "give --preconditioner amg");
  says("--preconditioner ic0 --smoother chebyshev", "give --preconditioner amg");
  says("--method gmres --preconditioner amg --cycle k", "use fgmres");
}

TEST_F(Program, CyclesHaveTheSameBitsOnEveryInstructionSet) {
  for (const std::string how :
       {"--cycle k --method cg", "--cycle w --method cg --smoother l1-jacobi", "--cycle k --method fgmres"}) {
    std::string expected;
    for (const isa set : supported_isas())
      for (const char* threads : {"1", "3"}) {
        const outcome ran =
            shell("LACIS_ISA=" + std::string(name_of(set)) +
                  " $LACIS solve @poisson2d:150 --preconditioner amg --json " + how + " --threads " + threads);
        ASSERT_EQ(ran.code, 0) << ran.err;
        const json all = json::parse(ran.out);
        const json& levels = all["attempts"].back()["hierarchy"];
        EXPECT_EQ(levels["cycle"], how.substr(8, 1));
        EXPECT_EQ(levels["smoother"], how.find("l1-jacobi") != std::string::npos ? "l1-jacobi" : "chebyshev");
        if (expected.empty()) expected = all["solution_hash"];
        EXPECT_EQ(all["solution_hash"], expected) << how << ' ' << name_of(set) << ' ' << threads;
      }
  }
}

TEST_F(Program, SolvesWithWholeFactorsAndWithHalfTheDigits) {
  const outcome mixed = shell("$LACIS solve @poisson2d:40 --mixed --json");
  ASSERT_EQ(mixed.code, 0) << mixed.err;
  EXPECT_LE(json::parse(mixed.out)["true_residual"], 1e-8);
  const outcome direct = shell("$LACIS solve @poisson2d:40 --method direct --json");
  if (!has_direct_solver()) {
    EXPECT_NE(direct.err.find("LACIS_WITH_KLU"), std::string::npos);
    return;
  }
  ASSERT_EQ(direct.code, 0) << direct.err;
  EXPECT_EQ(json::parse(direct.out)["method"], "direct");
  EXPECT_LE(json::parse(direct.out)["true_residual"], 1e-14);
}

TEST_F(Program, DrawsTheConvergence) {
  const outcome ran = shell("$LACIS solve @poisson2d:30 --svg -");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(is_well_formed(ran.out));
  EXPECT_NE(ran.out.find("<polyline"), std::string::npos);
}

TEST_F(Program, KilledAnywhereASolverGoesOnToTheSameBits) {
  const std::string solve =
      "$LACIS solve @poisson2d:200 --method cg --preconditioner ic0 --tolerance 1e-13 --json --quiet";
  const std::string expected = json::parse(shell(solve).out)["solution_hash"];
  std::mt19937 random(5);
  int kills = 0;
  for (int i = 0; i < 20; ++i) {
    const double wait = std::uniform_real_distribution(0.02, 0.15)(random);
    const outcome one = shell("timeout -s KILL " + std::to_string(wait) + " " + solve + " --checkpoint here --every 3");
    if (one.code == 0) {
      EXPECT_EQ(json::parse(one.out)["solution_hash"], expected);
    }
    kills += one.code == 0 ? 0 : 1;
  }
  EXPECT_GT(kills, 10);
  const outcome last = shell(solve + " --checkpoint here --every 3");
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(json::parse(last.out)["solution_hash"], expected);
}

TEST_F(Program, RanksPages) {
  put("web.txt", "# a comment\n0 1\n0 2\n1 2\n2 0\n3 2\n");
  const outcome ran = shell("$LACIS pagerank web.txt --top 2 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["pages"], 4);
  EXPECT_EQ(all["links"], 5);
  ASSERT_EQ(all["top"].size(), 2u);
  EXPECT_EQ(all["top"][0]["page"], 2);
  const outcome screen = shell("$LACIS pagerank web.txt --top 2");
  EXPECT_NE(screen.out.find("entries/s"), std::string::npos) << screen.out;
  EXPECT_EQ(shell("$LACIS pagerank web.txt --max-iterations 1").code, 3);
}

TEST_F(Program, SaysThatPagerankDoesNotUseValues) {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n3 3 3\n";
  put("plain.mtx", head + "1 2 1\n2 3 1\n3 1 1\n");
  put("weighted.mtx", head + "1 2 5\n2 3 -1\n3 1 0\n");
  const outcome plain = shell("$LACIS pagerank plain.mtx");
  EXPECT_EQ(plain.out.find("not used"), std::string::npos) << plain.out;
  const outcome weighted = shell("$LACIS pagerank weighted.mtx");
  EXPECT_NE(weighted.out.find("not used: every stored entry is one link"), std::string::npos) << weighted.out;
  EXPECT_EQ(json::parse(shell("$LACIS pagerank weighted.mtx --json").out)["ignores_values"], true);
  EXPECT_EQ(json::parse(shell("$LACIS pagerank plain.mtx --json").out)["ignores_values"], false);
  put("nan.mtx", head + "1 2 5\n2 3 nan\n3 1 0\n");
  const outcome refused = shell("$LACIS pagerank nan.mtx");
  EXPECT_EQ(refused.code, 4);
  EXPECT_NE(refused.err.find("the entry of row 2 and column 3, counted from 1, is not finite"), std::string::npos);
}

TEST_F(Program, PagerankSaysHowFarScoresAreFromTheExactOnes) {
  const std::string command = "$LACIS pagerank @rmat:9 --damping 0.999 --max-iterations 100000 -q -o - --tolerance ";
  const auto scores = [&](const std::string& tolerance) {
    std::istringstream text(shell(command + tolerance).out);
    std::vector<double> all;
    for (double one = 0; text >> one;) all.push_back(one);
    return all;
  };
  const auto exact = scores("1e-14");
  const auto found = scores("1e-8");
  ASSERT_EQ(found.size(), exact.size());
  double distance = 0;
  for (std::size_t i = 0; i < found.size(); ++i) distance += std::fabs(found[i] - exact[i]);
  const json all =
      json::parse(shell("$LACIS pagerank @rmat:9 --damping 0.999 --max-iterations 100000 --tolerance 1e-8 --json").out);
  EXPECT_LE(distance, all["error_bound"].get<double>() + 1e-11);
  EXPECT_GT(all["error_bound"].get<double>(), all["change"].get<double>());
}

TEST_F(Program, MeasuresWhatSolversAreMadeOf) {
  for (const std::string operation : {"cg", "pagerank", "trsv", "ilu0", "ic0"}) {
    const outcome ran = shell("$LACIS bench " + operation + " @poisson2d:60 --seconds 0.01 --json --threads 2");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const json all = json::parse(ran.out);
    EXPECT_EQ(all["operation"], operation);
    EXPECT_GE(all["rounds"], 5);
    std::set<std::string> names;
    for (const json& entry : all["entries"]) {
      names.insert(entry["name"]);
      EXPECT_GT(entry["median_s"], 0);
      EXPECT_FALSE(entry["is_peer"]);
    }
    EXPECT_EQ(names,
              operation == "trsv" ? std::set<std::string>({"lacis", "plain loop"}) : std::set<std::string>({"lacis"}));
  }
  EXPECT_EQ(shell("$LACIS bench cg").code, 2);
  EXPECT_NE(shell("$LACIS bench trsv @poisson2d:9 --peers petsc").err.find("there is no 'petsc'"), std::string::npos);
}

TEST(SolveProfile, GivesAReasonForWhatIsFasterThanMemory) {
  solve_findings found;
  found.report.read_gbs = 10;
  found.cache_bytes = 1 << 20;
  found.report.attempts.emplace_back();
  solve_report& result = found.report.attempts.back().report;
  result.seconds = 1;
  result.shares = {{"products", 1000, 0.5, 4e9}, {"dots", 10000, 0.2, 3.48e9}, {"updates", 10, 0.1, 1.2e9}};
  const std::string screen = solve_screen(found, {false, true}, {.columns = 80});
  for (const char* words : {"80 %", "in cache: faster than memory, from what the last-level cache (1 MiB) can hold",
                            "120 %^", "^: above the limit:"})
    EXPECT_NE(screen.find(words), std::string::npos) << words << '\n' << screen;
  EXPECT_EQ(screen.find("174 %"), std::string::npos) << screen;
  result.shares = {{"products", 1000, 0.5, 4e9}};
  const std::string slow = solve_screen(found, {false, true}, {.columns = 80});
  EXPECT_EQ(slow.find("in cache"), std::string::npos) << slow;
  EXPECT_EQ(slow.find('^'), std::string::npos) << slow;
}

TEST(SolveBench, ShowsEveryoneAndTheirGain) {
  solve_bench_report report;
  report.operation = "cg";
  report.matrix = "a.mtx";
  report.unit = "iteration";
  report.rows = 10;
  report.entries = 1000;
  report.rounds = 5;
  solve_bench_entry one;
  one.name = "lacis";
  one.seconds = {1e-3, 0.9e-3, 1.1e-3};
  one.gain = {1, 1, 1};
  report.results.push_back(one);
  one.name = "other";
  one.is_peer = true;
  one.seconds = {2e-3, 2e-3, 2e-3};
  one.gain = {2, 1.9, 2.1};
  one.disturbed = 1;
  report.results.push_back(one);
  const std::string screen = solve_bench_screen(report, {.columns = 100});
  for (const char* words : {"ms/iteration", "other!", "2.00", "1.90-2.10", "disturbed"})
    EXPECT_NE(screen.find(words), std::string::npos) << words << '\n' << screen;
}

TEST(Convergence, DrawsTheCourseFromTheTopToTheGoal) {
  const plot::convergence curve{"t", "s", "cg", {1, 1e-2, 1e-4, 1e-6}, 1e-6};
  const auto lines = plot::convergence_text(curve, 20, 4, false);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines.front().find('*'), std::string::npos);
  EXPECT_LT(lines.front().find('*'), lines.back().rfind('*'));
  const std::string spark = plot::convergence_spark(curve.residuals, 4, curve.goal, false);
  EXPECT_EQ(spark.size(), 4u);
  EXPECT_NE(spark.front(), spark.back());
}

}  // namespace
}  // namespace lacis::app
