# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# Packages of Debian by CPack: one per component of the installation. tools/make-packages builds them, tools/test-packages tries them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lacis)
set(CPACK_PACKAGE_VENDOR "The lacis authors")
set(CPACK_PACKAGE_CONTACT "The lacis authors <authors@lacis.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")  # one build: they share what no public header declares
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/compress.cmake")

# The release of the packages names the Debian whose libraries they need: 0.2.0-1+deb12.
set(revision 1)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release os_lines REGEX "^(ID|VERSION_ID)=")
  if(os_lines MATCHES "ID=debian" AND os_lines MATCHES "VERSION_ID=\"([0-9]+)\"")
    string(APPEND revision "+deb${CMAKE_MATCH_1}")
  endif()
endif()
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision})
set(LACIS_PACKAGE_VERSION "${PROJECT_VERSION}-${revision}")
set(abi "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")

string(TIMESTAMP LACIS_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH where it is set
configure_file(packaging/debian/changelog.in "${PROJECT_BINARY_DIR}/changelog.Debian" @ONLY)

# lacis_package(component name section synopsis text [DEPENDS a, b] [RECOMMENDS a, b] [SCRIPTS file...]). Lines of the text have at most 79 letters.
function(lacis_package component name section synopsis text)
  cmake_parse_arguments(PARSE_ARGV 5 package "" "DEPENDS;RECOMMENDS" "SCRIPTS")
  string(TOUPPER ${component} upper)
  set(values
    CPACK_DEBIAN_${upper}_PACKAGE_NAME "${name}"
    CPACK_DEBIAN_${upper}_PACKAGE_SECTION "${section}"
    CPACK_DEBIAN_${upper}_DESCRIPTION "${synopsis}\n${text}"
    CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${package_DEPENDS}"
    CPACK_DEBIAN_${upper}_PACKAGE_RECOMMENDS "${package_RECOMMENDS}"
    CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${package_SCRIPTS}")
  while(values)
    list(POP_FRONT values variable)
    list(POP_FRONT values value)
    set(${variable} "${value}" PARENT_SCOPE)
  endwhile()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  set(documents "${CMAKE_INSTALL_DATADIR}/doc/${name}")
  install(FILES packaging/debian/copyright "${PROJECT_BINARY_DIR}/changelog.Debian" DESTINATION "${documents}" COMPONENT ${component} EXCLUDE_FROM_ALL)
  if(EXISTS "${PROJECT_SOURCE_DIR}/packaging/debian/overrides/${component}")
    install(FILES packaging/debian/overrides/${component} DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides" RENAME ${name} COMPONENT ${component}
      EXCLUDE_FROM_ALL)
  endif()
endfunction()

set(same "(= ${LACIS_PACKAGE_VERSION})")
set(CPACK_COMPONENTS_ALL)
lacis_package(library liblacis${abi} libs "sparse linear algebra with the same bits on any number of threads"
  "Products of sparse matrices, iterative and direct solvers, orderings and
files, for programs in C, C++ and Fortran. Results do not depend on the number
of threads or on the instruction set."
  SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/library/triggers")
lacis_package(dev liblacis-dev libdevel "sparse linear algebra: headers of the C and C++ library"
  "Headers of lacis, a library for sparse matrices, and the files by which CMake
(find_package) and pkg-config find it."
  DEPENDS "liblacis${abi} ${same}")
if(LACIS_BUILD_CLI)
  lacis_package(tools lacis math "sparse linear algebra: the command line"
    "Examines, converts, multiplies and solves with sparse matrices in files,
and measures the machine."
    DEPENDS "liblacis${abi} ${same}")
endif()
if(LACIS_BUILD_CLI AND LACIS_BUILD_WORKSHOP)
  lacis_package(workshop lacis-workshop math "sparse linear algebra: measuring and verifying lacis"
    "What the commands verify, bench, lab and scale of lacis start: every product
compared with its definition bit by bit, benchmarks against other libraries,
the memory traffic of kernels for GPUs, scaling on clusters."
    DEPENDS "lacis ${same}" RECOMMENDS python3)
endif()
if(LACIS_WITH_MPI)
  lacis_package(mpi liblacis-mpi${abi} libs "sparse linear algebra: matrices on the ranks of MPI"
    "Distributed matrices of lacis, a library for sparse matrices, and what its
command line needs for the option --mpi. Results have the bits of one process."
    DEPENDS "liblacis${abi} ${same}" RECOMMENDS openmpi-bin SCRIPTS "${PROJECT_SOURCE_DIR}/packaging/debian/library/triggers")
  lacis_package(mpi_dev liblacis-mpi-dev libdevel "sparse linear algebra: files to build programs with MPI"
    "What programs need to link the distributed matrices of lacis, a library for
sparse matrices. The headers are in liblacis-dev."
    DEPENDS "liblacis-mpi${abi} ${same}, liblacis-dev ${same}, libopenmpi-dev")
endif()
if(LACIS_PACKAGE_PYTHON)
  # Modules with the stable interface of 3.12 run under later versions too.
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(python "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR})")
  file(GLOB stable "${LACIS_PACKAGE_PYTHON}/lacis/_core.abi3.so")
  if(NOT stable)
    math(EXPR next "${Python3_VERSION_MINOR} + 1")
    string(APPEND python ", python3 (<< ${Python3_VERSION_MAJOR}.${next})")
  endif()
  set(scripts "${PROJECT_SOURCE_DIR}/packaging/debian/python")
  set(modules "lib/python3/dist-packages")
  install(DIRECTORY "${LACIS_PACKAGE_PYTHON}/" DESTINATION ${modules} COMPONENT python EXCLUDE_FROM_ALL PATTERN "_dist.*" EXCLUDE)
  lacis_package(python python3-lacis python "sparse linear algebra: the package for Python"
    "Arrays with the interface of scipy.sparse whose products lacis computes,
solvers, plans, files and pictures. Results do not depend on the number of
threads."
    DEPENDS "${python}, python3-numpy, liblacis${abi} ${same}" RECOMMENDS python3-scipy SCRIPTS "${scripts}/postinst" "${scripts}/prerm")
  if(LACIS_WITH_MPI)
    install(DIRECTORY "${LACIS_PACKAGE_PYTHON}/lacis" DESTINATION ${modules} COMPONENT python_mpi EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "_dist.*")
    lacis_package(python_mpi python3-lacis-mpi python "sparse linear algebra: distributed matrices for Python"
      "The module lacis.dist: matrices over the ranks of a communicator of mpi4py.
Results have the bits of one process."
      DEPENDS "${python}, python3-lacis ${same}, liblacis-mpi${abi} ${same}, python3-mpi4py, python3-scipy")
  endif()
endif()
include(CPack)
