#include "uncertainty/profiles/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/tasks.hpp"
#include "base/words.hpp"
#include "pictures/profile_film.hpp"
#include "uncertainty/derived.hpp"
#include "uncertainty/profiles/path_reading.hpp"
#include "uncertainty/profiles/prediction_formula.hpp"
#include "uncertainty/profiles/subjects.hpp"
#include "uncertainty/summarize.hpp"
#include "words/profile_words.hpp"

template <>
struct salvo::Parts<salvo::statistics::ProfilePoint> {
  static auto of(auto& point) { return std::tie(point.value, point.objective, point.slope, point.q); }
};
template <>
struct salvo::Parts<salvo::statistics::ProfilePath> {
  static auto of(auto& path) { return std::tie(path.points, path.end, path.trouble); }
};

namespace salvo::uncertainty {
namespace {

using statistics::PathEnd;
using statistics::ProfilePath;
using statistics::ProfilePoint;

constexpr double nothing = 1e-12;

// All profiles of one answer, and the intervals of a fit, which are ends of the same paths from the same optimum with
// the same errors.
class Profiler {
 public:
  Profiler(const estimate::Workspace& workspace, const estimate::Found& found, const ProfileOptions& options,
           const RunContext& context, std::shared_ptr<shooting::Engine> engine = nullptr)
      : answer_(found.answer),
        options_(options),
        threads_(workspace.options().threads),
        context_(context),
        fits_(workspace, found, context, std::move(engine)),
        all_(estimate::quantities(fits_.shooting())),
        guesses_(given_guesses(workspace, fits_.shooting())),
        from_{fits_, all_, errors_, options_, guesses_, workspace.rules().shooting.of_guess} {}

  IntervalsOutcome intervals(estimate::Intervals how, const estimate::IntervalRules& rules) {
    IntervalsOutcome out;
    if (!fits_.trouble().empty()) return out;
    if (!begin(out.better)) return out;
    walk_.stops = {1};  // nobody looks at the points on the way to an end
    if (how == estimate::Intervals::automatic && !subjects_.empty()) {
      walk_.end_tolerance = walk_.interval_tolerance;
      walk_.tolerance = 2 * subjects_.front().task.level * walk_.interval_tolerance;  // the rise is a square
    }
    take_observed(out);
    for (int i = 0; i < static_cast<int>(all_.size()); ++i) {
      trust_curvature(i, out);
      look_at_ends(i);
    }
    const std::vector<int> order = worst_first();
    paths_.resize(order.size());
    const std::vector<bool> confirmed = follow_ends(order, how, rules);
    const std::vector<ProfilePath> before = paths_;
    // One after the other, so that what the share pays for is the same with any number of threads.
    const std::vector<nlp::Point> valleys = starts_at_ends(few_starts);
    for (const int n : order) {
      std::vector<nlp::Point> starts = valleys.size() > 1 ? valleys : std::vector<nlp::Point>{};
      if (!paths_[n].points.empty())
        for (nlp::Point& other : fits_.other_starts(paths_[n].points.back().q, subjects_[n / 2].unknown))
          starts.push_back(std::move(other));
      paths_[n] = gone_on(n, starts);
    }
    out.derived.resize(derived_quantities(fits_.shooting().problem()).size());
    for (std::size_t i = 0; i < subjects_.size(); ++i) {
      const auto end = [&](std::size_t n) {
        const bool is_same = !paths_[n].points.empty() && !before[n].points.empty() &&
                             paths_[n].points.back().value == before[n].points.back().value;
        return end_of(from_, subjects_[i], paths_[n], confirmed[n] && is_same);
      };
      const QuantityInterval interval{end(2 * i), end(2 * i + 1)};
      if (subjects_[i].derived >= 0)
        out.derived[subjects_[i].derived] = interval;
      else
        out.of.push_back(interval);
    }
    out.better = better_point();
    return out;
  }

