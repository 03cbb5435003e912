// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the program writes: links and modes, closed streams, limits, full devices, and every system call that can fail.
#include <cerrno>
#include <map>
#include <sstream>
#include <sys/stat.h>
#include <tuple>
#include <vector>

#include "program/program.hpp"

namespace lacis::app {
namespace {

class Output : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    put("a.mtx", small_matrix);
    setenv("OMP_NUM_THREADS", "1", 1);
  }

  /// Every file below a directory, with a hash of its bytes: they need not be seen.
  using files = std::map<std::string, std::size_t>;
  [[nodiscard]] files files_below(const std::string& directory) const {
    files all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(file(directory)))
      all[entry.path().lexically_relative(file(directory)).string()] =
          entry.is_regular_file() ? hash_of(content(entry.path().string())) : 0;
    return all;
  }

  [[nodiscard]] static std::size_t hash_of(const std::string& bytes) { return std::hash<std::string>()(bytes); }

  [[nodiscard]] mode_t mode_of(const std::string& name) const {
    struct stat status{};
    return stat(file(name).c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
  }
};

TEST_F(Output, KeepsModesAndLinks) {
  put("x.txt", "old");
  ASSERT_EQ(chmod(file("x.txt").c_str(), 0600), 0);
  std::filesystem::create_symlink("x.txt", file("link.txt"));
  std::filesystem::create_symlink("made.txt", file("dangling.txt"));
  for (const std::string name : {"x.txt", "link.txt", "dangling.txt"})
    ASSERT_EQ(shell("$LACIS solve @poisson2d:3 -o " + name).code, 0) << name;
  EXPECT_EQ(mode_of("x.txt"), 0600u);
  EXPECT_TRUE(std::filesystem::is_symlink(file("link.txt")));
  EXPECT_TRUE(std::filesystem::is_symlink(file("dangling.txt")));
  EXPECT_EQ(content(file("x.txt")), content(file("made.txt")));
  EXPECT_NE(content(file("x.txt")), "old");
  ASSERT_EQ(
      shell("$LACIS convert a.mtx a.csr && chmod 700 a.csr && chmod 640 a.csr/columns.npy && ln -s a.csr l.csr && "
            "$LACIS convert a.mtx l.csr")
          .code,
      0);
  EXPECT_TRUE(std::filesystem::is_symlink(file("l.csr")));
  EXPECT_EQ(mode_of("a.csr"), 0700u);
  EXPECT_EQ(mode_of("a.csr/columns.npy"), 0640u);
}

TEST_F(Output, IsNotLedAstrayByLinksInItsWay) {
  // exec keeps the process, and so the number that a name beside the file might be made of.
  put("precious", "precious");
  const outcome ran = shell(
      "ln -s precious x.txt.$$.part; ln -s precious .x.txt.$$.part; exec $LACIS solve @poisson2d:3 "
      "-o x.txt");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content(file("precious")), "precious");
}

TEST_F(Output, IsNotTakenForAClosedStream) {
  ASSERT_EQ(shell("$LACIS convert a.mtx right.mtx; $LACIS solve @poisson2d:3 -o right.txt").code, 0);
  for (const std::string closed : {"<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"}) {
    EXPECT_EQ(shell("$LACIS convert a.mtx o.mtx " + closed).code, 0) << closed;
    EXPECT_EQ(content(file("o.mtx")), content(file("right.mtx"))) << closed;
    // What solve prints has nowhere to go when its output is closed.
    const bool prints = closed.find(" >&-") == std::string::npos && closed != ">&-";
    EXPECT_EQ(shell("$LACIS solve @poisson2d:3 -o o.txt " + closed).code, prints ? 0 : 1) << closed;
    EXPECT_EQ(content(file("o.txt")), content(file("right.txt"))) << closed;
    std::filesystem::remove(file("o.mtx"));
    std::filesystem::remove(file("o.txt"));
  }
}

TEST_F(Output, ToAClosedStreamIsAFailure) {
  for (const std::string command :
       {"info a.mtx", "--version", "convert a.mtx -", "convert a.mtx /dev/stdout", "solve @poisson2d:3 -o -"}) {
    const outcome ran = shell("$LACIS " + command + " >&-");
    EXPECT_EQ(ran.code, 1) << command;
    EXPECT_NE(ran.err.find("it is closed"), std::string::npos) << command << ran.err;
  }
  EXPECT_EQ(shell("$LACIS info - <&-").code, 4);
}

