#include "solve/method/lagrangian.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/method/early_stopping.hpp"
#include "solve/method/run_log.hpp"
#include "solve/accept/damping.hpp"
#include "solve/step/krylov_step.hpp"
#include "solve/step/steps.hpp"

namespace salvo::solve {
namespace {

// y, and what its terms add to gaps and objective.
class Multipliers {
 public:
  explicit Multipliers(const nlp::Layout& layout) : layout_(layout) {
    for (const auto& chain : layout.chains) {
      y_.emplace_back();
      for (int j = 0; j < chain.links(); ++j) y_.back().push_back(std::vector<double>(chain.size[j + 1], 0.0));
    }
  }

  // G + D^2 y / rho: with these gaps in place of G, rho/2 |D^-1 G|^2 holds y'G as well.
  nlp::Blocks& shift(nlp::Blocks& blocks, const std::vector<double>& sizes, double rho) const {
    each([&](std::size_t c, int j, int i, double y) {
      const double size = sizes[layout_.chains[c].offset[j + 1] + i];
      blocks.chains[c].links[j].gap[i] += size * size * y / rho;
    });
    return blocks;
  }

  // L + y'G + rho/2 |D^-1 G|^2
  double lagrangian(const nlp::Blocks& blocks, const std::vector<double>& sizes, double rho) const {
    double sum = blocks.objective;
    each([&](std::size_t c, int j, int i, double y) {
      const double gap = blocks.chains[c].links[j].gap[i];
      const double relative = gap / sizes[layout_.chains[c].offset[j + 1] + i];
      sum += y * gap + 0.5 * rho * relative * relative;
    });
    return sum;
  }

  // y += rho D^-2 G
  void update(const nlp::Blocks& blocks, const std::vector<double>& sizes, double rho) {
    for (std::size_t c = 0; c < y_.size(); ++c)
      for (std::size_t j = 0; j < y_[c].size(); ++j)
        for (std::size_t i = 0; i < y_[c][j].size(); ++i) {
          const double size = sizes[layout_.chains[c].offset[j + 1] + i];
          y_[c][j][i] += rho * blocks.chains[c].links[j].gap[i] / (size * size);
        }
  }

  double largest() const {
    double most = 0;
    each([&](std::size_t, int, int, double y) { most = std::max(most, std::abs(y)); });
    return most;
  }

 private:
  template <class Use>
  void each(const Use& use) const {
    for (std::size_t c = 0; c < y_.size(); ++c)
      for (int j = 0; j < static_cast<int>(y_[c].size()); ++j)
        for (int i = 0; i < static_cast<int>(y_[c][j].size()); ++i) use(c, j, i, y_[c][j][i]);
  }

  const nlp::Layout& layout_;
  std::vector<std::vector<std::vector<double>>> y_;
};

// What a Levenberg-Marquardt step came to.
struct Trial {
  bool accepted = false;
  bool at_once = false;  // with the damping it began with
  nlp::Point q{};
  double length = 0;
  double decrease = 0;
  std::string trouble{};
};

// Damping, penalty and multipliers, learnt on the way.
class Search {
 public:
  Search(const nlp::Problem& problem, const Rules& rules)
      : problem_(problem),
        layout_(problem.layout()),
        rules_(rules),
        y_(layout_),
        damping_(rules.damping, rules.damping.first),
        rho_(rules.penalty.first) {}

  Trial step(const nlp::Request& request, const nlp::Point& q, nlp::Blocks blocks, const nlp::Products& products,
             const std::vector<double>& sizes, const SolveOptions& options, const RunContext& context) {
    const bool joined = blocks.gap <= comparable_gap;
    const double before = y_.lagrangian(blocks, sizes, rho_);
    // Below this the objective changes by the errors of the integration, and a step is not judged by it.
    const double noise = joined ? 1e-9 * (1 + std::abs(before)) : 0;
    // While gaps are open, nodes can follow the data as closely as they like; a sigma would follow to zero.
    const std::vector<bool> still = joined ? std::vector<bool>{} : layout_.noise_only;
    const KrylovRule rule{.reduction = joined ? 1e-3 : 0.1};
    y_.shift(blocks, sizes, rho_);
    nlp::Blocks at_trial;
    Trial trial;
    for (int attempt = 0; attempt < rules_.damping.most_attempts && !context.should_stop(); ++attempt) {
      const PenalisedGaps penalised{layout_, blocks, products, sizes, rho_, damping_.mu()};
      const KrylovStep step = krylov_step(penalised, q, still, rule, context);
      trial.q = moved(layout_, q, step.delta);
      trial.length = largest(step.delta, sizes);
      const nlp::Evaluation evaluation = problem_.values(trial.q, request, at_trial);
      trial.trouble = evaluation.trouble;
      trial.decrease = evaluation.ok ? before - y_.lagrangian(at_trial, sizes, rho_) : -1;
      if (evaluation.ok) correct_nodes(request, penalised, before, at_trial, trial);
      const double gain = trial.decrease / step.predicted;
      const bool last = evaluation.ok && trial.length <= options.tolerance;
      const bool in_the_noise = evaluation.ok && joined && step.predicted <= noise && trial.decrease >= -noise;
      if (!last && !in_the_noise) damping_.learn(gain);
      trial.accepted = damping_.accepts(gain) || last || in_the_noise;
      trial.at_once = attempt == 0;
      if (trial.accepted || trial.length < rules_.damping.shortest_step) break;
    }
    // A step that had to be shortened first says nothing about what is to be had with this penalty.
    const bool little = trial.decrease < rules_.penalty.little_progress * half_squares(layout_, blocks, sizes, rho_);
    little_steps_ = little ? little_steps_ + (trial.at_once ? 1 : 0) : 0;
    return trial;
  }