  ProfilesOutcome run() {
    ProfilesOutcome out;
    out.profiles.level = options_.level;
    for (const estimate::Quantity& quantity : all_) out.profiles.ids.push_back(quantity.id);
    out.trouble = fits_.trouble();
    if (out.trouble.empty() && asks_for_predictions(fits_.shooting().problem(), options_) && !fits_.is_unbroken())
      out.trouble = "predictions are followed along unbroken trajectories only, and this answer has none";
    if (!out.trouble.empty()) return out;
    if (!begin(out.better)) return out;
    for (const Subject& subject : subjects_)
      if (subject.task.optimum.q.empty())
        out.trouble = fmt::format("the prediction {} cannot be evaluated", subject.id);
    if (!out.trouble.empty()) return out;
    follow();
    const std::vector<nlp::Point> valleys = starts_at_ends(many_starts);
    run_sides("end", [&](int n) { return gone_on(n, valleys); });
    for (std::size_t s = 0; s < subjects_.size(); ++s) {
      const Subject& subject = subjects_[s];
      if (subject.observation)
        add_new_observation(subject, paths_[2 * s], paths_[2 * s + 1], out.profiles.profiles.back());
      else
        out.profiles.profiles.push_back(described(from_, subject, paths_[2 * s], paths_[2 * s + 1]));
      for (const std::size_t side : {2 * s, 2 * s + 1})
        out.profiles.complete = out.profiles.complete && paths_[side].end != PathEnd::stopped;
    }
    if (options_.level == ProfileOptions{}.level) out.intervals = intervals_of_profiles();
    if (options_.trajectories) draw_trajectories(out.profiles);
    out.profiles.sentence = words::read_together(out.profiles.profiles);
    out.better = better_point();
    out.profiles.fits = fits_.fits();
    const shooting::WorkCount work = fits_.work();
    out.profiles.work = {work.trajectories, work.tangents, work.adjoints, work.rhs,
                         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count()};
    return out;
  }

 private:
  const nlp::Point& optimum() const { return fits_.optimum().q; }

  // Errors at the optimum, and what is followed from there; false where a lower point was met before, which is told.
  bool begin(std::map<std::string, double>& better) {
    if (!fits_.lower().empty()) {
      better = named(fits_.lower());
      return false;
    }
    errors_ =
        errors_of(fits_.shooting(), fits_.optimum(), {.full_rank = has_full_rank(answer_.certificate, all_.size())});
    subjects_ = choose_subjects(from_);
    return true;
  }

  // Of the quantities whose profiles were followed; the others' ends are unknown.
  IntervalsOutcome intervals_of_profiles() const {
    IntervalsOutcome out;
    out.of.resize(all_.size());
    take_observed(out);
    out.derived.resize(derived_quantities(fits_.shooting().problem()).size());
    for (std::size_t s = 0; s < subjects_.size(); ++s) {
      const QuantityInterval interval{end_of(from_, subjects_[s], paths_[2 * s], false),
                                      end_of(from_, subjects_[s], paths_[2 * s + 1], false)};
      if (subjects_[s].derived >= 0) out.derived[subjects_[s].derived] = interval;
      for (std::size_t i = 0; i < all_.size(); ++i)
        if (subjects_[s].unknown >= 0 && subjects_[s].unknown == all_[i].unknown) out.of[i] = interval;
    }
    return out;
  }

  // What is known to be wrong is followed first. Then every end is looked at before any other is followed, so that a
  // share that is spent leaves as little as it can unknown. Says which ends are those that the standard error gives.
  std::vector<bool> follow_ends(const std::vector<int>& order, estimate::Intervals how,
                                const estimate::IntervalRules& rules) {
    std::vector<statistics::HeldPoint> looked(order.size());  // at the ends that the standard error gives
    std::vector<bool> confirmed(order.size());
    const auto follow_side = [&](int n) {
      const bool begins_there = is_on_way(n, looked[n]);
      paths_[n] = side_of(subjects_[n / 2], direction_of(n), HeldFits::Looks::where_it_fails,
                          begins_there ? &*looked[n].point : nullptr);
    };
    for (const int n : order)
      if (subjects_[n / 2].is_curved_otherwise) follow_side(n);
    for (int n = 0; n < static_cast<int>(order.size()) && how == estimate::Intervals::automatic; ++n) {
      if (subjects_[n / 2].is_curved_otherwise) continue;
      looked[n] = at_end(n / 2, direction_of(n));
      confirmed[n] = looked[n].point && is_confirmed(n, *looked[n].point, rules);
    }
    for (const int n : order) {
      if (confirmed[n])
        paths_[n] = {.points = {*looked[n].point}, .end = PathEnd::level};
      else if (!subjects_[n / 2].is_curved_otherwise)
        follow_side(n);
    }
    return confirmed;
  }

  static int direction_of(int n) { return n % 2 == 0 ? -1 : 1; }

