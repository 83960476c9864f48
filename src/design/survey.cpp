#include "design/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/words.hpp"
#include "design/draws.hpp"
#include "design/usable.hpp"
#include "design/words.hpp"
#include "fit/initial_guesses.hpp"
#include "words/null_direction.hpp"

namespace salvo::design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::DesignCriterion;
using Values = std::map<std::string, double>;

// The problem with every guess said: these are the values at which it is linearised.
model::Problem standing_at(const model::Problem& given, const Values& values) {
  model::Problem problem = given;
  estimate::set_guesses(problem, values);
  if (!problem.measurements.empty()) fit::guess_initial_values(problem);
  for (model::Experiment& experiment : problem.experiments)
    for (model::Initial& initial : experiment.initial)
      if (auto* its = std::get_if<model::Estimated>(&initial); its != nullptr && !its->guess) its->guess = 1;
  return problem;
}

// One sample of every experiment, the earliest: with them all quantities take part.
std::vector<Sample> one_of_each(const std::vector<Sample>& samples) {
  std::map<int, Sample> first;
  for (const Sample& sample : samples) {
    const auto [at, is_new] = first.emplace(sample.experiment, sample);
    if (!is_new && sample.time < at->second.time) at->second = sample;
  }
  std::vector<Sample> out;
  for (const auto& [experiment, sample] : first) out.push_back(sample);
  return out;
}

}  // namespace

MatrixXd with_samples(const MatrixXd& known, const std::vector<MatrixXd>& rows, const std::vector<int>& count) {
  Index all = known.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) all += count[i] > 0 ? rows[i].rows() : 0;
  MatrixXd out(all, known.cols());
  out.topRows(known.rows()) = known;
  Index at = known.rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (count[i] == 0) continue;
    out.middleRows(at, rows[i].rows()) = std::sqrt(static_cast<double>(count[i])) * rows[i];
    at += rows[i].rows();
  }
  return out;
}

bool Survey::make(Result& result) {
  result_ = &result;
  if (std::string why = why_not(); !why.empty()) return refuse(Status::failed, std::move(why));
  return begin() && choose_interest() && make_points();
}

bool Survey::refuse(Status status, std::string message) {
  result_->status = status;
  result_->message = std::move(message);
  return false;
}

std::vector<const Place*> Survey::places() const {
  if (places_.empty()) return {&place_};
  std::vector<const Place*> all;
  for (const Place& place : places_) all.push_back(&place);
  return all;
}

std::string Survey::why_not() const {
  if (std::string why = estimate::why_not(given_, options_.values); !why.empty()) return why;
  if (!given_.networks.empty())
    return "A network has too many weights for a design: no few measurements determine them.";
  for (const model::Constraint& constraint : given_.constraints)
    if (constraint.is_equality)
      return fmt::format(
          "The constraint {} is an equality, which designs do not count. Put one quantity in terms of "
          "the others in the equations instead.",
          constraint.text);
  return why_not_varied(given_);
}

// --- what could be measured, at the estimate -------------------------------------------------------------------------

Information::Options Survey::information_options() const {
  return {.integrator = options_.integrator, .stop = context_.stop};
}

bool Survey::begin() {
  settings_ = all_settings(design_);
  place_.standing = standing_at(given_, options_.values);
  lab_ = with_new_experiments(place_.standing, settings_);
  place_.information = std::make_unique<Information>(lab_, information_options());
  if (!place_.information->is_ready()) return refuse(Status::interrupted, "The run was told to stop.");
  candidates_ = candidates_of(lab_, old());
  std::vector<std::string> held;
  quantities_ = quantities_of(lab_, given_, place_.information->columns(one_of_each(candidates_.samples)), held);
  if (!held.empty())
    result_->remarks.push_back(fmt::format("{} {} at a bound, and {} held there.", listed(held),
                                           held.size() > 1 ? "stand" : "stands", held.size() > 1 ? "are" : "is"));
  if (quantities_.size() == 0)
    return refuse(Status::failed, "Nothing is estimated, so there is nothing to design for.");
  if (!given_.constraints.empty())
    result_->remarks.push_back("Constraints are not counted: errors are those without them.");
  if (std::string left_out = keep_usable(*place_.information, quantities_.columns, candidates_); !left_out.empty())
    result_->remarks.push_back(std::move(left_out));
  if (candidates_.samples.empty())
    return refuse(Status::failed, "Nothing can be computed at any of the candidates. " + result_->remarks.back());
  return measure_at(place_);
}

bool Survey::measure_at(Place& place) {
  const std::vector<Sample> each = one_of_each(candidates_.samples);
  Information::Rows rows = place.information->rows(candidates_.samples, quantities_.columns);
  place.known = place.information->known(each, quantities_.columns);
  if (!rows.ok || !place.known.ok)
    return refuse(Status::failed, fmt::format("The information cannot be computed at these values: {}.",
                                              rows.ok ? place.known.trouble : rows.trouble));
  place.rows = std::move(rows.of_sample);
  place.space = space_of(place.known.rows, place.rows);
  return true;
}

// --- what it is for --------------------------------------------------------------------------------------------------

