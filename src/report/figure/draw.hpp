#pragma once

#include <string>
#include <string_view>

#include "report/axis.hpp"
#include "report/figure/panels.hpp"
#include "report/panel.hpp"

// Marks and lines of one panel as SVG. Lengths are in CSS pixels, 96 to an inch.
namespace salvo::report::figure {

// What the axes of a panel span, on the axes' own scales.
struct Frame {
  Range x{};
  Range y{};
};
Frame frame_of(const Panel& panel);
// One that holds both.
Frame joined(const Frame& a, const Frame& b);

inline constexpr double text_size = 10;     // 7.5 points
inline constexpr double label_size = 10.7;  // 8 points

// The colour of a series: that of the page on light paper.
std::string_view colour_of(int series);

// `several`: colours tell experiments apart, and data have those of their curves.
struct Look {
  bool several = false;
  std::string clip_id{};  // unique in the file
};
std::string draw(const Panel& panel, const Frame& frame, const Box& place, const Look& look);

}  // namespace salvo::report::figure