  void follow() {
    int done = 0;
    const TaskWatch<ProfilePath> tell{.finished = [&](int, const ProfilePath& path) {
      context_.tell(StartDone{++done, 2 * static_cast<int>(subjects_.size()), path.end != PathEnd::failed});
    }};
    paths_.assign(2 * subjects_.size(), {.end = PathEnd::stopped});
    run_sides(
        "side", [&](int n) { return side_of(subjects_[n / 2], direction_of(n), HeldFits::Looks::where_it_may_end); },
        tell);
  }
  // A side that is to stop says so itself. One that is not begun stays as it is.
  void run_sides(const std::string& kind, const std::function<ProfilePath(int)>& body,
                 const TaskWatch<ProfilePath>& watch = {}) {
    Tasks<ProfilePath> tasks{
        .list = {fmt::format("{}.{}", kind, options_.better_fits), static_cast<int>(paths_.size())},
        .run = body,
        .watch = watch,
        .is_whole = [&](const ProfilePath& path) { return path.end != PathEnd::stopped && !context_.should_stop(); },
        .board = context_.board};
    run_tasks<ProfilePath>(tasks, threads_, [&](int n, TaskOutcome<ProfilePath> outcome) {
      ProfilePath path = outcome.result ? std::move(*outcome.result) : std::move(paths_[n]);
      if (outcome.has_crashed) path = {.end = PathEnd::failed, .trouble = "the program crashed here again and again"};
      if (context_.board != nullptr && !is_path_of(path, subjects_[n / 2]))
        throw std::runtime_error("the journal holds sides of another profile");
      followed_.push_back(std::move(path));
    });
    paths_ = std::exchange(followed_, {});
  }
  // Results may come from a file: a path has points of this problem's size, and one that ended somewhere has an end.
  static bool is_path_of(const ProfilePath& path, const Subject& subject) {
    const bool may_be_empty = path.end != PathEnd::level && path.end != PathEnd::lower;
    return path.end >= PathEnd::level && path.end <= PathEnd::stopped && (may_be_empty || !path.points.empty()) &&
           std::all_of(path.points.begin(), path.points.end(),
                       [&](const ProfilePoint& point) { return point.q.size() == subject.task.optimum.q.size(); });
  }

  statistics::HeldSolver solver_of(const Subject& subject, HeldFits::Looks looks) const {
    return [this, &subject, looks](double value, const nlp::Point& start) {
      if (subject.observation) return subject.observation->at(value, start);
      return subject.prediction ? subject.prediction->at(value, start)
                                : fits_.with_held(subject.unknown, value, start, looks);
    };
  }
  RunContext silent() const {
    return {.interrupted = context_.interrupted,
            .deadline = context_.deadline,
            .stop = context_.stop,
            .share = context_.share};
  }
  ProfilePath side_of(const Subject& subject, int direction, HeldFits::Looks looks,
                      const ProfilePoint* known = nullptr) const {
    return statistics::follow_profile(task_of(subject, direction), solver_of(subject, looks), walk_, silent(), known);
  }

  // What one path has found beside the optimum, the others may have missed: other valleys, and where there is no end at
  // all. And a path that has slipped into another valley on its way may have missed that of the optimum.
  static constexpr std::size_t many_starts = 12;  // of them are tried at each end
  static constexpr std::size_t few_starts = 4;    // where a share has to pay for it
  std::vector<nlp::Point> starts_at_ends(std::size_t most) const {
    std::vector<nlp::Point> starts{optimum()};
    std::vector<nlp::Point> far;
    for (std::size_t n = 0; n < paths_.size(); ++n) {
      if (subjects_[n / 2].observation) continue;
      for (nlp::Point& valley : statistics::valleys_along(paths_[n], subjects_[n / 2].task))
        starts.push_back(std::move(valley));
      if ((paths_[n].end == PathEnd::bound || paths_[n].end == PathEnd::flat) && !paths_[n].points.empty())
        far.push_back(paths_[n].points.back().q);
    }
    for (nlp::Point& point : fits_.brought_back()) starts.push_back(std::move(point));
    starts.insert(starts.end(), far.begin(), far.end());
    starts.resize(std::min(starts.size(), most));
    return starts;
  }
  ProfilePath gone_on(int n, const std::vector<nlp::Point>& valleys) {
    const Subject& subject = subjects_[n / 2];
    return statistics::go_on_in_valleys(paths_[n], valleys, task_of(subject, direction_of(n)),
                                        solver_of(subject, HeldFits::Looks::nowhere), walk_, silent());
  }

