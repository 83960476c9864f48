#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/axis.hpp"
#include "results/arcs.hpp"

// One panel of the picture: the data of one observable and the arcs that should meet them.
namespace salvo::report {

struct Box {  // in pixels
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

struct DataPoint {
  int experiment = 0;
  double time = 0;
  double value = 0;
  double low = 0;  // ends of the error bar; equal to the value where there is none
  double high = 0;
  bool fitted = true;  // false: only predicted
};

struct Panel {
  int observable = 0;
  std::optional<int> experiment{};  // the only one that is shown; none: all of them, in colours
  std::string name{};
  std::string time_name{};
  std::vector<DataPoint> data{};
};

// Colours that people with colour-blindness tell apart (Okabe and Ito), without the yellow that vanishes on white.
struct Ink {
  std::string_view line{};
  std::string_view data{};
};
Ink ink_of(int experiment, int experiment_count);

// Marks, as they stand in a panel and in the legend.
std::string node_mark(double x, double y, double radius, std::string_view colour);
std::string data_mark(double x, double y, bool fitted, std::string_view colour);
std::string error_bar(double x, double top, double bottom, std::string_view colour);

// The panel with its axes inside `frame`. `clip_id` must be unique in the file.
std::string draw_panel(const Panel& panel, const std::vector<Arc>& arcs, int experiment_count, const Range& time_range,
                       const Box& frame, std::string_view clip_id);

}  // namespace salvo::report
