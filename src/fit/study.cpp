#include "fit/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/pool.hpp"
#include "base/random.hpp"
#include "base/tasks.hpp"
#include "base/watch.hpp"
#include "base/words.hpp"
#include "estimate/estimate.hpp"
#include "estimate/quantities.hpp"
#include "estimate/ways/setup.hpp"
#include "fit/draw_data.hpp"
#include "fit/evaluate.hpp"
#include "fit/fit.hpp"
#include "fit/solution.hpp"
#include "start/start.hpp"
#include "uncertainty/derived.hpp"
#include "uncertainty/derived_quantities.hpp"
#include "uncertainty/errors.hpp"
#include "uncertainty/intervals.hpp"
#include "uncertainty/summarize.hpp"

namespace salvo::fit {

// What a replicate has come to.
struct Replicate {
  bool ran = true;  // to its end
  bool converged = false;
  int iterations = 0;
  std::vector<double> estimate{};  // user units, parameters, then initial values, then what is derived
  std::vector<unsigned char> covered{};
  bool has_intervals = false;
};

}  // namespace salvo::fit

template <>
struct salvo::Parts<salvo::fit::Replicate> {
  static auto of(auto& one) {
    return std::tie(one.converged, one.iterations, one.estimate, one.covered, one.has_intervals);
  }
};

namespace salvo::fit {
namespace {

// In the order of StudyResult::quantities; null for a derived one that has no value.
std::vector<const Estimate*> all_estimates(const model::Problem& problem, const FitResult& result) {
  std::vector<const Estimate*> out;
  for (const Estimate& estimate : result.parameters) out.push_back(&estimate);
  for (const Estimate& estimate : result.initial) out.push_back(&estimate);
  for (const uncertainty::DerivedQuantity& quantity : uncertainty::derived_quantities(problem)) {
    const auto found = std::find_if(result.derived.begin(), result.derived.end(), [&](const Estimate& estimate) {
      return (estimate.experiment.empty() ? "" : estimate.experiment + ":") + estimate.id == quantity.id;
    });
    out.push_back(found == result.derived.end() ? nullptr : &*found);
  }
  return out;
}

// d C d' for the slopes d of a derived quantity.
double variance_along(const std::vector<double>& slopes, const Matrix& covariance) {
  double variance = 0;
  for (int i = 0; i < covariance.rows; ++i)
    for (int j = 0; j < covariance.cols; ++j) variance += slopes[i] * covariance(i, j) * slopes[j];
  return variance;
}

// The truth of every quantity and how far its estimates should scatter: the Cramer-Rao bound, or, where priors lean on
// them, the spread of what they estimate.
std::vector<StudyQuantity> at_truth(const model::Problem& problem, const StudyOptions& options,
                                    const std::shared_ptr<const compile::CompiledModel>& compiled,
                                    const StopFlag* stop) {
  estimate::Options truth_options = options.fit;
  truth_options.guess = options.truth;
  truth_options.start = model::StartValues::simulate;
  const estimate::Workspace workspace(problem, truth_options, compiled, {}, stop);
  const estimate::Setup setup = estimate::make_setup(workspace);
  solve::SolveResult there;
  there.q = setup.start;
  const bool too_many = !uncertainty::why_no_errors(*setup.shooting, setup.laid.method).empty();
  const uncertainty::Errors errors =
      too_many ? uncertainty::Errors{} : uncertainty::errors_of(*setup.shooting, there, {.sampling = true});
  std::vector<StudyQuantity> out;
  const std::vector<estimate::Quantity> all = estimate::quantities(*setup.shooting);
  for (int i = 0; i < static_cast<int>(all.size()); ++i) {
    const model::Scale scale = all[i].estimated->scale;
    const double scaled = setup.start[all[i].unknown];
    StudyQuantity quantity{.id = all[i].id, .truth = model::from_scale(scale, scaled), .expected_sd = std::nan("")};
    if (errors.known && errors.uncertainty.seen[i] && !errors.uncertainty.held[i])
      quantity.expected_sd = model::from_scale_slope(scale, scaled) * std::sqrt(errors.sampling(i, i));
    out.push_back(std::move(quantity));
  }
  // Parameters first, then initial values, as in the results of fits.
  std::vector<StudyQuantity> ordered;
  for (const bool initial : {false, true})
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((all[i].state >= 0) == initial) ordered.push_back(out[i]);
  for (const uncertainty::DerivedValue& derived : uncertainty::derived_values(*setup.shooting, setup.start, errors)) {
    const double variance = derived.slopes.empty() ? 0 : variance_along(derived.slopes, errors.sampling);
    ordered.push_back({.id = derived.id,
                       .truth = derived.value.value_or(std::nan("")),
                       .expected_sd = variance > 0 ? std::sqrt(variance) : std::nan("")});
  }
  return ordered;
}

bool has_priors(const model::Problem& problem) {
  const auto has_prior = [](const auto& value) {
    const auto* estimated = std::get_if<model::Estimated>(&value);
    return estimated != nullptr && estimated->prior.has_value();
  };
  return std::any_of(problem.parameters.begin(), problem.parameters.end(),
                     [&](const auto& parameter) { return has_prior(parameter.value); }) ||
         std::any_of(problem.experiments.begin(), problem.experiments.end(), [&](const auto& experiment) {
           return std::any_of(experiment.initial.begin(), experiment.initial.end(), has_prior);
         });
}

// Means, spreads and coverage over all replicates that ran, one after the other: none is kept. Spreads are summed up as
// Welford does ([Welford62]).
class Summary {
 public:
  explicit Summary(std::size_t quantities) : of_(quantities) {}

