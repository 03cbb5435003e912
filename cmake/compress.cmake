# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# Run by CPack before it packs: Debian wants manuals and changelogs compressed.
file(GLOB_RECURSE texts "${CPACK_TEMPORARY_DIRECTORY}/*/usr/share/man/*.1" "${CPACK_TEMPORARY_DIRECTORY}/*/changelog.Debian")
foreach(text ${texts})
  execute_process(COMMAND gzip -9nf "${text}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
