#include "solve/joined_phase.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "solve/steps.hpp"
#include "solve/weak_continuity.hpp"

namespace salvo::solve {
namespace {

constexpr double price_of_gaps = 1e10;
constexpr double least_damping = 1e-8;
constexpr double shortest_step = 1e-10;
constexpr int most_attempts = 30;

using ConstMap = Eigen::Map<const Eigen::MatrixXd>;
using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

double foreseen_gain(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta) {
  const auto matrix = [](const Matrix& m) { return ConstMap(m.data.data(), m.rows, m.cols); };
  const auto vector = [](const std::vector<double>& v) {
    return ConstVectorMap(v.data(), static_cast<Eigen::Index>(v.size()));
  };
  const ConstVectorMap theta(delta.data(), layout.thetas);
  const auto fall = [&](const nlp::Rows& rows, const Eigen::VectorXd& change) {
    return -change.dot(vector(rows.r) + 0.5 * change);
  };
  double gain = fall(blocks.priors, matrix(blocks.priors.by_theta) * theta);
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    for (std::size_t j = 0; j < chain.size.size(); ++j) {
      const nlp::Rows& rows = blocks.chains[c].rows[j];
      const ConstVectorMap v(delta.data() + chain.offset[j], chain.size[j]);
      gain += fall(rows, matrix(rows.by_block) * v + matrix(rows.by_theta) * theta);
    }
  }
  return gain;
}

JoinedPhase::Outcome JoinedPhase::step(const nlp::Problem& problem, const nlp::Point& q, const nlp::Blocks& blocks,
                                       const std::vector<double>& sizes, nlp::Blocks& trial) {
  const nlp::Layout& layout = problem.layout();
  Outcome outcome;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::vector<double> delta = weak_step(layout, q, blocks, sizes, price_of_gaps, mu_).delta;
    outcome.q = moved(layout, q, delta);
    outcome.length = largest(delta, sizes);
    if (outcome.length < shortest_step) return outcome;
    const double foreseen = foreseen_gain(layout, blocks, delta);
    const bool joined = problem.values(outcome.q, trial).ok && trial.infeasibility() <= widest_gap_;
    const double gain = joined && foreseen > 0 ? (blocks.objective - trial.objective) / foreseen : -1;
    if (gain > 0.75) mu_ = std::max(0.2 * mu_, least_damping);
    if (!(gain > 0.25)) mu_ *= 4;
    outcome.accepted = gain > 1e-3;
    if (outcome.accepted) return outcome;
  }
  return outcome;
}

}  // namespace salvo::solve
