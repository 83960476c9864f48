#include "fit/field_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/distributions.hpp"
#include "fit/evaluate.hpp"
#include "fit/places.hpp"
#include "model/noise.hpp"
#include "model/on_cells.hpp"

namespace salvo::fit {
namespace {

using Values = std::map<std::string, double>;

constexpr int most_places = 61;
constexpr int fewest_places = 21;
constexpr std::size_t most_profiles = 40;  // of one observable in one experiment
constexpr std::size_t most_pictures = 24;
constexpr int map_times = 61;
constexpr int most_rows = 20'000;  // of all profiles together
constexpr int wanted_frames = 8;
constexpr int most_frame_unknowns = 20'000;  // cells times frames: a film is not worth more work than the fit

// So many of a list, the first and the last among them.
template <class T>
std::vector<T> spread(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> out;
  for (std::size_t k = 0; k < most; ++k) out.push_back(all[k * (all.size() - 1) / (most - 1)]);
  return out;
}

std::vector<double> evenly(double from, double to, int count) {
  std::vector<double> out;
  for (int i = 0; i < count; ++i) out.push_back(i + 1 == count ? to : from + (to - from) * i / (count - 1));
  return out;
}

class Painter {
 public:
  Painter(const model::Problem& problem, const estimate::Options& options, const FitResult& result,
          const RunContext& context)
      : problem_(problem), options_(options), result_(result), context_(context) {
    for (const auto* list : {&result.parameters, &result.initial})
      for (const Estimate& each : *list)
        at_answer_[each.experiment.empty() ? each.id : each.experiment + ":" + each.id] = each.estimate;
  }

  std::vector<FieldPicture> run() {
    begin();
    if (pictures_.empty()) return {};
    const model::Problem with_profiles = with_rows([](const FieldPicture& of, const auto& add) {
      for (const FieldPicture::Profile& profile : of.profiles) add(profile.time);
    });
    const EvaluateResult solved = solve(with_profiles, at_answer_, !result_.covariance_ids.empty());
    if (!solved.ok) return {};
    take_profiles(solved);
    add_film(with_profiles);
    const EvaluateResult over_time = solve(with_rows([](const FieldPicture& of, const auto& add) {
                                             for (const double t : of.time) add(t);
                                           }),
                                           at_answer_, false);
    std::size_t row = 0;
    for (FieldPicture& picture : pictures_) {
      if (!over_time.ok) picture.time.clear();
      for (std::size_t k = 0; k < picture.time.size(); ++k) picture.map.push_back(take(over_time, picture, row));
    }
    return std::move(pictures_);
  }

 private:
  // What was measured at places, and when.
  void begin() {
    const std::vector<int> seen = observables_of_places(problem_);
    std::map<std::pair<int, int>, std::set<double>> times;
    for (const auto* list : {&problem_.measurements, &problem_.validation})
      for (const model::Measurement& m : *list)
        if (std::find(seen.begin(), seen.end(), m.observable) != seen.end() && std::isfinite(m.time))
          times[{m.experiment, m.observable}].insert(m.time);
    std::size_t profiles = 0;
    for (const auto& [of, its] : times) {
      if (pictures_.size() == most_pictures) break;
      FieldPicture& picture = pictures_.emplace_back();
      std::tie(picture.experiment, picture.observable) = of;
      for (const double t : spread(std::vector<double>(its.begin(), its.end()), most_profiles))
        picture.profiles.push_back({.time = t});
      const model::Experiment& experiment = problem_.experiments[picture.experiment];
      const double last =
          std::max(*its.rbegin(), experiment.predicted_at.empty() ? *its.rbegin() : experiment.predicted_at.back());
      if (last > experiment.start) picture.time = evenly(experiment.start, last, map_times);
      profiles += picture.profiles.size();
    }
    const int places = most_rows / std::max(1, static_cast<int>(profiles));
    for (FieldPicture& picture : pictures_)
      picture.place =
          evenly(problem_.space[0].from, problem_.space[0].to, std::clamp(places, fewest_places, most_places));
  }

  // The problem with a measurement wherever a picture has a number.
  template <class Times>
  model::Problem with_rows(const Times& times_of) const {
    model::Problem out = problem_;
    out.measurements.clear();
    out.validation.clear();
    for (const FieldPicture& picture : pictures_)
      times_of(picture, [&](double time) {
        for (const double place : picture.place) {
          model::Measurement m{
              .experiment = picture.experiment, .observable = picture.observable, .time = time, .value = 1};
          m.place[0] = place;
          out.measurements.push_back(m);
        }
      });
    return model::with_cells(std::move(out), problem_.space[0].cells);
  }

