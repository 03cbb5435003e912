// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The machine profile as JSON.
#include "measure/profile.hpp"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include <lacis/error.hpp>

namespace lacis::measure {
namespace {

using json = nlohmann::ordered_json;

constexpr int current_version = 1;

/// A rate must be a positive number: plans divide by it.
double rate_in(const json& object, const char* name) {
  const double rate = object.at(name).get<double>();
  if (!(rate > 0) || !std::isfinite(rate)) throw error(errc::bad_input, std::string(name) + " is not positive");
  return rate;
}

int threads_in(const json& object) {
  const int threads = object.at("threads").get<int>();
  if (threads < 1) throw error(errc::bad_input, "threads is not positive");
  return threads;
}

machine_profile parsed(const json& all) {
  if (all.at("profile_version").get<int>() != current_version) throw error(errc::bad_input, "it is of another version");
  machine_profile profile;
  profile.processor = all.at("processor").get<std::string>();
  profile.cache_bytes = all.at("cache_bytes").get<std::int64_t>();
  profile.stream_bytes = all.at("stream_bytes").get<std::int64_t>();
  profile.disturbed = all.at("disturbed").get<int>();
  for (const json& one : all.at("streams"))
    profile.streams.push_back(
        {threads_in(one), rate_in(one, "read_gbs"), rate_in(one, "copy_gbs"), rate_in(one, "triad_gbs")});
  for (const json& one : all.at("gathers"))
    profile.gathers.push_back({threads_in(one), one.at("bytes").get<std::int64_t>(), rate_in(one, "gbs")});
  return profile;
}

}  // namespace

std::filesystem::path default_profile_path() {
  const auto set = [](const char* name) -> std::filesystem::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  // The specification of that variable says to ignore relative paths.
  std::filesystem::path cache = set("XDG_CACHE_HOME");
  if (!cache.is_absolute()) cache = set("HOME").is_absolute() ? set("HOME") / ".cache" : "";
  return cache.empty() ? cache : cache / "lacis" / "machine.json";
}

std::string profile_text(const machine_profile& profile) {
  json streams = json::array();
  for (const stream_rates& one : profile.streams)
    streams.push_back(
        {{"threads", one.threads}, {"read_gbs", one.read}, {"copy_gbs", one.copy}, {"triad_gbs", one.triad}});
  json gathers = json::array();
  for (const gather_rate& one : profile.gathers)
    gathers.push_back({{"threads", one.threads}, {"bytes", one.bytes}, {"gbs", one.rate}});
  return json{{"profile_version", current_version},
              {"processor", profile.processor},
              {"cache_bytes", profile.cache_bytes},
              {"stream_bytes", profile.stream_bytes},
              {"exceeds_cache", profile.stream_bytes > profile.cache_bytes},
              {"disturbed", profile.disturbed},
              {"streams", std::move(streams)},
              {"gathers", std::move(gathers)}}
             .dump(2, ' ', false, json::error_handler_t::replace) +
         '\n';
}

std::optional<machine_profile> read_profile(const std::filesystem::path& path, std::string& remark) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) return std::nullopt;
  if (!std::filesystem::is_regular_file(path, problem)) {  // a pipe would be waited for
    remark = path.string() + " is ignored: it is not a file; lacis doctor --measure writes a new one";
    return std::nullopt;
  }
  std::ifstream file(path);
  try {
    return parsed(json::parse(file));
  } catch (const json::exception&) {
    remark = path.string() + " is ignored: it is not the profile of a machine; lacis doctor --measure writes a new one";
    return std::nullopt;
  } catch (const std::exception& reason) {
    remark = path.string() + " is ignored: " + reason.what() + "; lacis doctor --measure writes a new one";
    return std::nullopt;
  }
}

machine_rates machine_of(const machine_profile& profile, std::string source) {
  machine_rates rates{std::move(source), profile.cache_bytes, {}, {}};
  for (const stream_rates& one : profile.streams) rates.streams.push_back({one.threads, one.read});
  for (const gather_rate& one : profile.gathers) rates.gathers.push_back({one.threads, one.bytes, one.rate});
  return rates;
}

std::filesystem::path tuning_path(const std::filesystem::path& profile) {
  return profile.empty() ? profile : profile.parent_path() / "tuned";
}

}  // namespace lacis::measure
