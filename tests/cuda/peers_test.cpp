// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How the plugin asks cuSPARSE and cuBLAS, with libraries and a CUDA runtime that stand for NVIDIA's.
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/table.hpp"
#include "stub.hpp"
#include "stub_peers/stub_peer.hpp"

namespace {

const lacis_runtime& plugin() {
  static const lacis_runtime* const table = [] {
    void* const library = dlopen(LACIS_CUDA_STUBBED, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<const lacis_runtime* (*)()>(dlsym(library, "lacis_cuda_runtime"))();
  }();
  return *table;
}

void require(std::int32_t code) {
  if (code != 0) throw std::runtime_error(plugin().message(plugin().state, code));
}

/// An array on the stub's device.
template <class T> class array {
 public:
  explicit array(const std::vector<T>& host, void* stream) : size_(host.size()), stream_(stream) {
    require(plugin().allocate(plugin().state, size_ * sizeof(T), stream_, &memory_));
    require(plugin().copy(plugin().state, memory_, host.data(), size_ * sizeof(T), lacis_copy_to_device, stream_));
    require(plugin().wait(plugin().state, stream_));
  }
  ~array() { static_cast<void>(plugin().release(plugin().state, memory_, stream_)); }
  array(const array&) = delete;
  array& operator=(const array&) = delete;

  [[nodiscard]] T* data() const { return static_cast<T*>(memory_); }
  [[nodiscard]] std::vector<T> to_host() const {
    std::vector<T> host(size_);
    require(plugin().copy(plugin().state, host.data(), memory_, size_ * sizeof(T), lacis_copy_to_host, stream_));
    require(plugin().wait(plugin().state, stream_));
    return host;
  }

 private:
  std::size_t size_;
  void* stream_;
  void* memory_ = nullptr;
};

class Peers : public testing::Test {
 protected:
  void SetUp() override {
    stub_reset();
    setenv("LACIS_CUSPARSE", LACIS_STUB_CUSPARSE, 1);
    setenv("LACIS_CUBLAS", LACIS_STUB_CUBLAS, 1);
    require(plugin().create_stream(plugin().state, &stream_));
    for (stub_peer_state* const state : {&cusparse(), &cublas()}) *state = {};
  }
  void TearDown() override {
    require(plugin().destroy_stream(plugin().state, stream_));
    for (const stub_peer_state* const state : {&cusparse(), &cublas()}) EXPECT_EQ(state->created, state->destroyed);
    stub_expect_nothing_left();
    for (std::int64_t i = 0; stub_violation(i) != nullptr; ++i) ADD_FAILURE() << stub_violation(i);
  }

  static stub_peer_state& state_of(const char* file) {
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    return *reinterpret_cast<stub_peer_state* (*)()>(dlsym(library, stub_peer_function))();
  }
  static stub_peer_state& cusparse() { return state_of(LACIS_STUB_CUSPARSE); }
  static stub_peer_state& cublas() { return state_of(LACIS_STUB_CUBLAS); }

  /// [1 2 0; 0 0 3] times (10, 20, 30).
  template <class Column> std::int32_t multiply(lacis_peer_result& result) {
    const array<std::int64_t> offsets({0, 2, 3}, stream_);
    const array<Column> columns({0, 1, 2}, stream_);
    const array<double> values({1, 2, 3}, stream_);
    const array<double> x({10, 20, 30}, stream_);
    const array<double> y({-1, -1}, stream_);
    const lacis_peer_csr a{2, 3, 3, lacis_value_double, sizeof(Column), offsets.data(), columns.data(), values.data()};
    const std::int32_t code = plugin().peer_spmv(plugin().state, &a, x.data(), y.data(), 3, stream_, &result);
    y_ = y.to_host();
    return code;
  }
  [[nodiscard]] static std::string words(std::int32_t code) { return plugin().message(plugin().state, code); }

  void* stream_ = nullptr;
  std::vector<double> y_;
};

TEST_F(Peers, MultiplyInTheStreamWithBothAlgorithms) {
  lacis_peer_result result;
  ASSERT_EQ(multiply<std::int32_t>(result), lacis_code_ok);
  EXPECT_EQ(y_, (std::vector<double>{50, 90}));
  EXPECT_EQ(std::string(result.library), "cuSPARSE 12.6.3");
  EXPECT_EQ(std::string(result.remark).find("default algorithm; CSR_ALG2"), 0u) << result.remark;
  EXPECT_EQ(cusparse().last_offset_bytes, 8);
  EXPECT_EQ(cusparse().last_column_bytes, 4);
  EXPECT_EQ(cusparse().last_stream, stream_);
  EXPECT_EQ(cusparse().algorithms, 1 << 0 | 1 << 3);
  EXPECT_EQ(cusparse().prepared, 2);
  EXPECT_EQ(cusparse().products, 2 * (2 + 3));  // to prepare, to warm up, and three that count
}

TEST_F(Peers, NarrowOffsetsWhereMixedWidthsAreRefused) {
  cusparse().refuse_mixed = true;
  lacis_peer_result result;
  ASSERT_EQ(multiply<std::int32_t>(result), lacis_code_ok);
  EXPECT_EQ(y_, (std::vector<double>{50, 90}));
  EXPECT_NE(std::string(result.remark).find("offsets narrowed to 32 bits"), std::string::npos) << result.remark;
  EXPECT_EQ(cusparse().last_offset_bytes, 4);
  EXPECT_EQ(cusparse().last_column_bytes, 4);
}

TEST_F(Peers, TakeWideColumnsAsTheyAre) {
  cusparse().refuse_mixed = true;
  lacis_peer_result result;
  ASSERT_EQ(multiply<std::int64_t>(result), lacis_code_ok);
  EXPECT_EQ(y_, (std::vector<double>{50, 90}));
  EXPECT_EQ(std::string(result.remark).find("bits"), std::string(result.remark).find("bits every time"));
  EXPECT_EQ(cusparse().last_offset_bytes, 8);
  EXPECT_EQ(cusparse().last_column_bytes, 8);
}

TEST_F(Peers, MultiplyWithACuSparseThatPreparesNothing) {
  setenv("LACIS_CUSPARSE", LACIS_STUB_CUSPARSE_OLD, 1);
  lacis_peer_result result;
  ASSERT_EQ(multiply<std::int32_t>(result), lacis_code_ok);
  EXPECT_EQ(y_, (std::vector<double>{50, 90}));
  EXPECT_EQ(state_of(LACIS_STUB_CUSPARSE_OLD).prepared, 0);
}

TEST_F(Peers, GiveBackEverythingWhicheverCallFails) {
  lacis_peer_result result;
  ASSERT_EQ(multiply<std::int32_t>(result), lacis_code_ok);
  const int calls = cusparse().calls;
  const int calls_of_one_algorithm = calls / 2;
  for (int call = 1; call <= calls; ++call) {
    cusparse() = {};
    cusparse().fail_call = call;
    const std::int32_t code = multiply<std::int32_t>(result);
    EXPECT_EQ(cusparse().created, cusparse().destroyed) << "call " << call;
    if (call <= calls_of_one_algorithm) {
      EXPECT_EQ(code, lacis_code_no_peer) << "call " << call;
      EXPECT_EQ(words(code).find("CUDA: cuSPARSE, "), 0u) << words(code);
      EXPECT_NE(words(code).find("the stub was told to fail (CUSPARSE_STATUS_OTHER)"), std::string::npos);
    } else {  // the other algorithm is only told of
      EXPECT_EQ(code, lacis_code_ok) << "call " << call;
      EXPECT_NE(std::string(result.remark).find("CSR_ALG2 did not run"), std::string::npos) << result.remark;
    }
  }
}

TEST_F(Peers, PassOnWhatTheRuntimeReports) {
  constexpr int no_memory = 2;  // cudaErrorMemoryAllocation
  constexpr std::int64_t arrays = 5;
  struct failure {
    const char* function;
    std::int64_t call;
    const char* words;
  };
  for (const failure& f : {failure{"cudaEventCreate", 1, "CUDA, creating an event: "},
                           failure{"cudaEventCreate", 2, "CUDA, creating an event: "},
                           failure{"cudaEventRecord", 1, "CUDA, recording an event: "},
                           failure{"cudaEventRecord", 2, "CUDA, recording an event: "},
                           failure{"cudaEventSynchronize", 2, "CUDA, waiting for an event: "},
                           failure{"cudaEventElapsedTime", 3, "CUDA, timing events: "},
                           failure{"cudaMallocFromPoolAsync", arrays + 1, "CUDA, allocating indices for cuSPARSE: "},
                           failure{"cudaMallocFromPoolAsync", arrays + 2, "CUDA, allocating the buffer of cuSPARSE: "},
                           failure{"cudaMemcpyAsync", arrays + 1, "CUDA, copying indices: "},
                           failure{"cudaMemcpyAsync", arrays + 2, "CUDA, copying indices: "}}) {
    cusparse() = {};
    cusparse().refuse_mixed = true;
    stub_fail_at(f.function, f.call, no_memory);
    lacis_peer_result result;
    const std::int32_t code = multiply<std::int32_t>(result);
    EXPECT_EQ(code, lacis_code_no_memory) << f.function << ", call " << f.call;
    EXPECT_EQ(words(code).find(f.words), 0u) << words(code);
    EXPECT_EQ(cusparse().created, cusparse().destroyed) << f.function << ", call " << f.call;
  }
}

TEST_F(Peers, ComputeWithVectorsOfEveryType) {
  const array<double> x({1, 2, 2, 0, 0, 0, 0, 0}, stream_);
  constexpr lacis_value_type types[] = {lacis_value_float, lacis_value_double, lacis_value_complex_float,
                                        lacis_value_complex_double};
  constexpr char letters[] = {'S', 'D', 'C', 'Z'};
  for (int type = 0; type < 4; ++type)
    for (const auto operation : {lacis_peer_dot, lacis_peer_norm, lacis_peer_axpy}) {
      const array<double> y({0, 0, 0, 0, 0, 0, 0, 0}, stream_);
      cublas() = {};
      lacis_peer_result result;
      const std::int32_t code =
          plugin().peer_vector(plugin().state, operation, types[type], 4, x.data(), y.data(), 3, stream_, &result);
      ASSERT_EQ(code, lacis_code_ok) << words(code);
      EXPECT_EQ(std::string(result.library), "cuBLAS 13.1.0");
      EXPECT_EQ(cublas().algorithms, 1 << (letters[type] - 'A'));
      EXPECT_EQ(cublas().products, 1 + 3);
      EXPECT_EQ(cublas().last_stream, stream_);
      if (operation == lacis_peer_axpy && types[type] == lacis_value_double) {
        EXPECT_EQ(y.to_host(), (std::vector<double>{4, 8, 8, 0, 0, 0, 0, 0}));
      }
    }
}

TEST_F(Peers, SayWhichVectorOperationFails) {
  const array<double> x({1, 2, 3}, stream_);
  for (int call = 1; call <= 6; ++call) {
    cublas() = {};
    cublas().fail_call = call;
    lacis_peer_result result;
    const std::int32_t code = plugin().peer_vector(plugin().state, lacis_peer_norm, lacis_value_double, 3, x.data(),
                                                   nullptr, 3, stream_, &result);
    EXPECT_EQ(code, lacis_code_no_peer) << "call " << call;
    EXPECT_EQ(words(code).find("CUDA: cuBLAS, "), 0u) << words(code);
    EXPECT_EQ(cublas().created, cublas().destroyed) << "call " << call;
  }
}

TEST_F(Peers, AreRefusedWithWordsWhenAFunctionIsMissing) {
  setenv("LACIS_CUSPARSE", LACIS_STUB_CUBLAS, 1);  // a library, but another one
  lacis_peer_result result;
  const std::int32_t code = multiply<std::int32_t>(result);
  EXPECT_EQ(code, lacis_code_no_peer);
  EXPECT_EQ(words(code),
            "CUDA: cuSPARSE has no function cusparseCreate; take the one of CUDA 12 or newer, named in LACIS_CUSPARSE");
}

}  // namespace
