#include "random_restart_way.hpp"

#include "estimate/starts/draw.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"

namespace salvo::test {
namespace {

// One trajectory from a point that is drawn.
std::vector<estimate::Found> restart(const estimate::WayTask& task) {
  estimate::Setup setup = estimate::make_setup(task.workspace, task.planned.discretisation);
  const nlp::Point start = estimate::draw_point(setup, task.random, true);
  solve::SolveResult run = estimate::descend_precisely(setup, start, task.context);
  std::vector<estimate::Found> out;
  out.push_back(estimate::found(task, std::move(setup), std::move(run)));
  return out;
}

}  // namespace

const estimate::Way random_restart{
    .name = "random restart", .says = "a random restart", .is_unbroken = true, .run = restart};

}  // namespace salvo::test
