// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The tables of endings.
#include "io/file_names.hpp"

#include <algorithm>
#include <string>

namespace lacis::detail {
namespace {

struct ending_meaning {
  std::string_view ending;
  file_format format;
  bool tells_text;
  edge_weights weights = edge_weights::as_needed;
};
constexpr ending_meaning endings[] = {{".mtx", file_format::matrix_market, true},
                                      {".npz", file_format::npz, false},
                                      {".el", file_format::edge_list, true, edge_weights::never},
                                      {".wel", file_format::edge_list, true, edge_weights::always},
                                      {".txt", file_format::edge_list, false},
                                      {".tsv", file_format::edge_list, false},
                                      {".graph", file_format::metis, true},
                                      {".csr", file_format::csr_directory, false}};

constexpr std::string_view foreign_formats[] = {".npy",  ".mat",  ".h5",      ".hdf5", ".h5ad", ".csv",
                                                ".json", ".zarr", ".parquet", ".rb",   ".pkl"};
constexpr std::string_view foreign_packings[] = {".tar", ".tgz", ".zip", ".bz2", ".xz", ".7z"};
/// Of these the archives that are read: the SuiteSparse collection has Matrix Market files in them.
constexpr std::string_view archives[] = {".tar", ".tgz"};

}  // namespace

named_kind kind_of_name(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  const auto take = [&](std::string_view ending) {
    if (!ends(ending)) return false;
    name.resize(name.size() - ending.size());
    return true;
  };
  named_kind kind;
  if (take(".gz")) kind.method = compression::gzip;
  if (kind.method == compression::none && take(".zst")) kind.method = compression::zstd;
  for (const ending_meaning& each : endings) {
    if (!ends(each.ending)) continue;
    kind.format = each.format;
    kind.tells_text = each.tells_text;
    kind.weights = each.weights;
  }
  if (std::any_of(std::begin(archives), std::end(archives), ends)) {
    kind.format = file_format::matrix_market;
    kind.tells_text = true;
  }
  if (!path.empty() && !path.has_filename()) kind.format = file_format::csr_directory;
  const auto format = std::find_if(std::begin(foreign_formats), std::end(foreign_formats), ends);
  if (format != std::end(foreign_formats)) kind.foreign_format = *format;
  const auto packing = std::find_if(std::begin(foreign_packings), std::end(foreign_packings), ends);
  if (packing != std::end(foreign_packings)) kind.foreign_packing = *packing;
  return kind;
}

}  // namespace lacis::detail
