#include "start/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/words.hpp"
#include "start/integral_matching.hpp"
#include "start/start_nodes.hpp"

namespace salvo::start {
namespace {

// Σ min(r^2, ρ) / 2 over the rows and Σ min(ρ (gap/size)^2, ρ) / 2 over the gaps, ρ the square of `outlier`.
double penalty_objective(const std::vector<double>& sizes, const nlp::Layout& layout, const nlp::Blocks& blocks,
                         double outlier) {
  const double cap = outlier * outlier;
  double sum = 0;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c) {
    for (const nlp::Rows& rows : blocks.chains[c].rows)
      for (const double r : rows.r) sum += std::min(r * r, cap);
    for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j)
      for (std::size_t i = 0; i < blocks.chains[c].links[j].gap.size(); ++i) {
        const double gap = blocks.chains[c].links[j].gap[i] / sizes[layout.chains[c].offset[j + 1] + i];
        sum += std::min(cap * gap * gap, cap);
      }
  }
  return 0.5 * sum;
}

// Whether data and trajectories disagree no more than noise explains: then no other start can be much better. All
// states have curves, and a gap is compared with the noise of the data behind it.
bool is_within_noise(const std::vector<ObservedStates>& observed, const std::vector<double>& sizes,
                     const nlp::Layout& layout, const nlp::Blocks& blocks, double within_noise) {
  double sum = 0;
  int count = 0;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c) {
    for (const nlp::Rows& rows : blocks.chains[c].rows)
      for (const double r : rows.r) sum += r * r, ++count;
    for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j)
      for (std::size_t i = 0; i < blocks.chains[c].links[j].gap.size(); ++i) {
        const ObservedState& state = observed[c].states[i];
        const double size = state.logarithmic ? sizes[layout.chains[c].offset[j + 1] + i] : 1;
        const double gap = blocks.chains[c].links[j].gap[i] / (state.curve->sigma * size);
        sum += gap * gap, ++count;
      }
  }
  return sum <= within_noise * within_noise * count;
}

bool any_hidden(const std::vector<ObservedStates>& observed) {
  for (const ObservedStates& experiment : observed)
    for (const ObservedState& state : experiment.states)
      if (!state.curve) return true;
  return false;
}

bool any_curve(const std::vector<ObservedStates>& observed) {
  for (const ObservedStates& experiment : observed)
    for (const ObservedState& state : experiment.states)
      if (state.curve) return true;
  return false;
}

std::string words(HiddenNodes hidden) {
  switch (hidden) {
    case HiddenNodes::simulated: return "simulated";
    case HiddenNodes::driven: return "driven by the observed ones";
    case HiddenNodes::constant: return "constant at their initial values";
  }
  return {};
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > 5 ? text + ", ..." : text;
}

// Tries starts and remembers the best, until one is good.
class Contest {
 public:
  Contest(const shooting::ShootingProblem& problem, const std::vector<ObservedStates>& observed, ObservedNodes nodes,
          const nlp::Request& request, bool derivatives_wanted, const Rules& rules)
      : problem_(problem),
        observed_(observed),
        nodes_(nodes),
        request_(request),
        derivatives_wanted_(derivatives_wanted),
        rules_(rules) {
    hidden_ways_ = {HiddenNodes::simulated};
    if (!any_hidden(observed)) return;
    // What drives and what is driven are differential equations.
    if (any_curve(observed) && problem.model().algebraic.empty()) hidden_ways_.push_back(HiddenNodes::driven);
    hidden_ways_.push_back(HiddenNodes::constant);
  }

