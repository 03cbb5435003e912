// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The commands, one file each. Each prints its result and throws when it fails.
#pragma once

#include "parse/options.hpp"

namespace lacis::app {

void run_info(const info_request& request);
void run_convert(const convert_request& request);
void run_generate(const convert_request& request);
void run_spmv(const spmv_request& request);
void run_spgemm(const spgemm_request& request);
/// The same with --mpi.
void run_spmv_on_cluster(const spmv_request& request);
void run_spgemm_on_cluster(const spgemm_request& request);
void run_solve(const solve_request& request);
void run_pagerank(const pagerank_request& request);
void run_reorder(const reorder_request& request);
void run_partition(const partition_request& request);
void run_scale(const scale_request& request);
void run_verify(const verify_request& request);
/// The part of run_verify that is for devices.
void run_verify_kernels(const verify_request& request);
void run_doctor(const doctor_request& request);
void run_doctor_device(const doctor_request& request);
void run_plan(const plan_request& request);
void run_bench(const bench_request& request);
void run_lab(const lab_request& request);
void run_completion(const completion_request& request);
void run_help(const help_request& request);
/// What `lacis --version` says.
void show_version();

}  // namespace lacis::app
