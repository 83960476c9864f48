#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "uncertainty/derived_quantities.hpp"

namespace salvo::uncertainty {

// A side of a profile as it was followed, on the scale of its quantity: what a run that is taken up again starts from.
struct FinishedSide {
  std::string id{};
  int direction = 1;
  std::string end{};  // in words
  double level = 0;   // of the interval at which it was to end
  std::string trouble{};
  struct Point {
    double value = 0;
    double objective = 0;
    double slope = 0;
    std::vector<double> q{};
  };
  std::vector<Point> points{};
};
struct PredictionWanted {
  std::string formula{};                     // an observable, or a formula of whatever the problem names
  std::string experiment{};                  // empty: the only one
  std::optional<double> time{};              // missing only where it is one of parameters alone
  std::optional<DerivedQuantity> derived{};  // it is this one, whatever the others say
};
struct ProfileOptions {
  std::vector<std::string> ids{};  // quantities, derived ones too; empty: all, unless predictions are asked for
  std::vector<PredictionWanted> predictions{};
  double level = 0.95;
  bool trajectories = false;             // along every path, to be drawn
  std::vector<FinishedSide> finished{};  // of an earlier run from the same optimum ...
  std::vector<double> optimum{};         // ... which stood here
  std::function<void(const FinishedSide&, const std::vector<double>& optimum)>
      keep{};  // called by one thread at a time
};

}  // namespace salvo::uncertainty
