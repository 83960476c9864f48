#include "fit/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fit/descents.hpp"
#include "fit/recombine.hpp"
#include "solve/method/descent.hpp"
#include "solve/step/noise_step.hpp"

namespace salvo::fit {
namespace {

class Search {
 public:
  Search(const Setup& setup, const SearchRules& rules, const std::function<nlp::Point()>& draw,
         const RunContext& context)
      : setup_(setup), shooting_(*setup.shooting), rules_(rules), draw_(draw), context_(context) {}

  SearchResult run() {
    for (int n = 0; goes_on(n) && !context_.should_stop(); ++n) {
      const std::optional<nlp::Point> start = screen(n == 0);
      if (!start) continue;
      if (auto end = descend_roughly(*start)) candidates_.push_back(std::move(*end));
    }
    put_best_first();
    recombine();
    polish();
    // Stopped before anything was followed to its end.
    if (out_.best.trace.empty() && !candidates_.empty()) out_.best = std::move(candidates_.front());
    if (out_.best.trace.empty()) out_.best.q = setup_.start;
    return std::move(out_);
  }

 private:
  std::optional<nlp::Point> screen(bool with_start) {
    nlp::Request request{
        .accuracy = rules_.accuracy, .max_steps = rules_.screening_steps, .rows = nlp::RowsFor::ratios};
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
    const double operations = operations_of(setup_);
    return n < rules_.descents && operations <= rules_.dear && (operations <= rules_.cheap || !is_agreed());
  }

  // Several descents have come to the same: the best that there is, as far as they can tell.
  bool is_agreed() const {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& candidate : candidates_) best = std::min(best, candidate.objective);
    int agreeing = 0;
    for (const auto& candidate : candidates_) agreeing += candidate.objective <= best + rules_.same ? 1 : 0;
    return agreeing >= rules_.agreeing;
  }

  std::optional<solve::SolveResult> descend_roughly(const nlp::Point& start) const {
    solve::SolveOptions options = setup_.solve;
    options.phase = "ratios";
    options.request = {.accuracy = rules_.accuracy, .smoothing = 1, .rows = nlp::RowsFor::ratios};
    options.rules.descent.patience = 0;
    options.max_iterations = rules_.ratio_iterations;
    options.enough = rules_.enough_ratio;
    solve::SolveResult result = solve::descend(shooting_, start, options, context_);
    if (result.trace.empty()) return std::nullopt;
    return follow(result.q, result.request.stiff);
  }

  std::optional<solve::SolveResult> follow(nlp::Point q, bool stiff) const {
    solve::SolveOptions options = setup_.solve;
    options.phase = "search";
    options.request = {.accuracy = rules_.accuracy, .stiff = stiff, .smoothing = 1};
    options.rules.descent.patience = 0;
    options.max_iterations = rules_.search_iterations;
    options.enough = rules_.enough_search;
    solve::adapt_noise(shooting_, options.request, q);
    solve::SolveResult result = solve::descend(shooting_, q, options, context_);
    if (result.trace.empty()) return std::nullopt;
    return result;
  }

  // Full accuracy for the best, and for those that may still overtake it.
  void polish() {
    int polished = 0;
    bool found = false;
    double last = -std::numeric_limits<double>::infinity();
    for (const auto& candidate : candidates_) {
      if (polished == rules_.polished || (found && context_.should_stop())) return;
      if (candidate.objective <= last + rules_.same) continue;  // the same again
      if (found && candidate.objective > out_.best.objective + rules_.lagging) return;
      solve::SolveResult end = descend_precisely(setup_, candidate.q, context_, {.stiff = candidate.request.stiff});
      ++polished;
      last = candidate.objective;
      if (end.trace.empty()) continue;
      if (!found || end.objective < out_.best.objective) {
        out_.best = candidate;
        append(out_.best, std::move(end));
      }
      found = true;
    }
  }

  const Setup& setup_;
  const shooting::ShootingProblem& shooting_;
  const SearchRules& rules_;
  const std::function<nlp::Point()>& draw_;
  const RunContext& context_;
  SearchResult out_{};
  std::vector<solve::SolveResult> candidates_{};
};

}  // namespace

SearchResult search(const Setup& setup, const SearchRules& rules, const std::function<nlp::Point()>& draw,
                    const RunContext& context) {
  return Search(setup, rules, draw, context).run();
}

}  // namespace salvo::fit