  // Takes the correction of the nodes too, where it helps.
  void correct_nodes(const nlp::Request& request, const PenalisedGaps& penalised, double before, nlp::Blocks& at_trial,
                     Trial& trial) const {
    nlp::Point corrected =
        moved(layout_, trial.q, node_correction(penalised, y_.shift(at_trial, penalised.sizes, rho_)));
    nlp::Blocks at_corrected;
    if (!problem_.values(corrected, request, at_corrected).ok) return;
    const double decrease = before - y_.lagrangian(at_corrected, penalised.sizes, rho_);
    if (!(decrease > trial.decrease)) return;
    trial.q = std::move(corrected);
    trial.decrease = decrease;
  }

  // Where steps bring little, the gaps must become dearer, or their multipliers better.
  void learn(const nlp::Blocks& blocks, const std::vector<double>& sizes) {
    if (little_steps_ < rules_.lagrangian.little_steps) return;
    little_steps_ = 0;
    y_.update(blocks, sizes, rho_);
    if (blocks.gap > 0.1 * gap_before_)
      rho_ = std::min(rules_.penalty.growth * rho_, rules_.lagrangian.highest_penalty);
    gap_before_ = blocks.gap;
  }

  double largest_multiplier() const { return y_.largest(); }

 private:
  const nlp::Problem& problem_;
  const nlp::Layout& layout_;
  const Rules& rules_;
  Multipliers y_;
  Damping damping_;
  double rho_;
  double gap_before_ = 0;
  int little_steps_ = 0;
};

}  // namespace

SolveResult lagrangian(const nlp::Problem& problem, nlp::Point start, const SolveOptions& options,
                       const RunContext& context) {
  SolveResult result;
  result.q = std::move(start);
  RunLog log(result, problem.layout().thetas, context);
  EarlyStopping early_stopping(options);
  const auto finish = [&](Termination termination, std::string trouble = {}) {
    return early_stopping.best_of(log.finish(termination, std::move(trouble)));
  };
  nlp::Request& request = result.request;
  request = options.request;
  nlp::Blocks blocks;
  std::unique_ptr<nlp::Products> by_theta;
  if (const nlp::Evaluation at_start = problem.linearize_nodes(result.q, request, blocks, by_theta); !at_start.ok)
    return log.finish(Termination::numerical_failure, at_start.trouble);
  else
    learn(request, at_start);
  log.note(0, blocks.objective, blocks.gap, 0, 0, "lagrangian", "start");

  Search search(problem, options.rules);
  const auto stopped = [&] {
    return finish(context.is_interrupted() ? Termination::interrupted : Termination::max_time);
  };
  for (int k = 1; k <= options.max_iterations; ++k) {
    if (context.should_stop()) return stopped();
    const std::vector<double> sizes = problem.sizes(result.q);
    Trial trial = search.step(request, result.q, blocks, *by_theta, sizes, options, context);
    if (!trial.accepted && context.should_stop()) return stopped();
    if (!trial.accepted)
      return finish(result.gap > joined_gap ? Termination::infeasible : Termination::stalled, trial.trouble);
    if (const nlp::Evaluation at_next = problem.linearize_nodes(trial.q, request, blocks, by_theta); !at_next.ok)
      return finish(Termination::numerical_failure, at_next.trouble);
    else
      learn(request, at_next);
    result.q = std::move(trial.q);
    search.learn(blocks, sizes);
    log.note(k, blocks.objective, blocks.gap, trial.length, search.largest_multiplier(), "lagrangian", "line search");
    early_stopping.look_at(result);
    if (early_stopping.is_over()) {
      result.stopped_by_judge = true;
      return finish(Termination::converged);
    }
    if (trial.length <= options.tolerance && blocks.gap <= options.gap_tolerance) return finish(Termination::converged);
  }
  return finish(Termination::max_iterations);
}

}  // namespace salvo::solve
