// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Absence of the CUDA plugin, in every way, is an ordinary state.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "device/plugin.hpp"
#include "support/errors.hpp"

namespace lacis {
namespace {

using device::open_plugin;
using test::code_of;

class OpenPlugin : public testing::Test {
 protected:
  std::string file_ = testing::TempDir() + "lacis_plugin_" + std::to_string(::getpid()) + ".so";
  void write(const std::string& bytes) const { std::ofstream(file_, std::ios::binary) << bytes; }
  void TearDown() override { std::remove(file_.c_str()); }
};

TEST_F(OpenPlugin, NamesTheFileThatIsNotThere) {
  const device::plugin found = open_plugin(device::cuda_name, "/nowhere/liblacis_cuda.so");
  EXPECT_EQ(found.state, device_state::no_plugin);
  EXPECT_EQ(found.problem, "there is no file '/nowhere/liblacis_cuda.so'");
}

TEST_F(OpenPlugin, RefusesTextAndEmptyFiles) {
  for (const char* bytes : {"", "not a library",
                            "\x7f"
                            "ELF"}) {
    write(bytes);
    const device::plugin found = open_plugin(device::cuda_name, file_);
    EXPECT_EQ(found.state, device_state::corrupt_plugin);
    EXPECT_EQ(found.problem, "'" + file_ + "' cannot be used: it is not a shared library");
  }
}

TEST_F(OpenPlugin, RefusesALibraryThatIsCutShortAnywhere) {
  std::filesystem::copy_file(LACIS_FOREIGN_LIBRARY, file_, std::filesystem::copy_options::overwrite_existing);
  const auto size = std::filesystem::file_size(file_);
  for (const auto part : {size - 1, size / 2, size / 10, std::uintmax_t{200}}) {
    std::filesystem::resize_file(file_, part);
    const device::plugin found = open_plugin(device::cuda_name, file_);
    EXPECT_EQ(found.state, device_state::corrupt_plugin) << part;
    EXPECT_EQ(found.problem, "'" + file_ + "' cannot be used: it is cut short") << part;
  }
}

TEST_F(OpenPlugin, RefusesALibraryThatIsNotAPlugin) {
  const device::plugin found = open_plugin(device::cuda_name, LACIS_FOREIGN_LIBRARY);
  EXPECT_EQ(found.state, device_state::corrupt_plugin);
  EXPECT_NE(found.problem.find("is a library, but not a plugin of lacis"), std::string::npos) << found.problem;
}

TEST_F(OpenPlugin, RefusesAPluginOfAnotherVersionWithBothNumbers) {
  const device::plugin found = open_plugin(device::cuda_name, LACIS_OLD_PLUGIN);
  EXPECT_EQ(found.state, device_state::other_plugin);
  EXPECT_NE(found.problem.find("has interface 1, this lacis has " + std::to_string(lacis_runtime_version)),
            std::string::npos)
      << found.problem;
}

TEST_F(OpenPlugin, RefusesAPluginWithOtherKernels) {
  const device::plugin found = open_plugin(device::cuda_name, LACIS_STRANGE_PLUGIN);
  EXPECT_EQ(found.state, device_state::other_plugin);
  EXPECT_NE(found.problem.find("has other kernels than this lacis"), std::string::npos) << found.problem;
}

TEST_F(OpenPlugin, RefusesANameThatTheLoaderWouldLookForElsewhere) {
  std::filesystem::copy_file(LACIS_OLD_PLUGIN, file_);
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(file_).parent_path());
  const std::string name = std::filesystem::path(file_).filename().string();
  const device::plugin bare = open_plugin(device::cuda_name, name);
  const device::plugin with_folder = open_plugin(device::cuda_name, "./" + name);
  std::filesystem::current_path(here);
  EXPECT_EQ(bare.state, device_state::no_plugin);
  EXPECT_EQ(bare.problem, "'" + name + "' names no place");
  EXPECT_EQ(with_folder.state, device_state::other_plugin) << with_folder.problem;
}

TEST_F(OpenPlugin, RefusesAFileThatEverybodyMayReplace) {
  using std::filesystem::perms;
  const std::filesystem::path folder = file_ + ".d";
  std::filesystem::create_directories(folder / "inner");
  const std::filesystem::path inside = folder / "inner" / "plugin.so";
  std::filesystem::copy_file(LACIS_OLD_PLUGIN, inside);
  EXPECT_EQ(open_plugin(device::cuda_name, inside).state, device_state::other_plugin);
  for (const std::filesystem::path& open : {folder, inside}) {
    std::filesystem::permissions(open, perms::others_write, std::filesystem::perm_options::add);
    const device::plugin found = open_plugin(device::cuda_name, inside);
    EXPECT_EQ(found.state, device_state::corrupt_plugin);
    EXPECT_NE(found.problem.find("every user may write to '"), std::string::npos) << found.problem;
    std::filesystem::permissions(open, perms::others_write, std::filesystem::perm_options::remove);
  }
  std::filesystem::remove_all(folder);
}

TEST(Devices, HaveNamesThatReadBack) {
  for (const device_id device : {devices::cpu(), devices::simt(), devices::cuda(), devices::cuda(3)})
    EXPECT_EQ(device_named(name_of(device)), device);
  EXPECT_EQ(device_named("cuda"), devices::cuda(0));
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "CPU"})
    EXPECT_EQ(code_of([&] { static_cast<void>(device_named(name)); }), errc::invalid_argument) << name;
}

}  // namespace
}  // namespace lacis
