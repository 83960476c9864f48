#include "solve/method/descent.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/contract.hpp"
#include "solve/quadratic/hessian.hpp"
#include "solve/quadratic/joined_problem.hpp"
#include "solve/quadratic/secant_term.hpp"
#include "solve/quadratic/trust_region.hpp"
#include "solve/method/run_log.hpp"
#include "solve/step/steps.hpp"
#include "solve/state/units.hpp"

namespace salvo::solve {
namespace {

class Descent {
 public:
  Descent(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options, const RunContext& context)
      : problem_(problem),
        layout_(problem.layout()),
        options_(options),
        rules_(options.rules.descent),
        context_(context),
        log_(result_, problem.layout().thetas, context),
        radius_(options.rules.descent.first_radius) {
    result_.q = std::move(start);
    result_.request = options.request;
    for (std::size_t i = 0; i < result_.q.size(); ++i)
      result_.q[i] = std::clamp(result_.q[i], layout_.lower[i], layout_.upper[i]);
  }

  SolveResult run() {
    if (const nlp::Evaluation at = linearize(result_.q, here_); !at.ok)
      return log_.finish(Termination::numerical_failure, at);
    learn(result_.request, at_);
    units_ = units_of(problem_, result_.q);
    take(layout_, here_, units_, model_);
    note(0, 0, "start");
    for (int k = 1; k <= options_.max_iterations; ++k) {
      if (context_.is_interrupted()) return log_.finish(Termination::interrupted);
      if (context_.is_past_deadline()) return log_.finish(Termination::max_time);
      if (rules_.patience > 0 && k % rules_.patience == 0) renew_secant();
      bool ends = is_at_end() || blind_steps_ > rules_.most_blind_steps;
      if (ends && ask_hessian()) ends = is_at_end();
      if (ends) return finish(Termination::converged);
      if (!advance(k) && !(ask_hessian() && advance(k))) {
        if (context_.is_interrupted()) return log_.finish(Termination::interrupted);
        return context_.is_past_deadline() ? log_.finish(Termination::max_time) : finish(Termination::stalled);
      }
    }
    return finish(Termination::max_iterations);
  }

 private:
  nlp::Evaluation linearize(const nlp::Point& q, nlp::Blocks& out) {
    at_ = problem_.linearize(q, result_.request, out);
    if (at_.ok) learn(result_.request, at_);
    return at_;
  }

  void note(int k, double length, std::string_view rule) {
    log_.note(k, here_.objective, here_.gap, length, 0, options_.phase, rule);
  }

  // The quadratic model in the units of the point that was reached.
  void renew_units() {
    const std::vector<double> units = units_of(problem_, result_.q);
    std::vector<double> by(units.size());
    for (std::size_t i = 0; i < by.size(); ++i) by[i] = units[i] / units_[i];
    secant_.rescale(by);
    change_units(by, model_);
    units_ = units;
    spectra_ = {};
  }

  TrustRegionStep propose(double radius, const Matrix& S) {
    TrustRegion region{.R = model_.R, .S = S, .g = model_.g, .radius = radius, .negligible = noise()};
    for (std::size_t i = 0; i < units_.size(); ++i) {
      region.lower.push_back((layout_.lower[i] - result_.q[i]) / units_[i]);
      region.upper.push_back((layout_.upper[i] - result_.q[i]) / units_[i]);
    }
    return solve_trust_region(region, spectra_);
  }
  const Matrix& second_order() const { return secant_.is_better() ? secant_.S() : nothing_; }

  // Changes of the objective below this are not told from errors of the integration and of rounding.
  double noise() const { return rules_.noise * (1 + std::abs(here_.objective)); }

  // Nothing more is to be gained: the next step is as short as was asked for, or promises less than enough.
  bool is_at_end() {
    step_ = propose(radius_, second_order());
    const double promised =
        step_.at_radius ? propose(rules_.longest_radius, second_order()).predicted : step_.predicted;
    if (promised <= options_.enough) return true;
    return !step_.at_radius && scaled_length(step_.d) <= options_.tolerance;
  }
  double scaled_length(const std::vector<double>& d) const {
    double most = 0;
    for (const double entry : d) most = std::max(most, std::abs(entry));
    return most;
  }

  // Takes one step that lowers the objective, however short; false if there is none.
  bool advance(int k) {
    for (int attempt = 0; attempt < rules_.most_attempts; ++attempt) {
      if (attempt > 0) step_ = propose(radius_, second_order());
      if (scaled_length(step_.d) <= rules_.shortest || context_.should_stop()) return false;
      Trial trial = evaluate(step_.d, attempt == 0 && was_good_);
      for (int n = 0; n < rules_.most_bends && trial.ok && trial.actual < rules_.curved * step_.predicted; ++n)
        if (!bend(trial)) break;
      const std::string_view rule = judge(trial.ok, trial.actual);
      if (rule.empty()) continue;
      if (!trial.linearized && !linearize(trial.q, there_).ok) {  // values, but no derivatives
        obstacle_ = at_;
        radius_ = rules_.shrink * std::min(euclidean(trial.d), radius_);
        continue;
      }
      accept(k, std::move(trial), rule);
      return true;
    }
    return false;
  }

