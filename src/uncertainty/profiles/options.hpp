#pragma once

#include <optional>
#include <string>
#include <vector>

#include "uncertainty/derived_quantities.hpp"

namespace salvo::uncertainty {

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
  bool trajectories = false;  // along every path, to be drawn
  int better_fits = 0;        // that following profiles of this run has led to before
};

}  // namespace salvo::uncertainty
