#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "helpers/block_products.hpp"
#include "nlp/problem.hpp"

namespace salvo::test {

// A problem with a solution that can be found by hand: v_{j+1} = v_j e^-theta, each v_j measured with noise one. Where
// theta leaves (-limit, limit) it cannot be evaluated.
class DecayChain final : public nlp::Problem {
 public:
  DecayChain(std::vector<double> data, double limit = 1e9) : data_(std::move(data)), limit_(limit) {
    layout_.thetas = 1;
    nlp::Layout::Chain chain;
    for (int j = 0; j < static_cast<int>(data_.size()); ++j) {
      chain.offset.push_back(1 + j);
      chain.size.push_back(1);
    }
    layout_.unknowns = 1 + static_cast<int>(data_.size());
    layout_.lower.assign(layout_.unknowns, -INFINITY);
    layout_.upper.assign(layout_.unknowns, INFINITY);
    layout_.chains.push_back(chain);
  }
  void bound(double lower, double upper) {
    layout_.lower[0] = lower;
    layout_.upper[0] = upper;
  }
  nlp::Point start(double theta) const {
    nlp::Point q{theta};
    q.insert(q.end(), data_.begin(), data_.end());
    return q;
  }

  // The best v_0 for a given theta, and the sum of squares it leaves: a linear problem.
  double best_first(double theta) const {
    double above = 0;
    double below = 0;
    for (std::size_t j = 0; j < data_.size(); ++j) {
      const double decay = std::exp(-theta * static_cast<double>(j));
      above += decay * data_[j];
      below += decay * decay;
    }
    return above / below;
  }
  double sum_of_squares(double theta) const {
    double sum = 0;
    for (std::size_t j = 0; j < data_.size(); ++j)
      sum += std::pow(best_first(theta) * std::exp(-theta * static_cast<double>(j)) - data_[j], 2);
    return sum;
  }
  // The best theta, by golden section: a second method.
  double best_theta(double low, double high) const {
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    while (high - low > 1e-9) {
      const double a = high - golden * (high - low);
      const double b = low + golden * (high - low);
      (sum_of_squares(a) < sum_of_squares(b) ? high : low) = sum_of_squares(a) < sum_of_squares(b) ? b : a;
    }
    return 0.5 * (low + high);
  }

  const nlp::Layout& layout() const override { return layout_; }
  std::vector<double> sizes(const nlp::Point& q) const override { return std::vector<double>(q.size(), 1.0); }
  using nlp::Problem::linearize;
  using nlp::Problem::values;
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request&, nlp::Blocks& out) const override {
    return fill(q, out, false);
  }
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request&, nlp::Blocks& out) const override {
    return fill(q, out, true);
  }
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request&, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override {
    nlp::Blocks blocks;
    if (const auto done = fill(q, blocks, true); !done.ok) return done;
    out.objective = blocks.objective;
    out.gap = blocks.gap;
    out.objective_by_q.assign(q.size(), 0.0);
    out.links.assign(1, {});
    for (std::size_t j = 0; j < data_.size(); ++j) {
      out.objective_by_q[1 + j] = q[1 + j] - data_[j];
      if (j + 1 == data_.size()) break;
      const nlp::Link& link = blocks.chains[0].links[j];
      double w = weights.penalty * link.gap[0];
      if (!weights.multipliers.empty()) w += weights.multipliers[0][j];
      out.links[0].push_back({link.gap, {w * link.by_block(0, 0)}, {w * link.by_theta(0, 0)}});
    }
    return {};
  }
  nlp::Evaluation linearize_nodes(const nlp::Point& q, const nlp::Request&, nlp::Blocks& out,
                                  std::unique_ptr<nlp::Products>& by_theta) const override {
    const nlp::Evaluation done = fill(q, out, true);
    by_theta = std::make_unique<BlockProducts>(out);
    return done;
  }

 private:
  nlp::Evaluation fill(const nlp::Point& q, nlp::Blocks& out, bool jacobians) const {
    if (!(std::abs(q[0]) < limit_)) return {.ok = false, .trouble = "theta is out of reach"};
    out = {};
    out.chains.resize(1);
    out.priors.by_theta.resize(0, 1);
    const double decay = std::exp(-q[0]);
    for (std::size_t j = 0; j < data_.size(); ++j) {
      nlp::Rows rows{{q[1 + j] - data_[j]}, {}, {}};
      out.objective += 0.5 * rows.r[0] * rows.r[0];
      if (jacobians) {
        rows.by_block.resize(1, 1);
        rows.by_block(0, 0) = 1;
        rows.by_theta.resize(1, 1);
      }
      out.chains[0].rows.push_back(rows);
      if (j + 1 == data_.size()) break;
      nlp::Link link{{q[1 + j] * decay - q[2 + j]}, {}, {}};
      out.gap = std::max(out.gap, std::abs(link.gap[0]));
      if (jacobians) {
        link.by_block.resize(1, 1);
        link.by_block(0, 0) = decay;
        link.by_theta.resize(1, 1);
        link.by_theta(0, 0) = -q[1 + j] * decay;
      }
      out.chains[0].links.push_back(link);
    }
    return {};
  }

  std::vector<double> data_;
  double limit_;
  nlp::Layout layout_;
};

}  // namespace salvo::test
