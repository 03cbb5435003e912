# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# What holds for every binary that is installed: where it looks for libraries, and what it exports.
file(RELATIVE_PATH LACIS_LIBRARIES_FROM_PROGRAM "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(LACIS_EXPORTS "${PROJECT_BINARY_DIR}/exports.map")
configure_file(cmake/exports.map.in "${LACIS_EXPORTS}" @ONLY)

# A path relative to the binary, then the directories of libraries that are not where the loader looks (MPI, PETSc, a Scotch
# of 64-bit numbers, whose file names are those of the one of 32 bits). The same in the build tree and when installed: CMake
# would end a path that it rewrites during the installation with a colon, and the loader takes what is after it for the
# current directory.
function(lacis_ship target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set(own "$ORIGIN/${LACIS_LIBRARIES_FROM_PROGRAM}")
  else()
    set(own "$ORIGIN")
    if(NOT LACIS_SANITIZE)  # sanitizers look up symbols of their own
      target_link_options(${target} PRIVATE "LINKER:--version-script=${LACIS_EXPORTS}")
      set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${LACIS_EXPORTS}")
    endif()
  endif()
  target_link_options(${target} PRIVATE $<$<CONFIG:Release>:LINKER:--strip-all>)  # names of inner functions: a fifth of the file
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${own}" INSTALL_RPATH_USE_LINK_PATH ON BUILD_WITH_INSTALL_RPATH ON)
endfunction()
