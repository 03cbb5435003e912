// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opening a device for measurements, events and rounds.
#include "verify/device_rounds.hpp"

namespace lacis::verification {

device_stopwatch::device_stopwatch(device::runtime& device) : device_(device) {
  const lacis_runtime& table = device.table();
  device.check(table.create_event(table.state, &first_));
  if (const std::int32_t code = table.create_event(table.state, &last_); code != 0) {
    last_ = nullptr;
    destroy();
    device.check(code);
  }
}

device_stopwatch::~device_stopwatch() { destroy(); }

void device_stopwatch::destroy() {
  const lacis_runtime& table = device_.table();
  for (void* const event : {first_, last_})
    if (event != nullptr) static_cast<void>(table.destroy_event(table.state, event));
}

double device_stopwatch::time(const std::function<void()>& work) {
  const lacis_runtime& table = device_.table();
  device_.check(table.record(table.state, first_, device_.stream()));
  work();
  device_.check(table.record(table.state, last_, device_.stream()));
  double seconds = 0;
  device_.check(table.elapsed(table.state, first_, last_, &seconds));
  return seconds;
}

void take_turns(const std::vector<device_turn>& turns, int rounds, const std::function<void(int done)>& done) {
  const std::size_t count = turns.size();
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = round % 2 == 0 ? i : count - 1 - i;
      const device_turn& turn = turns[(place + 7 * static_cast<std::size_t>(round)) % count];
      turn.into->push_back(turn.run());
    }
    done(round + 1);
  }
}

}  // namespace lacis::verification
