#include "fit/attempts.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "fit/names.hpp"
#include "fit/run_solver.hpp"
#include "statistics/distributions.hpp"

namespace salvo::fit {
namespace {

constexpr int most_attempts = 12;
constexpr int iterations_of_another = 60;
constexpr double most_evaluations = 2e7;  // of the right-hand side; then no other start is tried
constexpr double most_operations = 1e10;  // of the right-hand side, if it is a long one
constexpr double incredible = 1e-6;       // p-value of a fit that is not believed at first sight

bool nothing_explicit(const Options& options, const model::Problem& problem) {
  const auto start = options.start.value_or(problem.settings.start);
  const auto nodes = options.nodes.value_or(problem.settings.nodes);
  return start == model::StartValues::automatic && options.guess.empty() &&
         !std::holds_alternative<model::SingleInterval>(nodes);
}

bool nodes_are_free(const Options& options, const model::Problem& problem) {
  return std::holds_alternative<model::AutoNodes>(options.nodes.value_or(problem.settings.nodes));
}

// One trajectory from the guess is what most people would try, and may take more than the others.
bool may_try_another(const Solved& solved, int attempt) {
  const auto evaluations = static_cast<double>(solved.work.rhs) / (attempt == 1 ? 5 : 1);
  return evaluations <= most_evaluations &&
         evaluations * solved.setup.shooting->model().rhs.instruction_count() <= most_operations;
}

// Where the noise is known, chi2 tells a fit that cannot be right. Weights of a network take fewer degrees of freedom
// than there are of them; how many, nobody knows, so none are counted.
bool is_credible(const Solved& solved) {
  const Setup& setup = solved.setup;
  for (const auto& kernel : setup.shooting->model().observables)
    for (const auto* pattern : {&kernel.by_state, &kernel.by_parameter})
      if (std::find(pattern->row.begin(), pattern->row.end(), 1) != pattern->row.end()) return true;
  double chi2 = 0;
  for (const Prediction& prediction : solved.predictions.fitted) chi2 += prediction.residual * prediction.residual;
  int degrees = static_cast<int>(setup.problem->measurements.size()) - setup.shooting->layout().thetas;
  for (const model::Network& network : setup.problem->networks) degrees += network.parameters();
  return std::isfinite(chi2) && (degrees <= 0 || statistics::chi_squared_survival(chi2, degrees) >= incredible);
}

std::map<std::string, double> other_guess(const model::Problem& problem, int attempt, Random& random) {
  std::map<std::string, double> guess;
  for (const model::Parameter& parameter : problem.parameters) {
    const auto* estimated = std::get_if<model::Estimated>(&parameter.value);
    if (estimated == nullptr || !estimated->guess) continue;
    if (estimated->size) {  // a weight: magnitudes without signs would make all units alike
      guess[parameter.id] = *estimated->size * random.normal();
      continue;
    }
    const double spread = attempt <= 3 ? 0 : 0.3 * (attempt - 1);
    double value = std::abs(*estimated->guess) * std::exp(spread * random.normal());
    if (attempt > 3 && *estimated->guess == 0) value = random.uniform();
    // Every third time the signs of the file come back.
    if (attempt % 3 == 2 && *estimated->guess < 0) value = -value;
    guess[parameter.id] = std::clamp(value, estimated->lower, estimated->upper);
  }
  return guess;
}

bool converged(const Solved& solved) { return solved.result.termination == solve::Termination::converged; }

bool is_better(const Solved& a, const Solved& b) {
  constexpr double joined = 1e-6;
  const auto rank = [](const Solved& solved) { return converged(solved) ? 2 : solved.result.gap <= joined ? 1 : 0; };
  return rank(a) != rank(b) ? rank(a) > rank(b) : a.result.objective < b.result.objective;
}

// What was chosen for the guess is chosen for the other starts too, and need not be said again.
RunContext without_remarks(const RunContext& context) {
  RunContext quieter = context;
  quieter.listener = [&context](const Event& event) {
    if (!std::holds_alternative<Remark>(event)) context.tell(event);
  };
  return quieter;
}

}  // namespace

Solved solve_from_guess(const model::Problem& problem, const Options& options,
                        std::shared_ptr<const compile::CompiledModel> compiled, const RunContext& context,
                        std::shared_ptr<shooting::Buffers> buffers) {
  if (!compiled) compiled = compile::compile(problem);
  if (!buffers) buffers = shooting::make_buffers();
  const auto attempt = [&](const Options& with, const RunContext& told) {
    Solved solved;
    solved.setup = make_setup(problem, with, compiled, buffers);
    solved.result = run_solver(solved.setup, told);
    solved.work = work_of(solved.setup);
    solved.predictions = predict_all(*solved.setup.shooting, solved.result.q);
    return solved;
  };
  Solved best = attempt(options, context);
  const bool was_stopped = best.result.termination == solve::Termination::interrupted ||
                           best.result.termination == solve::Termination::max_time;
  if (was_stopped || options.max_iterations || !nothing_explicit(options, problem) ||
      (converged(best) && is_credible(best)))
    return best;

  const bool neural = !problem.networks.empty();
  context.tell(Remark{neural ? "these weights lead to no credible fit; others are tried"
                             : "the guess leads to no credible fit; other starts near it are tried"});
  Random random = Random::stream(options.seed, 0);
  for (int n = 1; n <= most_attempts && may_try_another(best, n) && !context.should_stop(); ++n) {
    Options other = options;
    if (!neural && n > 1) other.max_iterations = iterations_of_another;
    if (n == 1 && neural) continue;  // one long trajectory is the hardest way to teach a network
    if (n == 1 && nodes_are_free(options, problem)) {
      other.nodes = model::SingleInterval{};
    } else {
      other.guess = other_guess(problem, n, random);
      other.guess_from = GuessFrom::draw;
    }
    Solved next = attempt(other, without_remarks(context));
    next.work += best.work;
    best.work = next.work;
    if (!is_better(next, best)) continue;
    best = std::move(next);
    if (!converged(best)) continue;
    if (!is_credible(best)) {
      best.remark = "neither the guess nor a start near it led to a fit that the stated noise makes credible";
      continue;
    }
    best.remark = neural   ? "the first weights led to no credible fit, others did"
                  : n == 1 ? "the guess led to no credible fit on several nodes, one trajectory from it did"
                  : n == 2 ? "what integral matching made of the guess led to no credible fit, the guess itself did"
                  : n == 3 ? "the guess led to no credible fit, its magnitudes without the minus signs did"
                           : "the guess led to no credible fit, a start near it did";
    break;
  }
  if (context.should_stop() && !converged(best))
    best.result.termination = context.is_interrupted() ? solve::Termination::interrupted : solve::Termination::max_time;
  return best;
}

}  // namespace salvo::fit
