#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "report/axis.hpp"
#include "report/display_text.hpp"
#include "report/panel.hpp"

namespace salvo::report {
namespace {

constexpr std::size_t most_panels = 12;
constexpr std::size_t most_small_panels = 24;
constexpr std::size_t most_experiments_together = 7;  // as there are colours; more have panels of their own
constexpr double page_width = 960;
constexpr double margin = 20;
constexpr double legend_row = 22;
constexpr double character_width = 6.3;

DataPoint data_point(const model::Problem& problem, const model::Measurement& measurement, double sigma, bool fitted) {
  const double value = measurement.value;
  DataPoint point{measurement.experiment, measurement.time, value, value, value, fitted};
  if (!(sigma > 0) || !std::isfinite(sigma) || measurement.censored != model::Censored::no) return point;
  const bool factor = model::is_logarithmic(problem.observables[measurement.observable].distribution);
  point.low = factor ? value * std::exp(-sigma) : value - sigma;
  point.high = factor ? value * std::exp(sigma) : value + sigma;
  return point;
}

bool shows(const Panel& panel, const model::Measurement& measurement) {
  return panel.observable == measurement.observable &&
         (!panel.experiment || *panel.experiment == measurement.experiment);
}

void add_data(std::vector<Panel>& panels, const model::Problem& problem,
              const std::vector<model::Measurement>& measurements, const std::vector<Prediction>& predictions,
              bool fitted) {
  std::vector<double> sigma(measurements.size(), 0);
  for (std::size_t i = 0; i < measurements.size(); ++i) sigma[i] = measurements[i].sigma.value_or(0);
  for (const auto& prediction : predictions) sigma[static_cast<std::size_t>(prediction.row)] = prediction.sigma;
  for (Panel& panel : panels)
    for (std::size_t i = 0; i < measurements.size(); ++i)
      if (shows(panel, measurements[i])) panel.data.push_back(data_point(problem, measurements[i], sigma[i], fitted));
}

// All of them; those that are too many are left out later.
std::vector<Panel> empty_panels(const model::Problem& problem) {
  const std::string time_name = model::axis_text("time", problem.time_axis);
  std::vector<Panel> panels;
  for (int k = 0; k < static_cast<int>(problem.observables.size()); ++k) {
    const std::string name = model::axis_text(problem.observables[k].id, problem.observables[k].axis);
    if (problem.experiments.size() <= most_experiments_together) {
      panels.push_back({.observable = k, .name = name, .time_name = time_name});
      continue;
    }
    for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e)
      panels.push_back({.observable = k,
                        .experiment = e,
                        .name = fmt::format("{}, {}", problem.experiments[e].id, name),
                        .time_name = time_name});
  }
  return panels;
}

struct Panels {
  std::vector<Panel> shown{};
  std::size_t left_out = 0;
};

Panels panels_of(const model::Problem& problem, const FitResult& result) {
  Panels panels{.shown = empty_panels(problem)};
  const bool are_small = problem.experiments.size() > most_experiments_together;
  const std::size_t most = are_small ? most_small_panels : most_panels;
  if (panels.shown.size() > most) {
    panels.left_out = panels.shown.size() - most;
    panels.shown.resize(most);
  }
  add_data(panels.shown, problem, problem.measurements, result.predictions, true);
  add_data(panels.shown, problem, problem.validation, result.validation, false);
  return panels;
}

std::vector<Arc> arcs_in(const Panel& panel, const std::vector<Arc>& arcs) {
  if (!panel.experiment) return arcs;
  std::vector<Arc> own;
  for (const Arc& arc : arcs)
    if (arc.experiment == *panel.experiment) own.push_back(arc);
  return own;
}

Range time_range(const std::vector<Panel>& panels, const std::vector<Arc>& arcs) {
  std::vector<double> times;
  for (const auto& panel : panels)
    for (const auto& point : panel.data) times.push_back(point.time);
  for (const auto& arc : arcs) times.insert(times.end(), arc.time.begin(), arc.time.end());
  return with_margin(range_of(times), 0.02);
}

// Entries side by side, in as many rows as they need.
class Legend {
 public:
  explicit Legend(double top) : y_(top) {}

