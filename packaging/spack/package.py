# Not tried.
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Lacis(CMakePackage):
    """Sparse linear algebra with the same bits on any number of threads."""

    homepage = "FILL_IN"
    url = "FILL_IN"

    license("Apache-2.0")

    version("0.2.0", sha256="FILL_IN")

    variant("cli", default=True, description="Build the command line")
    variant("simt", default=True, description="Build the host executor of device kernels")
    variant("mpi", default=False, description="Build distributed matrices")
    variant("klu", default=True, description="Sparse LU by KLU")
    variant("metis", default=True, description="Partition matrices with METIS")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("highway")
    depends_on("libarchive")
    depends_on("zlib-api")
    depends_on("boost+context", when="+simt")
    depends_on("cli11", when="+cli")
    depends_on("fmt", when="+cli")
    depends_on("nlohmann-json", when="+cli")
    depends_on("libpng", when="+cli")
    depends_on("hwloc", when="+cli")
    depends_on("suite-sparse", when="+klu")
    depends_on("metis", when="+metis")
    depends_on("mpi", when="+mpi")

    conflicts("%gcc@:11", msg="lacis needs C++20 as g++ 12 has it")

    def cmake_args(self):
        return [
            self.define_from_variant("LACIS_BUILD_CLI", "cli"),
            self.define_from_variant("LACIS_BUILD_WORKSHOP", "cli"),
            self.define_from_variant("LACIS_WITH_SIMT", "simt"),
            self.define_from_variant("LACIS_WITH_MPI", "mpi"),
            self.define_from_variant("LACIS_WITH_KLU", "klu"),
            self.define_from_variant("LACIS_WITH_METIS", "metis"),
        ]
