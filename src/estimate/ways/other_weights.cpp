#include <map>

#include "estimate/quantities.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/nodes.hpp"

namespace salvo::estimate {
namespace {

std::map<std::string, double> drawn_weights(const model::Problem& problem, Random& random) {
  std::map<std::string, double> guess;
  for (const model::Parameter& parameter : problem.parameters)
    if (const auto* estimated = std::get_if<model::Estimated>(&parameter.value); estimated && estimated->size)
      guess[parameter.id] = *estimated->size * random.normal();
  return guess;
}

std::vector<Found> try_other_weights(const WayTask& task) {
  Setup setup = make_setup(task.workspace, task.planned.discretisation);
  const std::map<std::string, double> weights = drawn_weights(setup.problem(), task.random);
  for (const Quantity& quantity : quantities(*setup.shooting))
    if (const auto weight = weights.find(quantity.id); weight != weights.end())
      setup.start[quantity.unknown] = weight->second;
  setup.at_start = {};
  setup.beginning.q = setup.start;
  solve::SolveResult run = run_solver(setup, task.context);
  std::vector<Found> out;
  out.push_back(found(task, std::move(setup), std::move(run)));
  return out;
}

}  // namespace

const Way other_weights{.name = "other weights", .says = "other initial weights", .run = try_other_weights};

}  // namespace salvo::estimate
