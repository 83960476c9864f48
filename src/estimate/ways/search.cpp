#include "estimate/ways/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "estimate/answer/motion.hpp"
#include "estimate/starts/draw.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/recombine.hpp"
#include "estimate/ways/trajectory.hpp"
#include "solve/method/descent.hpp"

namespace salvo::estimate {
namespace {

class Search {
 public:
  Search(const Setup& setup, const std::function<nlp::Point()>& draw, const Share& look, const RunContext& context)
      : setup_(setup),
        shooting_(*setup.shooting),
        rules_(setup.rules().search),
        rough_(setup.rules().rough),
        draw_(draw),
        look_(look),
        context_(context) {}

  SearchResult run() {
    for (int n = 0; goes_on(n) && !context_.should_stop(); ++n) {
      const std::optional<nlp::Point> start = screen(n == 0);
      if (!start) continue;
      if (auto end = descend_by_ratios(*start)) candidates_.push_back(std::move(*end));
    }
    put_best_first();
    recombine();
    if (!candidates_.empty()) put_least_motion_first();
    polish();
    // Stopped before anything was followed to its end.
    if (out_.ends.empty() && !candidates_.empty()) out_.ends.push_back(std::move(candidates_.front()));
    if (out_.ends.empty()) out_.ends.emplace_back().q = setup_.start;
    return std::move(out_);
  }

 private:
  std::optional<nlp::Point> screen(bool with_start) {
    nlp::Request request{.accuracy = rough_.accuracy, .max_steps = rough_.steps, .rows = nlp::RowsFor::ratios};
    std::optional<nlp::Point> best;
    double least = std::numeric_limits<double>::infinity();
    for (int n = 0; n < rules_.screened && !context_.should_stop(); ++n) {
      nlp::Point q = with_start && n == 0 ? setup_.start : draw_();
      ++out_.points;
      nlp::Blocks blocks;
      const nlp::Evaluation at = shooting_.values(q, request, blocks);
      request.stiff = request.stiff || at.stiff_intervals > 0;
      if (!at.ok || !(blocks.objective < least)) continue;
      least = blocks.objective;
      best = std::move(q);
    }
    return best;
  }

  void put_best_first() {
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return a.objective < b.objective; });
  }

  // What is best for one experiment and what is best for another may be the ends of different descents.
  void recombine() {
    if (candidates_.size() < 2) return;
    const nlp::Point q = recombined(shooting_, candidates_, context_);
    if (q == candidates_.front().q) return;
    if (auto end = follow(q, candidates_.front().request.stiff)) candidates_.push_back(std::move(*end));
    put_best_first();
  }

  // While descents cost next to nothing, agreement is no reason to end.
  bool goes_on(int n) const {
    if (n >= rules_.descents || look_.is_spent()) return false;
    return setup_.workspace->ledger().spent() - spent_before_ <= setup_.rules().account.cheap || !is_agreed();
  }

