#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "estimate/answer/predictions.hpp"
#include "estimate/estimate.hpp"
#include "estimate/quantities.hpp"
#include "estimate/ways/setup.hpp"
#include "helpers/problems.hpp"

namespace salvo::test {

// A problem laid on its nodes, with the workspace that it refers to.
struct LaidOut {
  explicit LaidOut(model::Problem given, const estimate::Options& options = {})
      : problem(std::move(given)), workspace(problem, options), setup(estimate::make_setup(workspace)) {}
  LaidOut(const LaidOut&) = delete;
  LaidOut& operator=(const LaidOut&) = delete;

  const model::Problem problem;
  const estimate::Workspace workspace;
  estimate::Setup setup;
};

// An estimate, with the problem that its workspace refers to.
struct Estimated {
  explicit Estimated(model::Problem given, const estimate::Options& options = {})
      : problem(std::move(given)), estimation(estimate::estimate(problem, options, {})) {}
  Estimated(model::Problem given, const estimate::Options& options, const estimate::Strategy& strategy)
      : problem(std::move(given)), estimation(estimate::estimate(problem, options, {}, {}, strategy)) {}
  Estimated(const Estimated&) = delete;
  Estimated& operator=(const Estimated&) = delete;

  const estimate::Answer& answer() const { return estimation.best.answer; }
  // In user units, by name.
  std::map<std::string, double> values_of(const std::vector<double>& estimates) const {
    std::map<std::string, double> out;
    const auto all = estimate::quantities(*estimation.best.shooting);
    for (std::size_t k = 0; k < all.size(); ++k)
      out[all[k].id] = model::from_scale(all[k].estimated->scale, estimates.at(k));
    return out;
  }
  std::map<std::string, double> values() const { return values_of(answer().estimates); }
  double value(const std::string& id) const { return values().at(id); }

  const model::Problem problem;
  const estimate::Estimation estimation;
};

// x = 3 e^(-0.7 t), measured without noise: nodes can be laid on the data.
inline model::Problem seen_decay() {
  Builder builder(Equations{{"x", "-k*x"}});
  builder.parameter("k", estimated(1)).observable("y", "x", "0.01");
  builder.experiment(model::default_experiment, {estimated(2)});
  for (int j = 0; j <= 6; ++j) builder.measure(0, 0, 0.5 * j, 3 * std::exp(-0.7 * 0.5 * j));
  return builder.build();
}

}  // namespace salvo::test
