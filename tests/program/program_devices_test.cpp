// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Devices as a user of the program meets them: products there, and words for what is missing.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

/// What doctor says of CUDA when this file is in the plugin's place.
struct cuda_finding {
  int code = -1;
  std::string mark;
  std::string state;
  std::string advice;
  bool feature = false;  ///< +cuda among the features
};

class ProgramDevices : public Program {
 protected:
  [[nodiscard]] cuda_finding doctor_with(const std::string& plugin) const {
    const outcome ran = shell("LACIS_CUDA_PLUGIN='" + plugin + "' $LACIS doctor --json");
    cuda_finding found;
    found.code = ran.code;
    if (ran.code != 0) return found;
    const json all = json::parse(ran.out);
    for (const json& finding : all["findings"]) {
      if (finding["name"] == "features")
        found.feature = finding["state"].get<std::string>().find("+cuda") != std::string::npos;
      if (finding["name"] != "CUDA") continue;
      found.mark = finding["mark"];
      found.state = finding["state"];
      found.advice = finding["advice"].is_null() ? "" : finding["advice"];
    }
    return found;
  }
};

TEST_F(ProgramDevices, MultipliesOnTheHostExecutorWithTheSameBits) {
  put("a.mtx", small_matrix);
  put("x.txt", "1\n2\n3.5\n4\n");
  const outcome ran = shell("$LACIS spmv a.mtx x.txt --device simt -o y.txt --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(content(file("y.txt")), "-1.5\n0\n16\n");
  const json all = json::parse(ran.out);
  ASSERT_EQ(all["products"].size(), 5u);
  EXPECT_EQ(all["products"][4]["what"], "simt");
  EXPECT_EQ(all["products"][4]["hash"], all["hash"]);
  EXPECT_EQ(all["device"]["name"], "simt");
  EXPECT_EQ(all["device"]["times_count"], false);
  EXPECT_EQ(all["same_bits"], true);
  const outcome screen = shell("$LACIS spmv @poisson2d:30 --device simt");
  EXPECT_EQ(screen.code, 0);
  for (const char* words : {"the same for all products", "its time has no meaning", "simt"})
    EXPECT_NE(screen.out.find(words), std::string::npos) << screen.out;
}

TEST_F(ProgramDevices, MultipliesComplexVectorsThere) {
  put("a.mtx", small_matrix);
  put("x.mtx", "%%MatrixMarket matrix array complex general\n4 1\n1 1\n2 0\n0 0\n4 -1\n");
  const outcome ran = shell("$LACIS spmv a.mtx x.mtx --device simt -o - -q");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "-1.5 3.5\n0 0\n16 0\n");
}

