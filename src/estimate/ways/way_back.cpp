#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "estimate/quantities.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/trajectory.hpp"

namespace salvo::estimate {
namespace {

// Far out on its scale an objective is flat for want of any effect: a rate of 1e-57 is no rate. No derivative leads
// back from there, and no probe reaches as far. What lies between such a place and the guess is looked at by powers of
// ten.
class WayBack {
 public:
  WayBack(const WayTask& task, const Setup& setup)
      : task_(task),
        setup_(setup),
        rules_(task.workspace.rules().answer),
        layout_(setup.shooting->layout()),
        all_(quantities(*setup.shooting)),
        answer_(task.best->estimates),
        guess_(setup.start) {}

  // The lowest end of a descent that lies lower than the answer; without iterations if there is none. Each is followed
  // roughly first, and to its end where that comes near what is seen of the answer as roughly.
  solve::SolveResult run() {
    screen();
    std::stable_sort(points_.begin(), points_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const bool stiff = task_.best->run.request.stiff;
    const double worth = objective_at(answer_, 1).value_or(task_.best->run.objective) + setup_.rules().search.lagging;
    solve::SolveResult lowest;
    double least = task_.best->run.objective - task_.best->certificate.resolution.value_or(0);
    double last = std::numeric_limits<double>::quiet_NaN();
    int followed = 0;
    for (const auto& [objective, q] : points_) {
      if (followed == rules_.followed || task_.context.should_stop() || task_.context.is_spent()) break;
      if (std::abs(objective - last) <= task_.workspace.rules().rough.same) continue;  // the one before, again
      last = objective;
      ++followed;
      const solve::SolveResult rough = descend_roughly(setup_, q, stiff, task_.context);
      if (rough.trace.empty() || rough.objective > worth) continue;
      solve::SolveResult end = descend_precisely(setup_, rough.q, task_.context, {.stiff = rough.request.stiff});
      if (end.trace.empty() || !(end.objective < least)) continue;
      least = end.objective;
      lowest = std::move(end);
    }
    return lowest;
  }

 private:
  bool is_logarithmic(int i) const { return all_[i].estimated->scale != model::Scale::lin; }
  double decade(int i) const { return all_[i].estimated->scale == model::Scale::log ? std::log(10.0) : 1; }
  double size_of_guess(int i) const { return guess_[i] == 0 ? 1 : std::abs(guess_[i]); }

  // Powers of ten from the guess to the answer.
  double distance(int i) const {
    if (is_logarithmic(i)) return (answer_[i] - guess_[i]) / decade(i);
    return std::log10(std::abs(answer_[i]) / size_of_guess(i));
  }
  // So many powers of ten from the guess towards the answer, with the sign of the guess.
  double at(int i, double powers) const {
    const double within = std::clamp(distance(i), -powers, powers);
    const double sign = guess_[i] == 0 ? answer_[i] : guess_[i];
    const double there = is_logarithmic(i) ? guess_[i] + within * decade(i)
                                           : std::copysign(size_of_guess(i) * std::pow(10, within), sign);
    return std::clamp(there, layout_.lower[i], layout_.upper[i]);
  }
  std::vector<int> far_out() const {
    const std::vector<bool> unseen = unseen_quantities(*task_.best, rules_.same);
    std::vector<int> out;
    for (int i = 0; i < static_cast<int>(all_.size()); ++i) {
      const bool is_noise = i < layout_.thetas && layout_.noise_only[i];
      if (unseen[i] && !is_noise && std::abs(distance(i)) > rules_.far_out) out.push_back(i);
    }
    return out;
  }

  // All that is far out comes back at once, with the others as they are or as they were guessed; then each alone.
  void screen() {
    const std::vector<int> far = far_out();
    if (far.empty()) return;
    look_along(answer_, far);
    look_along(guess_, far);
    for (const int i : far)
      if (far.size() > 1) look_along(answer_, {i});
  }
  // From the guess outwards until all is flat, as it is at the answer. Places that are flat lead nowhere.
  void look_along(const nlp::Point& others, const std::vector<int>& moved) {
    double farthest = 0;
    for (const int i : moved) farthest = std::max(farthest, std::abs(distance(i)));
    double last = std::numeric_limits<double>::quiet_NaN();
    for (double powers = 0; powers < farthest; ++powers) {
      if (task_.context.should_stop() || task_.look.is_spent()) return;
      nlp::Point q = others;
      for (const int i : moved) q[i] = at(i, powers);
      const std::optional<double> objective = objective_at(q);
      if (!objective) continue;
      if (std::abs(*objective - last) <= rules_.better) return;
      last = *objective;
      if (std::abs(*objective - task_.best->run.objective) > rules_.better)
        points_.emplace_back(*objective, std::move(q));
    }
  }
  std::optional<double> objective_at(const nlp::Point& q, double smoothing = 0) const {
    const RoughRules& rough = task_.workspace.rules().rough;
    const nlp::Request request{.accuracy = rough.accuracy,
                               .max_steps = rough.steps,
                               .stiff = task_.best->run.request.stiff,
                               .smoothing = smoothing};
    nlp::Blocks blocks;
    if (!setup_.shooting->values(q, request, blocks).ok) return std::nullopt;
    return blocks.objective;
  }

  const WayTask& task_;
  const Setup& setup_;
  const AnswerRules& rules_;
  const nlp::Layout& layout_;
  const std::vector<Quantity> all_;
  const nlp::Point& answer_;
  const nlp::Point& guess_;
  std::vector<std::pair<double, nlp::Point>> points_{};  // with their objectives
};

std::vector<Found> go_back(const WayTask& task) {
  std::vector<Found> out;
  Setup setup = make_setup(task.workspace, task.planned.discretisation);
  if (!is_point_of(*setup.shooting, task.best->estimates)) return out;
  setup.solve.request.stiff = task.best->run.request.stiff;
  solve::SolveResult lowest = WayBack(task, setup).run();
  if (!lowest.trace.empty()) out.push_back(found(task, std::move(setup), std::move(lowest)));
  return out;
}

}  // namespace

const Way way_back{.name = "way back", .says = "a look back towards the guess", .is_unbroken = true, .run = go_back};

}  // namespace salvo::estimate
