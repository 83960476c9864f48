#include "fit/attempts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fit/credible.hpp"
#include "fit/descents.hpp"
#include "fit/method_choice.hpp"
#include "fit/names.hpp"
#include "fit/population.hpp"
#include "fit/proof.hpp"
#include "fit/run_solver.hpp"
#include "fit/search.hpp"
#include "fit/starts.hpp"
#include "solve/step/noise_step.hpp"

namespace salvo::fit {
namespace {

enum class Way { nodes, trajectory, search, population, other_weights };

constexpr int most_weights = 12;  // of a network that are tried
constexpr int most_populations = 3;

int rounds_of(Way way) {
  return way == Way::other_weights ? most_weights : way == Way::population ? most_populations : 1;
}

// Whether the data show at least one state of every experiment, so that nodes can be laid on them: an observable of one
// state alone, measured several times.
bool reveals_states(const model::Problem& problem, const compile::CompiledModel& compiled) {
  constexpr int several = 4;
  std::vector<int> shown(problem.experiments.size(), 0);
  std::vector<bool> measured(problem.experiments.size(), false);
  std::vector<bool> shows(compiled.observables.size(), false);
  for (std::size_t o = 0; o < shows.size(); ++o)
    shows[o] =
        std::count(compiled.observables[o].by_state.row.begin(), compiled.observables[o].by_state.row.end(), 0) == 1;
  for (const model::Measurement& m : problem.measurements) {
    measured[m.experiment] = true;
    shown[m.experiment] += shows[m.observable] ? 1 : 0;
  }
  for (std::size_t e = 0; e < shown.size(); ++e)
    if (measured[e] && shown[e] < several) return false;
  return true;
}

struct Said {  // explicitly
  bool nodes = false;
  bool single = false;
  bool start = false;
  bool guess = false;
  bool draw = false;
};

Said said(const model::Problem& problem, const Options& options) {
  const model::Nodes nodes = options.nodes.value_or(problem.settings.nodes);
  return {.nodes = !std::holds_alternative<model::AutoNodes>(nodes),
          .single = std::holds_alternative<model::SingleInterval>(nodes),
          .start = options.start.value_or(problem.settings.start) != model::StartValues::automatic,
          .guess = !options.guess.empty() && options.guess_from == GuessFrom::user,
          .draw = !options.guess.empty() && options.guess_from == GuessFrom::draw};
}

// So many nodes for so many parameters that steps are made without matrices. These join nodes slowly, and a lag time is
// seen by few of them, while one trajectory for each experiment has few unknowns.
bool are_nodes_many(const model::Problem& problem, const Options& options, const compile::CompiledModel& compiled) {
  int intervals = 0;
  for (const shooting::Grid& grid : shooting::make_grids(problem, options.nodes.value_or(problem.settings.nodes)))
    intervals += grid.intervals();
  return choose_method(problem, compiled, intervals).method == model::Method::lagrangian;
}

bool is_everything_known(const model::Problem& problem) {
  const shooting::UnknownNames names = shooting::unknown_names(problem);
  return names.thetas() == 0 && std::all_of(names.initial.begin(), names.initial.end(),
                                            [](const std::vector<int>& states) { return states.empty(); });
}

std::vector<Way> ways_of(const model::Problem& problem, const Options& options,
                         const std::shared_ptr<const compile::CompiledModel>& compiled) {
  const model::Method method = options.method.value_or(problem.settings.method);
  if (!problem.networks.empty()) return {Way::nodes, Way::other_weights};
  const bool other_method = method != model::Method::automatic && method != model::Method::gauss_newton;
  const Said explicitly = said(problem, options);
  if (other_method || !problem.constraints.empty()) return {Way::nodes};
  if (explicitly.single) return {Way::trajectory};
  if (explicitly.nodes || explicitly.start) return {Way::nodes};
  if (is_everything_known(problem)) return {Way::trajectory};
  if (explicitly.guess) return {Way::trajectory, Way::nodes};
  const bool shown = reveals_states(problem, *compiled);
  if (explicitly.draw)
    return shown ? std::vector{Way::search, Way::nodes, Way::trajectory} : std::vector{Way::search, Way::trajectory};
  std::vector<Way> ways{Way::trajectory, Way::search};
  const bool moves = moves_discontinuities(*compiled);
  const bool nodes_later = moves && method == model::Method::automatic && are_nodes_many(problem, options, *compiled);
  if (shown) ways.insert(nodes_later ? ways.end() - 1 : ways.begin(), Way::nodes);
  if (moves) ways.push_back(Way::population);
  return ways;
}

std::map<std::string, double> other_weights(const model::Problem& problem, Random& random) {
  std::map<std::string, double> guess;
  for (const model::Parameter& parameter : problem.parameters)
    if (const auto* estimated = std::get_if<model::Estimated>(&parameter.value); estimated && estimated->size)
      guess[parameter.id] = *estimated->size * random.normal();
  return guess;
}

std::string next_words(Way way) {
  switch (way) {
    case Way::nodes: return "single shooting gave no acceptable fit; multiple shooting is tried";
    case Way::trajectory: return "multiple shooting gave no acceptable fit; single shooting from the guess is tried";
    case Way::search: return "the guess gave no acceptable fit; other starts near it are tried";
    case Way::population: return "none of these gave an acceptable fit; a population of starts is tried";
    case Way::other_weights: return "these initial weights gave no acceptable fit; others are tried";
  }
  return {};
}

// What was chosen for the guess is chosen for the other ways too, and need not be said again.
RunContext without_remarks(const RunContext& context) {
  RunContext quieter = context;
  quieter.listener = [&context](const Event& event) {
    if (!std::holds_alternative<Remark>(event)) context.tell(event);
  };
  return quieter;
}

void finish(Solved& solved) {
  solved.setup.solve.request.stiff = solved.result.request.stiff;
  solved.work = work_of(solved.setup);
  if (is_point_of(*solved.setup.shooting, solved.result.q))
    solved.predictions = predict_all(*solved.setup.shooting, solved.result.q, solved.result.request);
}

class Attempts {
 public:
  Attempts(const model::Problem& problem, const Options& options,
           std::shared_ptr<const compile::CompiledModel> compiled, const RunContext& context,
           std::shared_ptr<shooting::Buffers> buffers, const Budget& budget)
      : problem_(problem),
        options_(options),
        compiled_(std::move(compiled)),
        context_(context),
        buffers_(std::move(buffers)),
        budget_(budget),
        random_(Random::stream(options.seed, 0)) {}

