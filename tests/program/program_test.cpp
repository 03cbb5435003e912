// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The program as a user meets it, judged by its streams and exit codes.
#include "program/program.hpp"

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include <lacis/version.h>

#include "parse/command.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

TEST_F(Program, TellsItsVersion) {
  const outcome ran = shell("$LACIS --version");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "lacis " LACIS_VERSION "\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Program, LetsWaitingThreadsSleepSoonUnlessTold) {
  const auto spins = [&](const std::string& variables) {
    const auto told = shell("env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=verbose " + variables +
                            " $LACIS --version 2>&1 | grep GOMP_SPINCOUNT | tail -n 1");
    return told.out;
  };
  EXPECT_NE(spins("").find("'1000'"), std::string::npos) << spins("");
  EXPECT_NE(spins("GOMP_SPINCOUNT=77").find("'77'"), std::string::npos) << spins("GOMP_SPINCOUNT=77");
  EXPECT_EQ(spins("OMP_WAIT_POLICY=passive").find("'1000'"), std::string::npos);
}

TEST_F(Program, ExplainsItself) {
  const outcome overview = shell("$LACIS help");
  EXPECT_EQ(overview.code, 0);
  for (const command& command : all_commands()) {
    EXPECT_NE(overview.out.find("  " + command.name), std::string::npos) << command.name;
    const outcome about = shell("$LACIS help " + command.name);
    EXPECT_EQ(about.code, 0);
    for (const option& one : command.options)
      for (const std::string& name : one.names)
        EXPECT_EQ(about.out.find(name) == std::string::npos, one.is_hidden) << name;
    EXPECT_EQ(shell("$LACIS " + command.name + " --help").out, about.out);
  }
}

TEST_F(Program, CallsNonsenseAUsageError) {
  for (const char* command : {"",
                              "--nonsense",
                              "inof x.mtx",
                              "info",
                              "info --sizee 3 x.mtx",
                              "info --size many @rmat:4",
                              "info --size -1 @rmat:4",
                              "info a b",
                              "convert a",
                              "convert @rmat:4 x.mtx --to nothing",
                              "generate",
                              "generate @rmat:4",
                              "generate x.mtx -o y.mtx",
                              "generate @rmta:4 -o -",
                              "generate @rmat:4 -o - --values odd",
                              "info --threads 0 @rmat:4",
                              "completion tcsh",
                              "help nothing",
                              "info --json --png - @rmat:4",
                              "convert --json @rmat:4 -",
                              "bench @rmat:4",
                              "bench spvm @rmat:4",
                              "bench spmv @rmat:4 --peers mlk",
                              "bench spmv @rmat:4 --formats csr,cst",
                              "bench spmv @rmat:4 --type half",
                              "bench spmv @rmat:4 --json --export-markdown -",
                              "bench spmv @rmat:4 --seconds -1",
                              "bench spmv",
                              "bench spmv @rmat:4 --all",
                              "bench spmv @rmat:4 --files .",
                              "bench spmv @rmat:4 --reorder amd",
                              "bench spmv @rmat:4 --reorder rcm --formats csr",
                              "bench spmv @rmat:4 --roofline x.svg --formats csr",
                              "bench spmv @rmat:4 --roofline - --json",
                              "bench plan",
                              "bench plan @rmat:4 --all",
                              "bench plan @rmat:4 --files .",
                              "bench plan --all --files .",
                              "bench plan @rmat:4 --peers mkl",
                              "plan",
                              "plan @rmat:4 --uses 0",
                              "plan @rmat:4 --layout ell",
                              "plan @rmat:4 --reorder amd",
                              "plan @rmat:4 --values-as half",
                              "plan @rmat:4 --columns 0",
                              "plan @rmat:4 --memory-limit much",
                              "plan @rmat:4 --type half",
                              "info --seed 3 x.mtx"}) {
    const outcome ran = shell(std::string("$LACIS ") + command);
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_EQ(ran.out, "") << command;
    EXPECT_EQ(ran.err.substr(0, 7), "lacis: ") << command;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << command << ": " << ran.err;
  }
}

TEST_F(Program, AsksWhatWasMeant) {
  const auto hint = [&](const std::string& command) { return shell("$LACIS " + command).err; };
  EXPECT_NE(hint("inof x").find("did you mean 'info'?"), std::string::npos);
  EXPECT_NE(hint("info --jsn x").find("did you mean '--json'?"), std::string::npos);
  EXPECT_NE(hint("convert @rmat:4 x --to matrix-markt").find("did you mean 'matrix-market'?"), std::string::npos);
  EXPECT_NE(hint("info @possion2d:4").find("poisson2d'?"), std::string::npos);
  EXPECT_NE(hint("info @rmat:4 --values patern").find("did you mean 'pattern'?"), std::string::npos);
  EXPECT_NE(hint("completion bsh").find("did you mean 'bash'?"), std::string::npos);
  EXPECT_NE(hint("--versoin").find("did you mean '--version'?"), std::string::npos);
}

