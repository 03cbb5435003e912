#!/usr/bin/env bash
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
# Run by tools/test-packages in a clean root, in the tree of lacis: what a new user does with the packages of dist/ whose version ends with the argument.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
tree=$PWD release=$1
work=$(mktemp -d)
packages=$(mktemp -d)
cp dist/*"$release"_*.deb "$packages"
chmod -R a+rX "$packages"
find / -xdev \( -path "$tree" -o -path "$work" -o -path /var -o -path /tmp -o -path /etc -o -path /proc \) -prune -o -print | sort > "$work/before"
cd "$work"

started=$(date +%s.%N)
step() {  # TITLE COMMAND...: its output where it fails, its seconds where it does not
  local title=$1 from
  shift
  from=$(date +%s.%N)
  if ! "$@" > log 2>&1; then
    cat log
    echo "FAILED: $title"
    exit 1
  fi
  printf '%7.1f s  %s\n' "$(echo "$(date +%s.%N) $from" | awk '{ print $1 - $2 }')" "$title"
}
install() { apt-get install -y --no-install-recommends "$@"; }
installed_size() { dpkg-query -W -f='${Installed-Size;9} kB  ${Package} ${Version}\n' '*lacis*' | sort -rn; }
# The command line of "Ten minutes".
look_on_the_command_line() { lacis info @poisson2d:300 && lacis plan @poisson2d:300; }
solve_on_the_command_line() { lacis solve @poisson2d:300 | tee solved && grep -q 'converged' solved; }
doctor() { lacis doctor | tee found && ! grep -qi 'cannot\|not found' found; }
cmake_program() {
  cp -r "$tree/tests/package/user.cpp" .
  cat > CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(lacis 0.2 REQUIRED)
add_executable(user user.cpp)
target_link_libraries(user PRIVATE lacis::lacis)
END
  cmake -B build && cmake --build build && build/user
}
pkg_config_program() { g++ "$tree/examples/ten_minutes.cpp" $(pkg-config --cflags --libs lacis) -o ten_minutes && ./ten_minutes; }
# The Python of "Ten minutes", as printed.
python_program() { sed -n '/^```python/,/^```$/{/^```/!p}' "$tree/docs/guide/ten-minutes.md" > ten.py && python3 ten.py; }
python_without_scipy() { python3 -c 'import lacis; r = lacis.solve("@poisson2d:30", [1.0] * 900); assert r.converged; print(r.reason)'; }
mpi_program() {
  mpirun -n 2 lacis solve @poisson2d:300 --mpi > on_ranks
  diff <(grep 'hash of x' on_ranks | head -1) <(grep 'hash of x' solved)  # the same bits
}
mpi_link() {
  mkdir -p mpi && cd mpi && cp "$tree/examples/cluster.cpp" .
  cat > CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(lacis 0.2 REQUIRED COMPONENTS mpi)
add_executable(cluster cluster.cpp)
target_link_libraries(cluster PRIVATE lacis::mpi)
END
  cmake -B build && cmake --build build && mpirun -n 2 build/cluster
}
# The Python of the guide to clusters, as printed.
mpi_python() {
  lacis generate @poisson2d:30 -o A.mtx
  sed -n '/^```python/,/^```$/{/^```/!p}' "$tree/docs/guide/cluster.md" > cluster.py && mpirun -n 2 python3 -m mpi4py cluster.py
}
removed() {
  apt-get purge -y '*lacis*'
  ! dpkg-query -W '*lacis*' 2>/dev/null | grep .
  apt-get autoremove --purge -y
  find / -xdev \( -path "$tree" -o -path "$work" -o -path /var -o -path /tmp -o -path /etc -o -path /proc \) -prune -o -print | sort > after
  ! comm -13 before after | grep -i lacis
}

. /etc/os-release
echo "$PRETTY_NAME"
step "package lists (apt-get update)" apt-get update
step "install the program and the library" install "$packages"/lacis_* "$packages"/liblacis[0-9]*
step "lacis doctor" doctor
step "lacis info and lacis plan @poisson2d:300" look_on_the_command_line
step "lacis solve @poisson2d:300" solve_on_the_command_line
printf '%7.1f s  since the beginning: A x = b is solved\n' "$(echo "$(date +%s.%N) $started" | awk '{ print $1 - $2 }')"
step "install python3-lacis" install "$packages"/python3-lacis_*
step "Python without SciPy: lacis.solve" python_without_scipy
step "install python3-scipy" install python3-scipy
step "Python of \"Ten minutes\"" python_program
step "install headers, compiler, CMake" install "$packages"/liblacis-dev_* g++ cmake make pkg-config
step "C++ through find_package" cmake_program
step "C++ through pkg-config" pkg_config_program
step "install MPI packages" install "$packages"/liblacis-mpi* "$packages"/python3-lacis-mpi_* openmpi-bin
step "lacis solve --mpi on two ranks: the same bits" mpi_program
step "C++ with MPI through find_package" mpi_link
step "Python on two ranks" mpi_python
installed_size
step "removal: nothing is left" removed
