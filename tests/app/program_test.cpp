// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The program as a user meets it: run through a shell, judged by its streams and exit codes.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "app/command_line.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

struct outcome {
  int code = -1;  ///< exit code, or minus the signal
  std::string out;
  std::string err;
  double cpu_seconds = 0;
  long peak_kilobytes = 0;
};

class Program : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] static std::string content(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void put(const std::string& name, const std::string& text) const { std::ofstream(file(name)) << text; }

  /// Starts a shell in the folder, with $LACIS naming the program and a UTF-8 locale without colours.
  [[nodiscard]] pid_t start(const std::string& command) const {
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder_.c_str()) != 0) _exit(126);
    setenv("LACIS", LACIS_PROGRAM, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("COLUMNS", "100", 1);
    const std::string whole = "{ " + command + "; } > out.txt 2> err.txt";
    execl("/bin/sh", "sh", "-c", whole.c_str(), nullptr);
    _exit(127);
  }

  [[nodiscard]] outcome finish(pid_t child) const {
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    outcome result;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    result.out = content(file("out.txt"));
    result.err = content(file("err.txt"));
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    result.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
    result.peak_kilobytes = used.ru_maxrss;
    return result;
  }

  [[nodiscard]] outcome shell(const std::string& command) const { return finish(start(command)); }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / ("lacis." + std::to_string(getpid()));
};

constexpr const char* small_matrix =
    "%%MatrixMarket matrix coordinate real general\n"
    "3 4 4\n"
    "1 1 2.5\n"
    "1 4 -1\n"
    "3 2 7\n"
    "3 2 1\n";

TEST_F(Program, TellsItsVersion) {
  const outcome ran = shell("$LACIS --version");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "lacis " LACIS_VERSION "\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Program, ExplainsItself) {
  const outcome overview = shell("$LACIS help");
  EXPECT_EQ(overview.code, 0);
  for (const command_description& command : all_commands()) {
    EXPECT_NE(overview.out.find("  " + command.name), std::string::npos) << command.name;
    const outcome about = shell("$LACIS help " + command.name);
    EXPECT_EQ(about.code, 0);
    for (const option_description& option : command.options)
      for (const std::string& name : option.names) EXPECT_NE(about.out.find(name), std::string::npos) << name;
    EXPECT_EQ(shell("$LACIS " + command.name + " --help").out, about.out);
  }
}

