// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that several commands take.
#pragma once

#include <string>

#include "parse/option_list.hpp"
#include "parse/options.hpp"

namespace lacis::app {

inline constexpr const char* file_formats = "matrix-market|npz|edge-list|metis|csr-directory";
inline constexpr const char* device_names = "cpu|simt|cuda";
inline constexpr int most_threads = 4096;

/// "--to " and the file formats, "--device " and the devices: labels for option_list::add.
[[nodiscard]] std::string with_choices(const char* name, const char* choices);

/// The matrix that a command needs. Its reader and generator options come with add_input.
void add_matrix(option_list& options, source_options& source, const char* name = "MATRIX");
/// How files are read and matrices generated.
void add_input(option_list& options, source_options& source);
/// Of these the generated ones alone.
void add_generator(option_list& options, source_options& source);
void add_type(option_list& options, std::string& type);
void add_uses(option_list& options, double& uses);
void add_to(option_list& options, std::string& format);
void add_mpi(option_list& options, common_options& common);
/// --quiet, --json and --threads; the last ones that a command adds.
void add_common(option_list& options, common_options& common);
/// Without --threads.
void add_common_output(option_list& options, common_options& common);

}  // namespace lacis::app
