// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// PTX after it was read: kernels as arrays of instructions over numbered registers.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace lacis::ptx {

/// What stops a kernel, or the reading of one: in words, with the place.
struct fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr int lanes = 32;
using lane_mask = std::uint32_t;
inline constexpr lane_mask all_lanes = ~lane_mask{0};

enum class type : std::uint8_t { u8, u16, u32, u64, s8, s16, s32, s64, f32, f64, pred };
[[nodiscard]] constexpr int bytes_of(type t) {
  constexpr int bytes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
  return bytes[static_cast<int>(t)];
}
enum class space : std::uint8_t { generic, global, shared, local, parameter };
enum class memory_order : std::uint8_t { weak, relaxed, acquire, release, acquire_release };
enum class memory_scope : std::uint8_t { block, device };
enum class rmw : std::uint8_t { add, min, max, exchange, compare_exchange, increment, bit_and, bit_or };

/// What the machine does with an instruction; `compute` is everything that looks at one lane at a time.
enum class action : std::uint8_t {
  compute,
  load,
  store,
  atomic,
  fence,
  branch,
  leave,
  barrier,
  warp_barrier,
  shuffle,
  vote,
  match,
  active_mask,
  convert_address,
  sleep
};
enum class shuffle_mode : std::uint8_t { up, down, index, butterfly };
enum class barrier_reduction : std::uint8_t { nothing, every, some, number };  ///< of a predicate of all threads
enum class vote_mode : std::uint8_t { ballot, any, all };

struct instruction;
/// The registers of a warp: 32 lanes of the first register, then those of the second.
using lane_function = void (*)(std::uint64_t* registers, const instruction& i, lane_mask mask);

inline constexpr int none = -1;
struct instruction {
  action what = action::compute;
  lane_function compute = nullptr;
  type kind = type::u32;
  space where = space::generic;
  memory_order order = memory_order::weak;
  memory_scope scope = memory_scope::device;
  rmw operation = rmw::add;
  shuffle_mode shuffle = shuffle_mode::index;
  vote_mode vote = vote_mode::ballot;
  barrier_reduction reduction = barrier_reduction::nothing;
  std::uint8_t count = 1;       ///< of the elements of a vector
  bool read_only_path = false;  ///< .nc
  bool to_space = false;        ///< a generic address becomes one of the space
  bool negated = false;         ///< the predicate
  int predicate = none;         ///< a register, as are the following
  int to[4] = {none, none, none, none};
  int from[5] = {none, none, none, none, none};
  int address = none;
  std::int64_t offset = 0;  ///< to the address
  int target = none;        ///< of a branch
  int line = 0;             ///< in the text of the PTX
  int source = none;        ///< an index of module::sources
};

struct parameter {
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;
};
struct constant {
  int reg;
  std::uint64_t bits;
};

/// Registers that hold what a thread is; none when the kernel does not ask.
struct special_registers {
  int thread = none;       ///< %tid.x
  int block = none;        ///< %ctaid.x
  int threads = none;      ///< %ntid.x
  int blocks = none;       ///< %nctaid.x
  int lane = none;         ///< %laneid
  int lanes_below = none;  ///< %lanemask_lt
  int lanes_to = none;     ///< %lanemask_le
  int lanes_from = none;   ///< %lanemask_ge
};

struct kernel {
  std::string name;     ///< mangled
  bool of_cub = false;  ///< which relies on the order of blocks, and moves values that were never written
  std::vector<parameter> parameters;
  std::uint64_t parameter_bytes = 0;
  std::vector<instruction> code;
  int registers = 0;
  std::vector<constant> constants;
  special_registers special;
  int most_threads = 0;            ///< .maxntid, or 0
  std::uint64_t shared_bytes = 0;  ///< of variables; what the launch gives follows
  int shared_end = none;           ///< the register that holds the offset of what the launch gives
  std::uint64_t local_bytes = 0;
};

/// work(reg) for each register that a warp finds set, beside constants.
template <class Work> void each_special(kernel& k, const Work& work) {
  special_registers& s = k.special;
  for (int* const reg :
       {&s.thread, &s.block, &s.threads, &s.blocks, &s.lane, &s.lanes_below, &s.lanes_to, &s.lanes_from, &k.shared_end})
    work(*reg);
}
/// Numbers registers anew, so that those which are never needed at the same time have the same number.
void share_registers(kernel& k);

/// A line of the source: "src/core/kernels/spmv_csr.hpp:33".
struct module {
  int architecture = 0;
  std::map<std::string, kernel> kernels;
  std::vector<std::string> sources;
};

/// Adds the kernels of a text. Throws fault with the line for everything that this interpreter does not execute.
void read_module(const std::string& text, module& into);

}  // namespace lacis::ptx
