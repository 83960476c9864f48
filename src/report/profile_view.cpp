#include "report/profile_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/words.hpp"
#include "fit/places.hpp"

namespace salvo::report {
namespace {

using model::Measurement;
using Moment = std::tuple<int, double, double>;  // an experiment, a time and, on a rectangle, y

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

class Viewer {
 public:
  Viewer(const model::Problem& problem, const FitResult& result) : problem_(problem), result_(result) {
    for (const int k : fit::observables_of_places(problem)) {
      place_of_[k] = static_cast<int>(view_.problem.observables.size());
      view_.problem.observables.push_back(problem.observables[k]);
    }
    for (const auto* list : {&problem.measurements, &problem.validation})
      for (const Measurement& m : *list)
        if (place_of_.contains(m.observable)) moments_.emplace(moment_of(m), 0);
  }

  bool has_profiles() const { return !moments_.empty(); }

  ProfileView run() {
    FitResult& result = view_.result = result_;
    result.predictions.clear();
    result.validation.clear();
    result.start_arcs.clear();
    name_moments();
    take(problem_.measurements, result_.predictions, view_.problem.measurements, result.predictions);
    take(problem_.validation, result_.validation, view_.problem.validation, result.validation);
    result.solution_arcs = arcs();
    result.film = film();
    if (!result.film.empty()) result.start_arcs = result.film.front().arcs;
    return std::move(view_);
  }

 private:
  static Moment moment_of(const Measurement& m) { return {m.experiment, m.time, m.place[1].value_or(0)}; }

  void name_moments() {
    const model::Space& space = problem_.space[0];
    model::Problem& view = view_.problem;
    view.title = problem_.title;
    view.graph = problem_.graph;
    view.parameters = problem_.parameters;
    view.settings = problem_.settings;
    view.time_axis = {.unit = space.axis.unit, .label = space.axis.label.empty() ? space.id : space.axis.label};
    for (auto& [moment, index] : moments_) {
      index = static_cast<int>(view.experiments.size());
      const auto [experiment, time, y] = moment;
      const std::string unit = problem_.time_axis.unit.empty() ? "" : " " + problem_.time_axis.unit;
      std::string id = fmt::format("t = {}{}", number_text(time), unit);
      if (problem_.space.size() > 1) id += fmt::format(", {} = {}", problem_.space[1].id, number_text(y));
      if (problem_.experiments.size() > 1) id = problem_.experiments[experiment].id + ", " + id;
      view.experiments.push_back({.id = std::move(id), .start = space.from});
    }
  }

  void take(const std::vector<Measurement>& measurements, const std::vector<Prediction>& predictions,
            std::vector<Measurement>& to, std::vector<Prediction>& predicted) const {
    std::map<int, int> row;  // in the view, of each that is there
    for (std::size_t i = 0; i < measurements.size(); ++i) {
      Measurement m = measurements[i];
      const auto place = place_of_.find(m.observable);
      if (place == place_of_.end()) continue;
      row[static_cast<int>(i)] = static_cast<int>(to.size());
      m.experiment = moments_.at(moment_of(m));
      m.observable = place->second;
      m.time = m.place[0].value_or(0);
      to.push_back(m);
    }
    for (Prediction prediction : predictions)
      if (const auto found = row.find(prediction.row); found != row.end()) {
        prediction.row = found->second;
        predicted.push_back(prediction);
      }
  }

  // A profile of a picture, or what was predicted where there is none.
  std::vector<Arc> arcs() const {
    std::vector<Arc> all;
    for (const auto& [moment, index] : moments_)
      for (const auto& [observable, k] : place_of_) {
        const auto [picture, profile] = drawn(moment, observable);
        if (profile != nullptr) {
          all.push_back(arc_of(index, k, picture->place, profile->value));
          if (!profile->lower.empty()) add_band(k, *profile, all.back());
          continue;
        }
        std::vector<double> place, value;
        for (const auto& [at, predicted] : of_predictions(index, k)) {
          place.push_back(at);
          value.push_back(predicted);
        }
        if (!place.empty()) all.push_back(arc_of(index, k, place, value));
      }
    return all;
  }

  std::pair<const FieldPicture*, const FieldPicture::Profile*> drawn(const Moment& moment, int observable) const {
    for (const FieldPicture& picture : result_.field_pictures)
      if (picture.experiment == std::get<0>(moment) && picture.observable == observable)
        for (const FieldPicture::Profile& profile : picture.profiles)
          if (profile.time == std::get<1>(moment)) return {&picture, &profile};
    return {};
  }

  // Iterations on the way, each with all profiles.
  std::vector<Frame> film() const {
    std::map<int, Frame> frames;
    for (const FieldPicture& picture : result_.field_pictures)
      for (const FieldPicture::Frame& of_picture : picture.film) {
        Frame& frame = frames[of_picture.iteration];
        frame.iteration = of_picture.iteration;
        for (std::size_t i = 0; i < of_picture.value.size(); ++i)
          frame.arcs.push_back(arc_of(moments_.at({picture.experiment, picture.profiles[i].time, 0.0}),
                                      place_of_.at(picture.observable), picture.place, of_picture.value[i]));
      }
    std::vector<Frame> out;
    for (auto& [iteration, frame] : frames) out.push_back(std::move(frame));
    return out;
  }

  std::map<double, double> of_predictions(int experiment, int observable) const {
    std::map<double, double> profile;
    const auto add = [&](const std::vector<Measurement>& measurements, const std::vector<Prediction>& predictions) {
      for (const Prediction& prediction : predictions) {
        const Measurement& m = measurements[static_cast<std::size_t>(prediction.row)];
        if (m.experiment == experiment && m.observable == observable) profile[m.time] = prediction.simulation;
      }
    };
    add(view_.problem.measurements, view_.result.predictions);
    add(view_.problem.validation, view_.result.validation);
    return profile;
  }

  int observables() const { return static_cast<int>(place_of_.size()); }

  Arc arc_of(int experiment, int observable, const std::vector<double>& place, const std::vector<double>& value) const {
    Arc arc{.experiment = experiment, .interval = 0, .time = place};
    arc.observables = all_unknown(place.size());
    for (std::size_t i = 0; i < value.size(); ++i) arc.observables(observable, static_cast<int>(i)) = value[i];
    return arc;
  }
  Matrix all_unknown(std::size_t columns) const {
    Matrix out(observables(), static_cast<int>(columns));
    std::fill(out.data.begin(), out.data.end(), unknown);
    return out;
  }
  void add_band(int observable, const FieldPicture::Profile& profile, Arc& arc) const {
    Arc::Band& band = arc.band;
    for (Matrix* matrix : {&band.deviation, &band.lower, &band.upper, &band.lower_new, &band.upper_new})
      *matrix = all_unknown(arc.time.size());
    for (std::size_t i = 0; i < arc.time.size(); ++i) {
      band.lower(observable, static_cast<int>(i)) = profile.lower[i];
      band.upper(observable, static_cast<int>(i)) = profile.upper[i];
    }
  }

  const model::Problem& problem_;
  const FitResult& result_;
  std::map<int, int> place_of_;    // of observables, among those of the view
  std::map<Moment, int> moments_;  // and which experiment of the view each is
  ProfileView view_{};
};

}  // namespace

std::optional<ProfileView> profile_view(const model::Problem& problem, const FitResult& result) {
  if (problem.fields.empty()) return std::nullopt;
  Viewer viewer(problem, result);
  if (!viewer.has_profiles()) return std::nullopt;
  return viewer.run();
}

}  // namespace salvo::report
