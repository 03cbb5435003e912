// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Inputs that are larger than they may be: plain, endless, and small until they are unpacked.
#include <gtest/gtest.h>

#include "io/bytes/archive.hpp"
#include "io/bytes/source.hpp"
#include "io/files_support.hpp"
#include "io/npz_support.hpp"

namespace lacis::test {
namespace {

std::string compressed(detail::compression method, std::size_t blanks) {
  std::string out;
  detail::compressor compressor(method, [&](std::string_view bytes) { out += bytes; });
  const std::string block(1 << 20, '\n');
  for (std::size_t done = 0; done < blanks; done += block.size()) compressor.put(block);
  compressor.finish();
  return out;
}

std::string failure_with(const std::filesystem::path& path, std::int64_t max_bytes, std::int64_t max_ratio) {
  read_options options;
  options.max_bytes = max_bytes;
  options.max_ratio = max_ratio;
  return failure_of([&] { static_cast<void>(read<double>(path, options)); });
}

TEST(Limits, ABombIsStoppedByItsRatio) {
  const scratch directory;
  for (const auto method : {detail::compression::gzip, detail::compression::zstd}) {
    const auto path = directory.file("a", compressed(method, std::size_t{80} << 20));
    const std::string failure = failure_with(path, 0, 0);
    EXPECT_TRUE(failure.starts_with("out_of_memory: " + path.string())) << failure;
    EXPECT_NE(failure.find("unpack to more than 67108864, the limit for 200 times as many; raise "
                           "read_options::max_ratio"),
              std::string::npos)
        << failure;
    EXPECT_NE(failure_with(path, 0, 1000000).find("bad_input: "), std::string::npos);
  }
}

TEST(Limits, WhatUnpacksIsHeldToTheBytes) {
  const scratch directory;
  for (const auto method : {detail::compression::gzip, detail::compression::zstd}) {
    const auto path = directory.file("a", compressed(method, std::size_t{4} << 20));
    EXPECT_EQ(failure_with(path, (4 << 20) - 1, 0),
              "out_of_memory: " + path.string() +
                  ": holds more than 4194303 bytes, the limit; raise read_options::max_bytes");
    EXPECT_NE(failure_with(path, 4 << 20, 0).find("bad_input: "), std::string::npos);
  }
}

TEST(Limits, PlainFilesAndEndlessDevicesAreHeldToTheBytes) {
  const scratch directory;
  const auto path = directory.file("a", "0 1\n1 2\n");
  EXPECT_EQ(failure_with(path, 7, 0),
            "out_of_memory: " + path.string() + ": holds more than 7 bytes, the limit; raise read_options::max_bytes");
  EXPECT_EQ(failure_with(path, 8, 0), "nothing thrown");
  EXPECT_NE(failure_with("/dev/zero", 1 << 20, 0).find("out_of_memory: /dev/zero: holds more than 1048576"),
            std::string::npos);
}

TEST(Limits, AFileOfHolesIsRefusedBeforeItIsRead) {
  const scratch directory;
  const auto path = directory.file("a", "0 1\n");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 42);
  EXPECT_NE(failure_with(path, 0, 0).find("the limit that the available memory sets"), std::string::npos);
}

TEST(Limits, MembersOfAZipFileCountTogether) {
  const scratch directory;
  const auto path = directory.file("a.npz", zip_of(small_csr()));
  EXPECT_EQ(failure_with(path, 0, 0), "nothing thrown");
  EXPECT_NE(failure_with(path, 600, 0).find("out_of_memory: "), std::string::npos);
  zip_parts twice = small_csr();
  twice.push_back(twice.back());
  const auto doubled = directory.file("b.npz", zip_of(twice));
  EXPECT_EQ(failure_with(doubled, 0, 0),
            "bad_input: " + doubled.string() + ": data.npy: is there twice; is the file damaged?");
}

TEST(Limits, MaxBytesAlsoAllowsRowsThatAFileDoesNotJustify) {
  const std::string many_rows = "%%MatrixMarket matrix coordinate real general\n9000000 1 0\n";
  const scratch directory;
  const auto path = directory.file("a.mtx", many_rows);
  EXPECT_NE(failure_with(path, 0, 0).find("bad_input: "), std::string::npos);
  EXPECT_EQ(failure_with(path, 100000000, 0), "nothing thrown");
}

}  // namespace
}  // namespace lacis::test
