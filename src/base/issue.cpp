#include "base/issue.hpp"

#include <fmt/format.h>

namespace salvo {

std::string to_string(const Issue& issue) {
  std::string text;
  if (!issue.file.empty()) text += issue.file + ":";
  if (issue.line > 0) text += fmt::format("{}:", issue.line);
  if (issue.line > 0 && issue.column > 0) text += fmt::format("{}:", issue.column);
  if (!text.empty()) text += " ";
  if (issue.kind == Issue::Kind::warning) text += "warning: ";
  text += issue.message;
  if (!issue.hint.empty()) text += "\n  hint: " + issue.hint;
  return text;
}

}  // namespace salvo
