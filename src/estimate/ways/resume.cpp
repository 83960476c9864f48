#include "estimate/ways/resume.hpp"

#include <iterator>
#include <utility>

namespace salvo::estimate {

bool can_go_on(const Setup& setup, const solve::SolveResult& run) {
  const bool is_stopped = run.ended == solve::Ended::interrupted || run.ended == solve::Ended::deadline;
  return is_stopped && !setup.solve.judge && !has_corner(setup.problem());
}

const StoppedRun* stopped_run(const WayTask& task) {
  return task.stopped != nullptr && task.stopped->stopped ? &*task.stopped->stopped : nullptr;
}

Setup setup_of(const WayTask& task) {
  const StoppedRun* stopped = stopped_run(task);
  if (stopped == nullptr) return make_setup(task.workspace, task.planned.discretisation);
  const Answer& answer = *task.stopped;
  Setup setup{.workspace = &task.workspace,
              .laid = task.planned.discretisation,
              .shooting = task.workspace.on(answer.grids),
              .start = answer.start.q,
              .remarks = answer.remarks,
              .beginning = answer.start,
              .grids_seen = answer.grids_seen};
  setup.grids_seen.pop_back();  // its last part sees them again
  setup.solve = solve_options(task.workspace);
  setup.solve.max_iterations = setup.laid.iterations;
  setup.solve.request.stiff = stopped->part.was_stiff;
  return setup;
}

solve::SolveResult whole_of(solve::SolveResult stopped, solve::SolveResult rest) {
  stopped.trace.insert(stopped.trace.end(), std::move_iterator(rest.trace.begin()),
                       std::move_iterator(rest.trace.end()));
  stopped.film.go_on(std::move(rest.film));
  rest.trace = std::move(stopped.trace);
  rest.film = std::move(stopped.film);
  return rest;
}

Found found_again(const Workspace& workspace, Answer answer) {
  std::unique_ptr<shooting::ShootingProblem> shooting = workspace.on(answer.grids);
  solve::SolveResult& run = answer.run;
  if (is_point_of(*shooting, run.q)) answer.predictions = predict_all(*shooting, run.q, run.request);
  if (answer.linearised && is_point_of(*shooting, answer.linearised->at) &&
      !shooting->linearize(answer.linearised->at, answer.linearised->request, run.linearized).ok)
    run.linearized = {};
  return {std::move(answer), std::move(shooting)};
}

}  // namespace salvo::estimate
