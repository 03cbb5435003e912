// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Opening files above the numbers of the standard streams.
#include "base/descriptor.hpp"

#include <cerrno>

namespace lacis::detail {

int open_descriptor(int directory, const char* path, int flags, mode_t mode) {
  int number = -1;
  do number = ::openat(directory, path, flags | O_CLOEXEC, mode);
  while (number < 0 && errno == EINTR);
  if (number < 0 || number > STDERR_FILENO) return number;
  const int above = duplicate_descriptor(number);
  const int error_number = errno;
  ::close(number);
  errno = error_number;
  return above;
}

int duplicate_descriptor(int number) { return ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); }

}  // namespace lacis::detail
