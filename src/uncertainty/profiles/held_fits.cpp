#include "uncertainty/profiles/held_fits.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "estimate/answer/one_trajectory.hpp"
#include "estimate/quantities.hpp"
#include "estimate/ways/trajectory.hpp"
#include "integrate/integrator.hpp"
#include "shooting/cost.hpp"
#include "shooting/nodes.hpp"
#include "solve/certificate/certificate.hpp"
#include "solve/method/descent.hpp"
#include "solve/method/gauss_newton.hpp"
#include "solve/quadratic/hessian.hpp"
#include "solve/quadratic/joined_problem.hpp"
#include "solve/state/units.hpp"
#include "statistics/path_slope.hpp"

namespace salvo::uncertainty {
namespace {

constexpr double not_worth_a_step = 1e-9;  // promised by a step that is not worth taking, of a log-likelihood
// This is what holds where a datum pulls: a rise of d leaves its prediction off by sqrt(2 d) of the datum's sigma, and
// the ends of intervals are wanted to 1e-6 of their distance.
constexpr double not_worth_a_pulled_step = 1e-14;
constexpr double lower_elsewhere = 1e-6;  // in log-likelihood, what another start must find to be taken
constexpr int most_iterations = 60;       // of a fit that begins close to its end
// Than the answer, in log-likelihood: what rises less is no end, wherever a better fit is.
constexpr double hardly_worse = 1.5;
constexpr int most_new_starts = 3;  // from lower points that a certificate has found beside a fit that stalled

// A problem with one unknown held at a value, by bounds that leave it no room.
class HeldProblem final : public nlp::Problem {
 public:
  HeldProblem(const nlp::Problem& problem, int unknown, double value) : problem_(problem), layout_(problem.layout()) {
    layout_.lower[unknown] = layout_.upper[unknown] = value;
  }

  const nlp::Layout& layout() const override { return layout_; }
  std::vector<double> sizes(const nlp::Point& q) const override { return problem_.sizes(q); }
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override {
    return problem_.values(q, request, out);
  }
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override {
    return problem_.linearize(q, request, out);
  }
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request& request, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override {
    return problem_.adjoint(q, request, weights, out);
  }
  nlp::Evaluation linearize_nodes(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out,
                                  std::unique_ptr<nlp::Products>& by_theta) const override {
    return problem_.linearize_nodes(q, request, out, by_theta);
  }