  void add(const Replicate& replicate) {
    ++ran_;
    iterations_ += replicate.iterations;
    converged_ += replicate.converged ? 1 : 0;
    has_intervals_ = has_intervals_ || replicate.has_intervals;
    for (std::size_t k = 0; k < of_.size(); ++k) {
      const double x = replicate.estimate[k];
      if (!std::isfinite(x)) continue;
      Sums& sums = of_[k];
      ++sums.finite;
      const double before = x - sums.mean;
      sums.mean += before / sums.finite;
      sums.squares += before * (x - sums.mean);
      sums.covered += replicate.covered[k] != 0 ? 1 : 0;
    }
  }
  int ran() const { return ran_; }

  void tell(StudyResult& result) const {
    const double nan = std::nan("");
    result.replicates = ran_;
    result.converged = converged_;
    result.mean_iterations = ran_ > 0 ? static_cast<double>(iterations_) / ran_ : 0;
    for (std::size_t k = 0; k < of_.size(); ++k) {  // of none, and the spread of one alone, nothing is known
      const Sums& sums = of_[k];
      StudyQuantity& quantity = result.quantities[k];
      quantity.mean = sums.finite > 0 ? sums.mean : nan;
      quantity.sd = sums.finite > 1 ? std::sqrt(sums.squares / (sums.finite - 1)) : nan;
      quantity.coverage95 = has_intervals_ && sums.finite > 0 ? static_cast<double>(sums.covered) / sums.finite : nan;
    }
    if (ran_ > 0) return;
    result.ok = false;
    result.message = "no replicate was finished before the study ended; allow more time";
  }

 private:
  struct Sums {
    int finite = 0;
    double mean = 0;
    double squares = 0;  // of distances from the mean
    int covered = 0;
  };
  int ran_ = 0;
  long iterations_ = 0;
  int converged_ = 0;
  bool has_intervals_ = false;
  std::vector<Sums> of_;
};

// A side without an end has no limit.
void cover_by_profiles(const Profiles& profiles, const std::vector<StudyQuantity>& quantities, Replicate& replicate) {
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    replicate.covered[k] = false;
    for (const Profile& profile : profiles.profiles)
      if (profile.id == quantities[k].id)
        replicate.covered[k] = profile.lower.value_or(quantities[k].truth) <= quantities[k].truth &&
                               quantities[k].truth <= profile.upper.value_or(quantities[k].truth);
  }
}

// Fits one set of drawn data.
Replicate replicate_of(const model::Problem& problem, const StudyOptions& options, const estimate::Options& one,
                       const std::vector<StudyQuantity>& quantities, const estimate::Reused& reused,
                       const RunContext& context) {
  const RunContext silent{.interrupted = context.interrupted, .deadline = context.deadline, .stop = context.stop};
  estimate::Estimation estimation = estimate::estimate(problem, one, silent, reused);
  estimate::Answer& answer = estimation.best.answer;
  FitResult fitted;
  fitted.measurements = static_cast<int>(problem.measurements.size());
  fitted.gap = answer.run.gap;
  fitted.is_torn = fitted.gap > one.rules.solve.gaps.joined;
  fitted.certificate = answer.certificate;
  const shooting::ShootingProblem& shooting = *estimation.best.shooting;
  const uncertainty::Errors errors = uncertainty::summarize(shooting, answer, fitted);
  uncertainty::IntervalsOutcome intervals;
  if (options.intervals == estimate::Intervals::automatic)
    intervals = uncertainty::likelihood_intervals(*estimation.workspace, estimation.best, options.intervals, silent);
  uncertainty::take_intervals(estimate::quantities(shooting), intervals, fitted);
  uncertainty::add_derived(shooting, answer.run.q, errors, intervals, fitted);

  Replicate replicate{.ran = !is_raised(context.stop) && !context.should_stop(),
                      .converged = estimate::is_proved(answer),
                      .iterations = answer.run.iterations};
  std::size_t k = 0;
  for (const Estimate* estimate : all_estimates(problem, fitted)) {
    const auto interval = estimate != nullptr ? estimate->interval : std::nullopt;
    replicate.estimate.push_back(estimate != nullptr ? estimate->estimate : std::nan(""));
    replicate.has_intervals = replicate.has_intervals || interval;
    const double truth = quantities[k++].truth;
    replicate.covered.push_back(interval && interval->first <= truth && truth <= interval->second);
  }
  if (options.intervals == estimate::Intervals::profile && replicate.converged)
    cover_by_profiles(uncertainty::follow_profiles(*estimation.workspace, estimation.best, {}, silent).profiles,
                      quantities, replicate);
  (*estimation.workspace->memories()->borrow()).take(std::move(answer.run.linearized));
  return replicate;
}

// Nobody reads the messages of a replicate.
estimate::Options options_of_one(const StudyOptions& options) {
  estimate::Options one = options.fit;
  one.threads = 1;
  one.is_one_of_many = true;
  one.expected_reuse = options.fit.planned.value_or(options.replicates);
  one.spelling.clear();
  return one;
}

// Results may come from a file.
bool is_of(const Replicate& replicate, const StudyResult& study) {
  return replicate.estimate.size() == study.quantities.size() && replicate.covered.size() == study.quantities.size();
}

std::string about_crashes(int crashed, const std::string& before) {
  return fmt::format("{}{} crashed the program again and again and {} given up.", before.empty() ? "" : " ",
                     counted(crashed, "replicate"), crashed == 1 ? "was" : "were");
}

}  // namespace

