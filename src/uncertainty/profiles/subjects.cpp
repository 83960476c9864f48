#include "uncertainty/profiles/subjects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/distributions.hpp"
#include "words/null_direction.hpp"

namespace salvo::uncertainty {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// From estimate and guess: beyond, a quantity without bounds is followed no further.
constexpr double far_factor = 1e6;

bool is_wanted(const ProfileOptions& options, const std::string& id) {
  const bool none_named = options.ids.empty() && options.predictions.empty();
  return none_named || std::find(options.ids.begin(), options.ids.end(), id) != options.ids.end();
}

class Choice {
 public:
  explicit Choice(const ProfileOrigin& from) : from_(from) {}

  std::vector<Subject> take() {
    choose_subjects();
    return std::move(subjects_);
  }

 private:
  void choose_subjects() {
    for (int i = 0; i < static_cast<int>(from_.all.size()); ++i)
      if (is_wanted(from_.options, from_.all[i].id)) subjects_.push_back(of_quantity(i));
    if (from_.fits.is_unbroken()) choose_derived();
    for (const PredictionWanted& wanted : from_.options.predictions) {
      const auto named = std::find_if(from_.all.begin(), from_.all.end(), [&](const estimate::Quantity& quantity) {
        return quantity.state < 0 && quantity.id == wanted.formula && !wanted.time;
      });
      const bool is_parameter = named != from_.all.end();  // it can be held
      subjects_.push_back(is_parameter ? of_quantity(static_cast<int>(named - from_.all.begin()))
                                       : of_prediction(wanted));
      if (!is_parameter && NewObservation::exists(from_.fits.shooting().problem(), wanted))
        add_observation(wanted, *subjects_.back().prediction);
    }
  }

  // What depends on nothing that is estimated has no profile.
  void choose_derived() {
    const model::Problem& problem = from_.fits.shooting().problem();
    const std::vector<DerivedQuantity> all = derived_quantities(problem);
    for (int k = 0; k < static_cast<int>(all.size()); ++k) {
      if (!is_wanted(from_.options, all[k].id) && !is_wanted(from_.options, problem.derived[all[k].derived].id))
        continue;
      Subject subject = of_prediction({.formula = all[k].id, .derived = all[k]});
      if (!(subject.task.error > 0) && subject.task.tangent.empty()) continue;
      subject.derived = k;
      subjects_.push_back(std::move(subject));
    }
  }

  // The rise at which an interval ends: half the quantile of chi2 with one degree of freedom; where noise was estimated
  // that of the profile-t, (n/2) log(1 + t^2/(n - k)).
  double level_for(double degrees, double inflation) const {
    const double upper = 0.5 * (1 + from_.options.level);
    const double t = student_quantile(upper, degrees);
    if (!std::isfinite(degrees)) return 0.5 * t * t;
    return 0.5 * degrees * inflation * std::log1p(t * t / degrees);
  }
  // The rise at the end of the interval of an estimated noise, s^2 (n - k) / chi2, where the objective is
  // n log sigma + n s_ML^2 / (2 sigma^2). An end on the other side of the maximum-likelihood value becomes that value.
  static double level_of_noise(const statistics::NoiseScale& noise, double probability, bool is_lower) {
    const double data = noise.degrees * noise.inflation;
    const double ratio = data / chi_squared_quantile(probability, noise.degrees);
    constexpr double hardly_any = 1e-6;
    if ((ratio >= 1) == is_lower) return hardly_any;
    return std::max(hardly_any, 0.5 * data * (std::log(ratio) + 1 / ratio - 1));
  }
  // The level of the problem as a whole is that of the noise that stands on most data.
  double general_level() const {
    double degrees = 0;
    double inflation = 1;
    for (const statistics::NoiseScale& noise : from_.errors.corrected.profile_noise)
      if (noise.degrees > degrees) degrees = noise.degrees, inflation = noise.inflation;
    return degrees > 0 ? level_for(degrees, inflation) : level_for(infinity, 1);
  }

  Subject of_quantity(int i) const {
    const estimate::Quantity& quantity = from_.all[i];
    const nlp::Layout& layout = from_.fits.shooting().layout();
    Subject subject{.id = quantity.id, .scale = quantity.estimated->scale, .unknown = quantity.unknown};
    subject.lower_bound = layout.lower[quantity.unknown];
    subject.upper_bound = layout.upper[quantity.unknown];
    statistics::ProfileTask& task = subject.task;
    task.optimum = {.value = from_.optimum()[quantity.unknown],
                    .objective = from_.fits.optimum().objective,
                    .slope = from_.fits.slope_at_optimum(quantity.unknown),
                    .q = from_.optimum()};
    task.size = from_.fits.shooting().sizes(from_.optimum())[quantity.unknown];
    task.is_value = subject.scale == model::Scale::lin;
    task.are_values.assign(from_.optimum().size(), true);
    for (const estimate::Quantity& other : from_.all)
      task.are_values[other.unknown] = other.estimated->scale == model::Scale::lin;
    task.level = general_level();
    reach_far(from_.guesses[i], subject);
    if (!from_.errors.known) return subject;
    if (from_.errors.uncertainty.seen[i] && !from_.errors.uncertainty.held[i]) {
      const double variance = from_.errors.corrected.of_profiles(i, i);
      const double plain = from_.errors.uncertainty.covariance(i, i);
      task.error = std::sqrt(variance);
      const bool is_noise = i < layout.thetas && from_.errors.corrected.profile_noise[i].degrees > 0;
      const bool is_scale = is_noise && from_.errors.corrected.profile_noise[i].is_whole;
      if (is_scale) {
        const double upper = 0.5 * (1 + from_.options.level);
        subject.lower_level = level_of_noise(from_.errors.corrected.profile_noise[i], upper, true);
        subject.upper_level = level_of_noise(from_.errors.corrected.profile_noise[i], 1 - upper, false);
        task.level = std::max(subject.lower_level, subject.upper_level);
      }
      if (!is_noise && plain > 0) task.level = level_for(from_.errors.corrected.profile_degrees[i], variance / plain);
      task.tangent = along_covariance(i);
      return subject;
    }
    subject.is_unseen = !from_.errors.uncertainty.seen[i];
    task.tangent = along_unseen(i, subject.with);
    return subject;
  }

