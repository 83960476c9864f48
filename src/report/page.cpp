#include "report/page.hpp"

#include <filesystem>
#include <system_error>

#include "report/fit_file.hpp"
#include "report/foreign_json.hpp"
#include "report/page_parts.hpp"

namespace salvo::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t large_result = 4'000'000;  // characters of fit.json
constexpr std::size_t most_correlated = 400;     // quantities, if the result is large

void append_without_markup(std::string& page, std::string_view json) {
  for (const char c : json) {
    if (c == '<')
      page += "\\u003c";
    else
      page += c;
  }
}

// The page of a very large result leaves out what no eye takes in: it would only take long to open.
std::string bearable(std::string_view fit_json) {
  if (fit_json.size() <= large_result) return std::string(fit_json);
  Json json = parse_foreign(fit_json);
  const auto is_long = [](const Json& object, const char* list) {
    return object.is_object() && object.contains(list) && object[list].size() > most_correlated;
  };
  if (is_long(json["covariance"], "ids")) json["covariance"] = {{"ids", Json::array()}, {"matrix", Json::array()}};
  if (json.contains("starts"))
    for (Json& start : json["starts"])
      if (is_long(start, "parameters")) start["parameters"] = Json::object();
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_part(std::string& page, std::string_view name, std::string_view fit_json, std::string_view pictures_json) {
  if (name == "STYLE") page += page_parts::styles;
  if (name == "SCRIPT") page += page_parts::scripts;
  if (name == "FIT") append_without_markup(page, bearable(fit_json));
  if (name == "PICTURES") append_without_markup(page, pictures_json);
}

}  // namespace

std::string page_html(std::string_view fit_json, std::string_view pictures_json) {
  std::string page;
  page.reserve(page_parts::html.size() + page_parts::styles.size() + page_parts::scripts.size() + fit_json.size() +
               pictures_json.size());
  std::string_view rest = page_parts::html;
  while (true) {
    const std::size_t begin = rest.find('@');
    page += rest.substr(0, begin);
    if (begin == std::string_view::npos) return page;
    const std::size_t end = rest.find('@', begin + 1);
    append_part(page, rest.substr(begin + 1, end - begin - 1), fit_json, pictures_json);
    rest.remove_prefix(end + 1);
  }
}

Result<std::string> page_of_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return unreadable_fit(folder, "there is no such folder");
  if (!fs::is_directory(folder, error)) return unreadable_fit(folder, "this is not a folder");
  const auto fit = read_fit_file(fs::path(folder) / "fit.json", {"status", "parameters", "covariance", "trace"});
  const auto pictures = read_fit_file(fs::path(folder) / "pictures.json", {"run", "data", "film", "solution"});
  Issues issues;
  for (const auto* text : {&fit, &pictures})
    if (!*text) issues.insert(issues.end(), text->issues().begin(), text->issues().end());
  if (!issues.empty()) return issues;
  return page_html(*fit, *pictures);
}

}  // namespace salvo::report
