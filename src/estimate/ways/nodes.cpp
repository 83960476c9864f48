#include "estimate/ways/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contract.hpp"
#include "base/words.hpp"
#include "estimate/ways/adapt_nodes.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"
#include "solve/method/gauss_newton.hpp"
#include "solve/method/lagrangian.hpp"
#include "solve/method/scalar_sqp.hpp"

namespace salvo::estimate {
namespace {

bool is_rough(const solve::SolveResult& result) { return result.request.accuracy > 0; }
bool is_joined(const solve::SolveResult& result) { return result.ended == solve::Ended::joined; }

// The paper minimises the plain sum of squares: chi2 times the harmonic mean of the sigma^2.
double scalar_objective_scale(const Setup& setup) {
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (!setup.shooting->predict(setup.start, setup.solve.request, predicted).ok || predicted.empty()) return 1;
  double sum = 0;
  for (const auto& p : predicted) sum += 1 / (p.sigma * p.sigma);
  return 2 * static_cast<double>(predicted.size()) / sum;  // the objective is half of chi2
}

solve::SolveResult run_method(Setup& setup, const nlp::Point& start, const solve::SolveOptions& options, double scale,
                              const RunContext& context, nlp::Blocks at_start) {
  const shooting::WatchedProblem problem(*setup.shooting, setup.last_values);
  if (setup.laid.method == model::Method::scalar) return solve::scalar_sqp(problem, start, scale, options, context);
  if (setup.laid.method == model::Method::lagrangian) return solve::lagrangian(problem, start, options, context);
  return solve::gauss_newton(problem, start, options, context, std::move(at_start));
}

solve::SolveResult run_once(Setup& setup, const nlp::Point& start, const solve::SolveOptions& options, double scale,
                            const RunContext& context, nlp::Blocks at_start) {
  solve::SolveResult result = run_method(setup, start, options, scale, context, std::move(at_start));
  result.film.set_grid(static_cast<int>(setup.grids_seen.size()));
  setup.grids_seen.push_back(setup.shooting->grids());
  return result;
}

// Tells the iterations of a run that goes on after so many; its start is the end of the run before.
RunContext counting_on(const RunContext& context, int before) {
  RunContext counting = context;
  counting.listener = [&context, before](const Event& event) {
    const auto* done = std::get_if<IterationDone>(&event);
    if (done == nullptr) return context.tell(event);
    IterationDone later = *done;
    later.iteration += before;
    if (done->iteration > 0) context.tell(later);
  };
  return counting;
}

// Goes on with the problem on other nodes; q goes along.
void go_on_with(Setup& setup, std::unique_ptr<shooting::ShootingProblem> next, nlp::Point& q) {
  q = shooting::carried_over(*setup.shooting, q, *next);
  setup.shooting = std::move(next);
}

// How a run goes on after it has ended, if it does.
struct Continuation {
  bool goes_on = false;
  std::unique_ptr<shooting::ShootingProblem> other{};  // on other nodes; null: on the same
};

// A failed run goes on where an interval can be cut that failed or stretches.
Continuation on_more_nodes(const shooting::ShootingProblem& shooting, const solve::SolveResult& result) {
  const bool failed = result.ended == solve::Ended::no_step || result.ended == solve::Ended::conflict ||
                      result.ended == solve::Ended::not_computable;
  if (!failed || !result.conflict.empty()) return {};
  if (result.link >= 0) return {true, shooting.on(shooting::halved(shooting.grids(), result.chain, result.link))};
  nlp::Blocks blocks;
  if (!shooting.linearize(result.q, result.request, blocks).ok) return {};
  std::vector<shooting::Grid> finer = split_where_it_stretches(shooting, result.q, blocks);
  if (count_nodes(finer) == count_nodes(shooting.grids())) return {};
  return {true, shooting.on(std::move(finer))};
}

// After a rough search everything goes on with full precision, and what is joined on fewer nodes.
Continuation continuation(const Setup& setup, const solve::SolveResult& result) {
  const shooting::ShootingProblem& shooting = *setup.shooting;
  if (is_joined(result) && setup.laid.adapts_nodes)
    return {true, Merger(shooting, result.request.accuracy, setup.rules().nodes)
                      .merged(result.q, result.linearized, enough_for_all_lanes(shooting))};
  if (is_rough(result)) return {true};
  return setup.laid.adapts_nodes ? on_more_nodes(shooting, result) : Continuation{};
}

std::string about(const shooting::ShootingProblem& other, const solve::SolveResult& result) {
  const std::string nodes = counted(count_nodes(other.grids()), "node");
  return is_joined(result) ? fmt::format("the gaps are nearly closed: {} are enough", nodes)
                           : fmt::format("{}; tried with {}", result.trouble, nodes);
}

bool stops_to_merge(const Setup& setup, double accuracy) {
  return setup.laid.adapts_nodes &&
         Merger(*setup.shooting, accuracy, setup.rules().nodes).may_merge(enough_for_all_lanes(*setup.shooting));
}

// Far from the solution nobody needs trajectories to eight digits: the search is rough until they are nearly joined
// (docs/decisions/rough-search.md).
solve::SolveResult run_adapting(Setup& setup, const nlp::Point& start, solve::SolveOptions options, double scale,
                                const RunContext& context, nlp::Blocks at_start) {
  const int allowed = options.max_iterations;
  const bool known_stiff = options.request.stiff;
  const auto run_on = [&](int before, const nlp::Point& q, const RunContext& told_to, nlp::Blocks at_q) {
    options.max_iterations = allowed - before;
    options.search_iterations = (allowed + 1) / 2 - before;  // a search without end leaves time for another
    return run_once(setup, q, options, scale, told_to, std::move(at_q));
  };
  options.search_accuracy = setup.laid.search_accuracy;
  options.stop_when_joined = stops_to_merge(setup, options.search_accuracy);
  solve::SolveResult total = run_on(0, start, context, std::move(at_start));
  for (int change = 0; change < setup.rules().nodes.changes && !context.should_stop(); ++change) {
    if (context.is_spent()) break;
    Continuation next = continuation(setup, total);
    if (!next.goes_on) break;
    if (next.other) context.tell(Remark{.text = about(*next.other, total), .is_detail = true});
    nlp::Point q = total.q;
    nlp::Blocks at_q = next.other || !is_joined(total) ? nlp::Blocks{} : std::move(total.linearized);
    if (next.other) go_on_with(setup, std::move(next.other), q);
    options.search_accuracy = is_joined(total) ? total.request.accuracy : 0;
    options.request.stiff = total.request.stiff;
    options.stop_when_joined = !is_joined(total) && stops_to_merge(setup, options.search_accuracy);
    append(total, run_on(total.iterations, q, counting_on(context, total.iterations), std::move(at_q)));
  }
  setup.solve.request.stiff = total.request.stiff;
  if (total.request.stiff && !known_stiff)
    context.tell(Remark{.text = fmt::format("the equations are stiff: {} from here on", choices_of(setup).integrator)});
  if (const std::string code = setup.shooting->engine()->code_in_words(); !code.empty())
    context.tell(Remark{.text = code, .is_detail = true});
  return total;
}

}  // namespace

solve::SolveResult run_solver(Setup& setup, const RunContext& context) {
  const Choices choices = choices_of(setup);
  const auto because = [](const std::string& reason) { return reason.empty() ? "" : " (" + reason + ")"; };
  const bool by_blocks = setup.laid.method == model::Method::gauss_newton;
  context.tell(Remark{
      .text = fmt::format("method {}{}, derivatives by {}{}, integrator {}, {}{}", model::to_string(choices.method),
                          because(setup.laid.method_reason), model::to_string(choices.derivatives),
                          because(by_blocks ? setup.shooting->why_derivatives() : ""), choices.integrator,
                          counted(choices.nodes, "node"), because(setup.nodes_reason)),
      .is_detail = true});
  if (!setup.start_choice.empty()) context.tell(Remark{.text = "start: " + setup.start_choice, .is_detail = true});
  SALVO_EXPECTS(setup.problem().constraints.empty() || setup.laid.method == model::Method::gauss_newton);
  const double scale = setup.laid.method == model::Method::scalar ? scalar_objective_scale(setup) : 1;
  nlp::Blocks at_start = std::exchange(setup.at_start, {});
  if (!has_corner(setup.problem()))
    return run_adapting(setup, setup.start, setup.solve, scale, context, std::move(at_start));

  solve::SolveResult total;
  nlp::Point q = setup.start;
  const SmoothingRules& corner = setup.rules().smoothing;
  for (const double smoothing : smoothings(setup.problem(), corner, corner.last_on_nodes)) {
    solve::SolveOptions options = setup.solve;
    options.request.smoothing = smoothing;
    if (smoothing > corner.last_on_nodes) options.tolerance = std::max(options.tolerance, 1e-3 * smoothing);
    append(total, run_adapting(setup, q, options, scale, context, {}));
    q = total.q;
    if (!total.claims_minimum) break;
  }
  return total;
}

namespace {

std::vector<Found> join_nodes(const WayTask& task) {
  Setup setup = make_setup(task.workspace, task.planned.discretisation);
  solve::SolveResult run = run_solver(setup, task.context);
  std::vector<Found> out;
  out.push_back(found(task, std::move(setup), std::move(run)));
  return out;
}

}  // namespace

const Way nodes{.name = "nodes", .says = "multiple shooting", .run = join_nodes};

}  // namespace salvo::estimate