 private:
  const nlp::Problem& problem_;
  nlp::Layout layout_;
};

bool has_no_gaps(const nlp::Layout& layout) {
  return std::all_of(layout.chains.begin(), layout.chains.end(), [](const auto& chain) { return chain.links() == 0; });
}

double start_objective_of(const solve::SolveResult& solved) {
  return solved.trace.empty() ? std::numeric_limits<double>::infinity() : solved.trace.front().objective;
}

// This is the problem with every initial value among the thetas, where bounds can hold it.
model::Problem with_bounded_initial_values(const model::Problem& problem) {
  model::Problem out = problem;
  for (model::Experiment& experiment : out.experiments)
    for (model::Initial& initial : experiment.initial)
      if (auto* estimated = std::get_if<model::Estimated>(&initial))
        if (estimated->scale == model::Scale::lin && !std::isfinite(estimated->lower) &&
            !std::isfinite(estimated->upper))
          estimated->lower = std::numeric_limits<double>::lowest();
  return out;
}

// The point of one problem in another that estimates the same on the same nodes.
nlp::Point moved_over(const shooting::ShootingProblem& from, const nlp::Point& q, const shooting::ShootingProblem& to) {
  nlp::Point out(to.layout().unknowns, 0.0);
  const std::vector<estimate::Quantity> old = estimate::quantities(from);
  for (const estimate::Quantity& quantity : estimate::quantities(to))
    for (const estimate::Quantity& other : old)
      if (other.id == quantity.id) out[quantity.unknown] = q[other.unknown];
  for (std::size_t c = 0; c < to.layout().chains.size(); ++c) {
    const auto& chain = to.layout().chains[c];
    const auto& old_chain = from.layout().chains[c];
    for (int j = 1; j <= chain.links(); ++j)
      std::copy_n(q.begin() + old_chain.offset[j], chain.size[j], out.begin() + chain.offset[j]);
  }
  return out;
}

// A search may have met stiff equations on its way, and the answer may have none: there explicit steps see the same
// likelihood and cost a tenth.
bool is_tame_at(const shooting::ShootingProblem& shooting, const nlp::Point& q, const nlp::Request& request,
                double same) {
  nlp::Blocks stiff, explicitly;
  nlp::Request other = request;
  other.stiff = false;
  const nlp::Evaluation at = shooting.values(q, other, explicitly);
  return at.ok && at.stiff_intervals == 0 && shooting.values(q, request, stiff).ok &&
         std::abs(stiff.objective - explicitly.objective) <= same;
}

}  // namespace

std::shared_ptr<shooting::Engine> engine_for_paths(const estimate::Workspace& workspace, const estimate::Found& found) {
  const shooting::ShootingProblem& shooting = *found.shooting;
  const compile::Wanted wanted{.lanes = shooting.options().lanes, .stiff = found.answer.run.request.stiff};
  const int sides = 2 * static_cast<int>(found.answer.estimates.size());
  const bool is_worthwhile = is_machine_code_worthwhile(
      {workspace.model(), wanted, found.answer.work, shooting.grids().size(), sides}, workspace.rules().shooting);
  shooting::EngineOptions options = shooting.engine()->options();
  options.code = is_worthwhile ? shooting::Code::native : shooting::Code::interpreted;
  return std::make_shared<shooting::Engine>(workspace.compiled(), options, workspace.rules().shooting);
}

HeldFits::HeldFits(const estimate::Workspace& workspace, const estimate::Found& found, const RunContext& context,
                   std::shared_ptr<shooting::Engine> engine)
    : workspace_(workspace), context_(context), shooting_(found.shooting.get()), request_(found.answer.run.request) {
  if (engine) {
    laid_ = std::make_unique<shooting::ShootingProblem>(workspace.problem(), engine, shooting_->grids(),
                                                        shooting_->options());
    shooting_ = laid_.get();
  }
  const model::Problem& problem = workspace.problem();
  request_.max_steps = 0;
  nlp::Point q = found.answer.run.q;
  unbroken_ = has_no_gaps(shooting_->layout()) && problem.constraints.empty();
  if (!unbroken_ && problem.constraints.empty()) {
    estimate::OneTrajectory one =
        estimate::on_one_trajectory(*shooting_, found.answer.run, workspace.rules().solve.gaps.joined);
    unbroken_ = one.is_same;
    if (unbroken_) q = std::move(one.q);
    own_ = std::move(one.shooting);
  }
  if (!unbroken_) {
    problem_ = std::make_unique<model::Problem>(with_bounded_initial_values(problem));
    own_ = engine ? std::make_unique<shooting::ShootingProblem>(*problem_, engine, shooting_->grids(),
                                                                shooting_->options())
                  : std::make_unique<shooting::ShootingProblem>(*problem_, workspace.compiled(), shooting_->grids(),
                                                                shooting_->options());
    q = moved_over(*shooting_, q, *own_);
  }
  if (own_) shooting_ = own_.get();
  before_ = shooting_->work();
  if (request_.stiff && is_tame_at(*shooting_, q, request_, workspace.rules().answer.better)) request_.stiff = false;
  optimum_ = solve(*shooting_, q, not_worth_a_step);
  fits_ = 0;
  if (!optimum_.claims_minimum && !solve::is_stalled(optimum_, workspace.rules().solve.gaps))
    trouble_ = optimum_.trouble.empty() ? "the answer could not be solved again" : optimum_.trouble;
  if (!trouble_.empty() || !unbroken_) return;
  others_ = OtherStarts(*shooting_, optimum_.q, optimum_.objective, request_, given_guesses(workspace, *shooting_));
  look_for_lower();
}

shooting::WorkCount HeldFits::work() const { return shooting_->work() - before_; }

solve::SolveResult HeldFits::solve(const nlp::Problem& problem, const nlp::Point& start, double enough) const {
  ++fits_;
  const RunContext silent{.interrupted = context_.interrupted, .deadline = context_.deadline, .stop = context_.stop};
  solve::SolveOptions options = estimate::solve_options(workspace_);
  options.phase = "precise";
  options.request = request_;
  options.max_iterations = most_iterations;
  const bool has_corner = estimate::has_corner(workspace_.problem());
  if (!unbroken_) {
    options.request.smoothing = has_corner ? workspace_.rules().smoothing.last_on_nodes : 0;
    return solve::gauss_newton(problem, start, options, silent);
  }
  options.enough = enough;
  options.rules.descent.first_radius = options.rules.descent.longest_radius;
  std::vector<double> smoothings{0};
  if (has_corner) smoothings = {1e-2, 1e-4, 1e-6, workspace_.rules().smoothing.last};
  solve::SolveResult result;
  nlp::Point from = start;
  for (const double smoothing : smoothings) {
    options.request.smoothing = smoothing;
    result = solve::descend(problem, from, options, silent);
    from = result.q;
  }
  return result;
}

// Where no step is found that lowers the objective, the point may still be the minimum: at a corner, beside a jump, or
// as close as rounding lets it come. That is for a certificate to say; what it finds lower is gone on from.
void HeldFits::prove_stalled(const nlp::Problem& problem, double enough, solve::SolveResult& solved) const {
  const solve::Rules& rules = workspace_.rules().solve;
  const double accuracy = integrate::relative_tolerance(shooting_->options().integrator);
  for (int n = 0; solve::is_stalled(solved, rules.gaps); ++n) {
    nlp::Point lower;
    const solve::Certificate certificate =
        solve::certify(problem, solved.q, solved.request, accuracy, rules, context_, lower);
    if (certificate.holds()) {
      solved.claims_minimum = true;
      return;
    }
    solved.trouble = certificate.missing;
    if (lower.empty() || n == most_new_starts || context_.should_stop()) return;
    solved = solve(problem, lower, enough);
  }
}

// Far out everything is flat, and a point there is a minimum of nothing.
void HeldFits::look_for_lower() {
  for (const auto& [unknown, value] : others_.near_guess()) {
    if (context_.should_stop()) break;
    const statistics::HeldPoint held = with_held(unknown, value, optimum_.q, Looks::nowhere);
    if (!held.point || !(held.point->objective < optimum_.objective - statistics::ProfileRules{}.lower)) continue;
    lower_ = held.point->q;
    break;
  }
  fits_ = 0;
}

// Where what is held is one more unknown, the others are those of the answer.
std::vector<nlp::Point> HeldFits::other_starts(const nlp::Point& q, int held) const {
  if (held < 0 || q.size() != optimum_.q.size() + 1) return others_.beside(q, held);
  nlp::Point without = q;
  without.erase(without.begin() + held);
  std::vector<nlp::Point> starts = others_.beside(without, -1);
  for (nlp::Point& start : starts) start.insert(start.begin() + held, q[held]);
  return starts;
}

void HeldFits::try_other_starts(const nlp::Problem& problem, int held, double enough, Looks looks,
                                solve::SolveResult& solved) const {
  const bool may_end = looks == Looks::where_it_may_end && solved.objective > optimum_.objective + hardly_worse;
  if (looks == Looks::nowhere || (solved.claims_minimum && !may_end)) return;
  for (const nlp::Point& start : other_starts(solved.q, held)) {
    if (context_.should_stop()) return;
    solve::SolveResult other = solve(problem, start, enough);
    prove_stalled(problem, enough, other);
    if (other.claims_minimum && (!solved.claims_minimum || other.objective < solved.objective - lower_elsewhere))
      solved = std::move(other);
  }
}

double HeldFits::slope_at_optimum(int unknown) const {
  const nlp::Layout& layout = shooting_->layout();
  if (!unbroken_ || (optimum_.q[unknown] > layout.lower[unknown] && optimum_.q[unknown] < layout.upper[unknown]))
    return 0;
  return statistics::path_slope(layout, optimum_.linearized, optimum_.q, solve::units_of(*shooting_, optimum_.q),
                                unknown);
}

std::optional<Matrix> HeldFits::observed_covariance() const {
  const nlp::Layout& layout = shooting_->layout();
  const nlp::Point& q = optimum_.q;
  // At a corner there is no curvature but that of its smoothing.
  if (!unbroken_ || optimum_.linearized.chains.empty() || estimate::has_corner(workspace_.problem()))
    return std::nullopt;
  const std::vector<double> units = solve::units_of(*shooting_, q);
  solve::JoinedProblem model;
  solve::take(layout, optimum_.linearized, units, model);
  const auto beyond =
      solve::beyond_information(*shooting_, q, request_, units, model, workspace_.rules().solve.certificate.hessian);
  if (!beyond) return std::nullopt;
  std::vector<int> free;
  for (int k = 0; k < static_cast<int>(q.size()); ++k)
    if (q[k] > layout.lower[k] && q[k] < layout.upper[k]) free.push_back(k);
  const auto R = Eigen::Map<const Eigen::MatrixXd>(model.R.data.data(), model.R.rows, model.R.cols);
  const auto S = Eigen::Map<const Eigen::MatrixXd>(beyond->data.data(), beyond->rows, beyond->cols);
  const Eigen::MatrixXd hessian = (R.transpose() * R + S)(free, free);
  const Eigen::LLT<Eigen::MatrixXd> root(hessian);
  if (root.info() != Eigen::Success) return std::nullopt;
  const Eigen::MatrixXd inverse = root.solve(Eigen::MatrixXd::Identity(hessian.rows(), hessian.cols()));
  const int n = static_cast<int>(q.size());
  Matrix covariance(n, n);
  for (int i = 0; i < static_cast<int>(free.size()); ++i)
    for (int j = 0; j < static_cast<int>(free.size()); ++j)
      covariance(free[i], free[j]) = units[free[i]] * units[free[j]] * inverse(i, j);
  return covariance;
}

statistics::HeldPoint HeldFits::with_held(const shooting::ShootingProblem& shooting, int unknown, double value,
                                          const nlp::Point& start, Looks looks) const {
  const HeldProblem held(shooting, unknown, value);
  nlp::Point from = start;
  from[unknown] = value;
  solve::SolveResult solved = solve(held, from, not_worth_a_step);
  const double start_objective = start_objective_of(solved);
  if (unbroken_) {
    prove_stalled(held, not_worth_a_step, solved);
    try_other_starts(held, unknown, not_worth_a_step, looks, solved);
  }
  if (!solved.claims_minimum || !std::isfinite(solved.objective))
    return {.trouble = solved.trouble.empty() ? "a fit along the path did not converge" : solved.trouble};
  statistics::ProfilePoint point{
      .value = value, .objective = solved.objective, .slope = std::numeric_limits<double>::quiet_NaN()};
  if (unbroken_)
    point.slope = statistics::path_slope(shooting.layout(), solved.linearized, solved.q,
                                         solve::units_of(shooting, solved.q), unknown);
  point.q = std::move(solved.q);
  return {.point = std::move(point), .start_objective = start_objective};
}

statistics::HeldPoint HeldFits::with_datum(const model::Problem& problem,
                                           const std::shared_ptr<const compile::CompiledModel>& compiled,
                                           const nlp::Point& start) const {
  const shooting::ShootingProblem pulled(problem, compiled, shooting::make_grids(problem, model::SingleInterval{}),
                                         shooting_->options());
  solve::SolveResult solved = solve(pulled, start, not_worth_a_pulled_step);
  const double start_objective = start_objective_of(solved);
  prove_stalled(pulled, not_worth_a_pulled_step, solved);
  try_other_starts(pulled, -1, not_worth_a_pulled_step, Looks::where_it_may_end, solved);
  std::vector<shooting::ShootingProblem::Predicted> predicted;
  if (!solved.claims_minimum || !pulled.predict(solved.q, request_, predicted).ok)
    return {.trouble = solved.trouble.empty() ? "a fit along the path did not converge" : solved.trouble};
  const model::Measurement& datum = problem.measurements.back();
  const double g = predicted.back().simulation;
  const double llh = pulled.noise_row(static_cast<int>(predicted.size()) - 1, predicted.back()).llh;
  // grad f + (g - z) / s^2 grad g = 0: along the path f has the slope (z - g) / s^2 by g.
  statistics::ProfilePoint point{.value = g,
                                 .objective = solved.objective + llh,
                                 .slope = (datum.value - g) / (*datum.sigma * *datum.sigma),
                                 .q = std::move(solved.q)};
  return {.point = std::move(point), .start_objective = start_objective};
}

}  // namespace salvo::uncertainty
