# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# Read before a generator is chosen: Ninja where it is installed, since `cmake --build` runs make with one job. -G overrides it.
find_program(LACIS_NINJA NAMES ninja ninja-build)
if(LACIS_NINJA)
  set(CMAKE_GENERATOR Ninja CACHE INTERNAL "")
endif()
unset(LACIS_NINJA CACHE)
