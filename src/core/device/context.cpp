// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opening devices, one of each in a process, and their streams.
#include "device/context.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "base/text.hpp"
#include "device/plugin.hpp"

namespace lacis {
namespace device {

using lacis::detail::text;

core::core(device_id id) : id_(id) {
  const device_report found = look_for(id);
  if (!found.ready()) throw error(errc::no_device, text(name_of(id), ": ", found.problem, "; ", found.advice));
  table_ = id.kind == device_kind::simt ? simt_plugin().table : cuda_plugin().table;
  null_.emplace(*table_, nullptr);
  const visit here(*this);  // throws for a number that the device does not have
}

core::~core() {
  release([&] { null_.reset(); });
}

void* core::create_stream() {
  const visit here(*this);
  void* handle = nullptr;
  home().check(table_->create_stream(table_->state, &handle));
  const std::lock_guard guard(streams_turn_);
  streams_.push_back(handle);
  return handle;
}

void core::destroy_stream(stream_state& state) noexcept {
  void* const handle = state.device.stream();
  {
    const std::lock_guard guard(streams_turn_);
    if (const auto place = std::ranges::find(streams_, handle); place != streams_.end()) streams_.erase(place);
  }
  release([&] {
    table_->wait(table_->state, handle);
    state.sums = {};
    table_->destroy_stream(table_->state, handle);
  });
}

std::shared_ptr<core> core_of(device_id id) {
  if (id.kind == device_kind::cpu)
    throw error(errc::invalid_argument,
                "the processor is not opened as a device: its vectors are in host memory, and plans are for it unless "
                "plan_options.device says otherwise");
  // Never destroyed: when the process ends, a plugin and the runtime below it may be gone before we would be.
  static auto& turn = *new std::mutex;
  static auto& open = *new std::map<std::pair<device_kind, int>, std::shared_ptr<core>>;
  const std::lock_guard guard(turn);
  std::shared_ptr<core>& found = open[{id.kind, id.number}];
  if (found == nullptr) found = std::make_shared<core>(id);
  return found;
}

visit::visit(core& where)
    : where_(where),
      turn_(where.id_.kind == device_kind::simt ? std::unique_lock(where.turn_)
                                                : std::unique_lock<std::recursive_mutex>()) {
  where_.home().check(where_.table_->use(where_.table_->state, where_.id_.number, &before_));
}

visit::~visit() {
  if (before_ != where_.id_.number) where_.table_->use(where_.table_->state, before_, nullptr);
}

void require_device(const core& where, const device_context& has, const char* what) {
  if (has.internals().get() != &where)
    throw error(errc::invalid_argument,
                text(what, " is on ", name_of(has.id()), ", but the work is on ", name_of(where.id())));
}

}  // namespace device

device_context::device_context(device_id id) : core_(device::core_of(id)) {}
device_id device_context::id() const { return core_->id(); }

device_stream::device_stream(const device_context& where) : where_(where) {
  const auto core = where.internals();
  void* const handle = core->create_stream();
  state_ = std::shared_ptr<device::stream_state>(new device::stream_state(core->table(), handle),
                                                 [core](device::stream_state* state) {
                                                   core->destroy_stream(*state);
                                                   delete state;
                                                 });
}

device_stream device_stream::null(const device_context& where) {
  return {where, std::shared_ptr<device::stream_state>(where.internals(), &where.internals()->null_stream())};
}

device_stream device_stream::borrowed(const device_context& where, void* handle) {
  const auto core = where.internals();
  return {where, std::shared_ptr<device::stream_state>(new device::stream_state(core->table(), handle),
                                                       [core](device::stream_state* state) {
                                                         core->release([&] { state->sums = {}; });
                                                         delete state;
                                                       })};
}

void device_stream::wait() const {
  const device::visit here(*where_.internals());
  state_->device.wait();
}

void* device_stream::handle() const { return state_->device.stream(); }

}  // namespace lacis
