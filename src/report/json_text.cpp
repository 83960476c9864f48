#include "report/json_text.hpp"

namespace salvo::report {

std::string compact(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string text_of(const Json& object) {
  std::string text = "{";
  for (const auto& [key, value] : object.items()) {
    text += text.size() == 1 ? "\n " : ",\n ";
    text += compact(key) + ": ";
    if (!value.is_array() || value.empty() || !value.front().is_structured()) {
      text += compact(value);
      continue;
    }
    text += '[';
    for (std::size_t i = 0; i < value.size(); ++i) text += (i > 0 ? ",\n  " : "\n  ") + compact(value[i]);
    text += "\n ]";
  }
  return text + "\n}\n";
}

}  // namespace salvo::report