TEST_F(Output, BeyondTheLimitOnFileSizesLeavesTheOldFile) {
  put("x.mtx", "old");
  put("y.svg", "old");
  // Blocks of 512 bytes in a POSIX shell, of 1024 in others.
  for (const std::string command :
       {"generate @poisson2d:20 -o x.mtx", "generate @poisson2d:30 -o x.csr", "solve @poisson2d:30 -q --svg y.svg"}) {
    const outcome ran = shell("(ulimit -f 2; exec $LACIS " + command + ")");
    EXPECT_EQ(ran.code, 1) << command << ran.err;
    EXPECT_NE(ran.err.find("ulimit -f"), std::string::npos) << ran.err;
  }
  std::filesystem::remove(file("out.txt"));
  std::filesystem::remove(file("err.txt"));
  EXPECT_EQ(files_below(""),
            (files{{"a.mtx", hash_of(small_matrix)}, {"x.mtx", hash_of("old")}, {"y.svg", hash_of("old")}}));
  const outcome printed = shell("(ulimit -f 2; exec $LACIS completion bash > script)");
  EXPECT_EQ(printed.code, 1);
  EXPECT_NE(printed.err.find("ulimit -f"), std::string::npos) << printed.err;
}

TEST_F(Output, AComplexVectorIsReadBack) {
  put("c.mtx", "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 2 1\n2 2 0 -4\n");
  put("b", "2 1\n0 -4\n");
  ASSERT_EQ(shell("$LACIS solve c.mtx b -o x && $LACIS spmv c.mtx x -o again").code, 0);
  EXPECT_EQ(content(file("x")), "1.0 0\n1 0\n");
  EXPECT_EQ(content(file("again")), content(file("b")));
  put("spaced", "\n 2 \t +1 \r\n\n0 -4");
  ASSERT_EQ(shell("$LACIS solve c.mtx spaced -o x").code, 0);
  EXPECT_EQ(content(file("x")), "1.0 0\n1 0\n");
  put("mixed", "2 1\n0\n");
  const outcome mixed = shell("$LACIS solve c.mtx mixed");
  EXPECT_EQ(mixed.code, 4);
  EXPECT_NE(mixed.err.find("mixed:2: the end of the line is not a number; a vector has two per line"),
            std::string::npos)
      << mixed.err;
  put("three", "1\n2 3\n");
  const outcome real = shell("$LACIS solve c.mtx three");
  EXPECT_EQ(real.code, 4);
  EXPECT_NE(real.err.find("three:2: the line goes on with '3'"), std::string::npos) << real.err;
  EXPECT_EQ(shell("$LACIS solve @poisson2d:2 b").code, 4);
}

TEST_F(Output, FollowsWhatAStreamHasAlready) {
  ASSERT_EQ(shell("$LACIS convert a.mtx o.mtx; { echo first; $LACIS convert a.mtx /dev/stdout; $LACIS convert a.mtx -; "
                  "} > all; { echo first; cat o.mtx o.mtx; } | cmp - all")
                .code,
            0);
  ASSERT_EQ(shell("mkfifo pipe; cat pipe > piped & $LACIS convert a.mtx pipe; wait; cmp piped o.mtx").code, 0);
}

