#include "solve/step/frozen_steps.hpp"

#include <utility>

namespace salvo::solve {

FrozenSteps::FrozenSteps(const nlp::Problem& problem, const nlp::Blocks& linearized, Elimination& elimination)
    : problem_(problem), linearized_(linearized), elimination_(elimination) {
  gaps_.chains.resize(linearized.chains.size());
  for (std::size_t c = 0; c < linearized.chains.size(); ++c) {
    gaps_.chains[c].links.resize(linearized.chains[c].links.size());
    for (const nlp::Rows& rows : linearized.chains[c].rows)
      gaps_.chains[c].rows.push_back({.r = std::vector<double>(rows.r.size(), 0.0)});
  }
  gaps_.priors.r.assign(linearized.priors.r.size(), 0.0);
}

nlp::Evaluation FrozenSteps::take(const nlp::Point& q, const nlp::Request& request, GapMultipliers& y,
                                  std::vector<double>& delta) {
  std::swap(weights_.multipliers, y);
  nlp::Evaluation evaluation = problem_.adjoint(q, request, weights_, gradients_);
  if (!evaluation.ok) return evaluation;
  sum_gradients();
  for (std::size_t c = 0; c < gaps_.chains.size(); ++c)
    for (std::size_t j = 0; j < gaps_.chains[c].links.size(); ++j)
      gaps_.chains[c].links[j].gap = gradients_.links[c][j].gap;
  elimination_.descend(gaps_, gradient_, delta);
  add_change_of_multipliers(problem_.layout(), linearized_, gradient_, delta, recursion_, weights_.multipliers);
  std::swap(weights_.multipliers, y);
  return evaluation;
}

// L + Σ y_j'(X_j - v_{j+1})
void FrozenSteps::sum_gradients() {
  const nlp::Layout& layout = problem_.layout();
  gradient_ = gradients_.objective_by_q;
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    const double* y = weights_.multipliers[c].data();
    for (int j = 0; j < chain.links(); ++j) {
      const nlp::Gradients::LinkGradient& link = gradients_.links[c][j];
      for (int i = 0; i < chain.size[j]; ++i) gradient_[chain.offset[j] + i] += link.by_block[i];
      for (int i = 0; i < layout.thetas; ++i) gradient_[i] += link.by_theta[i];
      for (int i = 0; i < chain.size[j + 1]; ++i) gradient_[chain.offset[j + 1] + i] -= *y++;
    }
  }
}

}  // namespace salvo::solve