TEST_F(Program, CallsAMalformedFileBadInputQuicklyAndInLittleMemory) {
  put("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 4000000000\n1 1 2\nx y z\n");
  const outcome ran = shell("exec $LACIS info bad.mtx");
  EXPECT_EQ(ran.code, 4);
  EXPECT_EQ(ran.err.substr(0, 15), "lacis: bad.mtx:");
  EXPECT_EQ(ran.out, "");
#ifndef LACIS_SANITIZED
  EXPECT_LT(ran.cpu_seconds, 0.05);
  EXPECT_LT(ran.peak_kilobytes, 32 * 1024);
#endif
}

TEST_F(Program, CallsAMissingFileBadInput) {
  const outcome ran = shell("$LACIS info missing.mtx");
  EXPECT_EQ(ran.code, 4);
  EXPECT_NE(ran.err.find("missing.mtx"), std::string::npos);
}

TEST_F(Program, CallsAFileItCannotWriteAFailure) {
  EXPECT_EQ(shell("$LACIS generate @poisson2d:4 -o nowhere/x.mtx").code, 1);
  EXPECT_EQ(shell("$LACIS info @poisson2d:4 --png nowhere/x.png").code, 1);  // also in a build without libpng
  EXPECT_EQ(shell("$LACIS info @poisson2d:4 > /dev/full").code, 1);
}

TEST_F(Program, DescribesAFileAsJson) {
  put("small.mtx", small_matrix);
  const outcome ran = shell("$LACIS info --json small.mtx");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["name"], "small.mtx");
  EXPECT_EQ(all["rows"], 3);
  EXPECT_EQ(all["cols"], 4);
  EXPECT_EQ(all["entries"], 3);
  EXPECT_EQ(all["density"], 0.25);
  EXPECT_EQ(all["value_type"], "double");
  EXPECT_EQ(all["file"]["format"], "matrix-market");
  EXPECT_EQ(all["file"]["field"], "real");
  EXPECT_EQ(all["file"]["symmetry"], "general");
  EXPECT_EQ(all["file"]["duplicates"], 1);
  EXPECT_GE(all["read_s"], 0);
  EXPECT_EQ(all["symmetry"]["square"], false);
  EXPECT_EQ(all["row_lengths"]["empty"], 1);
  EXPECT_EQ(all["row_lengths"]["median"], 1);
  EXPECT_EQ(all["row_lengths"]["longest"], 2);
  EXPECT_EQ(all["empty_cols"], 1);
  EXPECT_EQ(all["bandwidth"]["lower"], 1);
  EXPECT_EQ(all["bandwidth"]["upper"], 3);
  EXPECT_EQ(all["diagonal_entries"], 1);
  EXPECT_EQ(all["storage"]["dense_bytes"], 96);
  ASSERT_EQ(all["storage"]["formats"].size(), 9u);
  EXPECT_EQ(all["storage"]["formats"][1]["format"], "csr");
  EXPECT_EQ(all["storage"]["formats"][1]["bytes"], 4 * 8 + 3 * 12);
  EXPECT_EQ(all["storage"]["formats"][1]["saves_up_to_entries"], 5);  // (96 - 32) / 12 = 5.3
}

TEST_F(Program, DescribesAFileOnAScreen) {
  put("small.mtx", small_matrix);
  const outcome ran = shell("$LACIS info small.mtx");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* words : {"small.mtx", "3 × 4", "density 25 %", "1 duplicate merged", "none, not square", "csr",
                            "68 B", "5 entries (41.7 %)", "spy", "⣿"})
    EXPECT_NE(ran.out.find(words), std::string::npos) << words << "\n" << ran.out;
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(shell("$LACIS info --no-spy small.mtx").out.find("⣿"), std::string::npos);
}

TEST_F(Program, DrawsInAsciiWhereTheLocaleHasNothingElse) {
  const outcome ran = shell("LC_ALL=C $LACIS info @poisson2d:10");
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char c : ran.out) ASSERT_EQ(static_cast<unsigned char>(c) & 0x80, 0) << ran.out;
}

TEST_F(Program, DescribesMatricesWithoutRowsOrEntries) {
  put("empty.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  put("zero.mtx", "%%MatrixMarket matrix coordinate real general\n5 7 0\n");
  for (const char* name : {"empty.mtx", "zero.mtx"}) {
    const outcome screen = shell(std::string("$LACIS info ") + name);
    EXPECT_EQ(screen.code, 0) << screen.err;
    EXPECT_TRUE(json::accept(shell(std::string("$LACIS info --json ") + name).out)) << name;
  }
}

TEST_F(Program, WorksInPipes) {
  const outcome ran = shell("$LACIS generate @poisson2d:10 -o - | $LACIS info --json -");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["rows"], 100);
  EXPECT_EQ(all["entries"], 460);
  EXPECT_EQ(all["symmetry"]["symmetric"], true);
  EXPECT_EQ(all["file"]["symmetry"], "symmetric");
}

