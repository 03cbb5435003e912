// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Descriptions of commands: options from labels, help in groups, the manual.
#include "commands/about/help.hpp"

#include <algorithm>
#include <optional>

#include "parse/command.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

TEST(OptionList, TakesLabelsApart) {
  std::string file;
  bool flag = false;
  std::vector<std::string> matrices;
  option_list options;
  options.add("-o,--output FILE", file, "the output");
  options.add("--json", flag, "as JSON");
  options.add("OPERATION spmv|spgemm", file, "the operation").required();
  options.add("MATRIX", matrices, "files");
  const std::vector<option> all(options.begin(), options.end());
  EXPECT_EQ(all[0].names, (std::vector<std::string>{"-o", "--output"}));
  EXPECT_EQ(all[0].value, "FILE");
  EXPECT_FALSE(all[0].flag());
  EXPECT_TRUE(all[1].flag());
  EXPECT_EQ(all[1].value, "");
  EXPECT_TRUE(all[2].positional());
  EXPECT_TRUE(all[2].is_required);
  EXPECT_EQ(all[2].argument, "OPERATION");
  EXPECT_EQ(all[2].value, "spmv|spgemm");
  EXPECT_TRUE(all[3].repeated());
  EXPECT_EQ(options.find("--output")->text, "the output");
  EXPECT_EQ(options.find("--out"), nullptr);
}

TEST(OptionList, StatesDefaultsThatVariablesHoldOrWords) {
  int restart = 50;
  double tolerance = 1e-8;
  std::int64_t iterations = 0;
  std::string device = "cpu";
  std::optional<double> seconds;
  option_list options;
  EXPECT_EQ(options.add("--restart N", restart, "restart length").help(), "restart length (default: 50)");
  EXPECT_EQ(options.add("--tolerance R", tolerance, "residual").help(), "residual (default: 1e-8)");
  EXPECT_EQ(options.add("--max N", iterations, "limit").help(), "limit");
  EXPECT_EQ(options.add("--max N", iterations, "limit").otherwise("10 n").help(), "limit (default: 10 n)");
  EXPECT_EQ(options.add("--device D", device, "device").help(), "device (default: cpu)");
  EXPECT_EQ(options.add("--seconds S", seconds, "time").help(), "time");
}

TEST(Commands, AreDescribedInFull) {
  for (const command& one : all_commands()) {
    EXPECT_FALSE(one.summary.empty()) << one.name;
    EXPECT_LE(one.summary.size(), 66U) << one.name << " takes two lines of 'lacis help'";
    EXPECT_TRUE(one.about.ends_with('.')) << one.name;
    ASSERT_EQ(one.examples.size(), 2U) << one.name;
    for (const command_example& example : one.examples) {
      EXPECT_NE(example.line.find("lacis " + one.name), std::string::npos) << example.line;
      EXPECT_LE(example.line.size(), 78U) << example.line;
      EXPECT_FALSE(example.what.empty()) << example.line;
    }
    for (const option& each : one.options) EXPECT_FALSE(each.text.empty()) << one.name << ' ' << each.value;
  }
}

TEST(Commands, HaveWordsOfTheField) {
  for (const command& one : all_commands()) {
    std::string all = one.summary + ' ' + one.about;
    for (const option& each : one.options) all += ' ' + each.help();
    for (const char* word : {"nonzero", "nnz", "whole number", "right side", "so many", "otherwise,", "in turns",
                             "tells", "says", "knows", "wants", "half the digits", "numbering", " a line", "battery"})
      EXPECT_EQ(all.find(word), std::string::npos) << one.name << ": " << word;
  }
}

TEST_F(Program, ListsCommandsInGroupsAfterAFirstStep) {
  const std::string help = shell("$LACIS help").out;
  std::size_t at = help.find("first step: lacis info");
  ASSERT_NE(at, std::string::npos) << help;
  for (const char* words : {"\nlook: ", "\n  info  ", "\n  plan  ", "\ncompute: ", "\n  convert  ", "\n  solve  ",
                            "\ncheck: ", "\n  verify  ", "\n  bench  "}) {
    const std::size_t next = help.find(words, at);
    ASSERT_NE(next, std::string::npos) << words << '\n' << help;
    at = next;
  }
}

TEST_F(Program, ShowsTwoExamplesWithEveryCommand) {
  for (const command& one : all_commands()) {
    const std::string help = shell("$LACIS help " + one.name).out;
    const std::string examples = help.substr(std::min(help.find("\nexamples\n"), help.size()));
    EXPECT_EQ(std::count(examples.begin(), examples.end(), '#'), 2) << one.name << '\n' << help;
    for (const command_example& example : one.examples)
      EXPECT_NE(examples.find("  " + example.line + '\n'), std::string::npos) << example.line;
  }
}

TEST_F(Program, StatesDefaultsInItsHelp) {
  const std::string help = shell("$LACIS help solve").out;
  for (const char* words : {"restart length (default: 50)", "(default: 1e-8,", "(default: 10 n)", "right-hand side b"})
    EXPECT_NE(help.find(words), std::string::npos) << words << '\n' << help;
}

TEST_F(Program, PrintsTheManualThatIsCheckedIn) {
  const std::string page = content(LACIS_MANUAL);
  const std::size_t begin = page.find(".Sh COMMANDS\n");
  const std::size_t end = page.find(".Sh ENVIRONMENT\n");
  ASSERT_LT(begin, end);
  EXPECT_EQ(page.substr(begin, end - begin), shell("$LACIS help --man").out)
      << "docs/man/lacis.1 is out of date: tools/manual --fix";
}

TEST_F(Program, ManualNamesEveryCommandAndOption) {
  const std::string manual = manual_of_commands();
  for (const command& one : all_commands()) {
    EXPECT_NE(manual.find(".It Cm " + one.name), std::string::npos) << one.name;
    for (const option& each : one.options)
      for (const std::string& name : each.names)
        EXPECT_EQ(manual.find("Fl " + name.substr(1)) == std::string::npos, each.is_hidden) << one.name << ' ' << name;
  }
}

}  // namespace
}  // namespace lacis::app
