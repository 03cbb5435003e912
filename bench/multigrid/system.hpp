// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A system that systems.py has written, for drivers in C++.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bench {

struct linear_system {
  int rows = 0;
  std::vector<int> offsets;
  std::vector<int> columns;
  std::vector<double> values;
  int block = 1;
  int vectors = 0;            ///< of the near null space
  std::vector<double> space;  ///< those, row by row
  bool symmetric = true;
  std::vector<double> right_side;

  explicit linear_system(const std::string& path) {
    std::ifstream file(path + ".bin", std::ios::binary);
    std::int64_t sizes[2] = {};
    take(file, sizes, 2);
    rows = static_cast<int>(sizes[0]);
    offsets.resize(static_cast<std::size_t>(rows) + 1);
    columns.resize(static_cast<std::size_t>(sizes[1]));
    values.resize(columns.size());
    take(file, offsets.data(), offsets.size());
    take(file, columns.data(), columns.size());
    take(file, values.data(), values.size());
    std::ifstream facts_file(path + ".json");
    const std::string facts(std::istreambuf_iterator<char>(facts_file), {});
    block = fact(facts, "block");
    vectors = fact(facts, "vectors");
    symmetric = facts.find("\"symmetric\": true") != std::string::npos;
    if (vectors > 0) {
      std::ifstream space_file(path + ".space", std::ios::binary);
      space.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(vectors));
      take(space_file, space.data(), space.size());
    }
    for (std::uint64_t i = 1; i <= static_cast<std::uint64_t>(rows); ++i) {
      std::uint64_t z = i * 0x9E3779B97F4A7C15U;
      z = (z ^ z >> 31) * 0xBF58476D1CE4E5B9U;
      z ^= z >> 27;
      right_side.push_back(static_cast<double>(z >> 11) * 0x1p-53);
    }
  }

  /// |b - A x| / |b|
  [[nodiscard]] double residual(const std::vector<double>& x) const {
    double square = 0;
    double all = 0;
    for (std::size_t i = 0; i < right_side.size(); ++i) {
      double sum = right_side[i];
      for (int k = offsets[i]; k < offsets[i + 1]; ++k)
        sum -= values[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])];
      square += sum * sum;
      all += right_side[i] * right_side[i];
    }
    return std::sqrt(square / all);
  }

 private:
  template <class T> static void take(std::ifstream& file, T* to, std::size_t count) {
    file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count * sizeof(T)));
  }
  static int fact(const std::string& facts, const std::string& name) {
    return std::stoi(facts.substr(facts.find("\"" + name + "\":") + name.size() + 3));
  }
};

class stopwatch {
 public:
  /// Seconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// The value of NAME=VALUE among the arguments.
inline double setting(int count, char** arguments, const std::string& name, double otherwise) {
  for (int k = 2; k < count; ++k)
    if (const std::string one = arguments[k]; one.rfind(name + "=", 0) == 0)
      return std::stod(one.substr(name.size() + 1));
  return otherwise;
}

}  // namespace bench
