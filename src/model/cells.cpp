#include "model/cells.hpp"

#include "model/problem.hpp"

namespace salvo::model {

std::size_t ordinary_states(const Problem& problem) {
  std::size_t cells = 0;
  for (const Stencil& stencil : problem.cells.stencils) cells += stencil.count() * stencil.derivatives.size();
  return problem.states.size() - cells;
}

std::vector<NodeId> equations(const Problem& problem) {
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < ordinary_states(problem); ++i) all.push_back(problem.states[i].derivative);
  for (const Stencil& stencil : problem.cells.stencils)
    all.insert(all.end(), stencil.derivatives.begin(), stencil.derivatives.end());
  return all;
}

}  // namespace salvo::model
