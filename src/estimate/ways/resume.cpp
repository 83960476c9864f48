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
  if (stopped == nullptr) {
    Setup setup = make_setup(task.workspace, task.planned.discretisation);
    setup.keeper = task.keeper;
    return setup;
  }
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
  setup.keeper = task.keeper;
  return setup;
}

PartKeeper::PartKeeper(const Setup& setup, std::function<StoppedRun(const solve::SolveResult&)> stopped)
    : setup_(setup), stopped_(std::move(stopped)), code_changes_(setup.workspace->code_changes()) {
  keeper_.at_step = [this] { setup_.keeper->at_step(); };
  keeper_.is_due = [this] { return setup_.keeper->is_due(); };
  keeper_.keep = [this](const solve::SolveResult& run) { keep(run); };
}

const solve::RunKeeper* PartKeeper::for_run(bool is_restored) {
  if (setup_.keeper == nullptr || setup_.solve.judge || has_corner(setup_.problem())) return nullptr;
  keeper_.restored = is_restored ? setup_.keeper->restored : std::function<void()>{};
  return &keeper_;
}

void PartKeeper::keep(const solve::SolveResult& run) {
  if (const int changes = setup_.workspace->code_changes(); changes != code_changes_) {
    code_changes_ = changes;
    linearised_before_ = run.state.linearised.at;
  }
  if (run.state.linearised.at == linearised_before_) return;
  Answer answer{.grids = setup_.shooting->grids(),
                .remarks = setup_.remarks,
                .start = setup_.beginning,
                .grids_seen = setup_.grids_seen,
                .stopped = stopped_(run)};
  answer.grids_seen.push_back(answer.grids);
  setup_.keeper->keep(answer);
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
