#include "estimate/ways/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contract.hpp"
#include "base/words.hpp"
#include "estimate/ways/adapt_nodes.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/resume.hpp"
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
// Goes on from where it was stopped.
solve::SolveResult run_method(Setup& setup, const solve::State& from, const solve::SolveOptions& options, double scale,
                              const RunContext& context) {
  const shooting::WatchedProblem problem(*setup.shooting, setup.last_values);
  if (setup.laid.method == model::Method::scalar) return solve::scalar_sqp(problem, from, scale, options, context);
  if (setup.laid.method == model::Method::lagrangian) return solve::lagrangian(problem, from, options, context);
  return solve::gauss_newton(problem, from, options, context);
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
    return {true, Merger(shooting, result.request.accuracy, setup.rules())
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
         Merger(*setup.shooting, accuracy, setup.rules()).may_merge(enough_for_all_lanes(*setup.shooting));
}

// Far from the solution nobody needs trajectories to eight digits: the search is rough until they are nearly joined
// (docs/decisions/rough-search.md).
class AdaptingRun {
 public:
  AdaptingRun(Setup& setup, solve::SolveOptions options, double scale, const RunContext& context)
      : setup_(setup), options_(std::move(options)), scale_(scale), context_(context) {
    part_.was_stiff = options_.request.stiff;
  }
  AdaptingRun(const AdaptingRun&) = delete;
  AdaptingRun& operator=(const AdaptingRun&) = delete;

  solve::SolveResult from(const nlp::Point& start, nlp::Blocks at_start) {
    part_.search_accuracy = setup_.laid.search_accuracy;
    part_.stops_when_joined = stops_to_merge(setup_, part_.search_accuracy);
    take(run_method(setup_, start, options_of_part(), scale_, context_, std::move(at_start)));
    return go_on();
  }
  solve::SolveResult from(const StoppedRun& stopped) {
    part_ = stopped.part;
    total_ = stopped.before;
    resumed_ = &stopped;
    take(whole_part(run_method(setup_, stopped.last.state, options_of_part(), scale_, context_of_part())));
    resumed_ = nullptr;
    return go_on();
  }

 private:
  solve::SolveResult go_on() {
    const bool was_stiff = options_.request.stiff;
    while (part_.changes < setup_.rules().nodes.changes && !context_.should_stop() && !context_.is_spent()) {
      Continuation next = continuation(setup_, total_);
      if (!next.goes_on) break;
      change_to(std::move(next));
    }
    setup_.solve.request.stiff = total_.request.stiff;
    if (total_.request.stiff && !was_stiff)
      context_.tell(
          Remark{.text = fmt::format("the equations are stiff: {} from here on", choices_of(setup_).integrator)});
    const std::string code = setup_.shooting->engine()->code_in_words();
    if (code.starts_with("no machine code"))
      context_.tell(Remark{.text = code});
    else if (!code.empty())
      context_.tell_detail([&] { return code; });
    return std::move(total_);
  }

  void change_to(Continuation next) {
    if (next.other) context_.tell_detail([&] { return about(*next.other, total_); });
    nlp::Point q = total_.q;
    nlp::Blocks at_q = next.other || !is_joined(total_) ? nlp::Blocks{} : std::move(total_.linearized);
    if (next.other) {
      setup_.shooting->leave(std::move(total_.linearized));
      go_on_with(setup_, std::move(next.other), q);
    }
    ++part_.changes;
    part_.search_accuracy = is_joined(total_) ? total_.request.accuracy : 0;
    part_.was_stiff = total_.request.stiff;
    part_.stops_when_joined = !is_joined(total_) && stops_to_merge(setup_, part_.search_accuracy);
    take(run_method(setup_, q, options_of_part(), scale_, context_of_part(), std::move(at_q)));
  }

  // With what it was before it was cut off, if it was.
  solve::SolveResult whole_part(solve::SolveResult part) const {
    return resumed_ != nullptr ? whole_of(resumed_->last, std::move(part)) : std::move(part);
  }

  solve::SolveOptions options_of_part() {
    const int allowed = options_.max_iterations;
    solve::SolveOptions options = options_;
    options.request.stiff = part_.was_stiff;
    options.search_accuracy = part_.search_accuracy;
    options.stop_when_joined = part_.stops_when_joined;
    options.max_iterations = allowed - total_.iterations;
    options.search_iterations = (allowed + 1) / 2 - total_.iterations;  // a search without end leaves time for another
    options.keeper = keeper_.for_run(resumed_ != nullptr);
    return options;
  }
  RunContext context_of_part() const {
    return part_.changes == 0 ? context_ : counting_on(context_, total_.iterations);
  }

  void take(solve::SolveResult part) {
    part.film.set_grid(static_cast<int>(setup_.grids_seen.size()));
    setup_.grids_seen.push_back(setup_.shooting->grids());
    if (can_go_on(setup_, part)) setup_.stopped = StoppedRun{total_, part, part_, scale_};
    append(total_, std::move(part));
  }

  Setup& setup_;
  solve::SolveOptions options_;
  double scale_;
  const RunContext& context_;
  RunPart part_{};
  solve::SolveResult total_{};           // of all parts so far
  const StoppedRun* resumed_ = nullptr;  // while its last part goes on
  PartKeeper keeper_{setup_, [this](const solve::SolveResult& run) {
                       solve::SolveResult part = whole_part(run);
                       part.film.set_grid(static_cast<int>(setup_.grids_seen.size()));
                       return StoppedRun{total_, std::move(part), part_, scale_};
                     }};
};

std::string in_words(const Setup& setup) {
  const Choices choices = choices_of(setup);
  const auto because = [](const std::string& reason) { return reason.empty() ? "" : " (" + reason + ")"; };
  const bool by_blocks = setup.laid.method == model::Method::gauss_newton;
  return fmt::format("method {}{}, derivatives by {}{}, integrator {}, {}{}", model::to_string(choices.method),
                     because(setup.laid.method_reason), model::to_string(choices.derivatives),
                     because(by_blocks ? setup.shooting->why_derivatives() : ""), choices.integrator,
                     counted(choices.nodes, "node"), because(setup.nodes_reason));
}

}  // namespace

