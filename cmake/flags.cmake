# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# The flags of every target that is ours. The order of summation is a promise: no contraction, no fast-math, here and nowhere else.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

find_program(LACIS_CCACHE ccache)
if(LACIS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${LACIS_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${LACIS_CCACHE}")
endif()

add_library(lacis_flags INTERFACE)
target_compile_features(lacis_flags INTERFACE cxx_std_20)
target_compile_options(lacis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off;-fno-fast-math;-Wall;-Wextra;-Wshadow>")
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # std::stable_sort of g++ 12's library calls what clang calls deprecated
  target_compile_options(lacis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>")
endif()
if(LACIS_WARNINGS_AS_ERRORS)
  target_compile_options(lacis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Werror>")
endif()
if(LACIS_SANITIZE)
  target_compile_options(lacis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${LACIS_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  target_link_options(lacis_flags INTERFACE "-fsanitize=${LACIS_SANITIZE}")
endif()
