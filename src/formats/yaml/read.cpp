#include "formats/yaml/read.hpp"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

#include "formats/yaml/builder.hpp"
#include "formats/yaml/syntax_error.hpp"

namespace salvo::formats::yaml {

namespace {

// A million lines, which take some seconds; nobody has written more by hand.
constexpr std::size_t largest_text = std::size_t{16} << 20;

}  // namespace

Document read(const TextFile& file) {
  if (file.text.size() > largest_text)
    return {.issues = {{.file = file.name,
                        .line = 1,
                        .column = 1,
                        .message = fmt::format("the file has {} MiB; of a problem file no more than 16 are read",
                                               file.text.size() >> 20),
                        .hint = "measurements belong into tables: data: measurements.csv"}}};
  Builder builder(file);
  std::istringstream in(file.text);
  try {
    YAML::Parser parser(in);
    while (!builder.has_stopped() && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    if (builder.has_stopped()) return {.issues = builder.issues()};
    Issues issues = builder.issues();
    Issue issue = explain_syntax_error(file.text, {error.mark.line + 1, error.mark.column + 1}, error.msg);
    issue.file = file.name;
    issues.push_back(std::move(issue));
    return {.issues = std::move(issues)};
  }
  if (builder.has_stopped()) return {.issues = builder.issues()};
  return {.root = builder.take_root().value_or(Node{}), .issues = builder.issues()};
}

}  // namespace salvo::formats::yaml
