#include "formats/sbml/guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "formats/issue_log.hpp"

namespace salvo::formats::sbml {
namespace {

constexpr int deepest_element = 200;
constexpr std::array<std::string_view, 5> plain_encodings{"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1"};

// An SBML package that the file says is needed to understand the model.
struct Package {
  std::string name{};
  std::string prefix{};
};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// The value of an attribute in a tag; empty where it is not there.
std::string_view attribute(std::string_view tag, std::string_view name) {
  for (std::size_t at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    std::size_t next = at + name.size();
    while (next < tag.size() && std::isspace(static_cast<unsigned char>(tag[next])) != 0) ++next;
    if (next >= tag.size() || tag[next] != '=' || at == 0 || std::isspace(static_cast<unsigned char>(tag[at - 1])) == 0)
      continue;
    const std::size_t open = tag.find_first_of("\"'", next);
    if (open == std::string_view::npos) return {};
    return tag.substr(open + 1, tag.find(tag[open], open + 1) - open - 1);
  }
  return {};
}

// xmlns:comp="http://www.sbml.org/sbml/level3/version1/comp/version1" with comp:required="true"
std::vector<Package> needed_packages(std::string_view root) {
  std::vector<Package> packages;
  for (std::size_t at = root.find("xmlns:"); at != std::string_view::npos; at = root.find("xmlns:", at + 1)) {
    const std::size_t begin = at + 6;
    const std::string prefix(root.substr(begin, root.find_first_of("= \t\r\n", begin) - begin));
    const std::string_view uri = attribute(root, "xmlns:" + prefix);
    const std::size_t version = uri.find("/sbml/level3/version");
    if (version == std::string_view::npos || attribute(root, prefix + ":required") != "true") continue;
    const std::size_t name = uri.find('/', version + 20);
    if (name == std::string_view::npos) continue;
    packages.push_back({std::string(uri.substr(name + 1, uri.find('/', name + 1) - name - 1)), prefix});
  }
  return packages;
}

class Scan {
 public:
  Scan(const std::string& file, std::string_view text) : text_(text), log_(file) {}

  Issues run() {
    while (log_.empty() && (at_ = text_.find('<', at_)) != std::string_view::npos) step();
    if (!log_.empty()) return log_.issues();
    return unsupported_;
  }

 private:
  Place here() const {
    const std::string_view before = text_.substr(0, at_);
    const std::size_t line = before.rfind('\n');
    const std::size_t column = line == std::string_view::npos ? at_ : at_ - line - 1;
    return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1, static_cast<int>(column) + 1};
  }

  void step() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return skip_past("-->");
    if (rest.starts_with("<![CDATA[")) return skip_past("]]>");
    if (rest.starts_with("<?")) return declaration();
    if (rest.starts_with("<!"))
      return log_.add(here(), "document types and entities are not read", "remove everything from <!DOCTYPE to its >");
    if (rest.starts_with("</")) {
      --depth_;
      return skip_past(">");
    }
    tag();
  }

  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos)
      log_.add(here(), fmt::format("what begins here is never closed by {}", end));
    else
      at_ = found + end.size();
  }

  void declaration() {
    const std::string_view instruction = text_.substr(at_, text_.find("?>", at_) - at_);
    const std::string encoding = lower(attribute(instruction, "encoding"));
    if (!encoding.empty() &&
        std::find(plain_encodings.begin(), plain_encodings.end(), encoding) == plain_encodings.end())
      log_.add(here(), fmt::format("the encoding '{}' is not read", encoding.substr(0, 40)),
               "save the file with the encoding UTF-8");
    skip_past("?>");
  }

  void tag() {
    std::size_t end = at_ + 1;
    for (char quote = 0; end < text_.size() && (quote != 0 || text_[end] != '>'); ++end) {
      if (quote != 0)
        quote = text_[end] == quote ? '\0' : quote;
      else if (text_[end] == '"' || text_[end] == '\'')
        quote = text_[end];
    }
    if (end >= text_.size()) return log_.add(here(), "the tag that begins here is never closed by >");
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (depth_ == 0)
      packages_ = needed_packages(inside);
    else
      check_packages(inside);
    if (!inside.ends_with('/') && ++depth_ > deepest_element)
      log_.add(here(), fmt::format("elements are nested more than {} deep", deepest_element));
    at_ = end + 1;
  }

  void check_packages(std::string_view tag) {
    for (const Package& package : packages_) {
      const bool is_used = tag.starts_with(package.prefix + ":") ||
                           tag.find(" " + package.prefix + ":") != std::string_view::npos ||
                           tag.find("/" + package.name + "/version") != std::string_view::npos;
      const std::string message = fmt::format("the SBML package '{}'", package.name);
      if (!is_used || std::any_of(unsupported_.begin(), unsupported_.end(),
                                  [&](const Issue& issue) { return issue.message == message; }))
        continue;
      const Place place = here();
      unsupported_.push_back({.kind = Issue::Kind::unsupported,
                              .file = log_.file(),
                              .line = place.line,
                              .column = place.column,
                              .message = message,
                              .is_feature = true});
    }
  }

  std::string_view text_;
  IssueLog log_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Package> packages_;
  Issues unsupported_;
};

}  // namespace

Issues check_xml(const std::string& file, std::string_view text) {
  const std::size_t nothing = text.find('\0');
  if (nothing != std::string_view::npos)
    return {{.file = file,
             .line = 1,
             .column = 1,
             .message = "this is not a text file",
             .hint = "SBML is XML, which is text"}};
  return Scan(file, text).run();
}

}  // namespace salvo::formats::sbml
