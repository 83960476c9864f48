#include "fit/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <optional>
#include <span>

#include "estimate/answer/predictions.hpp"
#include "estimate/quantities.hpp"
#include "model/prior.hpp"
#include "shooting/trajectory.hpp"
#include "start/start.hpp"

namespace salvo::fit {
namespace {

// Who measures wants to know how fast many long fits go, which are computed by machine code where that is worth it.
constexpr int repeats_that_measure = 3;
constexpr int fits_foreseen = 10'000;

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

// Rows and their derivatives by the quantities along the unbroken trajectories.
nlp::Evaluation jacobian(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request,
                         const std::vector<estimate::Quantity>& quantities, nlp::Blocks& blocks,
                         EvaluateResult& result) {
  if (const auto done = shooting.linearize(q, request, blocks); !done.ok) return done;
  result.rows.clear();
  for (const nlp::ChainBlocks& chain : blocks.chains)
    for (const nlp::Rows& rows : chain.rows) result.rows.insert(result.rows.end(), rows.r.begin(), rows.r.end());
  result.jacobian.resize(static_cast<int>(result.rows.size()), static_cast<int>(quantities.size()));
  std::vector<double> by_q(q.size(), 0.0);
  int row = 0;
  for (int c = 0; c < static_cast<int>(blocks.chains.size()); ++c) {
    const nlp::ChainBlocks& chain = blocks.chains[c];
    for (int j = 0; j < static_cast<int>(chain.rows.size()); ++j) {
      for (int n = 0; n < static_cast<int>(chain.rows[j].r.size()); ++n, ++row) {
        std::fill(by_q.begin(), by_q.end(), 0.0);
        const nlp::Rows& rows = chain.rows[j];
        for (int i = 0; i < shooting.layout().thetas; ++i) by_q[i] = rows.by_theta(n, i);
        for (int i = 0; i < rows.by_block.cols; ++i)
          by_q[shooting.layout().chains[c].offset[j] + i] = rows.by_block(n, i);
        for (int i = 0; i < result.jacobian.cols; ++i) result.jacobian(row, i) = by_q[quantities[i].unknown];
      }
    }
  }
  return {};
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

// So is a guess of the file that lies beyond its bounds, which PEtab allows.
void put_guesses(const std::vector<estimate::Quantity>& quantities, nlp::Point& q) {
  for (const estimate::Quantity& quantity : quantities) {
    const model::Estimated& estimated = *quantity.estimated;
    if (!estimated.guess || (*estimated.guess >= estimated.lower && *estimated.guess <= estimated.upper)) continue;
    if (estimated.scale == model::Scale::lin || *estimated.guess > 0)
      q[quantity.unknown] = model::to_scale(estimated.scale, *estimated.guess);
  }
}

}  // namespace

EvaluateResult evaluate(const model::Problem& given, const EvaluateOptions& options, const RunContext& context) {
  if (std::string refusal = estimate::why_not(given, options.values); !refusal.empty())
    return {.ok = false, .message = std::move(refusal), .llh = std::nan(""), .chi2 = std::nan("")};
  std::optional<model::Problem> with_values;  // a copy of long data only where it is needed
  if (!options.values.empty()) estimate::set_guesses(with_values.emplace(given), options.values);
  const model::Problem& problem = with_values ? *with_values : given;
  const shooting::ShootingProblem shooting(
      problem, compile::compile(problem), shooting::make_grids(problem, model::SingleInterval{}),
      {.integrator = options.integrator.value_or(problem.settings.integrator),
       .engine = {.memory = options.memory.value_or(0),
                  .expected_reuse = options.repeat >= repeats_that_measure ? fits_foreseen : 1,
                  .stop = context.stop}});
  nlp::Point q = start::start_point(shooting, model::StartValues::simulate).q;

  EvaluateResult result{.by_observable = std::vector<EvaluateResult::Score>(problem.observables.size())};
  const std::vector<estimate::Quantity> all = estimate::quantities(shooting);
  put_guesses(all, q);
  const std::string nonsense = put_given_values(all, options.values, q);
  write_parameters(problem, all, q, result);
  const auto fail = [&result](const std::string& trouble) {
    result.ok = false;
    result.message = trouble;
    result.llh = result.chi2 = std::numeric_limits<double>::quiet_NaN();
    return result;
  };
  if (!nonsense.empty()) return fail(nonsense);
  nlp::Blocks blocks;
  nlp::Request request;  // which integrator serves is found once, as in a fit
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  const auto values = [&] {
    const nlp::Evaluation done = shooting.values(q, request, blocks, predicted);
    request.stiff = request.stiff || done.stiff_intervals > 0;
    return done;
  };
  if (const auto done = timed(shooting, options.repeat, result.seconds.values, values); !done.ok)
    return fail(done.trouble);
  score(shooting, predicted, options.simulations, result);
  if (options.gradient || options.repeat > 0) {
    nlp::Gradients gradients;  // one adjoint for each trajectory
    const auto compute = [&] { return shooting.adjoint(q, request, {}, gradients); };
    if (const auto done = timed(shooting, options.repeat, result.seconds.gradient.emplace(), compute); !done.ok)
      return fail(done.trouble);
    if (options.gradient) write_gradient(all, q, gradients.objective_by_q, result);
  }
  if (options.jacobian || options.repeat > 0) {
    const auto compute = [&] { return jacobian(shooting, q, request, all, blocks, result); };
    if (const auto done = timed(shooting, options.repeat, result.seconds.jacobian.emplace(), compute); !done.ok)
      return fail(done.trouble);
  }
  return result;
}

}  // namespace salvo::fit
