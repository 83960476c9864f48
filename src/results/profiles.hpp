#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/arcs.hpp"
#include "results/trace.hpp"

namespace salvo {

// How the objective rises when one number is held at other values and everything else is fitted again.
enum class Verdict { identifiable, one_sided, flat, several_minima };
std::string_view to_string(Verdict verdict);  // "identifiable", "one-sided", "flat", "several minima"

// This interval is that of an observation not yet made; an end is missing where there is no end, or none was found.
struct NewObservationInterval {
  std::optional<double> lower{};
  std::optional<double> upper{};
  bool is_followed = true;  // both sides to where they end
};
struct Profile {
  std::string id{};  // of a quantity, or "prey@12"
  bool is_prediction = false;
  double estimate = 0;            // user units
  std::optional<double> lower{};  // of the interval; missing: there is no end, or none was found
  std::optional<double> upper{};
  std::optional<NewObservationInterval> new_observation{};  // of a predicted observable
  bool is_followed = true;  // both sides to where they end; false: a missing limit may exist
  Verdict verdict = Verdict::identifiable;
  std::string sentence{};
  std::vector<std::string> combinations{};  // that are seen where this is not: "p2*x2 = 1.04"
  double rise = 0;                          // of the objective at the ends of the interval
  struct Point {
    double value = 0;  // user units
    double objective = 0;
    std::vector<double> others{};  // all quantities, user units, in the order of Profiles::ids
    std::vector<Arc> arcs{};       // the trajectories there, if they are to be drawn; without states
  };
  std::vector<Point> points{};  // by value, the optimum among them
};
struct Profiles {
  double level = 0.95;
  std::vector<std::string> ids{};
  std::vector<Profile> profiles{};
  std::string sentence{};  // that reads all of them together
  long fits = 0;           // how many were solved
  Work work{};
  bool complete = true;
};

}  // namespace salvo