bool Survey::choose_interest() {
  for (const std::string& name : design_.interest) {
    const std::vector<int> found = quantities_.named(name);
    if (found.empty())
      return refuse(Status::failed, fmt::format("'{}' is not estimated here, so no measurement can be for it.", name));
    interest_.insert(interest_.end(), found.begin(), found.end());
  }
  if (design_.interest.empty())
    for (int k = 0; k < quantities_.size(); ++k)
      if (!quantities_.is_new[k]) interest_.push_back(k);
  std::sort(interest_.begin(), interest_.end());
  interest_.erase(std::unique(interest_.begin(), interest_.end()), interest_.end());
  if (design_.criterion == DesignCriterion::c) return check_target();
  return check_interest();
}

bool Survey::check_interest() {
  const MatrixXd rows = with_samples(place_.known.rows, place_.rows, std::vector<int>(place_.rows.size(), 1));
  const Told all = told_by(rows, quantities_.sizes());
  std::vector<std::string> unseen;
  for (const int k : interest_)
    if (!all.seen[k]) unseen.push_back(quantities_.names[k].id);
  if (unseen.empty()) return true;
  for (const auto& direction : all.null_directions) result_->still_unseen.push_back(named(direction));
  result_->null_directions = result_->still_unseen;
  std::string text = "No candidate can determine";
  text += fmt::format(" {}:", listed(unseen));
  for (const NullDirection& direction : result_->still_unseen)
    text += fmt::format(" a change of {} is seen by none of them.", direction_in_words(direction));
  return refuse(Status::not_identifiable,
                text +
                    " Name what the design is for (for: [...] under 'design'), give one of them a prior or a known "
                    "value, or list other candidates.");
}

bool Survey::check_target() {
  if (target_of(place_).norm() == 0)
    return refuse(Status::not_identifiable,
                  fmt::format("{} does not depend on anything that is estimated.", design_.target.text));
  constexpr double seen = 1e-5;
  if (unseen_part(place_.space, target_of(place_)) <= seen) return true;
  return refuse(Status::not_identifiable,
                fmt::format("No candidate can determine {}: it changes in a direction that none of them sees.",
                            design_.target.text));
}

VectorXd Survey::target_of(const Place& place) const {
  if (design_.target.formula) return place.known.target;
  VectorXd c = VectorXd::Zero(quantities_.size());
  const std::vector<int> found = quantities_.named(design_.target.text);
  if (!found.empty()) c[found.front()] = quantities_.slope(found.front());
  return c;
}

NullDirection Survey::named(const std::vector<double>& direction) const {
  return words::named(quantities_.names, direction, quantities_.scaled);
}

// --- the points over which the criterion is averaged -----------------------------------------------------------------

Problem::Point Survey::point_of(const Place& place) const {
  Problem::Point point;
  const MatrixXd& to_z = place.space.to_z;
  if (design_.criterion == DesignCriterion::c) {
    point.K = to_z.transpose() * target_of(place);
  } else {
    MatrixXd select = MatrixXd::Zero(quantities_.size(), static_cast<Index>(interest_.size()));
    for (std::size_t i = 0; i < interest_.size(); ++i) select(interest_[i], static_cast<Index>(i)) = 1;
    point.K = to_z.transpose() * select;
  }
  const MatrixXd known = place.known.rows * to_z;
  point.known = known.transpose() * known;
  for (const MatrixXd& rows : place.rows) point.rows.push_back(rows * to_z);
  return point;
}

std::vector<Values> Survey::draws() const {
  switch (design_.over) {
    case model::DesignOver::estimate: return {};
    case model::DesignOver::prior: return draws_from_priors(place_.standing, options_.seed);
    case model::DesignOver::file: return design_.draws;
    case model::DesignOver::starts:
    case model::DesignOver::profile: break;
  }
  return options_.draws;
}

bool Survey::make_points() {
  problem_.criterion = design_.criterion;
  if (design_.over == model::DesignOver::estimate) {
    problem_.points.push_back(point_of(place_));
    return true;
  }
  const std::vector<Values> drawn = draws();
  if (drawn.empty())
    return refuse(Status::failed,
                  design_.over == model::DesignOver::prior
                      ? "The design is to hold over the prior, but nothing has one."
                      : fmt::format("The design is to hold over the answers of '{0}', but there are none: name a fit "
                                    "that has them with --from ('salvo fit --starts 20', 'salvo profile').",
                                    model::to_string(design_.over)));
  int failed = 0;
  for (const Values& values : drawn) failed += add_point(values) ? 0 : 1;
  result_->points = static_cast<int>(problem_.points.size());
  if (problem_.points.empty())
    return refuse(Status::failed, "The information cannot be computed at any of the points that were drawn.");
  if (failed > 0)
    result_->remarks.push_back(
        fmt::format("{} left out, because some candidates cannot be computed there.",
                    counted(failed, "of the points that were drawn was", "of the points that were drawn were")));
  return true;
}

bool Survey::add_point(const Values& values) {
  Values all = options_.values;
  for (const auto& [name, value] : values) all[name] = value;
  Place place{.standing = standing_at(given_, all)};
  place.information =
      std::make_unique<Information>(with_new_experiments(place.standing, settings_), information_options());
  if (!place.information->is_ready() || !measure_at(place)) return false;
  problem_.points.push_back(point_of(place));
  places_.push_back(std::move(place));
  return true;
}

}  // namespace salvo::design
