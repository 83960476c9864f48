#include "base/issue.hpp"

#include <fmt/format.h>

namespace salvo {

std::string sentence_of(const Issue& issue) {
  return issue.is_feature ? fmt::format("Salvo does not support {} yet", issue.message) : issue.message;
}

std::string to_string(const Issue& issue) {
  std::string text;
  if (!issue.file.empty()) text += issue.file + ":";
  if (issue.line > 0) text += fmt::format("{}:", issue.line);
  if (issue.line > 0 && issue.column > 0) text += fmt::format("{}:", issue.column);
  if (!text.empty()) text += " ";
  if (issue.kind == Issue::Kind::warning) text += "warning: ";
  text += sentence_of(issue);
  if (!issue.hint.empty()) text += "\n  hint: " + issue.hint;
  return text;
}

}  // namespace salvo