TEST_F(ProgramDevices, EndsWithFiveAndAdviceWithoutTheDevice) {
  for (const char* command : {"spmv @poisson2d:9 --device cuda", "verify --device cuda:1"}) {
    const outcome ran = shell(std::string("LACIS_CUDA_PLUGIN=/nowhere/plugin.so $LACIS ") + command);
    EXPECT_EQ(ran.code, 5) << command;
    EXPECT_NE(ran.err.find("there is no file '/nowhere/plugin.so'"), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find("unset it"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(shell("$LACIS spmv @poisson2d:9 --device gpu").code, 2);
}

TEST_F(ProgramDevices, MultipliesOnADeviceOfAPluginAndMeasuresIt) {
  const std::string with_plugin = "LACIS_CUDA_PLUGIN='" LACIS_HOST_PLUGIN "' $LACIS ";
  const outcome ran = shell(with_plugin + "spmv @poisson2d:9 --device cuda --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["device"]["name"], "cuda:0");
  EXPECT_EQ(all["device"]["times_count"], true);
  EXPECT_GE(all["products"][4]["runs"], 3);
  EXPECT_EQ(all["products"][4]["hash"], all["hash"]);
  const outcome second = shell(with_plugin + "spmv @poisson2d:9 --device cuda:1");
  EXPECT_EQ(second.code, 5);
  EXPECT_NE(second.err.find("cuda:1"), std::string::npos) << second.err;
}

TEST_F(ProgramDevices, VerifiesTheKernelsOfAPlugin) {
  const outcome ran = shell("LACIS_CUDA_PLUGIN='" LACIS_HOST_PLUGIN "' $LACIS verify --device cuda --json");
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["device"], "cuda:0");
  EXPECT_EQ(all["differing"], 0);
  EXPECT_EQ(all["schedules"], 1);
  EXPECT_GT(all["launches"], all["runs"]);
  EXPECT_TRUE(all["never_launched"].empty());
}

TEST_F(ProgramDevices, NamesAKernelThatDoesNotEndAndEndsItself) {
  const outcome ran = shell("LACIS_CUDA_PLUGIN='" LACIS_PLUGIN_NEVER_ENDS "' $LACIS verify --device cuda --limit 1 -q");
  EXPECT_EQ(ran.code, 3);
  EXPECT_NE(ran.err.find("not done after 1 seconds; the last kernel launched is csr_"), std::string::npos) << ran.err;
}

TEST_F(ProgramDevices, StopsWithOneMessageWhenTheDeviceIsLost) {
  const outcome ran =
      shell("LACIS_CUDA_PLUGIN='" LACIS_PLUGIN_LOST "' $LACIS verify --device cuda --repeat 2 --json -q");
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.err.find("lacis: the device does not answer any more after csr_"), 0u) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["differing"], 1);
  EXPECT_TRUE(all["never_launched"].empty());
  EXPECT_NE(all["stopped"].get<std::string>().find("unspecified launch failure"), std::string::npos);
}

TEST_F(ProgramDevices, RefusesOptionsOfDevicesWithoutOne) {
  EXPECT_EQ(shell("$LACIS verify --repeat 2").code, 2);
  EXPECT_EQ(shell("$LACIS verify --device simt --repeat 0").code, 2);
  EXPECT_EQ(shell("$LACIS verify --device simt --limit -1").code, 2);
  EXPECT_EQ(shell("$LACIS doctor @poisson2d:9").code, 2);
}

TEST_F(ProgramDevices, DescribesADeviceThatIsReady) {
  const cuda_finding found = doctor_with(LACIS_HOST_PLUGIN);
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.mark, "ok");
  EXPECT_NE(found.state.find("host executor, compute capability"), std::string::npos) << found.state;
  EXPECT_TRUE(found.feature);
}

TEST_F(ProgramDevices, NotesThatThePluginIsNotThere) {
  const cuda_finding found = doctor_with("/nowhere/plugin.so");
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.mark, "note");
  EXPECT_EQ(found.state, "there is no file '/nowhere/plugin.so'");
  EXPECT_FALSE(found.advice.empty());
  EXPECT_FALSE(found.feature);
}

TEST_F(ProgramDevices, WarnsOfAPluginThatIsNoLibrary) {
  put("plugin.so", "this is a text\n");
  const cuda_finding found = doctor_with(file("plugin.so"));
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.mark, "warn");
  EXPECT_NE(found.state.find("it is not a shared library"), std::string::npos) << found.state;
  EXPECT_NE(found.advice.find("install"), std::string::npos) << found.advice;
  EXPECT_FALSE(found.feature);
}

TEST_F(ProgramDevices, WarnsOfALibraryThatIsNoPlugin) {
  const cuda_finding found = doctor_with(LACIS_FOREIGN_LIBRARY);
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.mark, "warn");
  EXPECT_NE(found.state.find("not a plugin of lacis"), std::string::npos) << found.state;
}

TEST_F(ProgramDevices, WarnsOfAPluginOfAnotherVersion) {
  const cuda_finding found = doctor_with(LACIS_OLD_PLUGIN);
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.mark, "warn");
  EXPECT_NE(found.state.find("has interface 1, this lacis has"), std::string::npos) << found.state;
  EXPECT_FALSE(found.feature);
}

}  // namespace
}  // namespace lacis::app