  EvaluateResult solve(const model::Problem& problem, const Values& values, bool with_jacobian) const {
    return evaluate(problem,
                    {.prediction_jacobian = with_jacobian,
                     .memory = options_.memory,
                     .integrator = options_.integrator,
                     .values = values},
                    context_);
  }

  // The next numbers, one for each place.
  static std::vector<double> take(const EvaluateResult& solved, const FieldPicture& picture, std::size_t& row) {
    std::vector<double> out;
    for (std::size_t i = 0; i < picture.place.size(); ++i) out.push_back(solved.simulations[row++].simulation);
    return out;
  }

  void take_profiles(const EvaluateResult& solved) {
    const std::vector<double> deviation = deviations(solved);
    const double t = student_quantile(0.975, result_.band_degrees);
    std::size_t row = 0;
    for (FieldPicture& picture : pictures_) {
      const auto law = problem_.observables[picture.observable].distribution;
      const bool is_positive = model::needs_positive(law);
      for (FieldPicture::Profile& profile : picture.profiles) {
        std::size_t from = row;
        profile.value = take(solved, picture, row);
        for (std::size_t i = 0; i < profile.value.size() && !deviation.empty(); ++i, ++from) {
          const double value = profile.value[i];
          const double by = t * deviation[from];
          profile.lower.push_back(is_positive && value > 0 ? value * std::exp(-by / value) : value - by);
          profile.upper.push_back(is_positive && value > 0 ? value * std::exp(by / value) : value + by);
        }
      }
    }
  }

  // That the estimates leave to each prediction; none where errors are not known, or not of all.
  std::vector<double> deviations(const EvaluateResult& solved) const {
    const Matrix& jacobian = solved.prediction_jacobian;
    const Matrix& covariance = result_.covariance_on_scale;
    const auto count = static_cast<int>(result_.covariance_ids.size());
    if (count == 0 || covariance.rows != count || jacobian.cols != count || !result_.unseen_on_scale.empty()) return {};
    std::vector<int> column;  // of each quantity of the covariance
    for (const std::string& id : result_.covariance_ids) {
      int at = 0;
      for (const EvaluateResult::Value& value : solved.parameters) {
        if (!value.estimated) continue;
        if (value.id == id) column.push_back(at);
        ++at;
      }
    }
    if (static_cast<int>(column.size()) != count) return {};
    std::vector<double> out;
    for (int row = 0; row < jacobian.rows; ++row) {
      double variance = 0;
      for (int k = 0; k < count; ++k)
        for (int l = 0; l < count; ++l)
          variance += jacobian(row, column[k]) * covariance(k, l) * jacobian(row, column[l]);
      out.push_back(std::sqrt(std::max(0.0, variance)));
    }
    return out;
  }

  // Iterations remember parameters alone: where initial values are estimated, too, there is no film.
  void add_film(const model::Problem& with_profiles) {
    const int affordable = most_frame_unknowns / std::max(1, static_cast<int>(problem_.states.size()));
    const auto frames = static_cast<std::size_t>(std::min(wanted_frames, affordable));
    std::vector<std::string> names;
    for (const model::Parameter& parameter : problem_.parameters)
      if (parameter.is_estimated()) names.push_back(parameter.id);
    if (frames < 2 || !result_.initial.empty() || result_.trace.size() < 2) return;
    for (const TracePoint& point : spread(result_.trace, frames)) {
      if (point.p.size() != names.size()) return;
      Values values;
      for (std::size_t k = 0; k < names.size(); ++k) values[names[k]] = point.p[k];
      const EvaluateResult solved = solve(with_profiles, values, false);
      if (!solved.ok) continue;
      std::size_t row = 0;
      for (FieldPicture& picture : pictures_) {
        FieldPicture::Frame& frame = picture.film.emplace_back(FieldPicture::Frame{.iteration = point.iteration});
        for (std::size_t k = 0; k < picture.profiles.size(); ++k) frame.value.push_back(take(solved, picture, row));
      }
    }
  }

  const model::Problem& problem_;
  const estimate::Options& options_;
  const FitResult& result_;
  const RunContext& context_;
  Values at_answer_{};
  std::vector<FieldPicture> pictures_{};
};

}  // namespace

std::vector<FieldPicture> field_pictures(const model::Problem& problem, const estimate::Options& options,
                                         const FitResult& result, const RunContext& context) {
  if (problem.fields.empty() || problem.space.size() != 1) return {};
  return Painter(problem, options, result, context).run();
}

}  // namespace salvo::fit
