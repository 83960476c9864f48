#include "fit/places.hpp"

#include "model/on_cells.hpp"

namespace salvo::fit {

std::vector<int> observables_of_places(const model::Problem& problem) {
  std::vector<int> out;
  for (int k = 0; k < static_cast<int>(problem.observables.size()); ++k)
    if (model::open_coordinates(problem, problem.observables[k].formula) != 0) out.push_back(k);
  return out;
}

model::Problem read_at(model::Problem problem, std::span<const Place> places) {
  const std::vector<int> observables = observables_of_places(problem);
  const model::NodeId none = problem.graph.constant(1);
  for (const Place& place : places) {
    model::NodeId where = problem.graph.constant(place[0]);
    if (problem.space.size() > 1)
      where = problem.graph.make(expression::Op::pair, where, problem.graph.constant(place[1]));
    const auto add = [&](model::NodeId formula) {
      const model::NodeId there = problem.graph.make(expression::Op::at, formula, where);
      problem.observables.push_back({.formula = there, .noise = none});
    };
    for (const model::Field& field : problem.fields) add(field.symbol);
    for (const int k : observables) add(problem.observables[k].formula);
  }
  const int cells = problem.space[0].cells;
  return model::with_cells(std::move(problem), cells);
}

}  // namespace salvo::fit
