// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The line protocol with scripts that behave and misbehave, and the real script where Python has NumPy and SciPy.
#include "measure/peer.hpp"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/structure.hpp>
#include <lacis/validate.hpp>

#include "measure/bound.hpp"
#include "measure/bound_spgemm.hpp"
#include "measure/matrix_file.hpp"

namespace lacis::measure {
namespace {

class Peer : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(script_); }
  /// A peer that is a shell script.
  peer_command shell(const std::string& text) const {
    std::ofstream(script_) << text;
    return {"/bin/sh", script_};
  }
  static std::string complaint(const auto& work) {
    try {
      work();
    } catch (const error& problem) {
      return problem.what();
    }
    return "none";
  }
  std::filesystem::path script_ =
      std::filesystem::path(testing::TempDir()) / ("peer." + std::to_string(getpid()) + ".sh");
};

constexpr const char* obedient = R"(echo "ok $1 1.2"
while read -r command rest; do
  case $command in
    load) echo "ok $rest" ;;
    run) echo "ok 0.$rest" ;;
    product) printf 'y' > "$rest"; echo ok ;;
  esac
done
)";

TEST_F(Peer, SpeaksInLines) {
  peer one("fake", shell(obedient), 2);
  EXPECT_EQ(one.version(), "fake 1.2");
  EXPECT_EQ(one.load("/a path/with spaces"), "/a path/with spaces");
  EXPECT_EQ(one.run(25), 0.25);
  EXPECT_EQ(one.run(5), 0.5);
  exchange_file file(1);
  one.product(file.path());
  std::byte written{};
  file.read(std::span(&written, 1));
  EXPECT_EQ(written, std::byte{'y'});
}

TEST_F(Peer, SpeaksOfSparseProductsToo) {
  peer one("fake", shell(R"(echo "ok $2"
while read -r command rest; do
  case $command in
    second) echo "ok" ;;
    product) printf 'c' > "$rest"; echo ok 12 ;;
  esac
done
)"),
           2, "spgemm");
  EXPECT_EQ(one.version(), "spgemm");
  one.second("/a path/with spaces");
  exchange_file file(1);
  EXPECT_EQ(one.sparse_product(file.path()), 12);
  std::byte written{};
  file.read(std::span(&written, 1));
  EXPECT_EQ(written, std::byte{'c'});
  for (const char* answer : {"ok", "ok many", "ok -1", "ok 12 or so"}) {
    peer other("fake", shell(std::string("echo ok; read line; echo ") + answer), 1, "spgemm");
    EXPECT_NE(complaint([&] { (void)other.sparse_product(file.path()); }).find("impossible number"), std::string::npos);
  }
}

TEST_F(Peer, GetsThreadsAndHugePagesFromTheEnvironment) {
  setenv("OMP_NUM_THREADS", "77", 1);
  peer one("fake", shell("echo ok $OMP_NUM_THREADS $MKL_NUM_THREADS $GLIBC_TUNABLES"), 3);
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(one.version(), "3 3 glibc.malloc.hugetlb=1");
}

TEST_F(Peer, PassesOnWhyItCannot) {
  EXPECT_EQ(complaint([&] { peer("mkl", shell("echo error not installed"), 1); }), "mkl: not installed");
  peer one("fake", shell("echo ok; read line; echo error 'too large'; read line; echo ok"), 1);
  EXPECT_EQ(complaint([&] { one.load("x"); }), "fake: too large");
  EXPECT_EQ(one.load("x"), "");
}

TEST_F(Peer, CrashIsAnError) {
  EXPECT_NE(complaint([&] { peer("fake", {"/nonexistent/python", "x"}, 1); }).find("cannot be started"),
            std::string::npos);
  EXPECT_EQ(complaint([&] { peer("fake", shell("exit 7"), 1); }), "fake: its process ended with exit code 7");
  peer one("fake", shell("echo ok; read line; kill -SEGV $$"), 1);
  EXPECT_NE(complaint([&] { (void)one.run(1); }).find("killed by signal 11"), std::string::npos);
  EXPECT_NE(complaint([&] { (void)one.run(1); }), "none");
}

TEST_F(Peer, NonsenseIsAnError) {
  EXPECT_NE(complaint([&] { peer("fake", shell("echo hello"), 1); }).find("unexpected reply: hello"),
            std::string::npos);
  peer one("fake", shell("echo ok; while read line; do echo ok soon; done"), 1);
  EXPECT_NE(complaint([&] { (void)one.run(1); }).find("soon"), std::string::npos);
}

TEST_F(Peer, EndsWithTheObject) {
  pid_t process = 0;
  {
    const peer one("fake", shell(obedient), 1);
    process = one.process();
    EXPECT_EQ(kill(process, 0), 0);
  }
  EXPECT_NE(kill(process, 0), 0);
}

TEST_F(Peer, SaysThatALibraryIsMissing) {
  if (std::system("python3 -c 1 2> /dev/null") != 0) GTEST_SKIP() << "no Python here";
  setenv("PYTHONNOUSERSITE", "1", 1);
  EXPECT_NE(complaint([&] { peer("nonesuch", {"python3", LACIS_PEER_SCRIPT}, 1); }).find("not installed"),
            std::string::npos);
}

