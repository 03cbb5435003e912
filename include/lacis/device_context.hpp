// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A device that is open, and streams of work on it.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <lacis/device.hpp>
#include <lacis/export.hpp>

namespace lacis {

/// Internals of devices; not part of the interface.
namespace device {
class core;
struct stream_state;
}  // namespace device

/// A device, opened. Copies are the same device; whatever was made on it keeps it open, so the order in which objects
/// are destroyed does not matter. Any number of threads may use it; on the host executor they take turns.
class device_context {
 public:
  /// Throws error(no_device) with what look_for() says when it is not there, and error(invalid_argument) for the
  /// processor, whose vectors are in host memory.
  LACIS_API explicit device_context(device_id id);

  /// Which device it is.
  [[nodiscard]] LACIS_API device_id id() const;
  /// For the library itself; not part of the interface.
  [[nodiscard]] const std::shared_ptr<device::core>& internals() const { return core_; }

 private:
  std::shared_ptr<device::core> core_;
};

/// A queue of work on a device: calls that take a stream put their work at its end and return. Copies are the same
/// stream. Destroying a vector or a plan of the device waits for all streams made here, as the last copy of such a
/// stream does; a borrowed stream is the caller's to wait for. Threads may share a stream: their work has the order of
/// their calls.
class device_stream {
 public:
  /// A new stream, which does not wait for the null stream.
  LACIS_API explicit device_stream(const device_context& where);
  /// The device's null stream, which calls without a stream use.
  [[nodiscard]] LACIS_API static device_stream null(const device_context& where);
  /// The caller's own stream, a cudaStream_t for a GPU, which stays the caller's. Keep it until its last copy here and
  /// everything that was computed in it are gone: memory of its sums is freed in the order of that stream, and what
  /// destroys vectors and plans does not wait for it.
  [[nodiscard]] LACIS_API static device_stream borrowed(const device_context& where, void* handle);

  /// Until everything in the stream is done; throws what failed.
  LACIS_API void wait() const;

  /// The cudaStream_t of a GPU's stream; it belongs to the stream.
  [[nodiscard]] LACIS_API void* handle() const;
  /// The device that the stream is on.
  [[nodiscard]] const device_context& context() const { return where_; }
  /// For the library itself; not part of the interface.
  [[nodiscard]] device::stream_state& internals() const { return *state_; }

 private:
  device_stream(device_context where, std::shared_ptr<device::stream_state> state)
      : where_(std::move(where)), state_(std::move(state)) {}

  device_context where_;
  std::shared_ptr<device::stream_state> state_;
};

}  // namespace lacis
