# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# Packages and languages, found where every folder sees them.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
if(LACIS_WITH_ARCHIVE)
  find_package(LibArchive REQUIRED)
  find_package(ZLIB REQUIRED)
endif()
if(LACIS_WITH_SIMT)
  find_package(Boost REQUIRED COMPONENTS context)
endif()
if(LACIS_WITH_CUDA)
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 is older than nvcc 13 and does not know its flags
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
endif()
if(LACIS_WITH_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
if(LACIS_WITH_PETSC)
  enable_language(C)  # of the programs that use it
  find_package(MPI REQUIRED COMPONENTS C CXX)
  pkg_check_modules(LACIS_PETSC REQUIRED IMPORTED_TARGET petsc)
endif()
