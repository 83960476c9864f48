#include <cmath>
#include <limits>

#include "fit/fit.hpp"
#include "fit/names.hpp"
#include "fit/predict.hpp"
#include "model/prior.hpp"
#include "shooting/start.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::fit {
namespace {

// One unbroken trajectory per experiment: the last node is put where the trajectory ends.
nlp::Evaluation join(const shooting::ShootingProblem& shooting, nlp::Point& q) {
  nlp::Blocks blocks;
  if (const auto evaluation = shooting.values(q, blocks); !evaluation.ok) return evaluation;
  for (std::size_t c = 0; c < shooting.layout().chains.size(); ++c) {
    const auto& chain = shooting.layout().chains[c];
    if (chain.links() == 0) continue;
    for (int i = 0; i < chain.size[1]; ++i) q[chain.offset[1] + i] += blocks.chains[c].links[0].gap[i];
  }
  return {};
}

// d objective / d (theta, v_0) along the unbroken trajectories, by one adjoint for each.
nlp::Evaluation gradient(const shooting::ShootingProblem& shooting, const nlp::Point& q, std::vector<double>& by_q) {
  nlp::Gradients gradients;
  if (const auto done = shooting.adjoint(q, {.along_trajectory = true}, gradients); !done.ok) return done;
  const nlp::Layout& layout = shooting.layout();
  by_q = gradients.objective_by_q;
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    if (layout.chains[c].links() == 0) continue;
    const auto& link = gradients.links[c][0];
    for (int i = 0; i < layout.thetas; ++i) by_q[i] += link.by_theta[i];
    for (std::size_t i = 0; i < link.by_block.size(); ++i) by_q[layout.chains[c].offset[0] + i] += link.by_block[i];
  }
  return {};
}

}  // namespace

EvaluateResult evaluate(const model::Problem& given, const EvaluateOptions& options) {
  model::Problem problem = given;
  set_guesses(problem, options.values);
  const shooting::ShootingProblem shooting(problem, compile::compile(problem),
                                           shooting::make_grids(problem, model::SingleInterval{}),
                                           {.integrator = options.integrator.value_or(problem.settings.integrator),
                                            .lanes = 1,
                                            .memory = options.memory.value_or(0)});
  nlp::Point q = shooting::start_point(shooting, model::StartValues::simulate).q;

  EvaluateResult result;
  const std::vector<Quantity> all = quantities(shooting);
  for (const model::Parameter& parameter : problem.parameters)
    if (!parameter.is_estimated())
      result.parameters.push_back({parameter.id, model::Scale::lin, std::get<double>(parameter.value), false});
  for (const Quantity& quantity : all) {
    const double scaled = q[quantity.unknown];
    const model::Scale scale = quantity.estimated->scale;
    result.parameters.push_back({quantity.id, scale, model::from_scale(scale, scaled), true});
    if (quantity.estimated->prior)
      result.log_prior.push_back(
          {quantity.id, model::prior_row(*quantity.estimated, scaled, 0, model::RowsFor::information).llh});
  }
  const auto fail = [&result](const std::string& trouble) {
    result.ok = false;
    result.message = trouble;
    result.llh = result.chi2 = std::numeric_limits<double>::quiet_NaN();
    return result;
  };
  if (const auto joined = join(shooting, q); !joined.ok) return fail(joined.trouble);
  result.simulations = predict_all(shooting, q).fitted;
  for (const Prediction& prediction : result.simulations) {
    result.llh += prediction.llh;
    result.chi2 += prediction.residual * prediction.residual;
  }
  if (options.gradient) {
    std::vector<double> by_q;
    if (const auto done = gradient(shooting, q, by_q); !done.ok) return fail(done.trouble);
    // The objective is -(llh + log_prior); the gradient of llh alone is asked for.
    for (const Quantity& quantity : all) {
      double slope = -by_q[quantity.unknown];
      if (quantity.estimated->prior) {
        const auto row = model::prior_row(*quantity.estimated, q[quantity.unknown], 0, model::RowsFor::step);
        slope += row.r * row.slope;
      }
      result.gradient.push_back({quantity.id, slope});
    }
  }
  return result;
}

}  // namespace salvo::fit
