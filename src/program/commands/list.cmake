# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# The commands, one line each, in the order of `lacis help`. FOLDER/NAME is a command whose file FOLDER/NAME.cpp, here or
# in src/workshop/commands, defines `command NAME_command()`: its request, its options with help and defaults, two
# examples, its group and what it runs. From this list come the lists of both programs, the sources, and the tests that
# are called NAME_test.cpp.
set(LACIS_COMMANDS
  matrix/info
  plan/plan
  lab/lab
  machine/doctor
  machine/device
  cluster/partition
  cluster/scale
  matrix/convert
  matrix/generate
  products/spmv
  products/spgemm
  solve/solve
  solve/eigs
  solve/pagerank
  matrix/reorder
  verify/verify
  matrix/compare
  bench/bench
  about/completion
  about/help
)
if(NOT LACIS_WITH_SIMT)
  list(REMOVE_ITEM LACIS_COMMANDS lab/lab)
endif()

# lacis_list_commands(PROGRAM FOLDER FILE): writes FILE, the commands of PROGRAM. Those in FOLDER are in it; the others
# are in lacis-workshop, which this program starts. `device` is what `doctor --device` runs: lacis-workshop alone has it.
function(lacis_list_commands program folder file)
  foreach(command ${LACIS_COMMANDS})
    get_filename_component(name ${command} NAME)
    if(EXISTS "${folder}/${command}.cpp" OR program STREQUAL "lacis-workshop")
      string(APPEND declarations "command ${name}_command();\n")
      string(APPEND calls "      ${name}_command(),\n")
    elseif(NOT name STREQUAL "device")
      string(APPEND calls "      workshop_command(\"${name}\"),\n")
    endif()
  endforeach()
  configure_file("${PROJECT_SOURCE_DIR}/src/program/commands/commands.cpp.in" "${file}" @ONLY)
endfunction()

# lacis_command_sources(FOLDER VARIABLE): the sources of the commands in FOLDER.
function(lacis_command_sources folder variable)
  foreach(command ${LACIS_COMMANDS})
    if(EXISTS "${folder}/${command}.cpp")
      list(APPEND sources commands/${command}.cpp)
    endif()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()
