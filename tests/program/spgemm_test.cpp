// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis spgemm: its screen, its JSON, its files, its limits.
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

#include <lacis/generate.hpp>
#include <lacis/hash.hpp>
#include <lacis/io.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/structure.hpp>

#include "commands/products/spgemm_findings.hpp"
#include "input/matrix_hash.hpp"
#include "input/operands.hpp"
#include "program/program.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::json;

bool contains(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

std::string in_digits(std::uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

/// Four rows: one copied, two in a dense accumulator, one without products.
spgemm_findings example() {
  spgemm_findings found;
  found.a = "a.mtx";
  found.b = "b.mtx";
  found.rows = 4;
  found.inner = 5;
  found.cols = 6;
  found.value_type = "double";
  found.report.products = 2000;
  found.report.entries = 500;
  found.report.methods[0] = {1, 10, 10, 0.25};
  found.report.methods[2] = {2, 1990, 490, 0.75};
  found.report.compute_seconds = 1e-3;
  found.report.result_bytes = 6000;
  found.input_bytes = 3 << 20;
  found.peak_bytes = 5 << 20;
  found.hashes = {1, 2, 3};
  return found;
}

TEST(SpgemmScreen, TellsSizesPhasesMemoryMethodsAndHashes) {
  const std::string text = spgemm_screen(example(), {.columns = 100});
  for (const char* words :
       {"a.mtx * b.mtx  4 x 5 x 6, double; 1 thread, scalar", "2,000; compression 4", "compute 1 ms (2 M products/s)",
        "peak 5 MiB; input 3 MiB, result 5.86 KiB, workspace 0 B", "dense      2", "75.0 %", "25.0 %",
        "values 0000000000000001, columns 0000000000000002, row offsets 0000000000000003"})
    EXPECT_TRUE(contains(text, words)) << words << '\n' << text;
  EXPECT_FALSE(contains(text, "write"));
  spgemm_findings limited = example();
  limited.memory_limit = 1 << 30;
  limited.report.slabs = 7;
  limited.output = "c.csr";
  const std::string parts = spgemm_screen(limited, {.columns = 120});
  EXPECT_TRUE(contains(parts, "result 5.86 KiB at a time")) << parts;
  EXPECT_TRUE(contains(parts, "limit 1 GiB, 7 parts")) << parts;
  EXPECT_TRUE(contains(parts, "c.csr")) << parts;
}

TEST(SpgemmExplanation, SaysWhyRowsWentWhere) {
  const std::vector<std::string> lines = spgemm_explanation(example());
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("copy: 1 row with one entry in A; 25.0 % of the time. ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("dense: 2 rows with many products, 995 each on average, ")) << lines[1];
  EXPECT_TRUE(contains(lines[1], "; 75.0 % of the time. ")) << lines[1];
  EXPECT_EQ(lines[2], "1 row without products.");
}

TEST(SpgemmJson, HasEveryNumber) {
  const json all = json::parse(spgemm_json(example()));
  EXPECT_EQ(all["products"], 2000);
  EXPECT_EQ(all["entries"], 500);
  EXPECT_EQ(all["compression"], 4);
  ASSERT_EQ(all["methods"].size(), 2U);
  EXPECT_EQ(all["methods"][1]["method"], "dense");
  EXPECT_EQ(all["methods"][1]["share"], 0.75);
  EXPECT_TRUE(all["write_s"].is_null());
  EXPECT_TRUE(all["memory_limit"].is_null());
  EXPECT_EQ(all["hash"]["columns"], "0000000000000002");
}

TEST(MatrixHashes, OfPartsAddUpToThoseOfTheArrays) {
  const auto a = generate<double>("@rmat:9", {.values = generated_values::random});
  matrix_hashes parts = hashes_of_no_rows();
  for (std::int64_t first = 0; first < a.rows; first += 100) {
    const auto part = extract(a, first, std::min(first + 100, a.rows), 0, a.cols);
    add_hashes(part.view(), first, a.row_offsets[first], parts);
  }
  EXPECT_EQ(parts.values, solution_hash(a.values.data));
  EXPECT_EQ(parts.columns, solution_hash(std::vector<double>(a.columns.begin(), a.columns.end())));
  EXPECT_EQ(parts.row_offsets, solution_hash(std::vector<double>(a.row_offsets.begin(), a.row_offsets.end())));
}

TEST(Operands, GetTheTypesThatHoldBoth) {
  any_csr a = generate<float, std::int64_t>("@rmat:4");
  any_csr b = generate<std::complex<float>>("@rmat:4");
  make_alike(a, b);
  EXPECT_TRUE((std::holds_alternative<csr_matrix<std::complex<float>, std::int64_t>>(a)));
  EXPECT_EQ(a.index(), b.index());
  any_csr c = generate<double>("@rmat:4");
  make_alike(a, c);
  EXPECT_TRUE((std::holds_alternative<csr_matrix<std::complex<double>, std::int64_t>>(a)));
  EXPECT_EQ(a.index(), c.index());
}

TEST_F(Program, MultipliesSparseMatrices) {
  put("a.mtx", small_matrix);
  put("b.mtx",
      "%%MatrixMarket matrix coordinate real general\n"
      "4 2 2\n"
      "2 1 10\n"
      "4 2 100\n");
  const outcome ran = shell("$LACIS spgemm a.mtx b.mtx -o c.mtx --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["rows"], 3);
  EXPECT_EQ(all["inner"], 4);
  EXPECT_EQ(all["cols"], 2);
  EXPECT_EQ(all["products"], 2);
  EXPECT_EQ(all["entries"], 2);
  EXPECT_GT(all["peak_bytes"], 0);
  const auto c = read<double>(file("c.mtx"));
  EXPECT_EQ(c.rows, 3);
  ASSERT_EQ(c.nnz(), 2);
  EXPECT_EQ(c.values[0], -100);
  EXPECT_EQ(c.values[1], 80);
  const outcome piped = shell("$LACIS spgemm a.mtx b.mtx -o - | $LACIS info - --json");
  EXPECT_EQ(json::parse(piped.out)["entries"], 2) << piped.err;
}

TEST_F(Program, SquaresTheSameBitsInEveryWay) {
  const outcome whole = shell("$LACIS spgemm @rmat:10 --values random -o c.csr --json");
  ASSERT_EQ(whole.code, 0) << whole.err;
  const json hash = json::parse(whole.out)["hash"];
  const auto c = read<double>(file("c.csr"));
  EXPECT_EQ(hash["values"], in_digits(solution_hash(c.values.data)));
  for (const char* options : {"--isa scalar", "--threads 1", "--threads 3", "--memory-limit 100MB", "-o c.npz",
                              "--memory-limit 100MB -o parts.csr/", "-o c.npz --memory-limit 1GB"}) {
    const outcome ran = shell(std::string("$LACIS spgemm @rmat:10 --values random --json ") + options);
    ASSERT_EQ(ran.code, 0) << options << ran.err;
    EXPECT_EQ(json::parse(ran.out)["hash"], hash) << options;
  }
  for (const char* array : {"row_offsets.npy", "columns.npy", "values.npy", "matrix.json"})
    EXPECT_EQ(content(file(std::string("c.csr/") + array)), content(file(std::string("parts.csr/") + array)));
}

TEST_F(Program, StaysWithinTheMemoryLimit) {
#ifdef LACIS_SANITIZED
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  constexpr long limit_kilobytes = 70 << 10;
  const outcome ran = shell("$LACIS spgemm @rmat:13 --values random --memory-limit 70M -o c.csr --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json all = json::parse(ran.out);
  EXPECT_GT(all["parts"], 1);
  EXPECT_LE(all["peak_bytes"], limit_kilobytes << 10);
  EXPECT_LE(ran.peak_kilobytes, limit_kilobytes);
  EXPECT_GT(12 * all["entries"].get<std::int64_t>(), limit_kilobytes << 10);
  const json whole = json::parse(shell("$LACIS spgemm @rmat:13 --values random --json").out);
  EXPECT_EQ(all["hash"], whole["hash"]);
  EXPECT_EQ(json::parse(shell("$LACIS info c.csr --json").out)["entries"], all["entries"]);
}

TEST_F(Program, SaysWhatALimitIsTooSmallFor) {
  const outcome tiny = shell("$LACIS spgemm @rmat:10 --memory-limit 1M");
  EXPECT_EQ(tiny.code, 5);
  EXPECT_TRUE(contains(tiny.err, "the program and its input hold ")) << tiny.err;
  const outcome file_output = shell("$LACIS spgemm @rmat:14 --memory-limit 100M -o c.mtx");
  EXPECT_EQ(file_output.code, 5);
  EXPECT_TRUE(contains(file_output.err, "or -o NAME.csr, which writes the product part by part")) << file_output.err;
  EXPECT_FALSE(std::filesystem::exists(file("c.mtx")));
}

TEST_F(Program, ExplainsSparseProducts) {
  const outcome ran = shell("$LACIS spgemm @poisson2d:20 --explain");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "@poisson2d:20 · @poisson2d:20  400 × 400 × 400, double")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "ascending k, so the choice changes no bit")) << ran.out;
}

TEST_F(Program, MultipliesMatricesOfDifferentTypes) {
  put("complex.mtx",
      "%%MatrixMarket matrix coordinate complex general\n"
      "4 4 1\n"
      "1 1 0 1\n");
  const outcome ran = shell("$LACIS spgemm complex.mtx @banded:4,1 -o c.mtx --json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out)["value_type"], "complex double");
  const outcome single = shell("$LACIS spgemm @rmat:5 --type float --json");
  EXPECT_EQ(json::parse(single.out)["value_type"], "float");
}

TEST_F(Program, CallsSparseProductsWithoutSenseUsageErrors) {
  put("a.mtx", small_matrix);
  for (const char* command : {"spgemm", "spgemm @rmat:4 --isa mmx", "spgemm @rmat:4 -o - --json",
                              "spgemm @rmat:4 --memory-limit lots", "spgemm - -", "spgemm @rmat:4 -o c.csr.gz"}) {
    const outcome ran = shell(std::string("$LACIS ") + command + " < /dev/null");
    EXPECT_EQ(ran.code, 2) << command << ran.err;
    EXPECT_EQ(ran.out, "") << command;
  }
  const outcome alone = shell("$LACIS spgemm a.mtx");
  EXPECT_EQ(alone.code, 4) << "the file, not the command line";
  EXPECT_TRUE(contains(alone.err, "a.mtx is not square"));
  EXPECT_EQ(shell("$LACIS spgemm a.mtx a.mtx").code, 4);
  EXPECT_EQ(shell("$LACIS spgemm missing.mtx").code, 4);
  EXPECT_EQ(shell("$LACIS spgemm @rmat:4 missing.mtx").code, 4);
}

TEST_F(Program, LeavesNoDirectoryBehindWhenInterrupted) {
  const pid_t child = start("exec $LACIS spgemm @rmat:16 --values random -o c.csr --memory-limit 2G");
  usleep(700000);
  kill(child, SIGINT);
  const outcome ran = finish(child);
  EXPECT_EQ(ran.code, -SIGINT) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(file("c.csr")));
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_FALSE(contains(entry.path().string(), ".part")) << entry.path();
}

}  // namespace
}  // namespace lacis::app