constexpr const char* printing_commands[] = {
    "--version",
    "--help",
    "help",
    "help solve",
    "solve --help",
    "completion bash",
    "completion zsh",
    "completion fish",
    "info a.mtx",
    "info a.mtx --json",
    "info a.mtx --png -",
    "generate --list",
    "generate --list --json",
    "generate @poisson2d:3 -o -",
    "generate @poisson2d:200 -o -",
    "generate @poisson2d:3 -o x.mtx --json",
    "convert a.mtx -",
    "convert a.mtx x.mtx --json",
    "convert a.mtx /dev/full",
    "convert a.mtx /dev/stdout",
    "spmv @poisson2d:3",
    "spmv @poisson2d:3 --json",
    "spmv @poisson2d:3 -o -",
    "spgemm @poisson2d:3",
    "spgemm @poisson2d:3 --json",
    "spgemm @poisson2d:3 -o -",
    "plan @poisson2d:3",
    "plan @poisson2d:3 --json",
    "solve @poisson2d:3",
    "solve @poisson2d:3 --json",
    "solve @poisson2d:3 -o -",
    "solve @poisson2d:3 --svg -",
    "pagerank @rmat:4",
    "pagerank @rmat:4 --json",
    "pagerank @rmat:4 -o -",
    "reorder @poisson2d:3 --by rcm -o -",
    "reorder @poisson2d:3 --by rcm -o x.mtx --json",
    "reorder @poisson2d:3 --by rcm -o x.mtx --order -",
    "partition @poisson2d:200 --ranks 2",
    "partition @poisson2d:200 --ranks 2 --json",
    "partition @poisson2d:200 --ranks 2 --svg -",
    "scale @poisson2d:200 --ranks 2 --network loopback --bandwidth 10",
    "scale @poisson2d:200 --ranks 2 --network loopback --bandwidth 10 --json",
    "scale @poisson2d:200 --ranks 2,4 --network loopback --bandwidth 10 --svg -",
    "lab @poisson2d:3 --kernel csr_row",
    "lab @poisson2d:3 --kernel csr_row --json",
    "lab @poisson2d:3 --kernel csr_row --svg -",
    "lab @poisson2d:3 --op spgemm",
    "doctor",
    "doctor --json",
    "bench spgemm @poisson2d:3 --seconds 0.01",
    "bench spmm @poisson2d:3 --seconds 0.01 --columns 2",
    "bench plan @poisson2d:3 --seconds 0.01",
};

TEST_F(Output, ToAFullDeviceIsAFailureOfEveryCommand) {
  for (const std::string command : printing_commands) {
    const outcome ran = shell("$LACIS " + command + " > /dev/full");
    EXPECT_EQ(ran.code, 1) << command << '\n' << ran.err;
    EXPECT_NE(ran.err.find("No space left on device; free some space"), std::string::npos) << command << ran.err;
  }
}

#ifdef LACIS_SANITIZED
#define LACIS_SKIP_WHERE_NOTHING_CAN_BE_PRELOADED() GTEST_SKIP() << "sanitizers must be loaded first"
#else
#define LACIS_SKIP_WHERE_NOTHING_CAN_BE_PRELOADED() static_cast<void>(0)
#endif

struct writing_command {
  std::string arguments;
  bool same_bytes = true;  ///< whenever it runs
};

class FailingCalls : public Output {
 protected:
  void SetUp() override {
    Output::SetUp();
    put("graph.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");
  }

  [[nodiscard]] outcome run_with(const std::string& settings, const writing_command& command) const {
    return shell(settings + " LACIS_FAIL_BELOW=" + file("out") + " LD_PRELOAD=" LACIS_FAILING_CALLS " $LACIS " +
                 command.arguments + " -q");
  }

  /// The files of before, in a folder of their own.
  void make_old_files() const {
    std::filesystem::remove_all(file("out"));
    std::filesystem::copy(file("old"), file("out"), std::filesystem::copy_options::recursive);
  }
};

const std::vector<writing_command>& writing_commands() {
  static const std::vector<writing_command> all = {
      {"convert a.mtx out/o.mtx"},
      {"convert a.mtx out/o.mtx.gz"},
      {"convert a.mtx out/o.npz"},
      {"convert graph.mtx out/o.el"},
      {"convert graph.mtx out/o.graph"},
      {"convert a.mtx out/o.csr"},
      {"spmv @poisson2d:3 -o out/y"},
      {"spgemm @poisson2d:3 -o out/c.mtx"},
      {"solve @poisson2d:3 -o out/x"},
      {"solve @poisson2d:3 --svg out/s.svg", false},
      {"pagerank @rmat:4 -o out/r"},
      {"reorder @poisson2d:3 --by rcm -o /dev/null --order out/order"},
      {"reorder @poisson2d:40 --parts 2 -o out/p.csr"},
      {"info a.mtx --png out/p.png"},
  };
  return all;
}