  // `symbol(x, y)` draws into 26 pixels from x on, around the height y.
  template <class Symbol>
  void add(std::string_view text, Symbol symbol) {
    const std::string name = shorten(text, 40);
    const double width = 32 + character_width * static_cast<double>(display_width(name)) + 22;
    if (x_ > margin && x_ + width > page_width) {
      x_ = margin;
      y_ += legend_row;
    }
    svg_ += symbol(x_, y_);
    svg_ +=
        fmt::format(R"(<text x="{:.1f}" y="{:.1f}" fill="#374151">{}</text>)", x_ + 32, y_ + 4, xml_text(name)) + "\n";
    x_ += width;
  }
  double bottom() const { return y_ + legend_row / 2; }
  const std::string& svg() const { return svg_; }

 private:
  double x_ = margin;
  double y_;
  std::string svg_;
};

std::string line_sample(double x, double y, std::string_view colour, std::string_view dashes) {
  return fmt::format(R"(<path d="M{:.1f} {:.1f}h26" fill="none" stroke="{}" stroke-width="2"{}/>)", x, y, colour,
                     dashes);
}

bool has_gaps(const std::vector<Arc>& arcs) {
  constexpr double visible = 5e-3;  // of the size of the values
  for (std::size_t j = 1; j < arcs.size(); ++j) {
    const Matrix& before = arcs[j - 1].observables;
    const Matrix& after = arcs[j].observables;
    if (arcs[j - 1].interval == arcs[j].interval) continue;  // parted by an event
    if (arcs[j - 1].experiment != arcs[j].experiment || before.cols == 0 || after.cols == 0) continue;
    for (int k = 0; k < after.rows; ++k) {
      const double end = before(k, before.cols - 1);
      const double size = std::max(std::abs(end), std::abs(after(k, 0)));
      if (std::abs(end - after(k, 0)) > visible * size) return true;
    }
  }
  return false;
}

Legend legend_of(const model::Problem& problem, const std::vector<Arc>& arcs, double top) {
  const int experiments = static_cast<int>(problem.experiments.size());
  const bool one = experiments == 1 || problem.experiments.size() > most_experiments_together;
  const Ink ink = one ? ink_of(0, 1) : Ink{"#4b5563", "#4b5563"};
  Legend legend(top);
  const bool is_over_space = problem.states.empty();  // a view of profiles
  if (is_over_space)
    legend.add("profile", [&](double x, double y) { return line_sample(x, y, ink.line, ""); });
  else
    legend.add(one ? "trajectory of an interval, from its node" : "interval, from its node",
               [&](double x, double y) { return line_sample(x, y, ink.line, "") + node_mark(x + 4, y, 4, ink.line); });
  if (has_gaps(arcs))
    legend.add("gap", [&](double x, double y) {
      return line_sample(x, y, ink.line, R"( stroke-dasharray="2 2.5" opacity="0.65")");
    });
  legend.add("data \xC2\xB1 \xCF\x83", [&](double x, double y) {
    return error_bar(x + 13, y - 7, y + 7, ink.data) + data_mark(x + 13, y, true, ink.data);
  });
  if (!problem.validation.empty())
    legend.add("data not fitted", [&](double x, double y) { return data_mark(x + 13, y, false, ink.data); });
  if (one) return legend;
  for (int e = 0; e < experiments; ++e)
    legend.add(problem.experiments[static_cast<std::size_t>(e)].id, [&](double x, double y) {
      return fmt::format(R"(<rect x="{:.1f}" y="{:.1f}" width="14" height="10" rx="2" fill="{}"/>)", x + 12, y - 5,
                         ink_of(e, experiments).line);
    });
  return legend;
}

std::string opening(double height, std::string_view title, std::string_view heading) {
  std::string svg = fmt::format(
      R"svg(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}" role="img" font-family="Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif" font-size="12.5" stroke-linejoin="round" stroke-linecap="round">
<title>{2}</title>
<rect width="{0:.0f}" height="{1:.0f}" fill="#ffffff"/>
)svg",
      page_width, height, xml_text(title.empty() ? heading : title));
  const std::string_view first = title.empty() ? heading : title;
  svg += fmt::format(R"(<text x="{:.0f}" y="34" font-size="20" font-weight="700" fill="#111827">{}</text>)", margin,
                     xml_text(shorten(first, 85)));
  if (!title.empty())
    svg += fmt::format(R"(<text x="{:.0f}" y="56" font-size="14" fill="#4b5563">{}</text>)", margin,
                       xml_text(shorten(heading, 120)));
  return svg + "\n";
}

}  // namespace

std::string shooting_svg(const model::Problem& problem, const FitResult& result, const std::vector<Arc>& arcs,
                         std::string_view heading) {
  const auto [panels, left_out] = panels_of(problem, result);
  const Range time = time_range(panels, arcs);
  const Legend legend = legend_of(problem, arcs, problem.title.empty() ? 62 : 84);

  const int count = static_cast<int>(panels.size());
  const int columns = count <= 1 ? 1 : count <= 4 ? 2 : count <= 12 ? 3 : 4;
  const int rows = (count + columns - 1) / columns;
  const double width = (page_width - margin) / columns;
  const double height = columns == 1 ? 420 : columns == 2 ? 340 : columns == 3 ? 270 : 200;
  const double top = legend.bottom() + 4;
  const double page_height = top + rows * height + (left_out > 0 ? 26 : 0) + 6;

  std::string svg = opening(page_height, problem.title, heading) + legend.svg();
  for (int k = 0; k < count; ++k) {
    const Panel& panel = panels[static_cast<std::size_t>(k)];
    const Box frame{(k % columns) * width, top + (k / columns) * height, width, height};
    const int colours = panel.experiment ? 1 : static_cast<int>(problem.experiments.size());
    svg += draw_panel(panel, arcs_in(panel, arcs), colours, time, frame, fmt::format("panel{}", k));
  }
  if (left_out > 0)
    svg += fmt::format(R"(<text x="{:.0f}" y="{:.0f}" fill="#4b5563">{} not shown</text>)", margin, page_height - 14,
                       counted(static_cast<long>(left_out), "more panel")) +
           "\n";
  return svg + "</svg>\n";
}

}  // namespace salvo::report
