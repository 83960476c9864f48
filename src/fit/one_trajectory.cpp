#include "fit/one_trajectory.hpp"

#include <cmath>

#include "shooting/nodes.hpp"

namespace salvo::fit {

namespace {

constexpr double same_objective = 1e-6;  // relative, of joined nodes and of one trajectory

}  // namespace

OneTrajectory on_one_trajectory(const model::Problem& problem, const shooting::ShootingProblem& shooting,
                                const solve::SolveResult& answer) {
  OneTrajectory out;
  out.shooting = shooting.on(shooting::make_grids(problem, model::SingleInterval{}));
  out.q = shooting::carried_over(shooting, answer.q, *out.shooting);
  nlp::Request request = answer.request;
  request.max_steps = 0;
  nlp::Blocks blocks;
  out.is_same = out.shooting->values(out.q, request, blocks).ok &&
                std::abs(blocks.objective - answer.objective) <= same_objective * (1 + std::abs(blocks.objective));
  return out;
}

}  // namespace salvo::fit