TEST_F(FailingCalls, LeaveTheOldFilesAndNothingElse) {
  LACIS_SKIP_WHERE_NOTHING_CAN_BE_PRELOADED();
  // The same commands on other matrices make the files of before.
  std::filesystem::create_directories(file("old"));
  ASSERT_EQ(shell("for d in o p; do $LACIS convert graph.mtx old/$d.csr -q; done").code, 0);
  for (const char* name :
       {"o.mtx", "o.mtx.gz", "o.npz", "o.el", "o.graph", "y", "c.mtx", "x", "s.svg", "r", "order", "p.png"})
    put(std::string("old/") + name, "old");
  const files old = files_below("old");
  int runs = 0;
  for (const writing_command& command : writing_commands()) {
    make_old_files();
    const outcome good = run_with("LACIS_FAIL_COUNTS=" + file("counts"), command);
    if (good.err.find("this build has no") != std::string::npos) continue;
    ASSERT_EQ(good.code, 0) << command.arguments << good.err;
    const files whole = files_below("out");
    ASSERT_NE(whole, old) << command.arguments;
    std::istringstream counts(content(file("counts")));
    std::string call;
    for (int count = 0; counts >> call >> count;) {
      EXPECT_TRUE(count > 0 || call == "mkdir") << command.arguments << ": no " << call;
      for (int number = 1; number <= count; ++number) {
        make_old_files();
        const int error_number = call == "write" && number % 2 == 0 ? ENOSPC : EIO;
        const outcome ran = run_with("LACIS_FAIL_CALL=" + call + " LACIS_FAIL_AT=" + std::to_string(number) +
                                         " LACIS_FAIL_WITH=" + std::to_string(error_number),
                                     command);
        const std::string what = command.arguments + ": " + call + ' ' + std::to_string(number) + '\n' + ran.err;
        EXPECT_EQ(ran.code, 1) << what;
        EXPECT_NE(ran.err.find("; "), std::string::npos) << what;
        // When the directory of a new file cannot be synchronised, the file stands there already, whole.
        const files now = files_below("out");
        const bool is_new = call == "sync_directory" && now != old;
        if (!is_new) {
          EXPECT_EQ(now, old) << what;
        } else if (command.same_bytes) {
          EXPECT_EQ(now, whole) << what;
        }
        ++runs;
      }
    }
  }
  EXPECT_GT(runs, 100);
}

TEST_F(FailingCalls, ShortAndInterruptedWritesLoseNothing) {
  LACIS_SKIP_WHERE_NOTHING_CAN_BE_PRELOADED();
  for (const writing_command& command : writing_commands()) {
    if (!command.same_bytes) continue;
    std::filesystem::remove_all(file("out"));
    std::filesystem::create_directories(file("out"));
    const outcome good = shell("$LACIS " + command.arguments + " -q");
    if (good.err.find("this build has no") != std::string::npos) continue;
    ASSERT_EQ(good.code, 0) << command.arguments << good.err;
    const files whole = files_below("out");
    std::filesystem::remove_all(file("out"));
    std::filesystem::create_directories(file("out"));
    ASSERT_EQ(run_with("LACIS_FAIL_CALL=short", command).code, 0) << command.arguments;
    EXPECT_EQ(files_below("out"), whole) << command.arguments;
  }
}

TEST_F(FailingCalls, KeepTheCheckpointOfBefore) {
  LACIS_SKIP_WHERE_NOTHING_CAN_BE_PRELOADED();
  const writing_command command{"solve @poisson2d:20 --method cg --preconditioner none --checkpoint out --every 10"};
  std::filesystem::create_directories(file("out"));
  for (const std::string call : {"open", "write", "sync", "close", "rename"})
    for (const int number : {1, 3}) {
      const bool had_none = number == 1;
      std::filesystem::remove_all(file("out"));
      const outcome ran = run_with(
          "LACIS_FAIL_CALL=" + call + " LACIS_FAIL_AT=" + std::to_string(number) + " LACIS_FAIL_WITH=5", command);
      EXPECT_EQ(ran.code, 1) << call << ran.err;
      for (const auto& [name, bytes] : files_below("out")) EXPECT_FALSE(name.ends_with(".part")) << call << ' ' << name;
      if (!had_none && call != "open" && call != "write") {
        EXPECT_EQ(files_below("out").size(), 2u) << call;
      }
    }
}

}  // namespace
}  // namespace lacis::app
