#include "report/profile_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/words.hpp"
#include "fit/places.hpp"

namespace salvo::report {
namespace {

using model::Measurement;
using Moment = std::pair<int, double>;  // an experiment and a time

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

class Viewer {
 public:
  Viewer(const model::Problem& problem, const FitResult& result) : problem_(problem), result_(result) {
    for (const int k : fit::observables_of_places(problem)) {
      place_of_[k] = static_cast<int>(view_.problem.observables.size());
      view_.problem.observables.push_back(problem.observables[k]);
      is_field_.push_back(field_of(problem.observables[k].formula));
    }
    for (const auto* list : {&problem.measurements, &problem.validation})
      for (const Measurement& m : *list)
        if (place_of_.contains(m.observable)) moments_.emplace(Moment(m.experiment, m.time), 0);
  }

  bool has_profiles() const { return !moments_.empty(); }

  ProfileView run() {
    FitResult& result = view_.result = result_;
    result.predictions.clear();
    result.validation.clear();
    result.start_arcs.clear();
    result.film.clear();
    name_moments();
    take(problem_.measurements, result_.predictions, view_.problem.measurements, result.predictions);
    take(problem_.validation, result_.validation, view_.problem.validation, result.validation);
    result.solution_arcs = arcs();
    return std::move(view_);
  }

 private:
  // The field that the formula is and nothing else; -1: none.
  int field_of(model::NodeId formula) const {
    for (std::size_t f = 0; f < problem_.fields.size(); ++f)
      if (problem_.fields[f].symbol == formula) return static_cast<int>(f);
    return -1;
  }

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
      const std::string unit = problem_.time_axis.unit.empty() ? "" : " " + problem_.time_axis.unit;
      std::string id = fmt::format("t = {}{}", number_text(moment.second), unit);
      if (problem_.experiments.size() > 1) id = problem_.experiments[moment.first].id + ", " + id;
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
      m.experiment = moments_.at({m.experiment, m.time});
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

  std::vector<Arc> arcs() const {
    std::vector<Arc> all;
    for (const auto& [moment, index] : moments_)
      for (int k = 0; k < static_cast<int>(is_field_.size()); ++k) {
        std::map<double, double> profile = of_cells(moment, is_field_[k]);
        if (profile.empty()) profile = of_predictions(index, k);
        if (!profile.empty()) all.push_back(arc_of(index, k, profile));
      }
    return all;
  }

  // A field is known in every cell at the times that its trajectories are told at.
  std::map<double, double> of_cells(const Moment& moment, int field) const {
    std::map<double, double> profile;
    if (field < 0) return profile;
    const int fields = static_cast<int>(problem_.fields.size());
    const int first = static_cast<int>(model::ordinary_states(problem_));
    for (const Arc& arc : result_.solution_arcs) {
      const auto at = std::find(arc.time.begin(), arc.time.end(), moment.second);
      if (arc.experiment != moment.first || at == arc.time.end() || arc.states.rows == 0) continue;
      const int column = static_cast<int>(at - arc.time.begin());
      for (int cell = 0; cell < problem_.space[0].cells; ++cell)
        profile[problem_.space[0].centre(cell)] = arc.states(first + cell * fields + field, column);
    }
    return profile;
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

  Arc arc_of(int experiment, int observable, const std::map<double, double>& profile) const {
    Arc arc{.experiment = experiment, .interval = 0};
    arc.observables = Matrix(static_cast<int>(is_field_.size()), static_cast<int>(profile.size()));
    int i = 0;
    for (const auto& [place, value] : profile) {
      arc.time.push_back(place);
      for (int k = 0; k < arc.observables.rows; ++k) arc.observables(k, i) = k == observable ? value : unknown;
      ++i;
    }
    return arc;
  }

  const model::Problem& problem_;
  const FitResult& result_;
  std::map<int, int> place_of_;    // of observables, among those of the view
  std::vector<int> is_field_;      // of these: the field that each is, or -1
  std::map<Moment, int> moments_;  // and which experiment of the view each is
  ProfileView view_{};
};

}  // namespace

std::optional<ProfileView> profile_view(const model::Problem& problem, const FitResult& result) {
  if (problem.space.size() != 1) return std::nullopt;
  Viewer viewer(problem, result);
  if (!viewer.has_profiles()) return std::nullopt;
  return viewer.run();
}

}  // namespace salvo::report
