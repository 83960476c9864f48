#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "helpers/problems.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::test {

// A problem that uses everything: two experiments with settings of their own, measurements at nodes and inside
// intervals, replicates, noise that depends on states and parameters, initial values that are known, formulas, free,
// bounded and on scales, priors.
inline model::Problem rich_problem() {
  Builder builder({{"u", "-a*u^1.5/(b + u) + gain*exp(-w)"}, {"w", "log(1 + u^2) - b*w + 0.2*sin(t)"}});
  model::Estimated a = estimated(1.3, model::Scale::log);
  a.prior = model::Prior{.location = 1.1, .spread = 0.4};
  builder.parameter("a", a).parameter("gain", 0.5).parameter("b", within(0.7, 0.01, 20, model::Scale::log10));
  builder.parameter("noise", estimated(0.2));
  builder.observable("first", "u", "noise").observable("both", "u*w", "0.1 + noise*u^2");
  builder.observable("stated", "w + b", {}, model::Distribution::log_normal);
  model::Estimated free = estimated(0.8, model::Scale::log);
  free.prior = model::Prior{.location = -0.1, .spread = 0.5, .on_scale = true};
  builder.experiment("one", {free, within(0.6, 0.1, 3)});
  builder.experiment("two", {"a*b", estimated(0.9)}, {{1, "2*a"}, {2, "1.5"}}, 0.5);
  for (const double t : {0., 0.4, 1., 1., 1.7, 2.5}) builder.measure(0, 0, t, 0.7 + 0.1 * t).measure(0, 1, t, 0.5);
  for (const double t : {0.5, 1.2, 3.}) builder.measure(1, 0, t, 1.2).measure(1, 2, t, 2.1, 0.3).measure(1, 1, t, 0.8);
  return builder.build();
}

// Known initial values that follow from estimated ones: S = N - I at the start, and R from both.
inline model::Problem epidemic_from_initial_values() {
  Builder builder({{"S", "-b*S*I/N"}, {"I", "b*S*I/N - c*I"}, {"R", "c*I"}});
  builder.parameter("b", estimated(1.2)).parameter("c", estimated(0.4, model::Scale::log)).parameter("N", estimated(4));
  builder.observable("sick", "I", "0.1").observable("well", "S*R", "0.2");
  builder.experiment("here", {"N - initial_I^2", estimated(0.5, model::Scale::log), "0.1*initial_S + c*initial_I"});
  builder.experiment("there", {"N", "0.1*initial_S", "0"});
  for (const double t : {0., 0.6, 1.1, 2.})
    for (const int e : {0, 1}) builder.measure(e, 0, t, 0.7 + 0.1 * t).measure(e, 1, t, 0.5);
  return builder.build();
}

struct Sample {
  std::string name{};
  model::Problem problem{};
  model::Nodes nodes{};
};
inline std::vector<Sample> samples() {
  return {{"predator and prey", predator_prey(), model::NodesAtMeasurements{}},
          {"predator and prey, measured inside", predator_prey(), model::NodeTimes{{2.5, 5, 7.3}}},
          {"rich", rich_problem(), model::NodesAtMeasurements{}},
          {"rich, measured inside", rich_problem(), model::IntervalCount{2}},
          {"rich, single", rich_problem(), model::SingleInterval{}},
          {"initial values from others", epidemic_from_initial_values(), model::NodesAtMeasurements{}},
          {"initial values from others, single", epidemic_from_initial_values(), model::SingleInterval{}}};
}

inline std::unique_ptr<shooting::ShootingProblem> lay_out(const Sample& sample, shooting::ShootingOptions options) {
  return std::make_unique<shooting::ShootingProblem>(sample.problem, compile::compile(sample.problem),
                                                     shooting::make_grids(sample.problem, sample.nodes), options);
}

// A generic point: near nothing in particular, and with gaps.
inline nlp::Point generic_point(const nlp::Layout& layout, std::uint64_t seed = 5) {
  Random random(seed);
  nlp::Point q(layout.unknowns);
  for (double& value : q) value = 0.6 + 0.4 * random.uniform();
  return q;
}

}  // namespace salvo::test
