// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The GPUs that the model knows.
#include <array>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "lab/lab.hpp"

namespace lacis::lab {
namespace {

// Multiprocessors, their threads, blocks and shared memory, the L2's size and the memory's rate are NVIDIA's: data
// sheets and architecture papers of the products, and the table of compute capabilities in the CUDA programming guide.
// Clocks are the boost clocks of the data sheets. Ways of the L2 are not published: 16 is what microbenchmarks of Volta
// and Turing are quoted with. The time of an empty launch is an estimate for all of them.
constexpr std::array gpus = {
    // L2 rate: as quoted from Jia, Maggioni, Smith and Scarpazza, "Dissecting the NVIDIA Turing T4 GPU via
    // Microbenchmarking" (2019); not checked against its tables.
    gpu{"t4", "NVIDIA T4", 40, 1024, 16, 64 << 10, 4 << 20, 16, 320e9, 1270e9, 1.59e9, 3e-6},
    // L2 rate: an estimate, 0.7 of the 5120 bytes a clock in NVIDIA's A100 architecture paper.
    gpu{"a100", "NVIDIA A100 SXM 40 GB", 108, 2048, 32, 164 << 10, 40 << 20, 16, 1555e9, 5050e9, 1.41e9, 2.5e-6},
    // L2 rate: an estimate, as many bytes a clock as the A100.
    gpu{"h100", "NVIDIA H100 SXM", 132, 2048, 32, 228 << 10, 50 << 20, 16, 3350e9, 6600e9, 1.83e9, 2.5e-6},
    // L2 rate: an estimate, 48 slices of 32 bytes a clock, less a twentieth.
    gpu{"rtx4090", "NVIDIA GeForce RTX 4090", 128, 1536, 24, 100 << 10, 72 << 20, 16, 1008e9, 3650e9, 2.52e9, 2.5e-6},
};

}  // namespace

std::span<const gpu> all_gpus() { return gpus; }

const gpu& gpu_named(std::string_view name) {
  std::string names;
  for (const gpu& one : gpus) {
    if (one.name == name) return one;
    names += detail::text(names.empty() ? "" : ", ", one.name);
  }
  throw error(errc::invalid_argument, detail::text("no GPU \"", name, "\" in the model; there are ", names));
}

}  // namespace lacis::lab
