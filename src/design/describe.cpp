#include "design/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/words.hpp"

namespace salvo::design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::DesignCriterion;

constexpr double not_seen = 1e-5;  // the part of a target in directions that nobody sees: rounding

std::vector<std::string> observables_of(const Survey& survey, int measure) {
  std::vector<std::string> out;
  for (const int o : survey.design().measures[measure].observables) out.push_back(survey.given().observables[o].id);
  return out;
}

void add_candidates(const Survey& survey, const Weights& weights, const Exact& exact, Result& result) {
  const Candidates& candidates = survey.candidates();
  for (std::size_t i = 0; i < weights.w.size(); ++i) {
    const Sample& sample = candidates.samples[i];
    result.candidates.push_back({.measure = sample.measure,
                                 .observables = observables_of(survey, sample.measure),
                                 .experiment = survey.lab().experiments[sample.experiment].id,
                                 .time = sample.time,
                                 .cost = candidates.cost[i],
                                 .weight = weights.w[i],
                                 .sensitivity = weights.sensitivity[i],
                                 .chosen = exact.count[i]});
    if (exact.count[i] > 0) result.taken.push_back(taken(survey, survey.lab(), sample, exact.count[i]));
  }
}

// Nobody misses the initial values of experiments that are not made.
bool moves_only_new(const Survey& survey, const std::vector<double>& direction) {
  const Quantities& quantities = survey.quantities();
  const NullDirection parts = survey.named(direction);
  return std::all_of(parts.parts.begin(), parts.parts.end(), [&](const auto& part) {
    for (int k = 0; k < quantities.size(); ++k)
      if (quantities.names[k].id == part.first) return static_cast<bool>(quantities.is_new[k]);
    return false;
  });
}

// What the data do not see and these rows do.
void add_directions(const Survey& survey, const Told& now, const MatrixXd& rows, Result& result) {
  constexpr double rounding = 1e-6;
  for (const auto& direction : now.null_directions) {
    if (moves_only_new(survey, direction)) continue;
    const VectorXd along = Eigen::Map<const VectorXd>(direction.data(), static_cast<Index>(direction.size()));
    const double length = (rows * along.asDiagonal()).norm();
    if ((rows * along).norm() > rounding * length) result.null_directions.push_back(survey.named(direction));
  }
}

void check_budget(const Survey& survey, const Told& then, const MatrixXd& rows, const Exact& exact, Result& result) {
  std::vector<std::string> unseen;
  if (survey.design().criterion == DesignCriterion::c) {
    if (unseen_part(space_of(rows, {}), survey.target_of(survey.place())) > not_seen)
      unseen.push_back(survey.design().target.text);
  } else {
    for (const int k : survey.interest())
      if (!then.seen[k]) unseen.push_back(survey.quantities().names[k].id);
  }
  if (unseen.empty()) return;
  int samples = 0;
  for (const int count : exact.count) samples += count;
  result.status = Status::not_identifiable;
  result.message = fmt::format(
      "The budget is too small: {} cannot determine {}. Allow more, name fewer under 'for', or give some a prior.",
      samples == 1 ? "one sample" : fmt::format("the best {} samples", samples), listed(unseen));
}

Told add_errors(const Survey& survey, const MatrixXd& rows, Result& result) {
  const Quantities& quantities = survey.quantities();
  const Place& place = survey.place();
  const Told now = told_by(place.known.rows, quantities.sizes());
  const Told then = told_by(rows, quantities.sizes());
  for (int k = 0; k < quantities.size(); ++k)
    if (!quantities.is_new[k])
      result.errors.push_back(
          {.id = quantities.names[k].id, .now = error_of(survey, now, k), .then = error_of(survey, then, k)});
  if (place.known.rows.rows() > 0) add_directions(survey, now, rows, result);
  for (const auto& direction : then.null_directions)
    if (!moves_only_new(survey, direction)) result.still_unseen.push_back(survey.named(direction));
  return then;
}

// --- equidistant times -----------------------------------------------------------------------------------------------

// Candidates of one entry in one experiment, and how many of them are chosen.
struct Group {
  double first = 1e300, last = -1e300;
  int count = 0;
};
using Groups = std::map<std::pair<int, int>, Group>;

