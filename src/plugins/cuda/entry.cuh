// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels as CUDA launches them: by number, through an entry that takes the members of a kernel one by one.
#pragma once

#include "cuda/cuda_team.cuh"
#include "cuda/registers.cuh"
#include "cuda/table.cuh"
#include "kernels/each_kernel.hpp"
#include "team/fields.hpp"

namespace lacis::cuda {

/// A kernel's input is read only, and nothing else writes it during the launch: nvcc may load it through the read-only
/// path. An output is neither, also where only one thread writes it: nvcc would carry a value across a barrier.
template <class Member> struct parameter {
  using type = Member;
};
template <class T> struct parameter<const T*> {
  using type = const T* __restrict__;
};

/// How many blocks of a kernel a multiprocessor is to hold at least; 0 leaves it to ptxas.
template <class Kernel> inline constexpr int least_blocks = 0;
template <class Kernel>
  requires requires { Kernel::least_blocks; }
inline constexpr int least_blocks<Kernel> = Kernel::least_blocks;

/// The kernel is put together here and not by the launch: in a struct that is passed whole, pointers lose __restrict__.
/// Id is there for whoever reads the symbol: names of kernels are often aliases, which it does not show.
template <class Kernel, kernels::kernel Id, class... Members>
__global__ void __launch_bounds__(Kernel::block_threads, least_blocks<Kernel>)
    entry(typename parameter<Members>::type... members) {
  Kernel{members...}(cuda_team{});
}

/// The same for a kernel whose launch chooses the size of its blocks.
template <class Kernel, kernels::kernel Id, class... Members>
__global__ void __maxnreg__(most_registers<typename Kernel::value_type>)
    entry_for_any_block(typename parameter<Members>::type... members) {
  Kernel{members...}(cuda_team{});
}

template <class... Members> struct member_list {
  static constexpr int count = sizeof...(Members);
  template <class Kernel> static const void* entry_of() {
    if constexpr (kernels::most_block_threads<Kernel> == Kernel::block_threads)
      return reinterpret_cast<const void*>(&entry<Kernel, Kernel::id, Members...>);
    else
      return reinterpret_cast<const void*>(&entry_for_any_block<Kernel, Kernel::id, Members...>);
  }
};
struct list_members {
  template <class... Members> member_list<Members...> operator()(Members&...) const { return {}; }
};
template <class Kernel> Kernel& some();
template <class Kernel> using members_of = decltype(simt::with_fields(some<Kernel>(), list_members{}));

struct cuda_kernel_collector {
  cuda_kernel* table;

  template <class Kernel> void add() {
    static_assert(Kernel::block_threads % simt::warp_size == 0, "blocks are whole warps");
    using members = members_of<Kernel>;
    table[kernels::number_of<Kernel>] = {Kernel::name, members::template entry_of<Kernel>(),
                                         simt::bytes_by_thread<typename Kernel::shared>, members::count};
  }
};

template <class List> void add_kernels(List list, cuda_kernel* table) {
  cuda_kernel_collector all{table};
  kernels::each_kernel(list, all);
}

}  // namespace lacis::cuda
