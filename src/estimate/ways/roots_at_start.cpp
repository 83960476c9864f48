#include "estimate/ways/roots_at_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrate/delayed/past_at_start.hpp"
#include "integrate/switchboard.hpp"

namespace salvo::estimate {
namespace {

constexpr double told_difference = 0.1;  // relative, between a root and where it was looked for
constexpr std::size_t most_told = 5;

}  // namespace

std::vector<RootAtStart> roots_at_start(const shooting::ShootingProblem& problem, const nlp::Point& q) {
  std::vector<RootAtStart> out;
  const compile::CompiledModel& model = problem.model();
  if (model.algebraic.empty() || static_cast<int>(q.size()) != problem.layout().unknowns) return out;
  for (int c = 0; c < static_cast<int>(problem.grids().size()); ++c) {
    const shooting::Grid& grid = problem.grids()[c];
    const shooting::ExperimentValues values = problem.values_of(c, q, false);
    const integrate::Switchboard::Start start{
        .p = values.p.data(),
        .time = grid.tau.front(),
        .experiment = grid.experiment,
        .frozen_budget = std::size_t{1} << 20U,
        .past = integrate::past_at_start(model, values.p.data(), values.s0.data(), grid.experiment)};
    std::vector<integrate::Jump> jumps;
    if (!integrate::begin(model, start, values.s0, jumps).ok() || jumps.empty()) continue;
    const double condition = integrate::condition_at(model, start, jumps.back());
    for (const int i : model.algebraic)
      out.push_back({.variable = model.state_names[i],
                     .experiment = problem.grids().size() > 1 ? problem.problem().experiments[grid.experiment].id : "",
                     .near = values.s0[i],
                     .value = jumps.back().after[i],
                     .condition = condition});
  }
  return out;
}

std::vector<std::string> remarks_on_roots(const std::vector<RootAtStart>& roots) {
  std::vector<std::string> out;
  for (const RootAtStart& root : roots) {
    const double size = std::max(std::abs(root.near), std::abs(root.value));
    if (std::abs(root.near - root.value) <= told_difference * size || out.size() == most_told) continue;
    out.push_back(fmt::format("the algebraic variable {} begins at {:.4g}{}, looked for near {:.4g}", root.variable,
                              root.value, root.experiment.empty() ? "" : " in " + root.experiment, root.near));
  }
  return out;
}

}  // namespace salvo::estimate
