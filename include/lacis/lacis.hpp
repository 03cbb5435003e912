// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Everything in the library.
#pragma once

#include <lacis/any_csr.hpp>
#include <lacis/buffer.hpp>
#include <lacis/builder.hpp>
#include <lacis/convert.hpp>
#include <lacis/csr_directory.hpp>
#include <lacis/dense.hpp>
#include <lacis/device.hpp>
#include <lacis/device_context.hpp>
#include <lacis/device_multiply.hpp>
#include <lacis/device_spgemm.hpp>
#include <lacis/device_vector.hpp>
#include <lacis/error.hpp>
#include <lacis/format.hpp>
#include <lacis/generate.hpp>
#include <lacis/hash.hpp>
#include <lacis/io.hpp>
#include <lacis/isa.hpp>
#include <lacis/machine.hpp>
#include <lacis/measure_device.hpp>
#include <lacis/memory.hpp>
#include <lacis/multiply.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/pattern.hpp>
#include <lacis/plan.hpp>
#include <lacis/progress.hpp>
#include <lacis/reorder.hpp>
#include <lacis/sddmm.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/spgemm_composed.hpp>
#include <lacis/spgemm_masked.hpp>
#include <lacis/spgemm_plan.hpp>
#include <lacis/structure.hpp>
#include <lacis/types.hpp>
#include <lacis/validate.hpp>
#include <lacis/values.hpp>
#include <lacis/vector.hpp>
#include <lacis/verify.hpp>
#include <lacis/version.hpp>
