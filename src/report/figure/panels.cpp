#include "report/figure/panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace salvo::report::figure {
namespace {

int index_of(const Fit& fit, const std::string& id) {
  const auto found = std::ranges::find(fit.observables, id, &Fit::Observable::id);
  return found == fit.observables.end() ? -1 : static_cast<int>(found - fit.observables.begin());
}

Mark mark_of(const Fit& fit, const Fit::Datum& datum, int series) {
  Mark mark{.series = series,
            .at = {datum.time, datum.value},
            .low = datum.value,
            .high = datum.value,
            .limit = datum.limit,
            .fitted = datum.fitted};
  if (!(datum.sigma > 0) || datum.limit != 0) return mark;
  const bool is_factor = fit.observables[static_cast<std::size_t>(datum.observable)].is_logarithmic;
  mark.low = is_factor ? datum.value * std::exp(-datum.sigma) : datum.value - datum.sigma;
  mark.high = is_factor ? datum.value * std::exp(datum.sigma) : datum.value + datum.sigma;
  return mark;
}

// One observable, of one experiment or (-1) of all of them in colours.
Panel time_course(const Fit& fit, const Options& options, int observable, int experiment) {
  const auto k = static_cast<std::size_t>(observable);
  Panel panel{.x_label = fit.time_axis,
              .y_label = fit.observables[k].axis,
              .log_x = options.log_time,
              .log_y = options.log_values};
  const auto shows = [&](int e) { return experiment < 0 || experiment == e; };
  const auto series = [&](int e) { return experiment < 0 ? e : 0; };
  for (const Fit::Arc& arc : fit.arcs) {
    if (!shows(arc.experiment)) continue;
    Curve curve{.series = series(arc.experiment)};
    for (std::size_t i = 0; i < arc.time.size(); ++i) curve.points.push_back({arc.time[i], arc.value[k][i]});
    panel.curves.push_back(std::move(curve));
    if (!arc.lower.empty())
      panel.bands.push_back(
          {.series = series(arc.experiment), .x = arc.time, .lower = arc.lower[k], .upper = arc.upper[k]});
  }
  for (const Fit::Datum& datum : fit.data)
    if (datum.observable == observable && shows(datum.experiment))
      panel.marks.push_back(mark_of(fit, datum, series(datum.experiment)));
  return panel;
}

// Measurements of both observables at one time are one point; replicates are paired in their order.
std::vector<Mark> phase_marks(const Fit& fit, int x, int y, int experiment) {
  using Key = std::pair<int, double>;
  std::map<Key, std::pair<std::vector<double>, std::vector<double>>> pairs;
  for (const Fit::Datum& datum : fit.data) {
    if ((experiment >= 0 && datum.experiment != experiment) || datum.limit != 0) continue;
    auto& pair = pairs[{datum.experiment, datum.time}];
    if (datum.observable == x) pair.first.push_back(datum.value);
    if (datum.observable == y) pair.second.push_back(datum.value);
  }
  std::vector<Mark> marks;
  for (const auto& [key, pair] : pairs)
    for (std::size_t n = 0; n < std::min(pair.first.size(), pair.second.size()); ++n)
      marks.push_back({.series = experiment < 0 ? key.first : 0,
                       .at = {pair.first[n], pair.second[n]},
                       .low = pair.second[n],
                       .high = pair.second[n]});
  return marks;
}

Panel phase_portrait(const Fit& fit, const Options& options, int experiment) {
  const auto& [x_name, y_name] = *options.phase;
  const int x = index_of(fit, x_name);
  const int y = index_of(fit, y_name);
  const auto label = [&](int k, const std::string& name) {
    return k < 0 ? name : fit.observables[static_cast<std::size_t>(k)].axis;
  };
  Panel panel{.x_label = label(x, x_name),
              .y_label = label(y, y_name),
              .log_x = options.log_values,
              .log_y = options.log_values};
  for (const Fit::PhaseArc& arc : fit.phase) {
    if (experiment >= 0 && arc.experiment != experiment) continue;
    Curve curve{.series = experiment < 0 ? arc.experiment : 0};
    for (std::size_t i = 0; i < arc.x.size(); ++i) curve.points.push_back({arc.x[i], arc.y[i]});
    panel.curves.push_back(std::move(curve));
  }
  if (x >= 0 && y >= 0) panel.marks = phase_marks(fit, x, y, experiment);
  return panel;
}

bool is_empty(const Panel& panel) { return panel.curves.empty() && panel.marks.empty(); }

}  // namespace

Panels panels_of(const Fit& fit, const Options& options) {
  const int experiments = static_cast<int>(fit.experiments.size());
  const int observables = static_cast<int>(fit.observables.size());
  const bool together = options.overlay || experiments == 1;
  Panels panels;
  if (options.overlay && experiments > 1) panels.series = fit.experiments;
  if (!options.phase && !together && observables > 1) panels.columns = observables;
  for (int e = together ? -1 : 0; e < (together ? 0 : experiments); ++e) {
    const int shown = experiments == 1 ? 0 : e;
    std::vector<Panel> row;
    if (options.phase) row.push_back(phase_portrait(fit, options, shown));
    for (int k = 0; k < observables && !options.phase; ++k) row.push_back(time_course(fit, options, k, shown));
    if (std::ranges::all_of(row, is_empty)) continue;  // an experiment without data
    if (!together)
      for (Panel& panel : row) panel.title = fit.experiments[static_cast<std::size_t>(e)];
    std::ranges::move(row, std::back_inserter(panels.all));
  }
  return panels;
}

}  // namespace salvo::report::figure
