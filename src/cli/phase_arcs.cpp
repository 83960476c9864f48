#include "cli/phase_arcs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/words.hpp"
#include "cli/output.hpp"
#include "formats/csv/table.hpp"

namespace salvo::cli {
namespace {

using report::figure::Fit;
constexpr std::string_view columns_before[] = {"experiment", "interval", "time"};

std::optional<std::size_t> column_of(const formats::csv::Table& table, const std::string& name, Issues& issues) {
  std::vector<std::string> known;
  for (const auto& cell : table.header)
    if (std::ranges::find(columns_before, cell.text) == std::end(columns_before)) known.push_back(cell.text);
  if (std::ranges::find(known, name) != known.end()) return table.column(name);
  issues.push_back(usage_issue(fmt::format("--phase: '{}' is neither a state nor an observable of this fit", name),
                               hint_for_unknown(name, known)));
  return std::nullopt;
}

// An apostrophe stands before names that a spreadsheet would compute.
int experiment_of(const std::vector<std::string>& experiments, std::string_view cell) {
  for (std::size_t e = 0; e < experiments.size(); ++e)
    if (cell == experiments[e] || (cell.starts_with('\'') && cell.substr(1) == experiments[e]))
      return static_cast<int>(e);
  return -1;
}

}  // namespace

Result<std::vector<Fit::PhaseArc>> read_phase_arcs(const std::string& folder,
                                                   const std::vector<std::string>& experiments,
                                                   const std::pair<std::string, std::string>& names) {
  const std::string path = (std::filesystem::path(folder) / "trajectories.csv").string();
  const auto file = formats::read_text_file(path);
  if (!file) return file.issues();
  formats::IssueLog log(path);
  const formats::csv::Table table = formats::csv::read_table(*file, ',', log);
  if (!log.empty()) return log.issues();
  Issues issues;
  const auto x = column_of(table, names.first, issues);
  const auto y = column_of(table, names.second, issues);
  const auto experiment = table.column("experiment");
  const auto time = table.column("time");
  if (!experiment || !time) issues.push_back(usage_issue(path + ": this is not the file of a fit"));
  if (!issues.empty()) return issues;
  std::vector<Fit::PhaseArc> arcs;
  double last = 0;
  for (const auto& row : table.rows) {
    const int of = experiment_of(experiments, row[*experiment].text);
    const double now = parse_number(row[*time].text).value_or(std::nan(""));
    // Two rows of one time: a node, where the curve goes on, or an event, where it jumps.
    if (arcs.empty() || arcs.back().experiment != of || !(now > last)) arcs.push_back({.experiment = of});
    arcs.back().x.push_back(parse_number(row[*x].text).value_or(std::nan("")));
    arcs.back().y.push_back(parse_number(row[*y].text).value_or(std::nan("")));
    last = now;
  }
  std::erase_if(arcs, [](const Fit::PhaseArc& arc) { return arc.experiment < 0; });
  return arcs;
}

}  // namespace salvo::cli