StudyResult study(const model::Problem& given, const StudyOptions& options, const RunContext& caller) {
  RunContext context = caller;
  if (options.fit.max_seconds) context.stop_after(*options.fit.max_seconds);
  const Watch watch(context);
  StudyResult result;
  result.replicates = options.replicates;
  if (std::string refusal = why_not_fitted(given, options.fit); !refusal.empty())
    return {.ok = false, .message = std::move(refusal), .replicates = 0};
  const EvaluateResult truth =
      evaluate(given, {.integrator = options.fit.integrator, .values = options.truth}, context);
  if (!truth.ok) {
    result.ok = false;
    result.interrupted = context.should_stop();
    result.replicates = 0;
    result.message = "no data can be drawn at the truth: " + truth.message;
    return result;
  }
  const DataDrawer drawer(given, truth.simulations);
  model::Problem drawn = given;
  drawer.put_truth(drawn);
  estimate::Reused reused{compile::compile(drawn, context.stop),
                          {shooting::make_buffers(), std::make_shared<solve::NodesMemories>()}};
  if (!reused.compiled) {
    result.ok = false;
    result.interrupted = true;
    result.replicates = 0;
    result.message = "no data can be drawn: the run was told to stop";
    return result;
  }
  result.quantities = at_truth(drawn, options, reused.compiled, context.stop);
  if (has_priors(given))
    result.message =
        "With priors, estimates are penalised: expected_sd is their spread over repeated data, and coverage is that of "
        "intervals which count the priors as knowledge.";

  const estimate::Options one = options_of_one(options);
  reused.plan =
      make_plan(estimate::Workspace(given, one, reused.compiled, reused.memory), estimate::strategy(one.rules));
  Pool<model::Problem> problems;
  int done = 0;
  Tasks<Replicate> tasks{.list = {"replicate", options.replicates}, .board = context.board};
  tasks.run = [&](int n) {
    Random random = Random::stream(options.fit.seed, n);
    const auto lent = problems.borrow([&] { return given; });
    drawer.draw(*lent, random);  // like the given one, but for its data
    return replicate_of(*lent, options, one, result.quantities, reused, context);
  };
  tasks.is_whole = [](const Replicate& replicate) { return replicate.ran; };
  tasks.watch.may_begin = [&] { return !context.should_stop(); };
  tasks.watch.finished = [&](int, const Replicate& replicate) {
    if (replicate.ran) context.tell(StartDone{++done, options.replicates, replicate.converged});
  };
  Summary summary(result.quantities.size());
  int crashed = 0;
  run_tasks<Replicate>(tasks, options.fit.threads, [&](int, const TaskOutcome<Replicate>& outcome) {
    if (outcome.result && outcome.result->ran && is_of(*outcome.result, result)) summary.add(*outcome.result);
    crashed += outcome.has_crashed ? 1 : 0;
  });
  result.interrupted = summary.ran() + crashed < options.replicates;
  summary.tell(result);
  if (crashed > 0) result.message += about_crashes(crashed, result.message);
  return result;
}

}  // namespace salvo::fit
