// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products, measurements and verification as a user of the program meets them.
#include <nlohmann/json.hpp>

#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

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

TEST_F(Program, ExaminesTheHostExecutorAsADevice) {
  const outcome ran = shell("$LACIS doctor --device simt --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["device"]["device"], "simt");
  EXPECT_EQ(all["device"]["name"], "host executor");
  EXPECT_EQ(all["times_count"], false);
  EXPECT_EQ(all["kernels"]["good"], true);
  EXPECT_GT(all["kernels"]["runs"], 1000);
  ASSERT_EQ(all["subjects"].size(), 4u);
  for (const json& subject : all["subjects"]) {
    const bool products = subject["entries"] > 0;
    EXPECT_EQ(subject["operations"].size(), products ? 29u : 3u);
    EXPECT_EQ(subject["peers"].size(), products ? 1u : 3u);
    EXPECT_EQ(subject["copy"]["seconds"]["samples"].size(), all["rounds"]);
    for (const json& operation : subject["operations"]) {
      EXPECT_TRUE(operation["ratio_to_peer"].is_null());
      if (!operation["refused"].is_null()) continue;
      EXPECT_NE(operation["bits"], "differ") << operation["fault"];
      EXPECT_EQ(operation["seconds"]["samples"].size(), all["rounds"]);
      EXPECT_LE(operation["seconds"]["low"], operation["seconds"]["median"]);
      EXPECT_LE(operation["seconds"]["median"], operation["seconds"]["high"]);
      EXPECT_GT(operation["gbs"], 0);
      EXPECT_GT(operation["share_of_copy"]["median"], 0);
    }
    for (const json& peer : subject["peers"]) EXPECT_TRUE(peer["refused"].is_string());
  }
}

TEST_F(Program, SaysWhatADeviceLacksAndPrintsNothingElse) {
  for (const char* option : {"", " --json"}) {
    const outcome ran = shell(std::string("LACIS_CUDA_PLUGIN=./none.so $LACIS doctor --device cuda") + option);
    EXPECT_EQ(ran.code, 5);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(
        ran.err,
        "lacis: there is no file './none.so'; LACIS_CUDA_PLUGIN names the plugin; unset it for the one beside the "
        "library\n");
  }
}

TEST_F(Program, ExaminesDevicesAlone) {
  const outcome both = shell("$LACIS doctor --device simt --measure");
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("--measure and --profile are for the processor"), std::string::npos) << both.err;
  const outcome processor = shell("$LACIS doctor --device cpu");
  EXPECT_EQ(processor.code, 2);
  EXPECT_NE(processor.err.find("lacis doctor without it examines the processor"), std::string::npos) << processor.err;
  const outcome unknown = shell("$LACIS doctor --device gpu");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("there is no device 'gpu'"), std::string::npos) << unknown.err;
}

TEST_F(Program, MeasuresProducts) {
  const outcome ran = shell("$LACIS bench spmv @poisson2d:60 --seconds 0 --threads 1 --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["matrix"], "@poisson2d:60");
  EXPECT_EQ(all["matrix_entries"], 5 * 3600 - 4 * 60);
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
  for (const char* word : {"CSR as it is", "plan", "GFLOP/s", "hash of y", "the same for all products", "x_j ="})
    EXPECT_NE(screen.out.find(word), std::string::npos) << screen.out;
}

TEST_F(Program, RefusesVectorsThatDoNotFit) {
  put("a.mtx", small_matrix);
  put("short.txt", "1\n2\n");
  put("broken.txt", "1\n2\nthree\n4\n");
  EXPECT_EQ(shell("$LACIS spmv a.mtx short.txt").code, 4);
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

TEST_F(Program, VerifiesProductsOfSparseMatrices) {
  const outcome ran = shell("$LACIS verify spgemm --isa scalar --threads-list 2 --json");
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["differing"], 0);
  EXPECT_GT(all["products"], 3000);
  EXPECT_GT(all["refusals"], 50);
  EXPECT_EQ(all["digest"].get<std::string>().size(), 16u);
  EXPECT_EQ(all["table"].size(), 11u);
  const outcome misspelt = shell("$LACIS verify spgem");
  EXPECT_EQ(misspelt.code, 2);
  EXPECT_NE(misspelt.err.find("did you mean 'spgemm'"), std::string::npos) << misspelt.err;
}

TEST_F(Program, VerifiesProductsWithDenseColumns) {
  const outcome ran = shell("$LACIS verify spmm --isa scalar --threads-list 2 --json");
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["differing"], 0);
  EXPECT_GT(all["products"], 10000);
  EXPECT_EQ(all["refusals"], 440);
  EXPECT_EQ(all["table"].size(), 15u);  // nine formats, six layouts
}

TEST_F(Program, VerifiesTheKernelsOfSparseProductsAlone) {
  const outcome ran = shell("$LACIS verify spgemm --device simt --json");
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["differing"], 0);
  EXPECT_GT(all["runs"], 1000);
  EXPECT_LT(all["kernels"], 30);
  EXPECT_TRUE(all["never_launched"].empty());
  for (const json& count : all["table"]) EXPECT_EQ(count["what"].get<std::string>().find("spgemm"), 0u);
}

TEST_F(Program, VerifiesTheKernelsOfOneOperationAndType) {
  const outcome ran = shell("$LACIS verify triangular --device simt --type complex-float --json");
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["differing"], 0);
  EXPECT_GT(all["runs"], 50);
  EXPECT_LT(all["kernels"], 30);
  EXPECT_NE(all["swept"].get<std::string>().find("with complex float, 32-bit"), std::string::npos);
  const outcome whole = shell("$LACIS verify --device simt --type float --json");
  ASSERT_EQ(whole.code, 0) << whole.out << whole.err;
  EXPECT_GE(json::parse(whole.out)["kernels"], 80);
  for (const char* wrong : {"powers --device simt", "--device simt --type int", "--type float", "convert",
                            "--device simt --counts counts.tsv"})
    EXPECT_EQ(shell(std::string("$LACIS verify ") + wrong).code, 2) << wrong;
}

TEST_F(Program, VerifiesEveryDeviceKernel) {
  const outcome ran = shell("$LACIS verify --device simt --json");
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["differing"], 0);
  EXPECT_GT(all["runs"], 10000);
  EXPECT_GE(all["kernels"], 80);
  EXPECT_EQ(all["schedules"], 3);
  EXPECT_TRUE(all["never_launched"].empty());
  EXPECT_EQ(shell("$LACIS verify --device simt --isa avx2").code, 2);
  EXPECT_EQ(shell("$LACIS verify --device gpu").code, 2);
}

}  // namespace
}  // namespace lacis::app