// As many samples of every entry and experiment, equally far apart: what people do without a design. Of new experiments
// they make one, that with the most samples.
std::vector<Sample> equidistant_samples(const Survey& survey, const Exact& exact) {
  Groups groups;
  for (std::size_t i = 0; i < exact.count.size(); ++i) {
    const Sample& sample = survey.candidates().samples[i];
    Group& group = groups[{sample.measure, sample.experiment}];
    group.first = std::min(group.first, sample.time);
    group.last = std::max(group.last, sample.time);
    group.count += exact.count[i];
  }
  std::map<int, Group*> most;  // by entry
  for (auto& [key, group] : groups) {
    if (key.second < survey.old()) continue;
    const auto [at, is_new] = most.emplace(key.first, &group);
    if (is_new) continue;
    Group& other = *at->second;
    Group& larger = group.count > other.count ? group : other;
    const int all = group.count + other.count;
    group.count = other.count = 0;
    larger.count = all;
    at->second = &larger;
  }
  std::vector<Sample> samples;
  for (const auto& [key, group] : groups)
    for (int n = 1; n <= group.count; ++n)
      samples.push_back({.measure = key.first,
                         .experiment = key.second,
                         .time = group.first + (group.last - group.first) * n / group.count});
  return samples;
}

void add_equidistant(const Survey& survey, const Exact& exact, Result& result) {
  const std::vector<Sample> samples = equidistant_samples(survey, exact);
  const Place& place = survey.place();
  const Quantities& quantities = survey.quantities();
  const Information::Rows rows = place.information->rows(samples, quantities.columns);
  if (!rows.ok) return;
  for (const Sample& sample : samples) result.equidistant.push_back(taken(survey, survey.lab(), sample, 1));
  const Told told =
      told_by(with_samples(place.known.rows, rows.of_sample, std::vector<int>(samples.size(), 1)), quantities.sizes());
  for (Error& error : result.errors)
    for (int k = 0; k < quantities.size(); ++k)
      if (quantities.names[k].id == error.id) error.equidistant = error_of(survey, told, k);
  const bool is_determined =
      std::all_of(survey.interest().begin(), survey.interest().end(), [&](int k) { return told.seen[k]; });
  if (survey.design().over != model::DesignOver::estimate || !is_determined) return;
  MatrixXd F = survey.problem().points[0].known;
  for (const MatrixXd& each : rows.of_sample) {
    const MatrixXd row = each * place.space.to_z;
    F += row.transpose() * row;
  }
  const double its = loss(survey.problem(), {F});
  result.equidistant_value = value_of(result.criterion, its);
  result.equidistant_efficiency = efficiency(survey.problem(), its, exact.loss);
}

}  // namespace

Taken taken(const Survey& survey, const model::Problem& lab, const Sample& sample, int count) {
  return {.observables = observables_of(survey, sample.measure),
          .experiment = lab.experiments[sample.experiment].id,
          .time = sample.time,
          .count = count};
}

double value_of(DesignCriterion criterion, double loss) {
  if (criterion == DesignCriterion::D) return -loss;
  return criterion == DesignCriterion::E ? 1 / loss : loss;
}

std::optional<double> error_of(const Survey& survey, const Told& told, int k) {
  if (!told.seen[k]) return std::nullopt;
  return survey.quantities().slope(k) * std::sqrt(told.covariance(k, k));
}

void describe(const Survey& survey, const Weights& weights, const Exact& exact, Result& result) {
  result.status = Status::found;
  result.value = value_of(result.criterion, exact.loss);
  result.continuous_value = value_of(result.criterion, weights.loss);
  result.efficiency = efficiency(survey.problem(), exact.loss, weights.least_loss);
  result.level = weights.level;
  result.largest = weights.largest;
  add_candidates(survey, weights, exact, result);
  if (result.criterion == DesignCriterion::A || result.criterion == DesignCriterion::E)
    result.remarks.push_back(
        fmt::format("{} compares errors on the scales and in the units in which the parameters are written: in other "
                    "units, or on a logarithmic scale, other samples are best. D does not depend on them.",
                    model::to_string(result.criterion)));
  const MatrixXd rows = with_samples(survey.place().known.rows, survey.place().rows, exact.count);
  const Told then = add_errors(survey, rows, result);
  check_budget(survey, then, rows, exact, result);
  if (result.status == Status::found) add_equidistant(survey, exact, result);
}

}  // namespace salvo::design