  Solved run() {
    const std::vector<Way> ways = ways_of(problem_, options_, compiled_);
    std::optional<Solved> best;
    for (const Way way : ways) {
      for (int n = 0; n < rounds_of(way); ++n) {
        if (best && !is_worth_trying(way, n, *best)) break;
        if (best && n == 0 && !is_settled(*best)) context_.tell(Remark{next_words(way)});
        if (best && is_settled(*best)) population_rules_.dear = population_rules_.dear_if_settled;
        const double of_first = ways.size() > 1 ? budget_.first_way : HUGE_VAL;
        const double allowed = best ? share_of(best->work, *best->setup.shooting) : of_first;
        take(try_way(way, best ? without_remarks(context_) : context_, allowed), way, best);
      }
    }
    if (context_.should_stop() && !is_converged(*best))
      best->result.ended = context_.is_interrupted() ? solve::Ended::interrupted : solve::Ended::deadline;
    return std::move(*best);
  }

 private:
  // Many starts are their own remedy for doubt, and a guess of the user is his word against it, unless events may be
  // lost.
  bool is_settled(const Solved& solved) const {
    const bool is_one_of_many = options_.alike > 1 || said(problem_, options_).guess;
    const bool asks = !is_one_of_many || moves_discontinuities(*compiled_);
    return is_converged(solved) && is_credible(solved) && !(asks && leaves_doubt(solved));
  }
  // Minima that differ in the order of events and measurements may all be credible: a single fit looks beyond the
  // first. A population limits its own work, whatever a descent has spent where events are many.
  bool is_worth_trying(Way way, int round, const Solved& best) const {
    if (context_.should_stop() || options_.max_iterations) return false;
    if (way == Way::population) return !is_settled(best) || (round == 0 && options_.alike == 1);
    return !is_settled(best) && share_of(best.work, *best.setup.shooting) <= 1;
  }
  // Of two that are proved, the other minimum, and not the same one with other rounding.
  static bool is_clearly_better(const Solved& a, const Solved& b) {
    constexpr double clearly = 1e-3;  // of a log-likelihood
    return is_converged(a) && a.result.objective < b.result.objective - clearly;
  }
  // Of the budget for all ways.
  double share_of(const shooting::WorkCount& work, const shooting::ShootingProblem& shooting) const {
    const auto evaluations = static_cast<double>(work.rhs);
    return std::max(evaluations / budget_.evaluations,
                    evaluations * shooting.model().rhs.instruction_count() / budget_.operations);
  }
  // Long data make every evaluation long: what has not been tried for long goes on.
  bool is_spent(const Setup& setup, double allowed) const {
    const shooting::WorkCount work = work_of(setup);
    double intervals = 0;
    for (const shooting::Grid& grid : setup.shooting->grids()) intervals += grid.intervals();
    return share_of(work, *setup.shooting) > allowed &&
           static_cast<double>(work.trajectories) > budget_.least_passes * intervals;
  }

  void take(Solved next, Way way, std::optional<Solved>& best) const {
    if (!best) {
      best = std::move(next);
      return;
    }
    next.work += best->work;
    best->work = next.work;
    const bool was_settled = is_settled(*best);
    if (!is_better(next, *best) || (was_settled && !is_clearly_better(next, *best))) return;
    best = std::move(next);
    if (!is_converged(*best)) return;
    best->remark = way == Way::trajectory ? "single shooting from the guess gave a better fit than multiple shooting"
                   : way == Way::search || way == Way::population
                       ? "the guess gave no acceptable fit; this one comes from another start near it"
                   : way == Way::other_weights
                       ? "the first initial weights gave no acceptable fit; this one comes from others"
                       : "multiple shooting gave a better fit than single shooting";
    if (was_settled) best->remark = "another start gave a better fit than the guess";
    if (!is_credible(*best))
      best->remark = "neither the guess nor other starts near it gave a fit that agrees with the stated noise";
  }

