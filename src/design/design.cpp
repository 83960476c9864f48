#include "design/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/watch.hpp"
#include "base/words.hpp"
#include "design/draws.hpp"
#include "design/exact.hpp"
#include "design/quantities.hpp"
#include "design/refine.hpp"
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

// One point at which the information is known.
struct Place {
  model::Problem standing{};  // without new experiments
  std::unique_ptr<Information> information{};
  Information::Known known{};
  std::vector<MatrixXd> rows{};  // of all candidates, by the quantities
  Space space{};
};

class Planner {
 public:
  Planner(const model::Problem& given, const Options& options, const RunContext& context)
      : given_(given), design_(*given.design), options_(options), context_(context), watch_(context_) {
    result_.criterion = design_.criterion;
    result_.about = design_.target.text;
    result_.interest = design_.interest;
    result_.budget = design_.budget;
  }

  Result run() {
    if (std::string why = why_not(); !why.empty()) return fail(Status::failed, std::move(why));
    if (!begin() || !choose_interest() || !make_points()) return std::move(result_);
    const auto should_stop = [&] { return context_.should_stop(); };
    const Purse purse{.cost = candidates_.cost, .limit = candidates_.limit, .budget = design_.budget};
    const Weights weights = best_weights(problem_, purse, should_stop);
    const Exact exact = best_exact(problem_, purse, weights, should_stop);
    describe(weights, exact);
    add_errors(exact);
    if (result_.status == Status::found) refine_it(exact, should_stop);
    if (context_.should_stop()) return fail(Status::interrupted, "The run was stopped before the design was complete.");
    if (result_.status == Status::found) result_.message = message_of(result_);
    return std::move(result_);
  }

 private:
  Result fail(Status status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return std::move(result_);
  }
  bool refuse(Status status, std::string message) {
    fail_ = true;
    result_.status = status;
    result_.message = std::move(message);
    return false;
  }

