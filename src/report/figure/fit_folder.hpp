#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace salvo::report::figure {

// What is drawn of a fit, as its folder holds it.
struct Fit {
  struct Observable {
    std::string id{};
    std::string axis{};           // with label and unit
    bool is_logarithmic = false;  // its noise
  };
  struct Datum {
    int experiment = 0;
    int observable = 0;
    double time = 0;
    double value = 0;
    double sigma = 0;    // 0 where it is not known
    int limit = 0;       // -1: the measurement is below the value, 1: above it
    bool fitted = true;  // false: it was only predicted
  };
  // One piece of a trajectory, without a jump: an event begins another one.
  struct Arc {
    int experiment = 0;
    std::vector<double> time{};
    std::vector<std::vector<double>> value{};  // by observable
    std::vector<std::vector<double>> lower{};  // of the band; empty where there is none
    std::vector<std::vector<double>> upper{};
  };
  // The same of two states or observables, one against the other.
  struct PhaseArc {
    int experiment = 0;
    std::vector<double> x{};
    std::vector<double> y{};
  };
  std::string time_axis{};
  std::vector<Observable> observables{};
  std::vector<std::string> experiments{};
  std::vector<Datum> data{};
  std::vector<Arc> arcs{};
  std::vector<PhaseArc> phase{};  // where a phase portrait is wanted
};

// From pictures.json; Issues where this is not the folder of a fit. `phase` is left empty.
Result<Fit> read_fit(const std::string& folder);

}  // namespace salvo::report::figure
