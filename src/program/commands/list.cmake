# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# The commands, one line each, in the order of `lacis help`. FOLDER/NAME is a command whose file FOLDER/NAME.cpp defines
# `command NAME_command()`: its request, its options with help and defaults, two examples, its group and what it runs.
# From this list come the file list.hpp of the build, the sources, and the tests that are called NAME_test.cpp.
set(LACIS_COMMANDS
  matrix/info
  plan/plan
  lab/lab
  machine/doctor
  cluster/partition
  cluster/scale
  matrix/convert
  matrix/generate
  products/spmv
  products/spgemm
  solve/solve
  solve/eigs
  solve/pagerank
  matrix/reorder
  verify/verify
  matrix/compare
  bench/bench
  about/completion
  about/help
)
