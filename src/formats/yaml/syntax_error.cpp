#include "formats/yaml/syntax_error.hpp"

#include <array>
#include <optional>
#include <vector>

#include "formats/text_file.hpp"
#include "formats/yaml/read.hpp"

namespace salvo::formats::yaml {
namespace {

struct Explanation {
  std::string_view complaint;
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view indent_hint = "check the indentation and the colons of this line and the one before";
constexpr std::string_view colon_hint =
    "check the indentation, and that every colon before it has a space after it; a text with a colon needs quotes";

constexpr std::array explanations{
    Explanation{"end of map not found", "this does not belong to the entries above it", indent_hint},
    Explanation{"end of map flow not found", "a '{' before this is never closed", "add the missing '}'"},
    Explanation{"end of sequence not found", "this does not belong to the list above it", indent_hint},
    Explanation{"end of sequence flow not found", "a '[' before this is never closed", "add the missing ']'"},
    Explanation{"illegal EOF in scalar", "a quoted text is never closed", "add the missing quote"},
    Explanation{"illegal flow end", "this bracket closes nothing", "remove it, or open it before"},
    Explanation{"illegal block entry", "a list cannot begin here", ""},
    Explanation{"illegal map key", "a key cannot begin here", indent_hint},
    Explanation{"illegal map value", "a second ':' cannot stand here", colon_hint},
    Explanation{"illegal tab when looking for indentation", "a tab cannot indent", "use spaces"},
    Explanation{"the referenced anchor is not defined", "'*' at the beginning refers to an anchor that does not exist",
                ""},
    Explanation{"unknown token", "a text cannot begin with this character", ""},
    Explanation{"unexpected character in block scalar", "nothing may follow '|' or '>' on their line", ""},
};

// The first character of what follows "key: " or "- " on a line; that is where YAML gives signs a meaning of its own.
char first_of_value(std::string_view line) {
  const std::size_t colon = line.find(": ");
  std::size_t at = colon == std::string_view::npos ? 0 : colon + 2;
  if (colon == std::string_view::npos) {
    at = line.find("- ");
    at = at == std::string_view::npos ? 0 : at + 2;
  }
  at = line.find_first_not_of(' ', at);
  return at == std::string_view::npos ? '\0' : line[at];
}

bool begins_like_a_formula_that_needs_quotes(std::string_view line) {
  return std::string_view("&*!%@`|>-\"'?").find(first_of_value(line)) != std::string_view::npos;
}

// "key:value" without a space, which YAML takes for one text that goes on in the next line.
std::optional<std::size_t> find_colon_without_space(std::string_view line) {
  const std::size_t colon = line.find(':');
  const bool is_glued = colon != std::string_view::npos && colon > 0 && colon + 1 < line.size() &&
                        line[colon + 1] != ' ' && line.find(": ") == std::string_view::npos;
  return is_glued ? std::optional(colon) : std::nullopt;
}

}  // namespace

Issue explain_syntax_error(std::string_view file_text, Place place, const std::string& complaint) {
  Issue issue{.line = place.line, .column = place.column, .message = "YAML cannot be read here: " + complaint};
  for (const Explanation& known : explanations)
    if (known.complaint == complaint) {
      issue.message = known.message;
      issue.hint = known.hint;
    }
  const std::vector<std::string_view> lines = lines_of(file_text);
  if (place.line < 1 || place.line > static_cast<int>(lines.size())) return issue;
  const std::string_view line = lines[static_cast<std::size_t>(place.line) - 1];
  if (complaint == "illegal map value" && place.line > 1)
    if (const auto colon = find_colon_without_space(lines[static_cast<std::size_t>(place.line) - 2]))
      return {.line = place.line - 1,
              .column = static_cast<int>(*colon) + 2,
              .message = "a space is missing after the colon",
              .hint = "write 'key: value'"};
  const std::size_t tab = line.substr(0, line.find_first_not_of(" \t")).find('\t');
  if (tab != std::string_view::npos) {
    issue.column = static_cast<int>(tab) + 1;
    issue.message = "a tab cannot indent";
    issue.hint = "use spaces";
  } else if (begins_like_a_formula_that_needs_quotes(line)) {
    issue.hint = quote_hint;
  }
  return issue;
}

}  // namespace salvo::formats::yaml