  void enter(const SharedUnknowns& unknowns, const std::string& parameters) {
    if (is_settled_) return;
    for (const HiddenNodes hidden : hidden_ways_) {
      nlp::Point q = lay_nodes(problem_, observed_, unknowns, nodes_, hidden, rules_.matching);
      nlp::Blocks blocks = problem_.used_blocks();
      const bool is_likely = !best_ && hidden_ways_.size() == 1;  // to win
      const bool at_once = is_likely && derivatives_wanted_;
      if (!(at_once ? problem_.linearize(q, request_, blocks) : problem_.values(q, request_, blocks)).ok) continue;
      const std::vector<double> sizes = problem_.sizes(q);
      const double measure = penalty_objective(sizes, problem_.layout(), blocks, rules_.outlier);
      if (best_ && *best_ <= measure) continue;
      best_ = measure;
      is_settled_ =
          !any_hidden(observed_) && is_within_noise(observed_, sizes, problem_.layout(), blocks, rules_.within_noise);
      start_.q = std::move(q);
      start_.linearized = at_once ? std::move(blocks) : nlp::Blocks{};
      start_.choice = parameters;
      if (any_curve(observed_) && nodes_ == ObservedNodes::smoothed) start_.choice += ", nodes from smoothed data";
      if (hidden_ways_.size() > 1) start_.choice += ", hidden states " + words(hidden);
    }
  }

  bool won() const { return best_.has_value(); }
  bool is_settled() const { return is_settled_; }
  Start take() { return std::move(start_); }

 private:
  const shooting::ShootingProblem& problem_;
  const std::vector<ObservedStates>& observed_;
  ObservedNodes nodes_;
  nlp::Request request_;
  bool derivatives_wanted_;
  const Rules& rules_;
  std::vector<HiddenNodes> hidden_ways_;
  std::optional<double> best_;
  bool is_settled_ = false;
  Start start_;
};

// For nodes that are simulated, whatever was measured.
std::vector<ObservedStates> nothing_observed(const shooting::ShootingProblem& problem) {
  std::vector<ObservedStates> out;
  for (const shooting::Grid& grid : problem.grids())
    out.push_back({.experiment = grid.experiment, .states = std::vector<ObservedState>(problem.model().states)});
  return out;
}

Start automatic(const shooting::ShootingProblem& problem, Improvement improvement, const nlp::Request& request,
                bool derivatives_wanted, const Rules& rules) {
  const std::vector<ObservedStates> observed = observed_at_guess(problem, rules);
  const auto nodes = improvement == Improvement::repair ? ObservedNodes::interpolated : ObservedNodes::smoothed;
  const SharedUnknowns guess = guessed(problem, observed, nodes, 1);
  Contest contest(problem, observed, nodes, request, derivatives_wanted, rules);
  std::optional<Matched> matched;
  const auto match = [&](const std::vector<ObservedStates>& along) {
    matched = match_integrals(problem, along, guess, matched, rules);
    if (matched) contest.enter(matched->unknowns, "parameters from integral matching of " + listed(matched->states));
  };
  const bool matches = improvement == Improvement::match && any_curve(observed) && problem.model().algebraic.empty();
  if (matches) match(observed);
  contest.enter(guess, "parameters as guessed");
  if (matches && !contest.is_settled())
    if (const auto marked = with_coarse_curves_marked(observed, rules.curves)) match(*marked);
  if (contest.won()) return contest.take();

  double factor = 1;
  for (int halvings = 1; halvings <= rules.most_halvings && improvement != Improvement::none; ++halvings) {
    factor *= 0.5;
    contest.enter(guessed(problem, observed, nodes, factor), "parameters halved");
    if (!contest.won()) continue;
    Start start = contest.take();
    start.remark = fmt::format(
        "the trajectories of the start failed at the guess; its parameters were halved {} until they did not",
        counted(halvings, "time"));
    return start;
  }
  return {.q = lay_nodes(problem, observed, guess, nodes, HiddenNodes::simulated, rules.matching)};
}

}  // namespace

Start start_point(const shooting::ShootingProblem& problem, model::StartValues choice, Improvement improvement,
                  nlp::Request request, bool derivatives_wanted, const Rules& rules) {
  if (choice == model::StartValues::automatic) {
    request.max_steps = rules.most_steps;
    return automatic(problem, improvement, request, derivatives_wanted, rules);
  }
  const bool from_data = choice == model::StartValues::data;
  const auto nodes = from_data ? ObservedNodes::interpolated : ObservedNodes::simulated;
  const std::vector<ObservedStates> observed =
      from_data ? observed_at_guess(problem, rules) : nothing_observed(problem);
  return {.q = lay_nodes(problem, observed, guessed(problem, observed, nodes, 1), nodes, HiddenNodes::simulated,
                         rules.matching)};
}

}  // namespace salvo::start