  // Down, the optimum, up: in the order of Profile::points.
  std::vector<const nlp::Point*> along(int subject) const {
    std::vector<const nlp::Point*> points;
    for (const ProfilePoint& point : paths_[2 * subject].points) points.insert(points.begin(), &point.q);
    points.push_back(&subjects_[subject].task.optimum.q);
    for (const ProfilePoint& point : paths_[2 * subject + 1].points) points.push_back(&point.q);
    return points;
  }
  void draw_trajectories(Profiles& profiles) const {
    std::vector<std::vector<const nlp::Point*>> points;
    for (int s = 0; s < static_cast<int>(subjects_.size()); ++s)
      if (!subjects_[s].observation) points.push_back(along(s));
    pictures::add_trajectories(fits_.shooting(), points, threads_, profiles);
  }

  void take_observed(IntervalsOutcome& out) const {
    const std::optional<Matrix> observed = fits_.observed_covariance();
    const int n = static_cast<int>(all_.size());
    if (!observed || !errors_.known) return;
    out.observed.resize(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) out.observed(i, j) = (*observed)(all_[i].unknown, all_[j].unknown);
      const double ratio = errors_.corrected.covariance(i, i) / errors_.uncertainty.covariance(i, i);
      out.inflation.push_back(std::isfinite(ratio) && ratio > 0 ? ratio : 1);
    }
  }

  // Where the curvature of the likelihood is another one than that of the expected information, ends by the standard
  // error need no look, and the first step of a path is as long as the curvature says.
  void trust_curvature(int i, const IntervalsOutcome& out) {
    constexpr double another = 1.5;  // of the errors, as a factor
    statistics::ProfileTask& task = subjects_[i].task;
    if (i >= out.observed.rows || !(out.observed(i, i) > 0) || !(task.error > 0)) return;
    const double observed = std::sqrt(out.observed(i, i) * out.inflation[i]);
    if (std::abs(std::log(observed / task.error)) <= std::log(another)) return;
    subjects_[i].is_curved_otherwise = true;
    subjects_[i].error_is_off = std::abs(std::log(observed / task.error));
    task.error = observed;
  }
  // Where the fit hardly suffers at an end that the standard error gives, although the others stay as they are, the
  // likelihood ends further out: at the edge of a law the expected information may be far too large.
  void look_at_ends(int i) {
    constexpr double hardly_suffers = 0.25;  // of the level: the error is too small by a factor of two, or more
    Subject& subject = subjects_[i];
    const std::optional<std::pair<double, double>> wald =
        errors_.known && fits_.is_unbroken()
            ? wald_interval(fits_.shooting().problem(), all_[i], i, optimum()[subject.unknown], errors_)
            : std::nullopt;
    if (!wald) return;
    for (const int direction : {-1, 1}) {
      nlp::Point q = optimum();
      q[subject.unknown] = model::to_scale(subject.scale, direction < 0 ? wald->first : wald->second);
      if (!(q[subject.unknown] > subject.lower_bound && q[subject.unknown] < subject.upper_bound)) continue;
      nlp::Blocks blocks;
      if (!fits_.shooting().values(q, fits_.optimum().request, blocks).ok) continue;
      const double part = (blocks.objective - fits_.optimum().objective) / task_of(subject, direction).level;
      if (!(part < hardly_suffers)) continue;
      subject.is_curved_otherwise = subject.error_is_too_small = true;
      subject.error_is_off = std::max(subject.error_is_off, -0.5 * std::log(std::max(part, nothing)));
    }
  }
  // The sides of quantities, those whose standard error is off by most before the others.
  std::vector<int> worst_first() const {
    std::vector<int> order(2 * subjects_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return subjects_[a / 2].error_is_off > subjects_[b / 2].error_is_off; });
    return order;
  }