  // Several descents have come to the same: the best that there is, as far as they can tell.
  bool is_agreed() const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& candidate : candidates_) best = std::min(best, candidate.objective);
    int agreeing = 0;
    for (const auto& candidate : candidates_) agreeing += candidate.objective <= best + rough_.same ? 1 : 0;
    return agreeing >= rules_.agreeing;
  }

  std::optional<solve::SolveResult> descend_by_ratios(const nlp::Point& start) const {
    solve::SolveOptions options = setup_.solve;
    options.phase = "ratios";
    options.request = {.accuracy = rough_.accuracy, .smoothing = 1, .rows = nlp::RowsFor::ratios};
    options.rules.descent.patience = 0;
    options.max_iterations = rules_.ratio_iterations;
    options.enough = setup_.rules().answer.better;
    solve::SolveResult result = solve::descend(shooting_, start, options, context_);
    if (result.trace.empty()) return std::nullopt;
    return follow(result.q, result.request.stiff);
  }

  std::optional<solve::SolveResult> follow(const nlp::Point& q, bool stiff) const {
    solve::SolveResult result = descend_roughly(setup_, q, stiff, context_);
    if (result.trace.empty()) return std::nullopt;
    return result;
  }

  // Of ends that fit alike, the one whose trajectories move least between the measurements comes first: the others may
  // be aliases of it.
  void put_least_motion_first() {
    const auto alike = std::find_if(candidates_.begin(), candidates_.end(), [&](const auto& each) {
      return each.objective > candidates_.front().objective + rough_.same;
    });
    for (auto each = candidates_.begin(); each != candidates_.end(); ++each)
      motion_.push_back(each < alike ? motion(*each) : std::numeric_limits<double>::quiet_NaN());
    std::size_t least = 0;
    for (std::size_t n = 1; n < static_cast<std::size_t>(alike - candidates_.begin()); ++n)
      if (setup_.rules().answer.still * motion_[n] < motion_[least]) least = n;
    std::rotate(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(least),
                candidates_.begin() + static_cast<std::ptrdiff_t>(least) + 1);
    std::rotate(motion_.begin(), motion_.begin() + static_cast<std::ptrdiff_t>(least),
                motion_.begin() + static_cast<std::ptrdiff_t>(least) + 1);
  }
  double motion(const solve::SolveResult& end) const {
    return motion_of(shooting_, end.q, end.request, setup_.rules().answer.between);
  }

  // Full accuracy for the best, and for those that may still overtake it or are aliases of it.
  void polish() {
    double last = -std::numeric_limits<double>::infinity();
    double last_motion = 0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < candidates_.size(); ++n) {
      const solve::SolveResult& candidate = candidates_[n];
      const int polished = static_cast<int>(out_.ends.size());
      if (polished == rules_.polished || (polished > 0 && context_.should_stop())) return;
      const bool is_alias = motion_[n] > setup_.rules().answer.still * last_motion;
      if (std::abs(candidate.objective - last) <= rough_.same && !is_alias) continue;  // the one before, again
      if (polished > 0 && candidate.objective > best + rules_.lagging) return;
      solve::SolveResult end = descend_precisely(setup_, candidate.q, context_, {.stiff = candidate.request.stiff});
      last = candidate.objective;
      last_motion = motion_[n];
      if (end.trace.empty()) continue;
      best = std::min(best, end.objective);
      solve::SolveResult whole = candidate;
      append(whole, std::move(end));
      out_.ends.push_back(std::move(whole));
    }
  }

  const Setup& setup_;
  const shooting::ShootingProblem& shooting_;
  const SearchRules& rules_;
  const RoughRules& rough_;
  double spent_before_ = setup_.workspace->ledger().spent();
  const std::function<nlp::Point()>& draw_;
  const Share& look_;
  const RunContext& context_;
  SearchResult out_{};
  std::vector<solve::SolveResult> candidates_{};
  std::vector<double> motion_{};  // of each candidate, where it decides
};

void leave_best(std::vector<solve::SolveResult>& ends, double better) {
  double least = std::numeric_limits<double>::infinity();
  for (const solve::SolveResult& end : ends) least = std::min(least, end.objective);
  std::erase_if(ends, [&](const solve::SolveResult& end) { return end.objective > least + better; });
}

std::vector<Found> look_around(const WayTask& task) {
  Setup setup = make_setup(task.workspace, task.planned.discretisation);
  const bool obeys = task.workspace.options().guess_from == GuessFrom::draw && !task.workspace.options().guess.empty();
  SearchResult result = search_from(
      setup, [&] { return draw_point(setup, task.random, obeys); }, task.look, task.context);
  // One of many starts leaves minima that lie higher to the others, and saves their proofs.
  if (task.workspace.options().is_one_of_many) leave_best(result.ends, setup.rules().answer.better);
  std::vector<Found> out;
  for (solve::SolveResult& end : result.ends) {
    Setup own = on_same_nodes(setup);
    out.push_back(found(task, std::move(own), std::move(end)));
    out.back().answer.points = result.points;
  }
  return out;
}

}  // namespace

SearchResult search_from(const Setup& setup, const std::function<nlp::Point()>& draw, const Share& look,
                         const RunContext& context) {
  return Search(setup, draw, look, context).run();
}

const Way search{.name = "search", .says = "other starts", .is_unbroken = true, .run = look_around};

}  // namespace salvo::estimate
