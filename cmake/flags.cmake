# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# The flags of every target that is ours. The order of summation is a promise: no contraction, no fast-math, here and nowhere else.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
# Kernels are written with vectors, not left to the compiler: -O2 as in the other presets, which compiles faster than -O3.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Laid out as it is installed (lib64 on some systems), since the program finds its library by a relative path.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")

# CCACHE_COMMENTS: a precompiled header knows the headers in it by their text, comments included. Where these alone changed, one from the cache would
# not be recognised as theirs, and headers would be read twice.
find_program(LACIS_CCACHE ccache)
if(LACIS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_COMMENTS=1 "${LACIS_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${LACIS_CCACHE}")
endif()

# lacis_precompile(target <header>... | REUSE_FROM target): headers that nearly every file includes, read once. Files keep their own includes: with LACIS_PRECOMPILE=OFF, as clang-tidy
# sees them, they compile by themselves.
function(lacis_precompile target)
  if(LACIS_PRECOMPILE)
    if("${ARGV1}" STREQUAL "REUSE_FROM")
      target_precompile_headers(${target} ${ARGN})
    else()
      target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
    # What ccache needs to cache files that use them (its manual, "Precompiled headers").
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
    else()
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
    endif()
  endif()
endfunction()
# lacis_unite(target...): files compiled in batches where LACIS_UNITE says so. Files with flags of their own stay apart.
function(lacis_unite)
  if(LACIS_UNITE)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
if(LACIS_PRECOMPILE)
  set(CMAKE_PCH_WARN_INVALID OFF)  # a file with flags of its own reads the headers itself
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
# Against exploits: canaries on the stack, checked calls of the C library, function tables that are read only once the program
# runs, targets of indirect jumps marked. Sanitizers check more, and with code of their own.
if(LACIS_HARDEN AND NOT LACIS_SANITIZE)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(hardened -fstack-protector-strong)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND hardened -fcf-protection=full)
  endif()
  set(fortified "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")  # without optimisation the C library only warns
  target_compile_options(lacis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${hardened};${fortified}>")
  target_link_options(lacis_flags INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
  set(LACIS_HARDENED_HOST "$<JOIN:${hardened};${fortified},$<COMMA>>")  # of nvcc, by -Xcompiler
endif()
if(LACIS_SANITIZE)
  target_compile_options(lacis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${LACIS_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  target_link_options(lacis_flags INTERFACE "-fsanitize=${LACIS_SANITIZE}")
  if(LACIS_SANITIZE MATCHES undefined AND LACIS_SANITIZE MATCHES address)  # null pointers end the program under AddressSanitizer anyway, and classes with tables are few
    target_compile_options(lacis_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,vptr>")
  endif()
  if(LACIS_SANITIZE MATCHES thread)
    target_compile_definitions(lacis_flags INTERFACE LACIS_THREAD_SANITIZER)
  elseif(LACIS_SANITIZE MATCHES address)
    target_compile_definitions(lacis_flags INTERFACE LACIS_ADDRESS_SANITIZER)
  endif()
endif()