solve::SolveResult run_solver(Setup& setup, const RunContext& context, const StoppedRun* stopped) {
  context.tell_detail([&] { return in_words(setup); });
  if (!setup.start_choice.empty()) context.tell_detail([&] { return "start: " + setup.start_choice; });
  SALVO_EXPECTS(setup.problem().constraints.empty() || setup.laid.method == model::Method::gauss_newton);
  if (stopped != nullptr) return AdaptingRun(setup, setup.solve, stopped->scale, context).from(*stopped);
  const double scale = setup.laid.method == model::Method::scalar ? scalar_objective_scale(setup) : 1;
  nlp::Blocks at_start = std::exchange(setup.at_start, {});
  if (!has_corner(setup.problem()))
    return AdaptingRun(setup, setup.solve, scale, context).from(setup.start, std::move(at_start));

  solve::SolveResult total;
  nlp::Point q = setup.start;
  const SmoothingRules& corner = setup.rules().smoothing;
  for (const double smoothing : smoothings(setup.problem(), corner, corner.last_on_nodes)) {
    solve::SolveOptions options = setup.solve;
    options.request.smoothing = smoothing;
    if (smoothing > corner.last_on_nodes)  // a step that is short beside the round corner
      options.tolerance = std::max(options.tolerance, options.rules.gauss_newton.short_step * smoothing);
    append(total, AdaptingRun(setup, options, scale, context).from(q, {}));
    q = total.q;
    if (!total.claims_minimum) break;
  }
  return total;
}

namespace {

std::vector<Found> join_nodes(const WayTask& task) {
  Setup setup = setup_of(task);
  solve::SolveResult run = run_solver(setup, task.context, stopped_run(task));
  std::vector<Found> out;
  out.push_back(found(task, std::move(setup), std::move(run)));
  return out;
}

}  // namespace

const Way nodes{.name = "nodes", .says = "multiple shooting", .run = join_nodes};

}  // namespace salvo::estimate
