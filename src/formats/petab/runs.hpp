#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/petab/draft.hpp"

namespace salvo::formats::petab {

// What is set from one time on.
struct Period {
  double time = 0;
  std::vector<sbml::Setting> set{};
};

// One way in which the model is run: an experiment of PEtab 2, or a pair of conditions of PEtab 1.
struct Run {
  std::string id{};
  std::optional<std::vector<sbml::Setting>> equilibrate{};  // set while it comes to rest before the first period
  std::vector<Period> periods{};                            // in the order of their times; at least one
  bool at_rest = false;  // it is measured where it comes to rest: the states stay what they are there
  int rest_of = -1;      // ... which it does from where this run begins, one that has come to rest before
};

struct Runs {
  std::vector<Run> all{};
  std::vector<int> of_measurement{};  // by row of the measurement table
};

// Those that the measurements speak of, in the order in which they do. What is measured at time inf belongs to a run
// that comes to rest and is measured there.
Runs read_runs(Draft& draft);

}  // namespace salvo::formats::petab
