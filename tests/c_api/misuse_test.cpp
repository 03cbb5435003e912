// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis.h refuses: NULL, sizes and types that do not fit, structures of other versions.
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/version.hpp>

#include "c_api/views.hpp"

namespace lacis::test {
namespace {

struct small_system {
  csr_matrix<double> a = generate<double>("@poisson2d:4");
  lacis_view view = c_view(a);
  std::vector<double> x = std::vector<double>(16, 1.0);
  std::vector<double> y = std::vector<double>(16);

  lacis_status multiply() { return lacis_multiply(&view, LACIS_FLOAT64, x.data(), y.data(), nullptr); }
};

TEST(CApiMisuse, OfPointersIsRefused) {
  small_system s;
  EXPECT_EQ(lacis_multiply(nullptr, LACIS_FLOAT64, s.x.data(), s.y.data(), nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, nullptr, s.y.data(), nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, s.x.data(), nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, s.x.data(), s.x.data(), nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_multiply_dense(&s.view, nullptr, nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_copy(&s.view, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_transpose(&s.view, 0, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_spgemm(&s.view, nullptr, 0, 0, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_matrix_view(nullptr, &s.view), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_plan_make(&s.view, nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_plan_multiply(nullptr, LACIS_FLOAT64, nullptr, nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_plan_update(nullptr, s.x.data(), 16), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_plan_get_facts(nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_STREQ(lacis_plan_explain(nullptr), "");
  EXPECT_EQ(lacis_operator_from_plan(nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_operator_from_function(1, 1, LACIS_FLOAT64, nullptr, nullptr, nullptr, nullptr),
            LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_preconditioner(&s.view, nullptr, 0, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_preconditioner_with(&s.view, nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_solve(&s.view, nullptr, s.x.data(), s.y.data(), nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_solve_operator(nullptr, "cg", s.x.data(), s.y.data(), nullptr, nullptr, nullptr),
            LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_read(nullptr, nullptr, nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  EXPECT_EQ(lacis_write(nullptr, &s.view, nullptr, nullptr), LACIS_INVALID_ARGUMENT);
  lacis_matrix_free(nullptr);
  lacis_plan_free(nullptr);
  lacis_operator_free(nullptr);
}

TEST(CApiMisuse, OfMembersIsRefused) {
  const auto refused = [](auto change, lacis_status expected) {
    small_system s;
    change(s.view);
    EXPECT_EQ(s.multiply(), expected) << lacis_last_error();
    lacis_plan* plan = nullptr;
    EXPECT_EQ(lacis_plan_make(&s.view, nullptr, &plan), expected);
    EXPECT_EQ(plan, nullptr);
  };
  refused([](lacis_view& a) { a.struct_size = 0; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.struct_size = std::size_t{1} << 40; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.format = static_cast<lacis_format>(2); }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.type = static_cast<lacis_type>(4); }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.type = static_cast<lacis_type>(-1); }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.offset_bits = 16; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.index_bits = 0; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.nnz = -1; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.offsets = nullptr; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.indices = nullptr; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.values = nullptr; }, LACIS_INVALID_ARGUMENT);
  refused([](lacis_view& a) { a.nnz -= 1; }, LACIS_INVALID_MATRIX);
  refused([](lacis_view& a) { a.cols = 3; }, LACIS_INVALID_MATRIX);
  small_system s;
  EXPECT_EQ(lacis_multiply(&s.view, static_cast<lacis_type>(9), s.x.data(), s.y.data(), nullptr),
            LACIS_INVALID_ARGUMENT);
  lacis_product_options options = LACIS_INIT(lacis_product_options);
  options.transpose = 3;
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, s.x.data(), s.y.data(), &options), LACIS_INVALID_ARGUMENT);
  options = LACIS_INIT(lacis_product_options);
  options.threads = -1;
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, s.x.data(), s.y.data(), &options), LACIS_INVALID_ARGUMENT);
  lacis_plan_options plan_options = LACIS_INIT(lacis_plan_options);
  plan_options.layout = "cubes";
  lacis_plan* plan = nullptr;
  EXPECT_EQ(lacis_plan_make(&s.view, &plan_options, &plan), LACIS_INVALID_ARGUMENT);
  EXPECT_NE(std::string(lacis_last_error()).find("csr, sell"), std::string::npos) << lacis_last_error();
  EXPECT_EQ(lacis_plan_make(&s.view, nullptr, &plan), LACIS_OK);
  const owned<lacis_plan> keeper(plan);
  options = LACIS_INIT(lacis_product_options);
  options.transpose = 1;
  EXPECT_NE(lacis_plan_multiply(plan, LACIS_FLOAT64, s.x.data(), s.y.data(), &options), LACIS_OK);
  EXPECT_EQ(lacis_plan_update(plan, s.x.data(), 3), LACIS_INVALID_ARGUMENT);
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  EXPECT_EQ(lacis_solve(&s.view, "magic", s.x.data(), s.y.data(), nullptr, &report), LACIS_INVALID_ARGUMENT);
  EXPECT_NE(std::string(lacis_last_error()).find("minres"), std::string::npos);
}

TEST(CApi, ReadsStructuresOfOtherVersions) {
  small_system s;
  struct later {
    lacis_product_options known;
    int unknown[4];
  } options = {};
  options.known.struct_size = sizeof(later);
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, s.x.data(), s.y.data(), &options.known), LACIS_OK);
  options.unknown[2] = 1;
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, s.x.data(), s.y.data(), &options.known), LACIS_UNSUPPORTED);
  lacis_product_options earlier = LACIS_INIT(lacis_product_options);
  earlier.struct_size = offsetof(lacis_product_options, alpha);
  earlier.alpha = reinterpret_cast<const void*>(8);  // would be read by a program that is told of it
  EXPECT_EQ(lacis_multiply(&s.view, LACIS_FLOAT64, s.x.data(), s.y.data(), &earlier), LACIS_OK);
  lacis_solve_report report = LACIS_INIT(lacis_solve_report);
  report.struct_size = offsetof(lacis_solve_report, method);
  std::strcpy(report.method, "mine");
  EXPECT_EQ(lacis_solve(&s.view, "cg", s.x.data(), s.y.data(), nullptr, &report), LACIS_OK);
  EXPECT_STREQ(report.method, "mine");
  EXPECT_EQ(report.struct_size, offsetof(lacis_solve_report, method));
}

TEST(CApi, KeepsErrorsApartByThread) {
  small_system s;
  s.view.offset_bits = 7;
  EXPECT_NE(s.multiply(), LACIS_OK);
  const std::string mine = lacis_last_error();
  std::thread([] {
    EXPECT_STREQ(lacis_last_error(), "");
    EXPECT_NE(lacis_read("@nothing:1", nullptr, nullptr, nullptr), LACIS_OK);
  }).join();
  EXPECT_EQ(lacis_last_error(), mine);
}

TEST(CApi, NamesStatusesAndVersion) {
  EXPECT_STREQ(lacis_status_name(LACIS_OK), "ok");
  EXPECT_STREQ(lacis_status_name(LACIS_INTERNAL), "internal error");
  EXPECT_STREQ(lacis_status_name(static_cast<lacis_status>(99)), "unknown status");
  EXPECT_EQ(lacis_version(), version());
  EXPECT_STREQ(lacis_version(), LACIS_VERSION);
}

}  // namespace
}  // namespace lacis::test
