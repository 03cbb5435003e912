# Not tried.
# SPDX-FileCopyrightText: The lacis authors
# SPDX-License-Identifier: Apache-2.0
class Lacis < Formula
  desc "Sparse linear algebra with the same bits on any number of threads"
  homepage "FILL_IN"
  url "FILL_IN"
  sha256 "FILL_IN"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "nlohmann-json" => :build
  depends_on "cli11" => :build
  depends_on "pkgconf" => :build
  depends_on "boost"
  depends_on "fmt"
  depends_on "highway"
  depends_on "hwloc"
  depends_on "libarchive"
  depends_on "libpng"
  depends_on :linux
  depends_on "metis"
  depends_on "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DLACIS_WITH_METIS=ON", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "converged", shell_output("#{bin}/lacis solve @poisson2d:100")
  end
end
