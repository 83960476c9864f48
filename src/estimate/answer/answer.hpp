#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "estimate/answer/predictions.hpp"
#include "estimate/answer/standing.hpp"
#include "model/choices.hpp"
#include "shooting/engine.hpp"
#include "shooting/grid.hpp"
#include "solve/certificate/certificate.hpp"
#include "solve/result.hpp"

namespace salvo::estimate {

// A point on some nodes.
struct Place {
  std::vector<shooting::Grid> grids{};
  nlp::Point q{};
};

// What a way has come to: a value without pointers, which can be written down (answer/write.hpp), sent to another
// process, and described later.
struct Answer {
  std::string_view way{};               // that found it
  solve::SolveResult run{};             // the point, with why the run ended there and how it came there
  std::vector<shooting::Grid> grids{};  // on which the point stands
  std::vector<double> estimates{};      // what was estimated, on its scales, in the order of `quantities`
  Standing standing = Standing::unknown;
  std::string trouble{};             // what stands between the point and a minimum; empty if it is one
  solve::Certificate certificate{};  // of the point
  std::string mirrored{};            // how it was made of another answer, if it was: "a and b are exchanged"

  model::Method method = model::Method::gauss_newton;
  model::Derivatives derivatives = model::Derivatives::tangent;
  std::string integrator{};
  shooting::WorkCount work{};                             // of the fit that found it, all of its ways together
  int points = 1;                                         // that were tried as starts
  std::vector<std::string> remarks{};                     // on the start
  Place start{};                                          // where the run began
  std::vector<std::vector<shooting::Grid>> grids_seen{};  // by runs of the solver; its film counts them

  // What the point says of every measurement, if it is known, and how much the trajectories move between the
  // measurements, once somebody has asked. Both follow from the point and are not written down.
  Predictions predictions{};
  std::optional<double> motion{};
};

bool is_proved(const Answer& answer);
// Trajectories without gaps that could be seen.
bool is_joined(const Answer& answer);
// Whether anything was evaluated.
bool is_known(const Answer& answer);

}  // namespace salvo::estimate