  // The interval by the standard error, in user units.
  std::optional<std::pair<double, double>> wald_of(int i) const {
    const model::Problem& problem = fits_.shooting().problem();
    const Subject& subject = subjects_[i];
    if (subject.derived < 0) return wald_interval(problem, all_[i], i, optimum()[all_[i].unknown], errors_);
    if (!(subject.task.error > 0)) return std::nullopt;
    const DerivedQuantity quantity = derived_quantities(problem)[subject.derived];
    return wald_of_derived(is_positive(problem, problem.derived[quantity.derived].formula), subject.task.optimum.value,
                           statistics::spread_along(errors_.corrected, subject.prediction->slopes()));
  }
  // The fit at an end that the standard error gives, if that lies within the bounds.
  statistics::HeldPoint at_end(int i, int direction) const {
    const Subject& subject = subjects_[i];
    if (!errors_.known) return {};
    const std::optional<std::pair<double, double>> wald = wald_of(i);
    if (!wald) return {};
    const double end = model::to_scale(subject.scale, direction < 0 ? wald->first : wald->second);
    if (!(end > subject.lower_bound && end < subject.upper_bound)) return {};
    if (context_.should_stop() || context_.is_spent()) return {};
    const statistics::ProfileTask task = task_of(subject, direction);
    const nlp::Layout& layout = fits_.shooting().layout();
    nlp::Point start = task.optimum.q;
    for (std::size_t k = 0; k < task.tangent.size(); ++k)
      start[k] = std::clamp(start[k] + task.tangent[k] * (end - task.optimum.value), layout.lower[k], layout.upper[k]);
    return solver_of(subject, HeldFits::Looks::nowhere)(end, start);
  }
  // Above the level from a start that was no better, it may be another valley: a path goes its own way there.
  bool is_on_way(int n, const statistics::HeldPoint& held) const {
    if (!held.point) return false;
    const statistics::ProfileTask task = task_of(subjects_[n / 2], direction_of(n));
    const bool is_above = held.point->objective > task.optimum.objective + task.level;
    return !is_above || held.start_objective <= held.point->objective + task.level;
  }
  // Whether the likelihood is there what the standard error says.
  bool is_confirmed(int n, const ProfilePoint& end, const estimate::IntervalRules& rules) const {
    const statistics::ProfileTask task = task_of(subjects_[n / 2], direction_of(n));
    return std::abs(std::sqrt(task.level / (end.objective - task.optimum.objective)) - 1) <= rules.confirmed;
  }

  std::map<std::string, double> better_point() const {
    const ProfilePoint* best = nullptr;
    for (const ProfilePath& path : paths_)
      if (path.end == PathEnd::lower && path.points.back().q.size() == optimum().size() &&
          (best == nullptr || path.points.back().objective < best->objective))
        best = &path.points.back();
    return best != nullptr ? named(best->q) : std::map<std::string, double>{};
  }
  std::map<std::string, double> named(const nlp::Point& q) const {
    std::map<std::string, double> values;
    for (const estimate::Quantity& quantity : all_)
      values[quantity.id] = model::from_scale(quantity.estimated->scale, q[quantity.unknown]);
    return values;
  }

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const estimate::Answer& answer_;
  const ProfileOptions& options_;
  int threads_;
  const RunContext& context_;
  HeldFits fits_;
  std::vector<estimate::Quantity> all_;
  std::vector<double> guesses_;  // of the user
  Errors errors_{};
  ProfileOrigin from_;
  statistics::ProfileRules walk_{};
  std::vector<Subject> subjects_{};
  std::vector<ProfilePath> paths_{};     // down and up of each subject
  std::vector<ProfilePath> followed_{};  // those that take their places
};

}  // namespace

IntervalsOutcome likelihood_intervals(const estimate::Workspace& workspace, const estimate::Found& found,
                                      estimate::Intervals how, const RunContext& context) {
  const bool can_be_followed = estimate::is_proved(found.answer) && workspace.problem().networks.empty() &&
                               why_no_errors(*found.shooting, found.answer.method).empty();
  if (how == estimate::Intervals::wald || !can_be_followed) return {};
  const Ledger& ledger = workspace.ledger();
  const estimate::IntervalRules& rules = workspace.rules().intervals;
  RunContext within = context;
  within.share = {&ledger, ledger.spent() + workspace.options().effort *
                                                std::max(rules.share * ledger.spent(), rules.least_operations)};
  return Profiler(workspace, found, {}, within).intervals(how, rules);
}

namespace {

bool is_derived(const model::Problem& problem, const std::string& id) {
  const std::vector<DerivedQuantity> all = derived_quantities(problem);
  return std::any_of(all.begin(), all.end(), [&](const DerivedQuantity& quantity) {
    return quantity.id == id || problem.derived[quantity.derived].id == id;
  });
}

}  // namespace

Issues check_profiles(const model::Problem& problem, const ProfileOptions& options) {
  Issues issues;
  std::map<std::string, double> named;
  for (const std::string& id : options.ids)
    if (!is_derived(problem, id)) named[id] = 0;
  for (const std::string& id : estimate::unknown_names(problem, named))
    issues.push_back({.message = fmt::format("nothing that is estimated is called '{}'", id)});
  for (const PredictionWanted& wanted : options.predictions)
    for (Issue& issue : check_prediction(problem, wanted)) issues.push_back(std::move(issue));
  return issues;
}

ProfilesOutcome follow_profiles(const estimate::Workspace& workspace, const estimate::Found& found,
                                const ProfileOptions& options, const RunContext& context) {
  return Profiler(workspace, found, options, context, engine_for_paths(workspace, found)).run();
}

}  // namespace salvo::uncertainty
