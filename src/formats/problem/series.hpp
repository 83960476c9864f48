#pragma once

#include <string>
#include <vector>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// A column of a table over its times, which increase.
struct Series {
  std::vector<double> time{};
  std::vector<double> value{};
};

// What {data: weather.csv, time: t, column: temp, interpolation: linear} says.
struct SeriesTable {
  const yaml::Node* name = nullptr;  // of the file
  model::Interpolation interpolation = model::Interpolation::linear;
  std::vector<Series> of_experiment{};  // one for each experiment, or one for all; none: it is faulty, which is told
};

// `what` names it, "the input temp"; `column` and `interpolation` hold where the map does not say them.
SeriesTable read_series(Draft& draft, const yaml::Node& map, const std::string& what, std::string column,
                        model::Interpolation interpolation);

}  // namespace salvo::formats
