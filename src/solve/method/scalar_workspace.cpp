#include "solve/method/scalar_workspace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solve/step/steps.hpp"

namespace salvo::solve {

using Eigen::VectorXd;

nlp::Evaluation ScalarWorkspace::differentiate_at(const nlp::Point& q, const nlp::Request& request,
                                                  nlp::Gradients& out) const {
  const nlp::GapWeights square{.penalty = 2};  // w_j = 2 G_j: one adjoint gives dh_j
  return problem.adjoint(q, request, square, out);
}

nlp::Evaluation ScalarWorkspace::restore(const State& state) {
  if (state.linearised.at.empty()) return {};
  return last_ = differentiate_at(state.linearised.at, state.linearised.request, here_);
}

void ScalarWorkspace::begin(State& state) {
  state.gap_penalties.clear();
  for (const nlp::Layout::Chain& chain : layout.chains) state.gap_penalties.emplace_back(chain.links(), 0.0);
  state.curvature = Bfgs(layout.unknowns);
  state.passed.push_back({state.gap, state.objective});
}

Trial ScalarWorkspace::evaluate(const State& state, const Proposal& proposal) {
  Trial trial{.point =
                  proposal.delta.empty() ? state.point : moved(layout, state.point, proposal.delta, proposal.fraction)};
  if (proposal.asks == Asks::derivatives)
    differentiate(state, trial, {});
  else
    trial.evaluation = last_ = problem.values(trial.point, state.request, trial_blocks_);
  return trial;
}

Verdict ScalarWorkspace::differentiate(const State& state, Trial& trial, Verdict verdict) {
  trial.evaluation = last_ = differentiate_at(trial.point, state.request, there_);
  trial.has_derivatives = trial.teaches = last_.ok;
  if (!last_.ok) return {.ending = end_of_road(state)};
  trial.objective = there_.objective;
  trial.gap = there_.gap;
  return verdict;
}

void ScalarWorkspace::keep_derivatives() { std::swap(here_, there_); }

void ScalarWorkspace::describe_end(const Ending& ending, SolveResult& result) {
  const bool has_trouble = ending.ended == Ended::no_step || ending.ended == Ended::not_computable;
  if (has_trouble && result.trouble.empty()) result.trouble = last_.trouble;
}

Ending ScalarWorkspace::end_of_road(const State& state) const {
  return {state.gap <= options.rules.gaps.joined ? Ended::tolerance : Ended::no_step};
}

VectorXd ScalarWorkspace::gradient(const nlp::Gradients& at) const {
  return scale_ * Eigen::Map<const VectorXd>(at.objective_by_q.data(), layout.unknowns);
}

const SubproblemStep& ScalarWorkspace::subproblem_step(const State& state) {
  if (subproblem_) return *subproblem_;
  SubproblemStep& out = subproblem_.emplace();
  out.point = state.point;
  out.g = gradient(here_);
  out.constraints = squared_gap_rows(layout, here_);
  out.step = solve_subproblem(*state.curvature, out.g, out.constraints, layout, state.point);
  out.multipliers = out.penalties = state.gap_penalties;
  std::size_t next = 0;
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    for (int j = 0; j < layout.chains[c].links(); ++j) {
      out.multipliers[c][j] = 0;
      const std::vector<double>& gap = here_.links[c][j].gap;
      if (!is_open(gap)) continue;
      out.multipliers[c][j] = out.step.multipliers[next++] / (2 * length(gap));
      const double size = std::abs(out.multipliers[c][j]);
      out.largest_multiplier = std::max(out.largest_multiplier, size);
      out.penalties[c][j] = std::max(size, 0.5 * (out.penalties[c][j] + size));
    }
  return out;
}

double ScalarWorkspace::penalised_gaps() const {
  double sum = 0;
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    for (int j = 0; j < layout.chains[c].links(); ++j)
      sum += subproblem_->penalties[c][j] * std::pow(length(here_.links[c][j].gap), 2);
  return sum;
}

double ScalarWorkspace::merit() const { return scale_ * here_.objective + penalised_gaps(); }

double ScalarWorkspace::merit_of_trial() const {
  double sum = scale_ * trial_blocks_.objective;
  for (std::size_t c = 0; c < trial_blocks_.chains.size(); ++c)
    for (std::size_t j = 0; j < trial_blocks_.chains[c].links.size(); ++j)
      sum += subproblem_->penalties[c][j] * std::pow(length(trial_blocks_.chains[c].links[j].gap), 2);
  return sum;
}

VectorXd ScalarWorkspace::lagrange_gradient(const nlp::Gradients& at, const VectorXd& g,
                                            const std::vector<SquaredGap>& constraints) const {
  VectorXd out = g;
  std::size_t next = 0;
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    for (int j = 0; j < layout.chains[c].links(); ++j) {
      if (!is_open(at.links[c][j].gap)) continue;
      const SquaredGap& constraint = constraints[next++];
      constraint.row.add_to(out, subproblem_->multipliers[c][j] * 2 * constraint.size);  // dh/dq = 2|G| a
    }
  return out;
}

void ScalarWorkspace::update_curvature(State& state) {
  const VectorXd before = lagrange_gradient(there_, subproblem_->g, subproblem_->constraints);
  const VectorXd after = lagrange_gradient(here_, gradient(here_), squared_gap_rows(layout, here_));
  VectorXd s(layout.unknowns);
  for (int i = 0; i < layout.unknowns; ++i) s[i] = state.point[i] - subproblem_->point[i];
  state.curvature->update(s, after - before, options.rules.scalar.powell);
}

}  // namespace salvo::solve
