#include <fmt/format.h>

#include <cmath>

#include "formats/problem/sections.hpp"
#include "formats/problem/series.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

constexpr const char* example_of_an_input = "write {data: weather.csv, column: temp, interpolation: linear}";

// Beyond the end of its table an input stays as it is, which may be far from what was there when the data were taken.
void warn_of_early_end(Draft& draft, const Node& place, const model::Input& input) {
  for (const model::Measurement& m : draft.problem.measurements) {
    const model::InputCurve& curve = *input.of_experiment[static_cast<std::size_t>(m.experiment)];
    if (!std::isfinite(m.time) || m.time <= curve.end() || curve.begin() == curve.end()) continue;
    draft.warn(
        place.place,
        fmt::format("the input {} is known until {}, but there are data at {}: its last value holds from there on",
                    input.id, number_text(curve.end()), number_text(m.time)),
        "add rows to its table up to the last measurement");
    return;
  }
}

void read_input(Draft& draft, const yaml::Entry& entry, model::Input& input) {
  const std::string what = fmt::format("the input {}", input.id);
  if (entry.value.kind == Node::Kind::broken) return;
  if (entry.value.kind != Node::Kind::map) {
    draft.log.add(entry.value.place, fmt::format("{} must be a map, but is {}", what, kind_in_words(entry.value)),
                  example_of_an_input);
    return;
  }
  check_options(draft, entry.value, what, std::vector<std::string>{"data", "time", "column", "interpolation"});
  if (entry.value.find("data") == nullptr)
    draft.log.add(entry.value.place, fmt::format("{} names no file", what), example_of_an_input);
  const SeriesTable table = read_series(draft, entry.value, what, input.id, input.interpolation);
  input.interpolation = table.interpolation;
  if (table.of_experiment.empty()) return;
  std::vector<std::shared_ptr<const model::InputCurve>> curves;
  for (const Series& each : table.of_experiment)
    curves.push_back(std::make_shared<model::InputCurve>(input.interpolation, each.time, each.value));
  for (std::size_t e = 0; e < draft.problem.experiments.size(); ++e)
    input.of_experiment.push_back(curves[curves.size() == 1 ? 0 : e]);
  warn_of_early_end(draft, *table.name, input);
}

}  // namespace

void read_inputs(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'inputs'")) return;
  for (std::size_t i = 0; i < section.entries.size(); ++i)
    read_input(draft, section.entries[i], draft.problem.inputs[i]);
}

}  // namespace salvo::formats
