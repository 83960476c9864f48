#include "report/designs/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/words.hpp"
#include "report/axis.hpp"
#include "report/display_text.hpp"
#include "report/polyline.hpp"

namespace salvo::report::designs {
namespace {

using design::Candidate;

constexpr double wide = 720, high = 260;  // pixels
constexpr double left_edge = 64, right_edge = 14, top_edge = 14, bottom_edge = 44;
constexpr std::size_t most_panels = 12;

struct Panel {
  std::string name{};
  std::vector<const Candidate*> candidates{};  // by time
  bool is_used = false;
};

std::vector<Panel> panels_of(const design::Result& result) {
  std::map<std::pair<int, std::string>, Panel> found;
  for (const Candidate& each : result.candidates) {
    Panel& panel = found[{each.measure, each.experiment}];
    panel.name = listed(each.observables) + (each.experiment == "default" ? "" : ", " + each.experiment);
    panel.candidates.push_back(&each);
    panel.is_used = panel.is_used || each.weight > 0 || each.chosen > 0;
  }
  std::vector<Panel> panels;
  for (auto& [key, panel] : found)
    if (panel.is_used && panels.size() < most_panels) panels.push_back(std::move(panel));
  return panels;
}

class Drawing {
 public:
  Drawing(const Panel& panel, const design::Result& result, const std::string& time_name)
      : panel_(panel), level_(result.level), time_name_(time_name) {
    std::vector<double> times, values{0, 1.1 * result.level};
    for (const Candidate* each : panel.candidates) {
      times.push_back(each->time);
      values.push_back(each->sensitivity);
    }
    x_ = make_axis(with_margin(range_of(times), 0.02), 8);
    const Range range = range_of(values);
    y_ = make_axis({0, range.high * 1.05}, 5);
  }

  std::string draw() const {
    std::string text = fmt::format(
        "<svg class=\"sensitivity\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Sensitivity of {} over time\" "
        "style=\"width:100%;max-width:{}px;font-size:12px\">\n",
        wide, high, xml_text(panel_.name), wide);
    text += grid() + curve() + level_line() + marks();
    return text + "</svg>\n";
  }

 private:
  double px(double time) const {
    return left_edge + (wide - left_edge - right_edge) * (time - x_.range.low) / x_.range.span();
  }
  double py(double value) const {
    return high - bottom_edge - (high - top_edge - bottom_edge) * value / y_.range.span();
  }

  std::string grid() const {
    std::string text;
    for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
      const double x = px(x_.ticks[i]);
      text += fmt::format(
          "<path d=\"M{0:.1f} {1}V{2}\" style=\"stroke:var(--grid)\"/>"
          "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\" style=\"fill:var(--soft)\">{4}</text>\n",
          x, top_edge, high - bottom_edge, high - bottom_edge + 16, xml_text(x_.labels[i]));
    }
    for (std::size_t i = 0; i < y_.ticks.size(); ++i) {
      const double y = py(y_.ticks[i]);
      text += fmt::format(
          "<path d=\"M{0} {1:.1f}H{2}\" style=\"stroke:var(--grid)\"/>"
          "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\" style=\"fill:var(--soft)\">{5}</text>\n",
          left_edge, y, wide - right_edge, left_edge - 6, y + 4, xml_text(y_.labels[i]));
    }
    return text + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" style=\"fill:var(--soft)\">{}</text>\n",
                              0.5 * (left_edge + wide - right_edge), high - 6, xml_text(time_name_));
  }

  std::string curve() const {
    std::vector<std::pair<double, double>> points;
    for (const Candidate* each : panel_.candidates) points.push_back({px(each->time), py(each->sensitivity)});
    return fmt::format("<path class=\"curve\" d=\"{}\" style=\"fill:none;stroke:var(--line);stroke-width:1.9\"/>\n",
                       polyline_path(points, top_edge, high - bottom_edge));
  }

  std::string level_line() const {
    return fmt::format(
        "<path class=\"level\" d=\"M{0} {1:.2f}H{2}\" "
        "style=\"stroke:var(--gap);stroke-dasharray:5 4\"/>"
        "<text x=\"{2}\" y=\"{3:.1f}\" text-anchor=\"end\" style=\"fill:var(--gap)\">level</text>\n",
        left_edge, py(level_), wide - right_edge, py(level_) - 5);
  }

  // Bars for the weights, and a dot for each chosen time.
  std::string marks() const {
    double most = 0;
    for (const Candidate* each : panel_.candidates) most = std::max(most, each->weight);
    std::string text;
    for (const Candidate* each : panel_.candidates) {
      if (each->weight > 0)
        text += fmt::format(
            "<path class=\"weight\" d=\"M{:.2f} {}V{:.2f}\" "
            "style=\"stroke:var(--line);stroke-width:4;opacity:.35\"><title>weight {:.4g} at {:.6g}"
            "</title></path>\n",
            px(each->time), high - bottom_edge, high - bottom_edge - 40 * each->weight / most, each->weight,
            each->time);
      if (each->chosen > 0)
        text += fmt::format(
            "<circle class=\"chosen\" data-time=\"{}\" data-count=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" "
            "r=\"{}\" style=\"fill:var(--data)\"><title>{} at {:.6g}</title></circle>\n",
            number_text(each->time), each->chosen, px(each->time), py(each->sensitivity), each->chosen > 1 ? 5.5 : 4,
            counted(each->chosen, "sample"), each->time);
    }
    return text;
  }

  const Panel& panel_;
  double level_;
  const std::string& time_name_;
  Axis x_, y_;
};

}  // namespace

std::string sensitivity_svg(const design::Result& result, const std::string& time_name) {
  std::string text;
  for (const Panel& panel : panels_of(result))
    text += "<h3>" + xml_text(panel.name) + "</h3>\n" + Drawing(panel, result, time_name).draw();
  return text;
}

}  // namespace salvo::report::designs
