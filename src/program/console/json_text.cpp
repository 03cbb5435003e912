// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// JSON for other programs.
#include "console/json_text.hpp"

#include <nlohmann/json.hpp>

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

json with_schema(const json& object) {
  json result = {{"schema", json_schema}};
  result.update(object);
  return result;
}

}  // namespace

std::string json_text(const json& result) {
  json all = json::array();
  if (result.is_array())
    for (const json& object : result) all.push_back(with_schema(object));
  else
    all = with_schema(result);
  return all.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace lacis::app