  // An estimate may have run away to where everything is flat: what is told of small and of large values holds far
  // beyond the guess too, which is what the user takes for a usual size.
  void reach_far(double guess, Subject& subject) const {
    statistics::ProfileTask& task = subject.task;
    if (subject.scale == model::Scale::lin) {
      task.usual = std::isfinite(guess) ? std::abs(guess) : 0;
      task.size = std::max(task.size, from_.of_guess * task.usual);
      task.farthest = far_factor * std::max(task.size, task.usual);
      return;
    }
    task.farthest = model::to_scale(subject.scale, far_factor);
    if (std::isfinite(guess)) subject.towards_guess = guess - task.optimum.value;
  }

  // Column i of the covariance over its diagonal element: where the others are best when quantity i moves.
  std::vector<double> along_covariance(int i) const {
    std::vector<double> tangent(from_.optimum().size(), 0.0);
    const Matrix& covariance = from_.errors.uncertainty.covariance;
    for (int k = 0; k < static_cast<int>(from_.all.size()); ++k)
      tangent[from_.all[k].unknown] = covariance(k, i) / covariance(i, i);
    return tangent;
  }
  // The direction that the data cannot see, if quantity i takes part in one.
  std::vector<double> along_unseen(int i, std::string& with) const {
    const std::vector<double>* best = nullptr;
    for (const auto& direction : from_.errors.uncertainty.null_directions)
      if (direction[i] != 0 && (best == nullptr || std::abs(direction[i]) > std::abs((*best)[i]))) best = &direction;
    if (best == nullptr) return {};
    std::vector<double> tangent(from_.optimum().size(), 0.0);
    for (std::size_t k = 0; k < from_.all.size(); ++k) tangent[from_.all[k].unknown] = (*best)[k] / (*best)[i];
    const NullDirection named = words::named(from_.all, *best, from_.optimum());
    double own = 0;
    for (const auto& part : named.parts)
      if (part.first == from_.all[i].id) own = part.second;
    std::string others;
    for (const auto& [id, coefficient] : named.parts)
      if (id != from_.all[i].id && own != 0)
        others += fmt::format("{}{} by {:+.3g} %", others.empty() ? "" : " and ", id, coefficient / own);
    if (!others.empty()) with = fmt::format("with every +1 % of it {} changes along", others);
    return tangent;
  }

  Subject of_prediction(const PredictionWanted& wanted) const {
    Subject subject;
    subject.prediction = std::make_shared<PulledPrediction>(from_.fits, from_.all, from_.errors, wanted);
    subject.id = subject.prediction->id();
    subject.task = subject.prediction->task();
    subject.task.level = general_level();
    if (const double plain = subject.task.error * subject.task.error; plain > 0) {
      const statistics::Spread corrected =
          statistics::spread_along(from_.errors.corrected, subject.prediction->slopes());
      subject.task.level = level_for(corrected.degrees, corrected.variance / plain);
    }
    subject.task.farthest = far_factor * subject.task.size;
    return subject;
  }

  // The profile of the observation itself, if it were made.
  void add_observation(const PredictionWanted& wanted, const PulledPrediction& prediction) {
    Subject subject;
    subject.observation = std::make_shared<NewObservation>(from_.fits, from_.errors, prediction, wanted);
    subject.id = subject.observation->id();
    subject.scale = subject.observation->scale();
    subject.task = subject.observation->task();
    if (subject.task.optimum.q.empty()) return;
    const statistics::Spread& corrected = subject.observation->corrected();
    subject.task.level = level_for(corrected.degrees, corrected.variance / subject.observation->plain_variance());
    subject.task.farthest = subject.scale == model::Scale::lin ? far_factor * subject.task.size
                                                               : model::to_scale(subject.scale, far_factor);
    if (subject.observation->is_count()) subject.lower_bound = -1;
    subjects_.push_back(std::move(subject));
  }

  const ProfileOrigin& from_;
  std::vector<Subject> subjects_{};
};

}  // namespace

std::vector<Subject> choose_subjects(const ProfileOrigin& from) { return Choice(from).take(); }

bool asks_for_predictions(const model::Problem& problem, const ProfileOptions& options) {
  const auto is_named = [&](const model::Derived& its) { return is_wanted(options, its.id); };
  return !options.predictions.empty() ||
         (!options.ids.empty() && std::any_of(problem.derived.begin(), problem.derived.end(), is_named));
}

statistics::ProfileTask task_of(const Subject& subject, int direction) {
  statistics::ProfileTask task = subject.task;
  task.direction = direction;
  task.bound = direction > 0 ? subject.upper_bound : subject.lower_bound;
  task.farthest += std::max(direction * subject.towards_guess, 0.0);
  if (const double level = direction > 0 ? subject.upper_level : subject.lower_level; level > 0) task.level = level;
  return task;
}

}  // namespace salvo::uncertainty