TEST_F(Program, EndsQuietlyWhenTheReaderHasSeenEnough) {
  const outcome ran = shell("$LACIS generate @poisson2d:300 -o - | head -1");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
}

#ifdef LACIS_WITH_ARCHIVE
TEST_F(Program, ConvertsThereAndBackWithoutLoss) {
  const outcome ran = shell(
      "$LACIS generate -q @uniform:50,4 --values random --seed 7 -o a.mtx && $LACIS convert -q a.mtx b.npz && "
      "$LACIS convert -q b.npz c.mtx && cmp a.mtx c.mtx && $LACIS convert --json c.mtx d.mtx.gz");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["output"], "d.mtx.gz");
  EXPECT_EQ(all["rows"], 50);
  EXPECT_GT(all["bytes"], 0);
}
#endif

TEST_F(Program, TellsWhatItWroteOnStandardError) {
  const outcome ran = shell("$LACIS generate @poisson2d:10 -o x.mtx");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err.substr(0, 31), "x.mtx: 100 x 100, 460 entries, ") << ran.err;
  EXPECT_EQ(shell("$LACIS generate -q @poisson2d:10 -o x.mtx").err, "");
}

TEST_F(Program, ListsTheGenerators) {
  const outcome text = shell("$LACIS generate --list");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("@rmat:"), std::string::npos);
  const json all = json::parse(shell("$LACIS generate --list --json").out);
  EXPECT_GE(all.size(), 5u);
  EXPECT_TRUE(all[0].contains("summary"));
}

#ifdef LACIS_WITH_PNG
TEST_F(Program, DrawsAPicture) {
  const outcome ran = shell(
      "$LACIS info --no-spy --png x.png --size 200 @poisson2d:10 && $LACIS info --png - --size 200 @poisson2d:10 > "
      "y.png");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content(file("x.png")).substr(0, 4), "\x89PNG");
  EXPECT_EQ(content(file("x.png")), content(file("y.png")));
}

TEST_F(Program, DrawsAPictureOfNothing) {
  put("empty.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  EXPECT_EQ(shell("$LACIS info --png x.png empty.mtx").code, 0);
}
#endif

TEST_F(Program, ExaminesTheMachine) {
  const outcome screen = shell("$LACIS doctor");
  EXPECT_EQ(screen.code, 0);
  for (const char* name : {"version", "processor", "memory", "huge pages", "OpenMP", "CUDA", "MPI"})
    EXPECT_NE(screen.out.find(name), std::string::npos) << name;
  const json all = json::parse(shell("$LACIS doctor --json").out);
  EXPECT_EQ(all["version"], LACIS_VERSION);
  EXPECT_GE(all["findings"].size(), 8u);
  for (const json& finding : all["findings"]) {
    const std::string mark = finding["mark"];
    EXPECT_TRUE(mark == "ok" || mark == "note" || mark == "warn") << mark;
  }
}

TEST_F(Program, CompletesInBash) {
  const outcome ran = shell(
      "$LACIS completion bash > lacis.bash && bash -n lacis.bash && bash -c '"
      ". ./lacis.bash; complete_() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _lacis; echo \"${COMPREPLY[*]}\"; }; "
      "complete_ lacis in; complete_ lacis info --no; complete_ lacis convert --to n; complete_ lacis help doc; "
      "complete_ lacis completion z; complete_ lacis bench p; complete_ lacis plan --layout st; "
      "compopt() { :; }; complete_ lacis info @ rm; complete_ lacis bench spmv @ km'");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "info\n--no-spy\nnpz\ndoctor\nzsh\npowers plan pagerank\nstencil staged\n@rmat:\n@kmer:\n");
}

TEST_F(Program, WritesScriptsThatTheirShellsAccept) {
  for (const char* shell_name : {"zsh", "fish"}) {
    const outcome script = shell(std::string("$LACIS completion ") + shell_name);
    EXPECT_EQ(script.code, 0);
    EXPECT_NE(script.out.find("generate"), std::string::npos);
    const std::string check = std::string("! command -v ") + shell_name + " >/dev/null || { $LACIS completion " +
                              shell_name + " > script && " + shell_name + " -n script; }";
    EXPECT_EQ(shell(check).code, 0) << shell_name;
  }
}

TEST_F(Program, LeavesNoUnfinishedFileWhenInterrupted) {
  // Large enough to be caught in the middle of writing.
  const pid_t child = start("exec $LACIS generate @poisson2d:1500 -o x.mtx");
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (const std::string name = entry.path().filename(); name.find("x.mtx") != std::string::npos)
        names.push_back(name);
    return names;
  };
  while (files().empty() && waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGINT);
  const outcome ran = finish(child);
  EXPECT_EQ(ran.code, -SIGINT);
  EXPECT_TRUE(files().empty()) << files().front();
}

}  // namespace
}  // namespace lacis::app
