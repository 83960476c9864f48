#pragma once

#include <string>
#include <vector>

#include "model/design.hpp"
#include "model/problem.hpp"

namespace salvo::design {

// A level for each factor.
using Setting = std::vector<double>;

// Every combination of the levels; none without factors.
std::vector<Setting> all_settings(const model::Design& design);

// "dose=3, x1=0.2"
std::string name_of(const model::Problem& problem, const Setting& setting);

// The problem with one experiment more for each setting: like the one that the design names, but for the levels.
model::Problem with_new_experiments(const model::Problem& problem, const std::vector<Setting>& settings);

// Why new experiments cannot be made of the one they are to be like; empty where they can.
std::string why_not_varied(const model::Problem& problem);

// All observables of one entry of `measure`, at one time of one experiment.
struct Sample {
  int measure = 0;
  int experiment = 0;  // of the problem with new experiments
  double time = 0;
};

struct Candidates {
  std::vector<Sample> samples{};  // by entry, experiment and time
  std::vector<double> cost{};
  std::vector<double> limit{};  // how many of each; may be infinite
};

// `problem` has the new experiments, after `old` ones.
Candidates candidates_of(const model::Problem& problem, int old);

}  // namespace salvo::design