  struct Trial {
    bool ok = false;
    bool linearized = false;
    std::vector<double> d{};
    nlp::Point q{};
    double actual = -1;
    nlp::Evaluation evaluation{};
  };
  Trial evaluate(const std::vector<double>& d, bool at_once) {
    Trial trial{.d = d, .q = result_.q};
    for (std::size_t i = 0; i < trial.q.size(); ++i)
      trial.q[i] = std::clamp(trial.q[i] + units_[i] * d[i], layout_.lower[i], layout_.upper[i]);
    obstacle_ = at_once ? problem_.linearize(trial.q, result_.request, there_)
                        : problem_.values(trial.q, result_.request, there_);
    trial.ok = obstacle_.ok;
    trial.linearized = at_once && obstacle_.ok;
    trial.evaluation = obstacle_;
    if (trial.ok) trial.actual = here_.objective - there_.objective;
    return trial;
  }

  // In a bent valley the residuals at the end of a straight step tell how it bends: the step that their second
  // difference asks for as well follows it ([TranstrumSethna12]).
  bool bend(Trial& trial) {
    std::vector<double> g = gradient_of(layout_, here_, there_, units_);  // J'r of here with the residuals of there
    const std::vector<double> Bd = times_squares(model_.R, trial.d);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] -= Bd[i];
    const std::vector<double> straight = std::exchange(model_.g, g);
    const TrustRegionStep bent = propose(radius_, second_order());
    model_.g = straight;
    std::swap(there_, elsewhere_);
    Trial other = evaluate(bent.d, false);
    if (other.ok && other.actual > trial.actual) {
      trial = std::move(other);
      return true;
    }
    std::swap(there_, elsewhere_);
    return false;
  }

  // Where steps creep, the Hessian itself, from differences of exact gradients, is worth its price.
  bool renew_secant() {
    auto S = beyond_information(problem_, result_.q, result_.request, units_, model_, rules_.hessian);
    if (!S) return false;
    secant_.renew(std::move(*S));
    spectra_ = {};
    is_hessian_known_ = true;
    return true;
  }
  // Before a descent ends where the rows promise more than they give: along what they hardly see, their second
  // derivatives show the way. Again only if that has led on.
  bool ask_hessian() {
    if (!rules_.asks_before_end || is_hessian_known_ || context_.should_stop()) return false;
    if (!(asked_at_ - here_.objective > rules_.worth_a_hessian)) return false;
    if (propose(rules_.longest_radius, nothing_).predicted <= rules_.worth_a_hessian || !renew_secant()) return false;
    asked_at_ = here_.objective;
    blind_steps_ = 0;
    radius_ = rules_.first_radius;
    step_ = propose(radius_, second_order());
    return true;
  }

  // The rule by which a trial is accepted; empty: it is not, and the radius is shorter.
  std::string_view judge(bool ok, double actual) {
    const bool in_the_noise = step_.predicted <= noise();
    const double gain = actual / step_.predicted;
    if (ok && secant_.is_known()) compare_models(actual);
    was_good_ = ok && (gain > rules_.poor || in_the_noise);
    if (in_the_noise && ok && actual >= -noise()) {
      ++blind_steps_;
      return "resolution";
    }
    const double norm = euclidean(step_.d);
    if (!ok || !(gain > rules_.poor)) radius_ = rules_.shrink * std::min(norm, radius_);
    if (ok && gain > rules_.good && step_.at_radius) radius_ = std::min(rules_.grow * radius_, rules_.longest_radius);
    return ok && gain > rules_.acceptable ? (step_.at_radius ? "damped" : "full") : "";
  }
  void compare_models(double actual) {
    secant_.compare(predicted_decrease(model_.R, nothing_, model_.g, step_.d),
                    predicted_decrease(model_.R, secant_.S(), model_.g, step_.d), actual);
  }
  static double euclidean(const std::vector<double>& d) {
    double sum = 0;
    for (const double entry : d) sum += entry * entry;
    return std::sqrt(sum);
  }

  void accept(int k, Trial trial, std::string_view rule) {
    const std::vector<double> before = model_.g;
    const std::vector<double> s = trial.d;
    // Not from a trial that is refused: where the flow is easy there, it would forbid what is hard here.
    if (trial.linearized) learn(result_.request, trial.evaluation);
    result_.q = std::move(trial.q);
    std::swap(here_, there_);
    take(layout_, here_, units_, model_);  // in the units of the step
    secant_.update(s, before, model_.g, model_.R);
    renew_units();
    is_hessian_known_ = false;
    note(k, scaled_length(s), rule);
  }

  SolveResult finish(Termination termination) {
    result_.linearized = std::move(here_);
    result_.promised = step_.predicted;
    return log_.finish(termination, termination == Termination::stalled ? obstacle_ : nlp::Evaluation{});
  }

  const nlp::Problem& problem_;
  const nlp::Layout& layout_;
  const SolveOptions& options_;
  const DescentRules& rules_;
  const RunContext& context_;
  SolveResult result_{};
  RunLog log_;
  double radius_;
  std::vector<double> units_{};
  nlp::Blocks here_{}, there_{}, elsewhere_{};
  nlp::Evaluation at_{}, obstacle_{};
  JoinedProblem model_{};
  FreeSpectra spectra_{};  // of the model
  SecantTerm secant_{};
  TrustRegionStep step_{};
  const Matrix nothing_{};
  bool is_hessian_known_ = false;  // at this point, and not learnt on the way
  double asked_at_ = HUGE_VAL;     // objective where it was computed last before an end
  bool was_good_ = true;
  int blind_steps_ = 0;
};

}  // namespace

SolveResult descend(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                    const RunContext& context) {
  for (const nlp::Layout::Chain& chain : problem.layout().chains) SALVO_EXPECTS(chain.links() == 0);
  return Descent(problem, std::move(start), options, context).run();
}

}  // namespace salvo::solve
