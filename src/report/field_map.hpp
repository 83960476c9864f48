#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"
#include "results/fit_result.hpp"

namespace salvo::report {

// A field over space and time as a map, with what was measured of it.
struct FieldMap {
  std::string name{};  // of the observable, and of the experiment if there are several
  std::string place_name{}, time_name{};
  std::vector<double> place{}, time{};
  std::vector<std::vector<double>> value{};  // at each time, by place
  struct Point {
    double place = 0, time = 0, value = 0;
  };
  std::vector<Point> data{};
};

std::vector<FieldMap> field_maps(const model::Problem& problem, const FitResult& result);

// All maps as one SVG file that needs nothing else; dark where its reader's system is.
std::string fields_svg(const std::string& title, const std::vector<FieldMap>& maps);

}  // namespace salvo::report