template <class Value> void multiply_with(peer& one, bool iso) {
  const auto values = iso ? generated_values::pattern : generated_values::random;
  const auto a = generate<Value>("@rmat:8", {.values = values});
  std::vector<Value> x;
  for (std::int64_t i = 0; i < a.cols; ++i) x.push_back(Value(static_cast<real_of<Value>>(i % 17) / 7));
  exchange_file matrix(matrix_file_bytes(a.view()));
  write_matrix<Value, std::int32_t>(matrix, a.view(), x);
  EXPECT_NE(one.load(matrix.path()), "");
  exchange_file result(a.rows * static_cast<std::int64_t>(sizeof(Value)));
  one.product(result.path());
  std::vector<Value> theirs(static_cast<std::size_t>(a.rows));
  result.read(std::as_writable_bytes(std::span(theirs)));
  std::vector<Value> ours(static_cast<std::size_t>(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      ours[static_cast<std::size_t>(i)] += a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
  EXPECT_FALSE((beyond_bound<Value, std::int32_t>(a.view(), x, ours, theirs))) << one.name();
  EXPECT_GT(one.run(3), 0);
}

TEST_F(Peer, LibrariesThatAreHereMultiplyEveryType) {
  // In a build tree the test is beside the program.
  peer_command command = find_peers(std::filesystem::read_symlink("/proc/self/exe"));
  int present = 0;
  for (const std::string& name : peer_names()) {
    try {
      peer one(name, command, 2);
      ++present;
      for (const bool iso : {false, true}) {
        multiply_with<float>(one, iso);
        multiply_with<double>(one, iso);
        multiply_with<std::complex<float>>(one, iso);
        multiply_with<std::complex<double>>(one, iso);
      }
    } catch (const error& problem) {
      const std::string words = problem.what();
      EXPECT_TRUE(words.find("not installed") != words.npos || words.find("not built") != words.npos) << words;
    }
  }
  if (present == 0) GTEST_SKIP() << "no peers here (tools/install-peers)";
}

/// Y as a peer computes it, in the order of X.
template <class Value>
std::vector<Value> columns_of_peer(peer& one, std::int64_t rows, std::int64_t count, dense_order order) {
  one.columns(count, order);
  std::vector<Value> theirs(static_cast<std::size_t>(rows * count));
  exchange_file result(static_cast<std::int64_t>(theirs.size() * sizeof(Value)));
  one.product(result.path());
  result.read(std::as_writable_bytes(std::span(theirs)));
  return theirs;
}

template <class Value> void multiply_columns_with(peer& one, std::string_view spec) {
  const auto a = generate<Value>(std::string(spec), {.values = generated_values::random});
  exchange_file matrix(matrix_file_bytes(a.view()));
  write_matrix<Value, std::int32_t>(matrix, a.view(), {});
  EXPECT_NE(one.load(matrix.path()), "");
  for (const std::int64_t count : {1, 5}) {
    std::vector<Value> x(static_cast<std::size_t>(a.cols * count));
    std::vector<Value> ours(static_cast<std::size_t>(a.rows * count));
    const auto x_view = column_major<Value>(x, a.cols, count);
    const auto y_view = column_major<Value>(ours, a.rows, count);
    for (std::int64_t c = 0; c < count; ++c) {
      for (std::int64_t i = 0; i < a.cols; ++i) x_view(i, c) = column_element<Value>(i, c);
      for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
          y_view(i, c) += a.values[k] * x_view(a.columns[k], c);
    }
    for (const dense_order order : {dense_order::row, dense_order::column}) {
      const std::vector<Value> theirs = columns_of_peer<Value>(one, a.rows, count, order);
      EXPECT_FALSE((beyond_bound<Value, std::int32_t>(a.view(), x_view, y_view,
                                                      dense_in<const Value>(order, theirs, a.rows, count))))
          << one.name() << ' ' << spec << ' ' << count << ' ' << name_of(order);
      EXPECT_GT(one.run(3), 0);
    }
  }
}

/// With the identity Y is X: every bit of what the peer made.
template <class Value> void make_columns_with(peer& one) {
  const auto identity = generate<Value>("@banded:300,0", {.values = generated_values::ones});
  ASSERT_EQ(identity.nnz(), 300);
  exchange_file matrix(matrix_file_bytes(identity.view()));
  write_matrix<Value, std::int32_t>(matrix, identity.view(), {});
  EXPECT_NE(one.load(matrix.path()), "");
  const std::vector<Value> theirs = columns_of_peer<Value>(one, 300, 7, dense_order::row);
  for (std::int64_t i = 0; i < 300; ++i)
    for (std::int64_t c = 0; c < 7; ++c)
      EXPECT_EQ(theirs[static_cast<std::size_t>(7 * i + c)], column_element<Value>(i, c))
          << one.name() << i << ' ' << c;
}

TEST_F(Peer, LibrariesThatAreHereMultiplyDenseColumnsOfEveryType) {
  const peer_command command = find_peers(std::filesystem::read_symlink("/proc/self/exe"));
  int present = 0;
  for (const std::string& name : peer_names("spmm")) {
    try {
      peer one(name, command, 2, "spmm");
      ++present;
      for (const char* spec : {"@rmat:8", "@poisson2d:9"}) {
        multiply_columns_with<float>(one, spec);
        multiply_columns_with<double>(one, spec);
        multiply_columns_with<std::complex<float>>(one, spec);
        multiply_columns_with<std::complex<double>>(one, spec);
      }
      make_columns_with<float>(one);
      make_columns_with<std::complex<double>>(one);
    } catch (const error& problem) {
      const std::string words = problem.what();
      EXPECT_TRUE(words.find("not installed") != words.npos || words.find("not built") != words.npos) << words;
    }
  }
  if (present == 0) GTEST_SKIP() << "no peers here (tools/install-peers)";
}

TEST(DenseColumns, UseEveryBitAndDoNotDependOnTheirNumber) {
  EXPECT_EQ(column_element<double>(0, 0), -1);
  EXPECT_EQ(column_element<double>(1, 0), static_cast<double>(0x9E3779B97F4A7C15U >> 11) * 0x1p-52 - 1);
  EXPECT_EQ(column_element<float>(0, 1), static_cast<float>(0xD1B54AU) * 0x1p-23F - 1);
  EXPECT_EQ(column_element<std::complex<double>>(3, 2),
            std::complex<double>(column_element<double>(3, 4), column_element<double>(3, 5)));
}

/// A product that a peer wrote, with sorted rows.
template <class Value> csr_matrix<Value> product_of_peer(peer& one, std::int64_t rows, std::int64_t cols) {
  exchange_file file(1);
  const std::int64_t entries = one.sparse_product(file.path());
  csr_matrix<Value> c;
  c.rows = rows;
  c.cols = cols;
  c.row_offsets = buffer<std::int64_t>(rows + 1);
  c.columns = buffer<std::int32_t>(entries);
  c.values = values_array<Value>(entries);
  std::int64_t offset = 0;
  file.read(std::as_writable_bytes(std::span<std::int64_t>(c.row_offsets)), offset);
  offset += 8 * (rows + 1);
  file.read(std::as_writable_bytes(std::span<std::int32_t>(c.columns)), offset);
  offset += 4 * entries;
  file.read(std::as_writable_bytes(std::span<Value>(c.values.data)), offset);
  EXPECT_FALSE(validate(c)) << one.name();
  if (one.name() != "scipy" && one.name() != "mkl-unsorted") {
    EXPECT_TRUE(is_sorted(c)) << one.name();
  }
  return sort_rows(c);
}

template <class Value> void multiply_sparse_with(peer& one, generated_values values) {
  const auto a = generate<Value>("@rmat:7", {.values = values});
  exchange_file first(matrix_file_bytes(a.view()));
  write_matrix<Value, std::int32_t>(first, a.view(), {});
  EXPECT_NE(one.load(first.path()), "");
  const bool drops_zeros = one.name().starts_with("scipy");
  const auto square = product_of_peer<Value>(one, a.rows, a.cols);
  const auto fault = [&](const auto& left, const auto& right, const auto& theirs) {
    const auto ours = multiply(left, right);
    const auto found =
        compare_products<Value, std::int32_t>(left.view(), right.view(), ours.view(), theirs.view(), drops_zeros);
    return found ? one.name() + ": " + found->what : "";
  };
  EXPECT_EQ(fault(a, a, square), "");
  const auto b = extract(a, 0, a.rows, 3, 20);
  exchange_file second(matrix_file_bytes(b.view()));
  write_matrix<Value, std::int32_t>(second, b.view(), {});
  one.second(second.path());
  EXPECT_EQ(fault(a, b, product_of_peer<Value>(one, a.rows, b.cols)), "");
  EXPECT_GT(one.run(3), 0);
}

TEST_F(Peer, LibrariesThatAreHereMultiplySparseMatricesOfEveryType) {
  const peer_command command = find_peers(std::filesystem::read_symlink("/proc/self/exe"));
  int present = 0;
  for (const std::string& name : peer_names("spgemm")) {
    try {
      peer one(name, command, 2, "spgemm");
      ++present;
      for (const auto values : {generated_values::random, generated_values::integer, generated_values::pattern}) {
        multiply_sparse_with<float>(one, values);
        multiply_sparse_with<double>(one, values);
        multiply_sparse_with<std::complex<float>>(one, values);
        multiply_sparse_with<std::complex<double>>(one, values);
      }
    } catch (const error& problem) {
      const std::string words = problem.what();
      EXPECT_TRUE(words.find("not installed") != words.npos || words.find("not built") != words.npos) << words;
    }
  }
  if (present == 0) GTEST_SKIP() << "no peers here (tools/install-peers)";
}

}  // namespace
}  // namespace lacis::measure
