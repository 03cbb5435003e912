# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# What a user may switch. The core library needs OpenMP, Highway and Boost.Context; every other dependency has an option here.
option(LACIS_BUILD_CLI "Build the lacis command line (CLI11, fmt, nlohmann-json)" ON)
option(LACIS_BUILD_TESTS "Build the tests (GoogleTest, rapidcheck)" ${PROJECT_IS_TOP_LEVEL})
option(LACIS_BUILD_FUZZERS "Build the libFuzzer targets (clang with LACIS_SANITIZE=address)" OFF)
option(LACIS_BUILD_BENCHMARKS "Build the benchmarks (Google Benchmark)" OFF)
option(LACIS_BUILD_EXAMPLES "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(LACIS_WITH_ARCHIVE "Read and write .gz, .zst, .npz and .tar.gz (libarchive, zlib)" ON)
option(LACIS_WITH_PNG "Draw pictures as PNG in the command line (libpng)" ON)
option(LACIS_WITH_HWLOC "Describe caches and NUMA in lacis doctor (hwloc)" ON)
option(LACIS_WITH_SUITESPARSE "Direct solutions through KLU and CHOLMOD; parts of CHOLMOD are under the GPL" OFF)
option(LACIS_WITH_METIS "Cut matrices into parts for a cluster (METIS)" OFF)
option(LACIS_WITH_CUDA "Compile the CUDA sources (nvcc)" OFF)
set(LACIS_TEST_FOLDERS base formats summation generate io reorder cpu plan simt device solve verify lab CACHE STRING "Folders of src whose tests are built; those of the command line come with it")
option(LACIS_PRECOMPILE_TESTS "Compile the headers of tests once; for builds without a compiler cache" OFF)
option(LACIS_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
set(LACIS_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined or thread")