  std::string why_not() const {
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

  // --- what could be measured, at the estimate ---------------------------------------------------------------------

  Information::Options information_options() const {
    return {.integrator = options_.integrator, .stop = context_.stop};
  }

  bool begin() {
    settings_ = all_settings(design_);
    place_.standing = standing_at(given_, options_.values);
    lab_ = with_new_experiments(place_.standing, settings_);
    place_.information = std::make_unique<Information>(lab_, information_options());
    if (!place_.information->is_ready()) return refuse(Status::interrupted, "The run was told to stop.");
    candidates_ = candidates_of(lab_, old());
    std::vector<std::string> held;
    quantities_ = quantities_of(lab_, given_, place_.information->columns(one_of_each(candidates_.samples)), held);
    if (!held.empty())
      result_.remarks.push_back(fmt::format("{} {} at a bound, and {} held there.", listed(held),
                                            held.size() > 1 ? "stand" : "stands", held.size() > 1 ? "are" : "is"));
    if (quantities_.size() == 0)
      return refuse(Status::failed, "Nothing is estimated, so there is nothing to design for.");
    if (!given_.constraints.empty())
      result_.remarks.push_back("Constraints are not counted: errors are those without them.");
    if (std::string left_out = keep_usable(*place_.information, quantities_.columns, candidates_); !left_out.empty())
      result_.remarks.push_back(std::move(left_out));
    if (candidates_.samples.empty())
      return refuse(Status::failed, "Nothing can be computed at any of the candidates. " + result_.remarks.back());
    return measure_at(place_);
  }

  int old() const { return static_cast<int>(given_.experiments.size()); }

  bool measure_at(Place& place) {
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

  // --- what it is for -----------------------------------------------------------------------------------------------

  bool choose_interest() {
    for (const std::string& name : design_.interest) {
      const std::vector<int> found = quantities_.named(name);
      if (found.empty())
        return refuse(Status::failed,
                      fmt::format("'{}' is not estimated here, so no measurement can be for it.", name));
      interest_.insert(interest_.end(), found.begin(), found.end());
    }
    if (design_.interest.empty())
      for (int k = 0; k < quantities_.size(); ++k)
        if (!quantities_.is_new[k]) interest_.push_back(k);
    std::sort(interest_.begin(), interest_.end());
    interest_.erase(std::unique(interest_.begin(), interest_.end()), interest_.end());
    if (design_.criterion == DesignCriterion::c) return check_target();
    const Told all = told_by(all_rows(place_), quantities_.sizes());
    std::vector<std::string> unseen;
    for (const int k : interest_)
      if (!all.seen[k]) unseen.push_back(quantities_.names[k].id);
    if (unseen.empty()) return true;
    for (const auto& direction : all.null_directions) result_.still_unseen.push_back(named(direction));
    result_.null_directions = result_.still_unseen;
    std::string text = "No candidate can determine";
    text += fmt::format(" {}:", listed(unseen));
    for (const NullDirection& direction : result_.still_unseen)
      text += fmt::format(" a change of {} is seen by none of them.", direction_in_words(direction));
    return refuse(Status::not_identifiable,
                  text +
                      " Name what the design is for (for: [...] under 'design'), give one of them a prior or a known "
                      "value, or list other candidates.");
  }

  bool check_target() {
    if (target_of(place_).norm() == 0)
      return refuse(Status::not_identifiable,
                    fmt::format("{} does not depend on anything that is estimated.", design_.target.text));
    constexpr double seen = 1e-5;
    if (unseen_part(place_.space, target_of(place_)) <= seen) return true;
    return refuse(Status::not_identifiable,
                  fmt::format("No candidate can determine {}: it changes in a direction that none of them sees.",
                              design_.target.text));
  }

  // dc/dtheta in user units.
  VectorXd target_of(const Place& place) const {
    if (design_.target.formula) return place.known.target;
    VectorXd c = VectorXd::Zero(quantities_.size());
    const std::vector<int> found = quantities_.named(design_.target.text);
    if (!found.empty()) c[found.front()] = quantities_.slope(found.front());
    return c;
  }

  MatrixXd all_rows(const Place& place) const {
    Index count = place.known.rows.rows();
    for (const MatrixXd& each : place.rows) count += each.rows();
    MatrixXd all(count, quantities_.size());
    all.topRows(place.known.rows.rows()) = place.known.rows;
    Index at = place.known.rows.rows();
    for (const MatrixXd& each : place.rows) all.middleRows(at, each.rows()) = each, at += each.rows();
    return all;
  }

  NullDirection named(const std::vector<double>& direction) const {
    return words::named(quantities_.names, direction, quantities_.scaled);
  }

  // --- the points over which the criterion is averaged -------------------------------------------------------------

  Problem::Point point_of(const Place& place) const {
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

  std::vector<Values> draws() {
    switch (design_.over) {
      case model::DesignOver::estimate: return {};
      case model::DesignOver::prior: return draws_from_priors(place_.standing, options_.seed);
      case model::DesignOver::file: return design_.draws;
      case model::DesignOver::starts:
      case model::DesignOver::profile: break;
    }
    return options_.draws;
  }

  bool make_points() {
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
    for (const Values& values : drawn) {
      Values all = options_.values;
      for (const auto& [name, value] : values) all[name] = value;
      Place place{.standing = standing_at(given_, all)};
      place.information =
          std::make_unique<Information>(with_new_experiments(place.standing, settings_), information_options());
      if (!place.information->is_ready() || !measure_at(place)) {
        ++failed;
        result_.message.clear();
        continue;
      }
      problem_.points.push_back(point_of(place));
      places_.push_back(std::move(place));
    }
    fail_ = false;
    result_.points = static_cast<int>(problem_.points.size());
    if (problem_.points.empty())
      return refuse(Status::failed, "The information cannot be computed at any of the points that were drawn.");
    if (failed > 0)
      result_.remarks.push_back(
          fmt::format("{} left out, because some candidates cannot be computed there.",
                      counted(failed, "of the points that were drawn was", "of the points that were drawn were")));
    return true;
  }

  // --- what was found ----------------------------------------------------------------------------------------------

  std::vector<std::string> observables_of(int measure) const {
    std::vector<std::string> out;
    for (const int o : design_.measures[measure].observables) out.push_back(given_.observables[o].id);
    return out;
  }

  Taken taken(const Sample& sample, const model::Problem& lab, int count) const {
    return {.observables = observables_of(sample.measure),
            .experiment = lab.experiments[sample.experiment].id,
            .time = sample.time,
            .count = count};
  }

  // As people ask for it: large where the design is good, or a variance.
  double value_of(double loss) const {
    if (design_.criterion == DesignCriterion::D) return -loss;
    return design_.criterion == DesignCriterion::E ? 1 / loss : loss;
  }

  void describe(const Weights& weights, const Exact& exact) {
    result_.status = Status::found;
    result_.value = value_of(exact.loss);
    result_.continuous_value = value_of(weights.loss);
    result_.efficiency = efficiency(problem_, exact.loss, weights.least_loss);
    result_.level = weights.level;
    result_.largest = weights.largest;
    for (std::size_t i = 0; i < weights.w.size(); ++i) {
      const Sample& sample = candidates_.samples[i];
      result_.candidates.push_back({.measure = sample.measure,
                                    .observables = observables_of(sample.measure),
                                    .experiment = lab_.experiments[sample.experiment].id,
                                    .time = sample.time,
                                    .cost = candidates_.cost[i],
                                    .weight = weights.w[i],
                                    .sensitivity = weights.sensitivity[i],
                                    .chosen = exact.count[i]});
      if (exact.count[i] > 0) result_.taken.push_back(taken(sample, lab_, exact.count[i]));
    }
    if (design_.criterion == DesignCriterion::A || design_.criterion == DesignCriterion::E)
      result_.remarks.push_back(
          fmt::format("{} adds up errors on the scales and in the units in which the parameters are written: in other "
                      "units, or on a "
                      "logarithmic scale, other samples are best. D does not depend on them.",
                      model::to_string(design_.criterion)));
  }

  // Rows of the data and of so many of each sample.
  MatrixXd with(const MatrixXd& known, const std::vector<MatrixXd>& rows, const std::vector<int>& count) const {
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

  std::optional<double> error_of(const Told& told, int k) const {
    if (!told.seen[k]) return std::nullopt;
    return quantities_.slope(k) * std::sqrt(told.covariance(k, k));
  }

  void add_errors(const Exact& exact) {
    const Told now = told_by(place_.known.rows, quantities_.sizes());
    const MatrixXd all = with(place_.known.rows, place_.rows, exact.count);
    const Told then = told_by(all, quantities_.sizes());
    for (int k = 0; k < quantities_.size(); ++k)
      if (!quantities_.is_new[k])
        result_.errors.push_back({.id = quantities_.names[k].id, .now = error_of(now, k), .then = error_of(then, k)});
    if (place_.known.rows.rows() > 0) add_directions(now, all);
    for (const auto& direction : then.null_directions)
      if (!moves_only_new(direction)) result_.still_unseen.push_back(named(direction));
    check_budget(then, exact);
    if (result_.status == Status::found) add_equidistant(exact);
  }

  // Nobody misses the initial values of experiments that are not made.
  bool moves_only_new(const std::vector<double>& direction) const {
    const NullDirection parts = named(direction);
    return std::all_of(parts.parts.begin(), parts.parts.end(), [&](const auto& part) {
      for (int k = 0; k < quantities_.size(); ++k)
        if (quantities_.names[k].id == part.first) return static_cast<bool>(quantities_.is_new[k]);
      return false;
    });
  }

  // What the data do not see: the names stay those of then, where it is not seen then either.
  void add_directions(const Told& now, const MatrixXd& all) {
    for (const auto& direction : now.null_directions) {
      if (moves_only_new(direction)) continue;
      const VectorXd along = Eigen::Map<const VectorXd>(direction.data(), static_cast<Index>(direction.size()));
      constexpr double rounding = 1e-6;
      const double length = (all * along.asDiagonal()).norm();
      if ((all * along).norm() > rounding * length) result_.null_directions.push_back(named(direction));
    }
  }

  void check_budget(const Told& then, const Exact& exact) {
    std::vector<std::string> unseen;
    if (design_.criterion == DesignCriterion::c) {
      const Space space = space_of(with(place_.known.rows, place_.rows, exact.count), {});
      if (unseen_part(space, target_of(place_)) > 1e-5) unseen.push_back(design_.target.text);
    } else {
      for (const int k : interest_)
        if (!then.seen[k]) unseen.push_back(quantities_.names[k].id);
    }
    if (unseen.empty()) return;
    int samples = 0;
    for (const int count : exact.count) samples += count;
    result_.status = Status::not_identifiable;
    result_.message = fmt::format(
        "The budget is too small: {} cannot determine {}. Allow more, name fewer under 'for', or give some a prior.",
        samples == 1 ? "one sample" : fmt::format("the best {} samples", samples), listed(unseen));
  }

  // As many samples of every entry and experiment, equally far apart: what people do without a design.
  void add_equidistant(const Exact& exact) {
    struct Group {
      double first = 1e300, last = -1e300;
      int count = 0;
    };
    std::map<std::pair<int, int>, Group> groups;
    for (std::size_t i = 0; i < exact.count.size(); ++i) {
      const Sample& sample = candidates_.samples[i];
      Group& group = groups[{sample.measure, sample.experiment}];
      group.first = std::min(group.first, sample.time);
      group.last = std::max(group.last, sample.time);
      group.count += exact.count[i];
    }
    std::vector<Sample> samples;
    for (const auto& [key, group] : groups)
      for (int n = 1; n <= group.count; ++n)
        samples.push_back({.measure = key.first,
                           .experiment = key.second,
                           .time = group.first + (group.last - group.first) * n / group.count});
    const Information::Rows rows = place_.information->rows(samples, quantities_.columns);
    if (!rows.ok) return;
    for (const Sample& sample : samples) result_.equidistant.push_back(taken(sample, lab_, 1));
    const Told told =
        told_by(with(place_.known.rows, rows.of_sample, std::vector<int>(samples.size(), 1)), quantities_.sizes());
    for (Error& error : result_.errors)
      for (int k = 0; k < quantities_.size(); ++k)
        if (quantities_.names[k].id == error.id) error.equidistant = error_of(told, k);
    if (design_.over == model::DesignOver::estimate) {
      Problem::Point point = problem_.points[0];
      MatrixXd F = point.known;
      for (const MatrixXd& each : rows.of_sample) {
        const MatrixXd row = each * place_.space.to_z;
        F += row.transpose() * row;
      }
      if (std::all_of(interest_.begin(), interest_.end(), [&](int k) { return told.seen[k]; }))
        tell_equidistant(loss(problem_, {F}), exact.loss);
    }
  }

  void tell_equidistant(double its, double best) {
    result_.equidistant_value = value_of(its);
    result_.equidistant_efficiency = efficiency(problem_, its, best);
  }

  // --- off the grid ------------------------------------------------------------------------------------------------

  const std::vector<Place*> places() {
    std::vector<Place*> all;
    if (places_.empty()) all.push_back(&place_);
    for (Place& place : places_) all.push_back(&place);
    return all;
  }

  // The new experiments that are used, and the columns of the quantities there.
  struct Used {
    std::vector<int> experiments{};  // of the lab
    std::vector<Setting> settings{};
    std::vector<Column> columns{};
  };
  Used used_by(const std::vector<Sample>& samples) const {
    Used out{.columns = quantities_.columns};
    std::set<int> found;
    for (const Sample& sample : samples)
      if (sample.experiment >= old()) found.insert(sample.experiment);
    out.experiments.assign(found.begin(), found.end());
    for (const int e : out.experiments) out.settings.push_back(settings_[e - old()]);
    for (Column& column : out.columns) {
      if (column.experiment < old()) continue;
      const auto at = std::find(out.experiments.begin(), out.experiments.end(), column.experiment);
      column.experiment = at == out.experiments.end() ? -2 : old() + static_cast<int>(at - out.experiments.begin());
    }
    return out;
  }

  // A time may move up to its neighbours on the grid; half as far where only so many samples may be at one time.
  void let_move(std::size_t candidate, Movable& movable) const {
    const Sample& sample = candidates_.samples[candidate];
    const std::vector<double>& times = design_.measures[sample.measure].times;
    const auto at = std::lower_bound(times.begin(), times.end(), sample.time);
    const double before = at == times.begin() ? sample.time : *(at - 1);
    const double after = at + 1 >= times.end() ? sample.time : *(at + 1);
    const double part = std::isfinite(candidates_.limit[candidate]) ? 0.5 : 1;
    movable.samples.push_back(sample);
    movable.times.push_back({sample.time - part * (sample.time - before), sample.time + part * (after - sample.time)});
    movable.step.push_back(0.5 * part * std::max(sample.time - before, after - sample.time));
  }

  void refine_it(const Exact& exact, const std::function<bool()>& should_stop) {
    Movable movable;
    for (std::size_t i = 0; i < exact.count.size(); ++i)
      for (int n = 0; n < exact.count[i]; ++n) let_move(i, movable);
    const Used used = used_by(movable.samples);
    movable.settings = used.settings;
    for (Sample& sample : movable.samples) {
      const auto at = std::find(used.experiments.begin(), used.experiments.end(), sample.experiment);
      if (at != used.experiments.end()) sample.experiment = old() + static_cast<int>(at - used.experiments.begin());
    }
    const RowsOf rows_of = [&](const std::vector<Setting>& settings, const std::vector<Sample>& samples) {
      return rows_with(used, settings, samples);
    };
    const Moved moved = refine(problem_, design_, old(), movable, rows_of, should_stop);
    std::vector<MatrixXd> rows;
    const auto at_estimate = information_with(place_, used, moved.settings)->rows(moved.samples, used.columns);
    if (!std::isfinite(moved.loss) || !at_estimate.ok) return;
    tell_refined(moved, at_estimate.of_sample);
  }

  std::shared_ptr<Information> information_with(const Place& place, const Used& used,
                                                const std::vector<Setting>& settings) const {
    if (used.settings.empty()) return std::make_shared<Information>(*place.information);
    return std::make_shared<Information>(with_new_experiments(place.standing, settings), information_options());
  }

  std::optional<std::vector<std::vector<MatrixXd>>> rows_with(const Used& used, const std::vector<Setting>& settings,
                                                              const std::vector<Sample>& samples) {
    std::vector<std::vector<MatrixXd>> out;
    for (const Place* place : places()) {
      const auto information = information_with(*place, used, settings);
      if (!information->is_ready()) return std::nullopt;
      Information::Rows rows = information->rows(samples, used.columns);
      if (!rows.ok) return std::nullopt;
      for (MatrixXd& each : rows.of_sample) each = (each * place->space.to_z).eval();
      out.push_back(std::move(rows.of_sample));
    }
    return out;
  }

  void tell_refined(const Moved& moved, const std::vector<MatrixXd>& rows) {
    const model::Problem lab = with_new_experiments(place_.standing, moved.settings);
    Refined refined{.value = value_of(moved.loss), .linearizations = moved.linearizations};
    std::vector<Sample> order = moved.samples;
    std::stable_sort(order.begin(), order.end(), [](const Sample& a, const Sample& b) {
      return std::tuple(a.measure, a.experiment, a.time) < std::tuple(b.measure, b.experiment, b.time);
    });
    constexpr double same = 1e-6;  // of the time: below what a descent finds
    for (const Sample& sample : order) {
      Taken each = taken(sample, lab, 1);
      if (!refined.taken.empty() && refined.taken.back().experiment == each.experiment &&
          refined.taken.back().observables == each.observables &&
          std::abs(refined.taken.back().time - each.time) <= same * std::abs(each.time))
        ++refined.taken.back().count;
      else
        refined.taken.push_back(std::move(each));
    }
    const Told told = told_by(with(place_.known.rows, rows, std::vector<int>(rows.size(), 1)), quantities_.sizes());
    for (Error& error : result_.errors)
      for (int k = 0; k < quantities_.size(); ++k)
        if (quantities_.names[k].id == error.id) error.refined = error_of(told, k);
    result_.refined = std::move(refined);
  }

  const model::Problem& given_;
  const model::Design& design_;
  const Options& options_;
  RunContext context_;
  Watch watch_;
  Result result_{};
  bool fail_ = false;
  std::vector<Setting> settings_;
  model::Problem lab_;
  Place place_;                // the estimate
  std::vector<Place> places_;  // the draws
  Candidates candidates_;
  Quantities quantities_;
  std::vector<int> interest_;
  Problem problem_;
};

}  // namespace

Result design(const model::Problem& problem, const Options& options, const RunContext& context) {
  return Planner(problem, options, context).run();
}

}  // namespace salvo::design
