// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The program run through a shell, as a fixture: its streams, exit code, time and memory.
#pragma once

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lacis::app {

/// One entry stands in two lines.
inline constexpr const char* small_matrix =
    "%%MatrixMarket matrix coordinate real general\n"
    "3 4 4\n"
    "1 1 2.5\n"
    "1 4 -1\n"
    "3 2 7\n"
    "3 2 1\n";

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
    signal(SIGINT, SIG_DFL);  // ignored where the tests run in the background of a script
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

}  // namespace lacis::app
