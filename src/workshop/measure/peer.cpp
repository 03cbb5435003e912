// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Child processes and the lines exchanged with them.
#include "measure/peer.hpp"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <lacis/error.hpp>

#include "base/text.hpp"

extern char** environ;

namespace lacis::measure {
namespace {

using detail::text;

// Inspecting a matrix of a billion entries takes minutes; silence beyond that is a hang.
constexpr int patience_ms = 30 * 60 * 1000;

/// Our environment with the peer's settings in place of ours.
std::vector<std::string> environment_of_peer(int threads) {
  const std::string count = std::to_string(threads);
  const std::vector<std::pair<std::string, std::string>> settings = {
      {"GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"},  // huge pages, as our arrays have
      {"OMP_NUM_THREADS", count},
      {"MKL_NUM_THREADS", count},
      {"MKL_DYNAMIC", "FALSE"},
      {"OPENBLAS_NUM_THREADS", "1"},
      // Threads wait awake for a moment, so that the run to warm up keeps them awake for the timed one, and then sleep.
      {"KMP_BLOCKTIME", "1"},
      {"GOMP_SPINCOUNT", "20000"},
      {"PYTHONUNBUFFERED", "1"},
      {"PYTHONDONTWRITEBYTECODE", "1"}};
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view entry = *one;
    const std::string_view name = entry.substr(0, entry.find('='));
    bool replaced = name == "OMP_WAIT_POLICY";
    for (const auto& setting : settings) replaced = replaced || name == setting.first;
    if (!replaced) all.emplace_back(entry);
  }
  for (const auto& [name, value] : settings) all.push_back(name + '=' + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

/// Starts the program with `channel` as its standard input and output; its standard error is discarded.
pid_t start(std::vector<std::string> arguments, std::vector<std::string> environment, int channel) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channel, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, channel, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const std::vector<char*> words = pointers(arguments);
  const std::vector<char*> settings = pointers(environment);
  const int problem = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), settings.data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem != 0) throw error(errc::unsupported, text(arguments[0], " cannot be started: ", std::strerror(problem)));
  return child;
}

std::string_view without_word(std::string_view line, std::string_view word) {
  return line.size() > word.size() ? line.substr(word.size() + 1) : std::string_view{};
}

bool begins_with_word(std::string_view line, std::string_view word) {
  return line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ');
}

}  // namespace

peer_command find_peers(const std::filesystem::path& program) {
  const std::filesystem::path tree = program.parent_path().parent_path();
  peer_command found{"python3", tree / "share" / "lacis" / "peers" / "peer.py"};
  const std::filesystem::path built = tree.parent_path() / "venv" / "bin" / "python";
  std::error_code unknown;
  if (std::filesystem::exists(tree / "CMakeCache.txt", unknown) && std::filesystem::exists(built, unknown))
    found.python = built.string();
  if (const char* chosen = std::getenv("LACIS_PEER_PYTHON"); chosen != nullptr && *chosen != '\0')
    found.python = chosen;
  return found;
}

const std::vector<std::string>& peer_names(const std::string& operation) {
  static const std::map<std::string, std::vector<std::string>> names = {
      {"spmv", {"mkl", "eigen", "scipy", "graphblas"}},
      {"spmm", {"mkl", "eigen", "scipy"}},
      {"spgemm", {"mkl", "mkl-unsorted", "graphblas", "scipy", "scipy-sorted", "eigen"}},
      {"cg", {"mkl-loop", "petsc", "eigen", "scipy"}},
      {"pagerank", {"graphblas", "scipy"}},
      {"trsv", {"mkl", "eigen", "scipy"}},
      {"ilu0", {"mkl"}},
      {"ic0", {"eigen"}}};
  return names.at(operation);
}

peer::peer(std::string name, const peer_command& command, int threads, const std::string& operation)
    : name_(std::move(name)) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw error(errc::io, text("no channel to a peer: ", std::strerror(errno)));
  channel_ = ends[0];
  try {
    process_ =
        start({command.python, command.script.string(), name_, operation}, environment_of_peer(threads), ends[1]);
    close(ends[1]);
    ends[1] = -1;
    version_ = answer();
  } catch (...) {
    if (ends[1] >= 0) close(ends[1]);
    close(channel_);
    if (process_ > 0) waitpid(process_, nullptr, 0);
    throw;
  }
}

peer::~peer() {
  close(channel_);  // the end of its input: it quits, and cleans up behind itself
  if (process_ <= 0) return;
  constexpr auto patience = std::chrono::seconds(5);
  const auto begin = std::chrono::steady_clock::now();
  while (waitpid(process_, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() - begin > patience) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string peer::load(const std::filesystem::path& file) { return ask("load " + file.string()); }

void peer::product(const std::filesystem::path& file) { (void)ask("product " + file.string()); }

void peer::columns(std::int64_t count, dense_order order) { (void)ask(text("columns ", count, ' ', name_of(order))); }

void peer::steps(int count) { (void)ask(text("steps ", count)); }

void peer::second(const std::filesystem::path& file) { (void)ask("second " + file.string()); }

std::int64_t peer::sparse_product(const std::filesystem::path& file) {
  const std::string words = ask("product " + file.string());
  std::int64_t entries = 0;
  const auto [end, problem] = std::from_chars(words.data(), words.data() + words.size(), entries);
  if (problem != std::errc() || end != words.data() + words.size() || entries < 0)
    throw error(errc::io, name_ + " replied with an impossible number of entries: " + words);
  return entries;
}

double peer::run(int times) {
  const std::string words = ask(text("run ", times));
  double seconds = 0;
  const auto [end, problem] = std::from_chars(words.data(), words.data() + words.size(), seconds);
  if (problem != std::errc() || !(seconds > 0))
    throw error(errc::io, name_ + " took no time that makes sense: " + words);
  return seconds;
}

std::string peer::ask(std::string_view question) {
  std::string line(question);
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t sent = send(channel_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) ended();
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return answer();
}

std::string peer::answer() {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    pollfd wait{channel_, POLLIN, 0};
    const int ready = poll(&wait, 1, patience_ms);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) throw error(errc::io, name_ + " does not answer");
    char bytes[4096];
    const ssize_t received = recv(channel_, bytes, sizeof bytes, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) ended();
    unread_.append(bytes, static_cast<std::size_t>(received));
    end = unread_.find('\n');
  }
  const std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  if (begins_with_word(line, "ok")) return std::string(without_word(line, "ok"));
  if (begins_with_word(line, "error"))
    throw error(errc::unsupported, name_ + ": " + std::string(without_word(line, "error")));
  throw error(errc::io, name_ + ": unexpected reply: " + line);
}

void peer::ended() {
  int status = 0;
  std::string how = "ended";
  if (process_ > 0 && waitpid(process_, &status, 0) == process_) {
    how = WIFSIGNALED(status) ? text("was killed by signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ')')
                              : text("ended with exit code ", WEXITSTATUS(status));
    process_ = -1;
  }
  throw error(errc::io, text(name_, ": its process ", how));
}

}  // namespace lacis::measure
