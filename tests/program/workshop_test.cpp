// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The program alone, without lacis-workshop beside it.
#include "program/program.hpp"

namespace lacis::app {
namespace {

/// A copy of the program in a folder of its own, with the libraries where it looks for them.
class ProgramAlone : public Program {
 protected:
  void SetUp() override {
    namespace fs = std::filesystem;
    Program::SetUp();
    const fs::path program = LACIS_PROGRAM;
    fs::create_directories(folder_ / "alone" / "bin");
    fs::copy_file(program, folder_ / "alone" / "bin" / "lacis");
    for (const auto& entry : fs::directory_iterator(program.parent_path().parent_path()))
      if (entry.path().filename() != "bin")
        fs::create_symlink(entry.path(), folder_ / "alone" / entry.path().filename());
  }
};

TEST_F(ProgramAlone, SaysWhereCommandsOfTheWorkshopAre) {
  for (const std::string command : {"bench", "lab", "scale", "verify"}) {
    for (const std::string& line : {command + " @poisson2d:9", "help " + command, command + " --help"}) {
      const outcome ran = shell("alone/bin/lacis " + line);
      EXPECT_EQ(ran.code, 1) << line;
      EXPECT_NE(ran.err.find("'lacis " + command + "' is part of lacis-workshop"), std::string::npos) << ran.err;
      EXPECT_EQ(ran.out, "");
    }
  }
  const outcome ran = shell("alone/bin/lacis doctor --device simt");
  EXPECT_NE(ran.err.find("'lacis doctor --device' is part of lacis-workshop"), std::string::npos) << ran.err;
  EXPECT_NE(shell("alone/bin/lacis help").out.find("lacis-workshop, which is not installed"), std::string::npos);
  EXPECT_EQ(shell("$LACIS help").out.find("lacis-workshop"), std::string::npos);
}

TEST_F(ProgramAlone, ComputesAndCompletes) {
  EXPECT_EQ(shell("alone/bin/lacis solve @poisson2d:9").code, 0);
  const outcome ran = shell("alone/bin/lacis completion bash");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.out.find("--preconditioner"), std::string::npos);
  EXPECT_EQ(ran.out.find("--peers"), std::string::npos);
  EXPECT_NE(shell("$LACIS completion bash").out.find("--peers"), std::string::npos);
}

}  // namespace
}  // namespace lacis::app
