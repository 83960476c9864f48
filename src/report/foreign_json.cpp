#include "report/foreign_json.hpp"

namespace salvo::report {
namespace {

constexpr int deepest = 64;  // fit.json goes down to 6

bool is_nested_too_deep(std::string_view text) {
  int depth = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size() && depth <= deepest; ++i) {
    const char c = text[i];
    if (c == '"') is_in_string = !is_in_string;
    if (is_in_string && c == '\\') ++i;  // what follows is no end of the string
    if (is_in_string) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
  }
  return depth > deepest;
}

}  // namespace

Json parse_foreign(std::string_view text) {
  if (is_nested_too_deep(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

}  // namespace salvo::report