  // `allowed`: the share of the budget that nodes may take.
  Solved try_way(Way way, const RunContext& told, double allowed) {
    Options with = options_;
    if (way == Way::other_weights) {
      with.guess = other_weights(problem_, random_);
      with.guess_from = GuessFrom::draw;
    }
    const bool is_single = way == Way::trajectory || way == Way::search || way == Way::population;
    if (is_single) {
      with.nodes = model::SingleInterval{};
      with.method = model::Method::gauss_newton;
      if (!said(problem_, options_).start) with.start = model::StartValues::simulate;
    }
    if (way == Way::search) with.alike *= SearchRules{}.descents;
    Solved solved;
    solved.setup = make_setup(problem_, with, compiled_, buffers_, context_.stop);
    solved.setup.solve.is_spent = [this, &solved, allowed] { return is_spent(solved.setup, allowed); };
    if (is_single)
      told.tell(Remark{.text = fmt::format("method gauss-newton by single shooting, integrator {}",
                                           choices_of(solved.setup).integrator),
                       .is_detail = true});
    if (way == Way::trajectory)
      solved.result = descend_precisely(solved.setup, solved.setup.start, told);
    else if (way == Way::search)
      search_from(solved, told);
    else if (way == Way::population)
      evolve_from(solved, told);
    else
      solved.result = run_solver(solved.setup, told);
    if (solved.setup.grids_seen.empty()) solved.setup.grids_seen.push_back(solved.setup.shooting->grids());
    prove(solved, told);
    finish(solved);
    solved.setup.solve.is_spent = nullptr;
    return solved;
  }

  void search_from(Solved& solved, const RunContext& told) {
    const Setup& setup = solved.setup;
    const bool obeys = said(problem_, options_).draw;
    SearchResult found = search(
        setup, {}, [&] { return draw_point(setup, random_, obeys); }, told);
    solved.result = std::move(found.best);
    solved.points = found.points;
  }

  void evolve_from(Solved& solved, const RunContext& told) {
    const Setup& setup = solved.setup;
    const auto draw = [&] { return draw_point(setup, random_, false); };
    solved.result.q = setup.start;
    for (nlp::Point& member : evolve(setup, population_rules_, draw, random_, told)) {
      solve::adapt_noise(*setup.shooting, setup.solve.request, member);
      solve::SolveResult end = descend_precisely(setup, member, told);
      if (end.trace.empty()) continue;
      if (solved.result.trace.empty() || end.objective < solved.result.objective) solved.result = std::move(end);
    }
  }

  const model::Problem& problem_;
  const Options& options_;
  std::shared_ptr<const compile::CompiledModel> compiled_;
  const RunContext& context_;
  std::shared_ptr<shooting::Buffers> buffers_;
  const Budget& budget_;
  Random random_;
  PopulationRules population_rules_{};
};

}  // namespace

bool is_converged(const Solved& solved) { return solved.result.claims_minimum; }

bool is_better(const Solved& a, const Solved& b) {
  constexpr double lower = 1e-3;  // of a log-likelihood: what is proved does not make up for more
  // A gap that is small for the largest value of a state may be everything where it begins.
  const auto is_joined = [](const Solved& solved) {
    const double most = is_converged(solved) ? solve::joined_gap : solved.setup.solve.gap_tolerance;
    return !solved.result.trace.empty() && solved.result.gap <= most;
  };
  if (is_joined(a) != is_joined(b)) return is_joined(a);
  // Errors of integration make an objective as low as they are large.
  if (a.certificate.is_resolved != b.certificate.is_resolved) return a.certificate.is_resolved;
  const double difference = a.result.objective - b.result.objective;
  if (is_converged(a) != is_converged(b) && !(is_joined(a) && std::abs(difference) > lower)) return is_converged(a);
  return difference < 0;
}

Solved solve_from_guess(const model::Problem& problem, const Options& options,
                        std::shared_ptr<const compile::CompiledModel> compiled, const RunContext& context,
                        std::shared_ptr<shooting::Buffers> buffers, const Budget& budget) {
  if (!compiled) compiled = compile::compile(problem);
  if (!buffers) buffers = shooting::make_buffers();
  return Attempts(problem, options, std::move(compiled), context, std::move(buffers), budget).run();
}

Solved continue_descent(Solved solved, const RunContext& context) {
  for (const nlp::Layout::Chain& chain : solved.setup.shooting->layout().chains)
    if (chain.links() > 0) return solved;
  solve::SolveResult next = descend_precisely(solved.setup, solved.result.q, context,
                                              {.stiff = solved.result.request.stiff, .is_refused = true});
  if (next.trace.empty()) return solved;
  append(solved.result, std::move(next));
  prove(solved, context);
  finish(solved);
  return solved;
}

}  // namespace salvo::fit
