#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/parallel.hpp"
#include "base/pool.hpp"
#include "base/random.hpp"
#include "base/watch.hpp"
#include "fit/attempts.hpp"
#include "fit/fit.hpp"
#include "fit/names.hpp"
#include "fit/setup.hpp"
#include "fit/summarize.hpp"
#include "shooting/start.hpp"
#include "statistics/uncertainty.hpp"

namespace salvo::fit {
namespace {

// A measurement drawn from its law around the prediction at the truth.
double draw(model::Distribution law, double g, double sigma, Random& random) {
  switch (law) {
    case model::Distribution::normal: return g + sigma * random.normal();
    case model::Distribution::log_normal: return g * std::exp(sigma * random.normal());
    case model::Distribution::laplace: return g + sigma * random.laplace();
    case model::Distribution::log_laplace: return g * std::exp(sigma * random.laplace());
  }
  return g;
}

struct Replicate {
  bool ran = false;
  bool converged = false;
  int iterations = 0;
  std::vector<double> estimate{};  // user units, parameters then initial values
  std::vector<bool> covered{};
};

std::vector<const Estimate*> all_estimates(const FitResult& result) {
  std::vector<const Estimate*> out;
  for (const Estimate& estimate : result.parameters) out.push_back(&estimate);
  for (const Estimate& estimate : result.initial) out.push_back(&estimate);
  return out;
}

}  // namespace

StudyResult study(const model::Problem& given, const StudyOptions& options, const RunContext& caller) {
  RunContext context = caller;
  if (options.fit.max_seconds) context.stop_after(*options.fit.max_seconds);
  const Watch watch(context);
  StudyResult result;
  result.replicates = options.replicates;

  // Predictions at the truth, along unbroken trajectories, and the Cramer-Rao bound there.
  const EvaluateResult at_truth =
      evaluate(given, {.integrator = options.fit.integrator, .values = options.truth}, context);
  if (!at_truth.ok) {
    result.ok = false;
    result.interrupted = context.should_stop();
    result.replicates = 0;
    result.message = "no data can be drawn at the truth: " + at_truth.message;
    return result;
  }
  model::Problem drawn = given;
  for (std::size_t i = 0; i < drawn.measurements.size(); ++i)
    drawn.measurements[i].value = at_truth.simulations[i].simulation;
  Options truth_options = options.fit;
  truth_options.guess = options.truth;
  truth_options.start = model::StartValues::simulate;
  const Setup truth_setup = make_setup(drawn, truth_options, nullptr, nullptr, context.stop);
  const auto compiled = compile::compile(drawn);
  FitResult bound;
  bound.measurements = static_cast<int>(drawn.measurements.size());
  summarize(truth_setup, truth_setup.start, bound);
  for (const Estimate* estimate : all_estimates(bound)) {
    const bool many = given.experiments.size() > 1 && !estimate->experiment.empty();
    result.quantities.push_back({.id = many ? estimate->experiment + ":" + estimate->id : estimate->id,
                                 .truth = estimate->estimate,
                                 .expected_sd = estimate->standard_error.value_or(std::nan(""))});
  }
  const std::size_t count = result.quantities.size();

  const auto buffers = shooting::make_buffers();
  Pool<model::Problem> problems;
  std::vector<Replicate> replicates(options.replicates);
  std::mutex guard;
  int done = 0;
  parallel_for(options.replicates, options.fit.threads, [&](int n) {
    if (context.should_stop()) return;
    Random random = Random::stream(options.fit.seed, n);
    const auto lent = problems.borrow([&] { return given; });
    model::Problem& problem = *lent;  // like the given one, but for its data
    for (std::size_t i = 0; i < problem.measurements.size(); ++i) {
      model::Measurement& m = problem.measurements[i];
      const auto& truth = at_truth.simulations[i];
      m.value = draw(problem.observables[m.observable].distribution, truth.simulation, truth.sigma, random);
    }
    Options one = options.fit;
    one.threads = 1;
    one.alike = options.replicates;
    Solved solution = solve_from_guess(
        problem, one, compiled,
        {.interrupted = context.interrupted, .deadline = context.deadline, .stop = context.stop}, buffers);
    const Setup& setup = solution.setup;
    const solve::SolveResult& solved = solution.result;
    FitResult fitted;
    fitted.measurements = static_cast<int>(problem.measurements.size());
    fitted.certificate = solution.certificate;
    summarize(setup, solved, std::move(solution.predictions), fitted);

    if (is_raised(context.stop)) return;

    Replicate& replicate = replicates[n];
    replicate.ran = true;
    replicate.converged = solved.termination == solve::Termination::converged;
    replicate.iterations = solved.iterations;
    std::size_t k = 0;
    for (const Estimate* estimate : all_estimates(fitted)) {
      replicate.estimate.push_back(estimate->estimate);
      const double truth = result.quantities[k++].truth;
      replicate.covered.push_back(estimate->interval && estimate->interval->first <= truth &&
                                  truth <= estimate->interval->second);
    }
    const std::lock_guard lock(guard);
    context.tell(StartDone{++done, options.replicates, replicate.converged});
  });

  long iterations = 0;
  int ran = 0;
  std::vector<int> finite(count, 0);
  for (const Replicate& replicate : replicates) {
    if (!replicate.ran) {
      result.interrupted = true;
      continue;
    }
    ++ran;
    iterations += replicate.iterations;
    result.converged += replicate.converged ? 1 : 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (!std::isfinite(replicate.estimate[k])) continue;
      ++finite[k];
      result.quantities[k].mean += replicate.estimate[k];
      result.quantities[k].coverage95 += replicate.covered[k] ? 1 : 0;
    }
  }
  result.replicates = ran;
  result.mean_iterations = ran > 0 ? static_cast<double>(iterations) / ran : 0;
  for (std::size_t k = 0; k < count; ++k) {
    StudyQuantity& quantity = result.quantities[k];
    quantity.mean /= std::max(finite[k], 1);
    quantity.coverage95 /= std::max(finite[k], 1);
    for (const Replicate& replicate : replicates)
      if (replicate.ran && std::isfinite(replicate.estimate[k]))
        quantity.sd += (replicate.estimate[k] - quantity.mean) * (replicate.estimate[k] - quantity.mean);
    quantity.sd = std::sqrt(quantity.sd / std::max(finite[k] - 1, 1));
  }
  return result;
}

}  // namespace salvo::fit
