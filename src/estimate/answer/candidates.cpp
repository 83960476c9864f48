#include "estimate/answer/candidates.hpp"

#include <algorithm>
#include <cmath>

#include "estimate/answer/motion.hpp"
#include "estimate/quantities.hpp"

namespace salvo::estimate {
namespace {

// One unit of a quantity on its scale.
double unit_of(const model::Estimated& estimated, double a, double b) {
  return estimated.scale == model::Scale::lin ? std::max(std::abs(a), std::abs(b)) : 1.0;
}

}  // namespace

Candidates::Candidates(const Workspace& workspace) : workspace_(workspace), rules_(workspace.rules().answer) {}

void Candidates::add(Found found) {
  std::vector<Found> one;
  one.push_back(std::move(found));
  add(std::move(one));
}

void Candidates::add(std::vector<Found> found) {
  for (Found& each : found) {
    merits_.push_back(merits_of(each.answer));
    all_.push_back(std::move(each));
  }
  if (all_.size() > 1 && !unbroken_) {
    unbroken_ = workspace_.unbroken();
    quantities_ = quantities(*unbroken_);
  }
  if (!all_.empty()) choose_best();
}

Merits Candidates::merits_of(const Answer& answer) const {
  const bool is_cut = answer.run.ended == solve::Ended::interrupted || answer.run.ended == solve::Ended::deadline;
  return {.is_finished = !is_cut || is_proved(answer),
          .is_joined = is_joined(answer, workspace_.rules().solve.gaps),
          .is_resolved = answer.certificate.is_resolved,
          .objective = is_known(answer) ? answer.run.objective : std::numeric_limits<double>::infinity(),
          .resolution = answer.certificate.resolution.value_or(0),
          .is_proved = is_proved(answer),
          .is_flat = is_flat(answer)};
}

// What motion and distance say is asked for only where it decides: among distinct answers that fit as well.
void Candidates::choose_best() {
  const std::vector<std::size_t> left = equally_good(merits_, rules_);
  const auto is_other = [&](std::size_t i) { return !are_same(all_[left.front()].answer, all_[i].answer); };
  if (left.size() > 1 && std::any_of(left.begin() + 1, left.end(), is_other))
    for (const std::size_t i : left) {
      if (!all_[i].answer.motion) all_[i].answer.motion = motion_of_answer(all_[i]);
      merits_[i].motion = *all_[i].answer.motion;
      merits_[i].distance = distance_from_guess(all_[i].answer);
    }
  const Choice choice = choose(merits_, rules_);
  best_ = choice.index;
  rule_ = choice.rule;
}

double Candidates::motion_of_answer(const Found& found) const {
  const auto laid = found.shooting ? nullptr : workspace_.on(found.answer.grids);
  return motion_of(laid ? *laid : *found.shooting, found.answer.run.q, found.answer.run.request, rules_.between);
}

double Candidates::distance_from_guess(const Answer& answer) const {
  const std::vector<Quantity>& all = quantities_;
  double sum = 0;
  for (std::size_t i = 0; i < all.size() && i < answer.estimates.size(); ++i) {
    const model::Estimated& estimated = *all[i].estimated;
    if (!estimated.guess) continue;
    const bool is_value = estimated.scale == model::Scale::lin;
    if (!is_value && !(*estimated.guess > 0)) continue;
    const double guess = model::to_scale(estimated.scale, *estimated.guess);
    const double unit = is_value && guess != 0 ? std::abs(guess) : 1;
    sum += std::pow((answer.estimates[i] - guess) / unit, 2);
  }
  return std::sqrt(sum);
}

bool Candidates::are_same(const Answer& a, const Answer& b) const {
  if (a.estimates.size() != b.estimates.size()) return false;
  const std::vector<bool> by_a = unseen_quantities(a, rules_.same), by_b = unseen_quantities(b, rules_.same);
  const std::vector<Quantity>& all = quantities_;
  bool agree = true;
  for (std::size_t i = 0; i < all.size() && agree; ++i) {
    const double unit = unit_of(*all[i].estimated, a.estimates[i], b.estimates[i]);
    agree = by_a[i] || by_b[i] || std::abs(a.estimates[i] - b.estimates[i]) <= rules_.same * unit;
  }
  return agree || is_valley_between(a, b);
}

// Between two minima the objective rises; along a valley that the data hardly see it does not, be it a sum or a product
// that they see.
bool Candidates::is_valley_between(const Answer& a, const Answer& b) const {
  if (!is_proved(a) || !is_proved(b) || !is_point_of(*unbroken_, a.estimates)) return false;
  return is_level_between(a, b, Path::straight) || is_level_between(a, b, Path::by_ratios);
}

bool Candidates::is_level_between(const Answer& a, const Answer& b, Path path) const {
  const double highest =
      std::max(a.run.objective, b.run.objective) +
      std::max(rules_.better, a.certificate.resolution.value_or(0) + b.certificate.resolution.value_or(0));
  nlp::Blocks blocks;
  for (const double part : {0.5, 0.25, 0.75}) {
    nlp::Point q = a.estimates;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const bool is_value = quantities_[i].estimated->scale == model::Scale::lin;
      const double from = a.estimates[i], to = b.estimates[i];
      const bool has_ratio = path == Path::by_ratios && is_value && from * to > 0;
      q[i] = has_ratio ? from * std::pow(to / from, part) : from + part * (to - from);
    }
    nlp::Request request = a.run.request;
    request.accuracy = 0;
    if (!unbroken_->values(q, request, blocks).ok || blocks.objective > highest) return false;
  }
  return true;
}

std::vector<Answer> Candidates::other_proved() const {
  std::vector<Answer> out;
  for (const Found& found : all_)
    if (&found != &best() && is_proved(found.answer)) out.push_back(found.answer);
  return out;
}

std::vector<OtherAnswer> Candidates::others() const {
  const Answer& answer = best().answer;
  std::vector<const Found*> told;
  for (const Found& found : all_) {
    const Answer& other = found.answer;
    if (&other == &answer || !is_proved(other) || !other.certificate.is_resolved) continue;
    if (other.run.objective > answer.run.objective + rules_.told || are_same(answer, other)) continue;
    if (std::none_of(told.begin(), told.end(), [&](const Found* each) { return are_same(each->answer, other); }))
      told.push_back(&found);
  }
  std::stable_sort(told.begin(), told.end(),
                   [](const Found* x, const Found* y) { return x->answer.run.objective < y->answer.run.objective; });
  std::vector<OtherAnswer> out;
  const double motion = told.empty() ? 0 : answer.motion ? *answer.motion : motion_of_answer(best());
  for (const Found* each : told) {
    const double own = each->answer.motion ? *each->answer.motion : motion_of_answer(*each);
    out.push_back({.estimates = each->answer.estimates,
                   .objective = each->answer.run.objective,
                   .motion = motion > 0 ? own / motion : 1,
                   .mirrored = each->answer.mirrored});
  }
  return out;
}

}  // namespace salvo::estimate
