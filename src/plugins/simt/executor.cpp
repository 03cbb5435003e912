// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The blocks of a launch, dealt to threads of the system.
#include "simt/executor.hpp"

#include <numeric>

#include <lacis/error.hpp>

#include "base/parallel.hpp"
#include "base/text.hpp"
#include "simt/block_runner.hpp"
#include "simt/tracer.hpp"

namespace lacis::simt {
namespace {

/// Block numbers in the order in which they begin.
class block_order {
 public:
  block_order(int blocks, const schedule& turns) : blocks_(blocks), turns_(turns.order) {
    if (turns_ != turns::shuffled) return;
    shuffled_.resize(static_cast<std::size_t>(blocks));
    std::iota(shuffled_.begin(), shuffled_.end(), 0);
    std::uint64_t state = turns.seed + 1;
    for (std::size_t k = shuffled_.size(); k > 1; --k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(shuffled_[k - 1], shuffled_[(state >> 33) % k]);
    }
  }
  [[nodiscard]] int operator[](int k) const {
    if (turns_ == turns::shuffled) return shuffled_[static_cast<std::size_t>(k)];
    return turns_ == turns::reverse ? blocks_ - 1 - k : k;
  }

 private:
  int blocks_;
  turns turns_;
  std::vector<int> shuffled_;
};

}  // namespace

executor::executor(int threads) {
  const int count = threads > 0 ? threads : detail::thread_count();
  for (int t = 0; t < count; ++t) runners_.push_back(std::make_unique<block_runner>());
}

executor::~executor() = default;

void executor::run(const launch_shape& shape, thread_function thread, const void* kernel, const schedule& asked) {
  if (shape.block_threads < warp_size || shape.block_threads > most_threads || shape.block_threads % warp_size != 0)
    throw error(errc::invalid_argument, detail::text("kernel ", shape.kernel, ": a block of ", shape.block_threads,
                                                     " threads; blocks are 1 to 32 whole warps"));
  if (shape.blocks < 0)
    throw error(errc::invalid_argument, detail::text("kernel ", shape.kernel, ": ", shape.blocks, " blocks"));
  const schedule turns = traced() ? schedule{} : asked;
  const block_order order(shape.blocks, turns);
  launch_progress progress;
  races::release(&progress.begin);
  const struct end_of_launch {
    launch_progress& of;
    ~end_of_launch() { races::acquire(&of.end); }
  } end{progress};
  std::atomic<int> next{0};
  const int workers = std::min(traced() ? 1 : static_cast<int>(runners_.size()), shape.blocks);
  if (traced()) tracer_->launch_begins(shape);
  if (workers > 0)
    detail::on_threads(workers, [&](int worker, int) {
      block_runner& runner = *runners_[static_cast<std::size_t>(worker)];
      while (!progress.failed.load(std::memory_order_relaxed)) {
        const int k = next.fetch_add(1, std::memory_order_relaxed);
        if (k >= shape.blocks) break;
        if (!runner.run(shape, thread, kernel, order[k], turns, progress, tracer_) && !runner.fault().empty())
          throw error(errc::kernel_fault, runner.fault());
      }
    });
  if (traced()) tracer_->launch_ends();
}

}  // namespace lacis::simt
