// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the user asked of each command, parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lacis::app {

/// Options that every command takes.
struct common_options {
  bool quiet = false;
  bool json = false;
  int threads = 0;   ///< 0: as many as OpenMP would take
  bool mpi = false;  ///< one of several processes; for the commands that can
};

/// Where a matrix comes from: a file, "-", or a generator's description.
struct source_options {
  std::string matrix;
  std::string from;    ///< file format, or empty: the content tells
  std::string values;  ///< of a generated matrix, or empty
  std::optional<std::uint64_t> seed;
  bool compact_ids = false;
  bool undirected = false;
  bool round_integers = false;
  std::string max_bytes;       ///< of input in memory, such as 6G, or empty: half of what is available
  std::int64_t max_ratio = 0;  ///< that compressed input may unpack to; 0: the library's default
};

struct info_request {
  common_options common;
  source_options source;
  std::string png;
  std::int64_t size = 800;
  bool no_spy = false;
};

/// convert, and generate, which is a conversion from a description.
struct convert_request {
  common_options common;
  source_options source;
  std::string output;
  std::string to;  ///< file format, or empty: the name tells
  bool no_symmetry = false;
  bool list = false;  ///< generate: name the generators instead
};

struct spmv_request {
  common_options common;
  source_options source;
  std::string x;               ///< a file, or empty: numbers made on the spot
  std::string output;          ///< a file for y, "-", or empty
  std::string device = "cpu";  ///< where the product is computed as well
};

struct spgemm_request {
  common_options common;
  source_options source;     ///< A
  std::string b;             ///< a file or a description, or empty: A once more
  std::string output;        ///< a file or directory for C, "-", or empty
  std::string type;          ///< of the values, or empty: as they come
  std::string isa;           ///< or empty: the fastest
  std::string memory_limit;  ///< bytes such as 6G, or empty: no limit
  bool explain = false;
};

struct solve_request {
  common_options common;
  source_options source;
  std::string b;               ///< a file, or empty: A times ones
  std::string output;          ///< a file for x, "-", or empty
  std::string method;          ///< a name, direct, or empty or auto: what suits the matrix
  std::string preconditioner;  ///< a name, none, or empty or auto
  std::string type;            ///< of the values, or empty: as they come
  std::string device = "cpu";
  double tolerance = 1e-8;
  std::int64_t max_iterations = 0;
  int restart = 50;
  std::string checkpoint;  ///< a directory, or empty
  std::int64_t every = 100;
  std::string svg;  ///< a file for the picture, "-", or empty
  bool mixed = false;
  bool monitor = false;
  bool profile = false;
};

struct pagerank_request {
  common_options common;
  source_options source;
  std::int64_t top = 10;
  double damping = 0.85;
  double tolerance = 1e-6;
  std::int64_t max_iterations = 100;
  std::string personalisation;  ///< a file, or empty
  std::string output;           ///< a file for all ranks, "-", or empty
};

struct reorder_request {
  common_options common;
  source_options source;
  std::string output;
  std::string to;          ///< file format, or empty: the name tells
  std::int64_t parts = 0;  ///< 0: none, but `by`
  std::string by;          ///< rcm, chain, degree, or empty: parts
  std::string order;       ///< a file for the permutation, "-", or empty
};

struct partition_request {
  common_options common;
  source_options source;
  std::vector<int> ranks;
  std::string svg;  ///< a file for the picture, "-", or empty
};

struct scale_request {
  common_options common;
  source_options source;
  std::vector<int> ranks;
  std::string network;     ///< a name, or "microseconds,GB/s"
  double bandwidth = 0;    ///< GB/s of a rank; 0: the machine's profile tells
  int cores_per_rank = 0;  ///< 0: all of the profile
  std::string svg;         ///< a file for the picture, "-", or empty
};

struct verify_request {
  common_options common;
  std::string operation;       ///< spmv, spgemm, or empty: spmv on the processor, everything on a device
  std::string device = "cpu";  ///< or where the device kernels run: simt, the host executor; cuda:0
  bool all = false;
  std::vector<std::string> isas;
  std::vector<int> threads;
};

struct doctor_request {
  common_options common;
  std::string device;  ///< simt or cuda[:N], or empty: the machine
  bool measure = false;
  std::string profile;  ///< the file of the machine profile, or empty: its usual place
};

struct plan_request {
  common_options common;
  source_options source;
  std::string type;          ///< of the values, or empty: as they come
  std::string layout;        ///< csr, sell, stencil, staged, or empty: the plan chooses
  std::string reorder;       ///< none, rcm, chain, degree, or empty: none
  std::string values_as;     ///< exact, given, float, or empty: exact
  std::string memory_limit;  ///< bytes such as 2G, or empty: no limit
  double uses = 1000;
  std::int64_t columns = 1;
  bool tune = false;
};

struct bench_request {
  common_options common;
  source_options source;              ///< its matrix is one of `matrices` after the other
  std::string operation;              ///< "spmv", "spgemm" or "plan"
  std::vector<std::string> matrices;  ///< files or descriptions
  std::string type;                   ///< of the values, or empty: as they come
  std::optional<double> seconds;      ///< nothing: what the operation usually takes
  double uses = 1000;                 ///< that plans are made for
  std::string peers;                  ///< names between commas, "all", or empty: none; not for plan
  // spgemm alone
  std::string with;   ///< the second matrix, or empty: each is squared
  std::string chart;  ///< a file for the picture, "-", or empty
  // spmv alone
  std::string formats;               ///< names between commas, or empty: all
  std::vector<std::string> reorder;  ///< numberings in which plans are measured too
  std::string markdown;              ///< a file for the table, or empty
  std::string roofline;              ///< a file for the picture, "-", or empty
  // plan alone
  bool all = false;  ///< the built-in list of matrices instead of `matrices`
};

struct lab_request {
  common_options common;
  source_options source;             ///< no matrix: a sweep
  std::string operation = "spmv";    ///< or "spgemm"
  std::vector<std::string> kernels;  ///< names or families, or empty: all
  std::vector<int> blocks;           ///< threads of a block, or empty: 256
  std::string gpu = "t4";
  std::string type;     ///< of the values, or empty: as they come
  std::string entries;  ///< a number, "all", or empty: as many as run quickly
  std::string sweep;    ///< "rows", or empty
  std::string svg;      ///< a file for the chart, "-", or empty
  bool explain = false;
};

struct completion_request {
  std::string shell;
};

struct help_request {
  std::string command;
};

}  // namespace lacis::app
