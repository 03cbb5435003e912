// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that several commands take.
#pragma once

#include <cstdint>
#include <string>

#include "parse/command_parser.hpp"
#include "parse/options.hpp"

namespace lacis::app {

inline constexpr const char* file_formats = "matrix-market|npz|edge-list|metis|csr-directory";
inline constexpr const char* device_names = "cpu|simt|cuda";
inline constexpr int most_threads = 4096;

/// Decimal digits and nothing else: 010 is ten, 0x10 and nan are refused. For transform(): CLI11 itself would read 010
/// as eight.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
/// A number in decimal notation from `least` to `most`; nan is none. For check().
[[nodiscard]] CLI::Validator real_number(double least, double most);

void add_common(CLI::App& app, common_options& options);
void add_mpi(CLI::App& app, common_options& options);
void add_generator_options(CLI::App& app, source_options& options);
void add_reader_options(CLI::App& app, source_options& options);
/// The matrix of a command, without the options for reading and for generating it.
void add_matrix(CLI::App& app, source_options& options);
void add_type(CLI::App& app, std::string& type);
void add_uses(CLI::App& app, double& uses);

/// Commands that cut matrices for clusters.
[[nodiscard]] command reorder_command();
[[nodiscard]] command partition_command();
[[nodiscard]] command scale_command();

}  // namespace lacis::app
