#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/column_widths.hpp"
#include "report/digits.hpp"
#include "report/display_text.hpp"
#include "report/fit_file.hpp"
#include "report/foreign_json.hpp"
#include "report/json_number.hpp"
#include "report/lines.hpp"
#include "report/still_page.hpp"

namespace salvo::report {
namespace {

using fit::ComparedFit;
using fit::Comparison;
using fit::Ranked;

std::optional<double> number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// "x1" of one experiment and "x1" of another are two quantities.
void add_ids(const Json& json, const char* key, std::set<std::string>& ids) {
  const auto list = json.find(key);
  if (list == json.end() || !list->is_array()) return;
  for (const Json& each : *list)
    if (each.is_object()) ids.insert(text_in(each, "experiment") + ":" + text_in(each, "id"));
}

std::string two_digits(const std::optional<double>& value) { return value ? fmt::format("{:.2f}", *value) : "-"; }

// A number of quantities is whole unless priors make it an effective one.
std::string count_text(double k) { return fmt::format("{:.4g}", k); }

std::string p_text(double p) { return p < 1e-4 ? "< 0.0001" : fmt::format("{:.2g}", p); }

// --- the page --------------------------------------------------------------------------------------------------------

std::string html_row(const std::vector<std::string>& cells, const char* tag) {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, xml_text(cell));
  return row + "</tr>\n";
}

struct TextTable {
  std::vector<std::string> header{};
  std::vector<std::vector<std::string>> rows{};
};

std::string html_table(const TextTable& table) {
  std::string text = "<div class=\"scroll\"><table>\n<thead>" + html_row(table.header, "th") + "</thead>\n<tbody>\n";
  for (const auto& row : table.rows) text += html_row(row, "td");
  return text + "</tbody></table></div>\n";
}

TextTable criteria_table(const Comparison& comparison) {
  TextTable table{.header = {"fit", "n", "k", "log-likelihood", "AIC", "AICc", "BIC",
                             comparison.by_aicc ? "dAICc" : "dAIC", "weight"}};
  for (const Comparison::Row& row : comparison.rows) {
    const Ranked& ranked = comparison.by_aicc ? row.aicc : row.aic;
    table.rows.push_back({row.fit.name, std::to_string(row.fit.measurements), count_text(row.fit.k()),
                          two_digits(row.fit.llh), two_digits(row.fit.aic), two_digits(row.fit.aicc),
                          two_digits(row.fit.bic), two_digits(ranked.delta),
                          ranked.weight ? fmt::format("{:.3f}", *ranked.weight) : "-"});
  }
  return table;
}

TextTable ratios_table(const Comparison& comparison) {
  TextTable table{.header = {"special case", "of", "2 log ratio", "degrees", "p"}};
  for (const fit::LikelihoodRatio& ratio : comparison.ratios)
    table.rows.push_back({ratio.smaller, ratio.larger, two_digits(ratio.statistic),
                          std::to_string(ratio.degrees_of_freedom), p_text(ratio.p_value)});
  return table;
}

// Names to the left, numbers to the right, each column as wide as it must be.
std::string text_table(const TextTable& table, std::size_t names, bool colour) {
  std::vector<std::size_t> width;
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    width.push_back(display_width(table.header[i]));
    for (const auto& row : table.rows) width[i] = std::max(width[i], display_width(printable(row[i])));
    if (i < names) width[i] = std::min(width[i], widest_name);
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += "  " + (i < names ? left(printable(cells[i]), width[i]) : right(cells[i], width[i]));
    return text;
  };
  std::string text = toned(line(table.header), Tone::strong, colour) + "\n";
  for (const auto& row : table.rows) text += line(row) + "\n";
  return text;
}

Json ranked_json(const Ranked& ranked) { return {{"delta", number(ranked.delta)}, {"weight", number(ranked.weight)}}; }

}  // namespace

Result<ComparedFit> read_compared_fit(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / "fit.json";
  const auto text = read_fit_file(path, {"status", "llh", "measurements", "parameters", "initial"});
  if (!text) return text.issues();
  const Json json = parse_foreign(*text);
  ComparedFit fit{.name = folder,
                  .title = text_in(json, "title"),
                  .converged = text_in(json, "status") == "converged",
                  .data = text_in(json, "data_sha256"),
                  .model = text_in(json, "model_sha256"),
                  .measurements = static_cast<int>(number_in(json, "measurements").value_or(0)),
                  .llh = number_in(json, "llh").value_or(0),
                  .log_prior = number_in(json, "log_prior").value_or(0),
                  .aic = number_in(json, "aic"),
                  .aicc = number_in(json, "aicc"),
                  .bic = number_in(json, "bic")};
  if (fit.data.empty())
    return Issue{.kind = Issue::Kind::unreadable,
                 .file = path.string(),
                 .message = "it does not say which data were fitted",
                 .hint = "it is of an earlier version; fit once more"};
  add_ids(json, "parameters", fit.estimated);
  add_ids(json, "initial", fit.estimated);
  if (const auto fixed = json.find("fixed"); fixed != json.end() && fixed->is_object())
    for (const auto& [id, value] : fixed->items())
      if (value.is_number()) fit.fixed.emplace(id, value.get<double>());
  return fit;
}

std::string comparison_json(const Comparison& comparison) {
  Json fits = Json::array();
  for (const Comparison::Row& row : comparison.rows)
    fits.push_back({{"fit", row.fit.name},
                    {"title", row.fit.title},
                    {"converged", row.fit.converged},
                    {"measurements", row.fit.measurements},
                    {"k", number(row.fit.k())},
                    {"llh", number(row.fit.llh)},
                    {"aic", number(row.fit.aic)},
                    {"aicc", number(row.fit.aicc)},
                    {"bic", number(row.fit.bic)},
                    {"by_aic", ranked_json(row.aic)},
                    {"by_aicc", ranked_json(row.aicc)},
                    {"by_bic", ranked_json(row.bic)}});
  Json ratios = Json::array();
  for (const fit::LikelihoodRatio& ratio : comparison.ratios)
    ratios.push_back({{"smaller", ratio.smaller},
                      {"larger", ratio.larger},
                      {"statistic", number(ratio.statistic)},
                      {"degrees_of_freedom", ratio.degrees_of_freedom},
                      {"p_value", number(ratio.p_value)}});
  const Json json{{"fits", std::move(fits)},
                  {"likelihood_ratios", std::move(ratios)},
                  {"remarks", comparison.remarks},
                  {"message", comparison.sentence}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_summary(const Comparison& comparison, bool colour, std::size_t width) {
  std::string text = text_table(criteria_table(comparison), 1, colour) + "\n";
  if (!comparison.ratios.empty()) text += text_table(ratios_table(comparison), 2, colour) + "\n";
  for (const std::string& remark : comparison.remarks) text += wrapped(remark, 0, width);
  return text + wrapped(comparison.sentence, 0, width);
}

std::string comparison_page(const Comparison& comparison) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>Comparison of fits</title>\n<style>\n";
  page += styles_of_still_page();
  page +=
      "\n</style></head>\n<body><main>\n<h1>Comparison of fits</h1>\n<p>" + xml_text(comparison.sentence) + "</p>\n";
  page += "<section>\n" + html_table(criteria_table(comparison)) + "</section>\n";
  if (!comparison.ratios.empty())
    page += "<section>\n<h2>Likelihood ratios</h2>\n" + html_table(ratios_table(comparison)) + "</section>\n";
  for (const std::string& remark : comparison.remarks) page += "<p class=\"note\">" + xml_text(remark) + "</p>\n";
  return page + "</main></body></html>\n";
}

}  // namespace salvo::report
