#include <fmt/format.h>

#include "base/words.hpp"
#include "design/words.hpp"
#include "report/designs/curve.hpp"
#include "report/designs/designs.hpp"
#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/still_page.hpp"

namespace salvo::report::designs {
namespace {

using design::Error;
using design::Taken;

std::string row_of(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, xml_text(cell));
  return row + "</tr>\n";
}

std::string table_of(const char* id, const std::vector<std::string>& head,
                     const std::vector<std::vector<std::string>>& rows) {
  std::string text =
      fmt::format("<div class=\"scroll\"><table id=\"{}\">\n<thead>{}</thead>\n<tbody>\n", id, row_of(head, "th"));
  for (const auto& row : rows) text += row_of(row, "td");
  return text + "</tbody></table></div>\n";
}

std::string samples(const std::vector<Taken>& taken, const char* id) {
  std::vector<std::vector<std::string>> rows;
  for (const Taken& each : taken)
    rows.push_back({rounded(each.time), std::to_string(each.count), each.experiment, listed(each.observables)});
  return table_of(id, {"time", "samples", "experiment", "of"}, rows);
}

std::string errors(const design::Result& result) {
  const auto cell = [](const std::optional<double>& error) { return error ? fmt::format("{:.4g}", *error) : "\u2013"; };
  std::vector<std::vector<std::string>> rows;
  for (const Error& error : result.errors)
    rows.push_back({error.id, cell(error.now), cell(error.then), cell(error.equidistant), cell(error.refined)});
  return table_of("errors", {"", "error now", "with the design", "equidistant", "off the grid"}, rows);
}

std::string figure(const char* name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, xml_text(value));
}

std::string figures(const design::Result& result) {
  std::string text = "<dl class=\"figures\">\n";
  text += figure("criterion", result.criterion == model::DesignCriterion::c
                                  ? fmt::format("c({})", result.about)
                                  : std::string(model::to_string(result.criterion)));
  text += figure("budget", rounded(result.budget));
  if (result.status == design::Status::found) {
    text += figure("efficiency", fmt::format("at least {:.2f} %", std::min(100 * result.efficiency, 100.0)));
    text += figure("largest sensitivity", fmt::format("{:.6g}", result.largest));
    text += figure("its level", fmt::format("{:.6g}", result.level));
  }
  return text + "</dl>\n";
}

std::string section(const char* title, const std::string& body) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", title, body);
}

std::string note(const std::string& text) { return "<p class=\"note\">" + xml_text(text) + "</p>\n"; }

}  // namespace

std::string page(const model::Problem& problem, const design::Result& result) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
      "<title>Which experiment next?</title>\n<style>\n";
  html += styles_of_still_page();
  html += "\n</style></head>\n<body>\n<header class=\"page-header\">\n<p class=\"source\">" + xml_text(problem.file) +
          "</p>\n<h1>" + xml_text(problem.title.empty() ? "Which experiment next?" : problem.title) +
          "</h1>\n<p class=\"outcome\" id=\"outcome\">" + xml_text(result.message) + "</p>\n" + figures(result) +
          "</header>\n<main>\n";
  if (!result.taken.empty()) html += section("Samples", samples(result.taken, "samples"));
  if (result.status == design::Status::found)
    html +=
        section("Sensitivity",
                note("How much one more sample at each time would tell. Where the curve is nowhere above its level, "
                     "no other weights are better; it touches the level where the best weights, the bars, are. "
                     "Dots are the samples in whole numbers.") +
                    sensitivity_svg(result, model::axis_text("time", problem.time_axis)));
  if (!result.errors.empty()) html += section("Standard errors", errors(result));
  if (result.refined) html += section("Off the grid", samples(result.refined->taken, "refined"));
  for (const std::string& remark : result.remarks) html += note(remark);
  return html + "</main>\n</body></html>\n";
}

}  // namespace salvo::report::designs