TEST_F(Program, ManualNamesEveryCommandAndOption) {
  const std::string manual = content(LACIS_MANUAL);
  for (const command_description& command : all_commands()) {
    EXPECT_NE(manual.find(".It Cm " + command.name), std::string::npos) << command.name;
    for (const option_description& option : command.options)
      for (const std::string& name : option.names)
        EXPECT_NE(manual.find("Fl " + name.substr(1)), std::string::npos) << command.name << ' ' << name;
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
  for (const char* words : {"small.mtx", "3 × 4", "density 25 %", "1 duplicates merged", "none, not square", "csr",
                            "68 B", "5 (41.7 %)", "spy", "⣿"})
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

TEST_F(Program, MeasuresTheMachineAndKeepsTheProfile) {
  EXPECT_NE(shell("XDG_CACHE_HOME=$PWD/cache $LACIS doctor").out.find("lacis doctor --measure"), std::string::npos);
  const outcome measured = shell("XDG_CACHE_HOME=$PWD/cache $LACIS doctor --measure --threads 1 --json");
  ASSERT_EQ(measured.code, 0) << measured.err;
  const json profile = json::parse(measured.out)["profile"];
  EXPECT_EQ(profile, json::parse(content(file("cache/lacis/machine.json"))));
  ASSERT_EQ(profile["streams"].size(), 1u);
  EXPECT_GT(profile["streams"][0]["read_gbs"], 0);
  ASSERT_GE(profile["gathers"].size(), 4u);
  EXPECT_GT(profile["gathers"].front()["gbs"], profile["gathers"].back()["gbs"]);
  EXPECT_NE(shell("$LACIS doctor --profile cache/lacis/machine.json").out.find("memory bandwidth"), std::string::npos);
  put("broken.json", "{");
  const outcome broken = shell("$LACIS doctor --profile broken.json");
  EXPECT_EQ(broken.code, 0);
  EXPECT_NE(broken.out.find("is ignored"), std::string::npos);
}

TEST_F(Program, MeasuresProducts) {
  const outcome ran = shell("$LACIS bench spmv @poisson2d:60 --seconds 0 --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["matrix"], "@poisson2d:60");
  EXPECT_EQ(all["nonzeros"], 5 * 3600 - 4 * 60);
  EXPECT_GE(all["rounds"], 10);
  EXPECT_GT(all["limit_gbs"], 0);
  EXPECT_TRUE(all["fastest_peer"].is_null());
  std::vector<std::string> names;
  double before = 0;
  for (const json& entry : all["entries"]) {
    names.push_back(entry["name"]);
    EXPECT_LE(entry["low_s"], entry["median_s"]);
    EXPECT_LE(entry["median_s"], entry["high_s"]);
    EXPECT_LE(entry["min_s"], entry["median_s"]);
    EXPECT_LE(before, entry["median_s"]);
    before = entry["median_s"];
    EXPECT_GT(entry["share_of_limit"], 0);
    EXPECT_GT(entry["bytes"], 2 * 3600 * 8);
    EXPECT_GT(entry["ratio_to_loop"], 0);
    EXPECT_TRUE(entry["ratio_to_peer"].is_null());
    EXPECT_EQ(entry["is_peer"], false);
  }
  for (const char* name : {"loop", "coo", "csr", "csc", "ell", "hyb", "jds", "sell-8", "sell-32", "dia", "plan"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

TEST_F(Program, MeasuresPeersThatMayBeMissingOrCrash) {
  // Eigen's part is no Python package and may be there; a Python that is none has no peers at all.
  put("no-python", "#!/bin/sh\nexit 3\n");
  const outcome ran = shell(
      "chmod +x no-python; LACIS_PEER_PYTHON=./no-python $LACIS bench spmv @rmat:8 --seconds 0 --formats csr --peers "
      "all "
      "--type float --export-markdown table.md");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("float"), std::string::npos);
  for (const char* name : {"mkl", "eigen", "scipy", "graphblas"})
    EXPECT_NE(ran.err.find(std::string(name) + ": its process ended with exit code 3"), std::string::npos) << ran.err;
  EXPECT_NE(content(file("table.md")).find("\n| csr"), std::string::npos);
  for (const auto& left : std::filesystem::directory_iterator("/dev/shm"))
    EXPECT_NE(left.path().filename().string().substr(0, 6), "lacis-") << left.path();
}

TEST_F(Program, MultipliesAndWritesTheResult) {
  put("a.mtx", small_matrix);
  put("x.txt", "1\n2\n 3.5 \n\n4\n");
  const outcome ran = shell("$LACIS spmv a.mtx x.txt -o y.txt --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content(file("y.txt")), "-1.5\n0\n16\n");
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["rows"], 3);
  EXPECT_EQ(all["entries"], 3);
  EXPECT_EQ(all["same_bits"], true);
  ASSERT_EQ(all["products"].size(), 4u);
  for (const json& product : all["products"]) {
    EXPECT_GE(product["runs"], 3);
    EXPECT_EQ(product["hash"], all["hash"]);
  }
  EXPECT_EQ(all["products"][0]["threads"], 1);
  EXPECT_EQ(all["plan"]["layout"].get<std::string>().empty(), false);
  const outcome piped = shell("$LACIS spmv a.mtx x.txt -o - -q");
  EXPECT_EQ(piped.out, "-1.5\n0\n16\n");
  EXPECT_EQ(piped.err, "");
}

TEST_F(Program, MultipliesWithAVectorFromAMatrixFileOrOfItsOwn) {
  put("a.mtx", small_matrix);
  put("x.mtx", "%%MatrixMarket matrix array complex general\n4 1\n1 1\n2 0\n0 0\n4 -1\n");
  EXPECT_EQ(shell("$LACIS spmv a.mtx x.mtx -o - -q").out, "-1.5 3.5\n0 0\n16 0\n");
  EXPECT_EQ(shell("$LACIS spmv a.mtx -o - -q").out, "-0.1875\n0\n2\n");
  const outcome screen = shell("$LACIS spmv @poisson2d:30");
  EXPECT_EQ(screen.code, 0);
  for (const char* word : {"CSR as it is", "plan", "GFLOP/s", "solution hash", "the same for all four", "x_j ="})
    EXPECT_NE(screen.out.find(word), std::string::npos) << screen.out;
}

TEST_F(Program, RefusesVectorsThatDoNotFit) {
  put("a.mtx", small_matrix);
  put("short.txt", "1\n2\n");
  put("broken.txt", "1\n2\nthree\n4\n");
  EXPECT_EQ(shell("$LACIS spmv a.mtx short.txt").code, 2);
  const outcome broken = shell("$LACIS spmv a.mtx broken.txt");
  EXPECT_EQ(broken.code, 4);
  EXPECT_NE(broken.err.find("broken.txt:3: 'three' is not a number"), std::string::npos) << broken.err;
  EXPECT_EQ(shell("$LACIS spmv a.mtx a.mtx").code, 4);
  EXPECT_EQ(shell("$LACIS spmv a.mtx missing.txt").code, 4);
  EXPECT_EQ(shell("$LACIS spmv a.mtx -o - --json").code, 2);
}

TEST_F(Program, VerifiesItself) {
  const outcome ran = shell("$LACIS verify --isa scalar --threads-list 2 --json");
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["differing"], 0);
  EXPECT_GT(all["products"], 10000);
  EXPECT_GT(all["refusals"], 100);
  EXPECT_EQ(all["digest"].get<std::string>().size(), 16u);
  EXPECT_TRUE(all["faults"].empty());
  for (const json& count : all["table"]) EXPECT_EQ(count["isa"], "scalar");
  const outcome misspelt = shell("$LACIS verify --isa avx22");
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_NE(misspelt.err.find("did you mean 'avx2'"), std::string::npos) << misspelt.err;
  EXPECT_EQ(shell("$LACIS verify --threads-list 0").code, 2);
}

TEST_F(Program, CompletesInBash) {
  const outcome ran = shell(
      "$LACIS completion bash > lacis.bash && bash -n lacis.bash && bash -c '"
      ". ./lacis.bash; complete_() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _lacis; echo \"${COMPREPLY[*]}\"; }; "
      "complete_ lacis in; complete_ lacis info --no; complete_ lacis convert --to n; complete_ lacis help doc; "
      "complete_ lacis completion z; compopt() { :; }; complete_ lacis info @ rm'");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "info\n--no-spy\nnpz\ndoctor\nzsh\n@rmat:\n");
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
