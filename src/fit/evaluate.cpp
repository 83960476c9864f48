#include "fit/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>

#include "estimate/answer/predictions.hpp"
#include "estimate/quantities.hpp"
#include "fit/prediction_jacobian.hpp"
#include "fit/unbroken.hpp"
#include "model/algebraic.hpp"
#include "model/prior.hpp"

namespace salvo::fit {
namespace {

// Who measures wants to know how fast many long fits go, which are computed by machine code where that is worth it.
constexpr int repeats_that_measure = 3;
constexpr int fits_expected = 10'000;

// What this process has taken of the processor: others that run beside it do not count.
double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Computes something, several times over if need be, and notes how long it took at best.
template <class Compute>
nlp::Evaluation timed(const shooting::ShootingProblem& shooting, int times, double& seconds, const Compute& compute) {
  seconds = std::numeric_limits<double>::infinity();
  nlp::Evaluation evaluation;
  for (int n = 0; n < std::max(times, 1) && evaluation.ok; ++n) {
    shooting.engine()->forget_steady_states();
    const double begin = processor_seconds();
    evaluation = compute();
    seconds = std::min(seconds, processor_seconds() - begin);
  }
  return evaluation;
}

void write_parameters(const model::Problem& problem, const std::vector<estimate::Quantity>& quantities,
                      const nlp::Point& q, EvaluateResult& result) {
  for (const model::Parameter& parameter : problem.parameters)
    if (!parameter.is_estimated())
      result.parameters.push_back({parameter.id, model::Scale::lin, std::get<double>(parameter.value), false});
  for (const estimate::Quantity& quantity : quantities) {
    const double scaled = q[quantity.unknown];
    const model::Scale scale = quantity.estimated->scale;
    result.parameters.push_back({quantity.id, scale, model::from_scale(scale, scaled), true});
    if (quantity.estimated->prior)
      result.log_prior.push_back(
          {quantity.id, model::prior_row(*quantity.estimated, scaled, 0, model::RowsFor::information).llh});
  }
}

// The objective is -(llh + log_prior); the gradient of llh alone is asked for.
void write_gradient(const std::vector<estimate::Quantity>& quantities, const nlp::Point& q,
                    const std::vector<double>& by_q, EvaluateResult& result) {
  for (const estimate::Quantity& quantity : quantities) {
    double slope = -by_q[quantity.unknown];
    if (quantity.estimated->prior) {
      const auto row = model::prior_row(*quantity.estimated, q[quantity.unknown], 0, model::RowsFor::step);
      slope += row.r * row.slope;
    }
    result.gradient.push_back({quantity.id, slope});
  }
}

// The likelihood of every measurement, and its sums.
void score(const shooting::ShootingProblem& shooting,
           const std::vector<shooting::ShootingProblem::Predicted>& predicted, bool simulations,
           EvaluateResult& result) {
  const model::Problem& problem = shooting.problem();
  if (simulations) result.simulations.reserve(problem.measurements.size());
  estimate::each_prediction(shooting, predicted, [&](const Prediction& prediction) {
    const double square = prediction.residual * prediction.residual;
    EvaluateResult::Score& own = result.by_observable[problem.measurements[prediction.row].observable];
    ++own.values;
    own.llh += prediction.llh;
    own.chi2 += square;
    result.llh += prediction.llh;
    result.chi2 += square;
    if (simulations) result.simulations.push_back(prediction);
  });
}

// What was given is taken as it is, bounds or not; only a logarithm must exist.
std::string put_given_values(const std::vector<estimate::Quantity>& quantities,
                             const std::map<std::string, double>& given, nlp::Point& q) {
  for (const estimate::Quantity& quantity : quantities)
    for (const std::string& name : {quantity.id, quantity.name}) {
      const auto found = given.find(name);
      if (found == given.end()) continue;
      const model::Scale scale = quantity.estimated->scale;
      if (scale != model::Scale::lin && !(found->second > 0))
        return fmt::format("the value {:.6g} of {} has no logarithm, but its scale is {}", found->second, name,
                           model::to_string(scale));
      q[quantity.unknown] = model::to_scale(scale, found->second);
      break;
    }
  return {};
}

// Everything that is asked for at the point of the room; which integrator serves is found once, as in a fit.
nlp::Evaluation compute_all(const Unbroken& unbroken, const EvaluateOptions& options, Unbroken::Room& room,
                            EvaluateResult& result) {
  const shooting::ShootingProblem& shooting = unbroken.shooting();
  const auto values = [&] {
    nlp::Evaluation done = unbroken.predict(room);
    room.request.stiff = room.request.stiff || done.stiff_intervals > 0;
    return done;
  };
  if (auto done = timed(shooting, options.repeat, result.seconds.values, values); !done.ok) return done;
  score(shooting, room.predicted, options.simulations, result);
  if (options.gradient || options.repeat > 0) {
    const auto compute = [&] { return unbroken.gradient(room); };
    if (auto done = timed(shooting, options.repeat, result.seconds.gradient.emplace(), compute); !done.ok) return done;
    if (options.gradient) write_gradient(unbroken.quantities(), room.q, room.gradients.objective_by_q, result);
  }
  if (options.prediction_jacobian)
    if (auto done = prediction_jacobian(unbroken, room.q, result.prediction_jacobian); !done.ok) return done;
  if (options.jacobian || options.repeat > 0) {
    const auto compute = [&] {
      nlp::Evaluation done = unbroken.linearize(room);
      room.blocks.priors = {};  // of parameters: they are told apart from the likelihood
      if (done.ok) unbroken.write_rows(room.blocks, result.rows);
      if (done.ok) unbroken.write_jacobian(room.blocks, result.jacobian);
      return done;
    };
    return timed(shooting, options.repeat, result.seconds.jacobian.emplace(), compute);
  }
  return {};
}

}  // namespace

EvaluateResult evaluate(const model::Problem& given, const EvaluateOptions& options, const RunContext& context) {
  if (std::string refusal = estimate::why_not(given, options.values); !refusal.empty())
    return {.ok = false, .message = std::move(refusal), .llh = std::nan(""), .chi2 = std::nan("")};
  std::optional<model::Problem> own;  // a copy of long data only where it is needed
  if (!options.values.empty() || !given.constraints.empty()) own.emplace(given);
  if (own) estimate::set_guesses(*own, options.values);
  if (own) own->constraints.clear();
  const model::Problem& problem = own ? *own : given;
  auto compiled = compile::compile(problem, context.stop);
  if (!compiled) return {.ok = false, .message = "the run was told to stop", .llh = std::nan(""), .chi2 = std::nan("")};
  const Unbroken unbroken(problem, std::move(compiled),
                          {.integrator = model::integrator_for(problem, options.integrator),
                           .engine = {.memory = options.memory.value_or(0),
                                      .expected_reuse = options.repeat >= repeats_that_measure ? fits_expected : 1,
                                      .stop = context.stop}});
  Unbroken::Room room{.q = unbroken.guess()};
  EvaluateResult result{.by_observable = std::vector<EvaluateResult::Score>(problem.observables.size())};
  const std::string nonsense = put_given_values(unbroken.quantities(), options.values, room.q);
  write_parameters(problem, unbroken.quantities(), room.q, result);
  nlp::Evaluation done{.ok = nonsense.empty(), .trouble = nonsense};
  if (done.ok) done = compute_all(unbroken, options, room, result);
  if (!done.ok) {
    result.ok = false;
    result.message = done.trouble;
    result.llh = result.chi2 = std::numeric_limits<double>::quiet_NaN();
  }
  return result;
}

}  // namespace salvo::fit
