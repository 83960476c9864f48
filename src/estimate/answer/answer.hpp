#pragma once

#include <optional>
#include <string>
#include <vector>

#include "estimate/answer/predictions.hpp"
#include "estimate/answer/standing.hpp"
#include "estimate/answer/stopped_run.hpp"
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
  std::string way{};         // that found it
  solve::SolveResult run{};  // the point, with why the run ended there and how it came there
  // Where the derivatives of the run were taken, if it ended with any: they are large, and are not written down.
  std::optional<solve::Linearised> linearised{};
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
  std::optional<StoppedRun> stopped{};                    // if it was told to stop and can be gone on with

  // What the point says of every measurement, if it is known, and how much the trajectories move between the
  // measurements, once somebody has asked. All of this follows from the point and is not written down.
  Predictions predictions{};
  // Root of the covariance (solve/elimination/full_rank_root.hpp), if nodes proved themselves by it.
  std::optional<Matrix> root{};
  std::optional<double> motion{};
};

bool is_proved(const Answer& answer);
// Trajectories without gaps that could be seen.
bool is_joined(const Answer& answer, const solve::GapRules& gaps);
// Whether probes have found a direction along which nothing changes, and which quantities take part in one by more than
// `part` of its length.
bool is_flat(const Answer& answer);
std::vector<bool> unseen_quantities(const Answer& answer, double part);
// Whether anything was evaluated.
bool is_known(const Answer& answer);

}  // namespace salvo::estimate
