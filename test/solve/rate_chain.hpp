#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "helpers/block_products.hpp"
#include "nlp/problem.hpp"
#include "regression.hpp"

namespace salvo::test {

// A chain whose link j has a rate of its own, v_{j+1} = v_j e^-theta_k with k = j modulo the number of thetas, each v_j
// measured with noise one. Tests may add rows and constraints of theta and say where nothing can be evaluated.
class RateChain : public nlp::Problem {
 public:
  using Predicate = std::function<bool(const nlp::Point&)>;

  RateChain(int thetas, std::vector<double> data) : data_(std::move(data)) {
    layout_.thetas = thetas;
    nlp::Layout::Chain chain;
    for (int j = 0; j < nodes(); ++j) {
      chain.offset.push_back(thetas + j);
      chain.size.push_back(1);
    }
    layout_.unknowns = thetas + nodes();
    layout_.lower.assign(layout_.unknowns, -INFINITY);
    layout_.upper.assign(layout_.unknowns, INFINITY);
    layout_.chains.push_back(chain);
  }

  nlp::Layout& layout() { return layout_; }
  RateChain& with_rows(std::function<Residuals(const nlp::Point&)> rows) {
    rows_ = std::move(rows);
    return *this;
  }
  RateChain& with_equality(double theta) {  // theta_0 = theta
    equalities_.push_back(theta);
    return *this;
  }
  RateChain& without_values_where(Predicate fails, std::string trouble = "no values here") {
    values_fail_ = std::move(fails);
    trouble_ = std::move(trouble);
    return *this;
  }
  RateChain& without_derivatives_where(Predicate fails) {
    derivatives_fail_ = std::move(fails);
    return *this;
  }

  // Nodes on the data, or on one trajectory.
  nlp::Point on_data(nlp::Point theta) const {
    theta.insert(theta.end(), data_.begin(), data_.end());
    return theta;
  }
  nlp::Point on_trajectory(nlp::Point theta, double first) const {
    const nlp::Point rates = theta;
    for (int j = 0; j < nodes(); ++j) {
      theta.push_back(first);
      first *= std::exp(-rates[j % rates.size()]);
    }
    return theta;
  }
  const std::vector<double>& data() const { return data_; }
  const std::vector<double>& accuracies() const { return accuracies_; }  // that linearisations were asked for

  const nlp::Layout& layout() const override { return layout_; }
  using nlp::Problem::linearize;
  using nlp::Problem::values;
  std::vector<double> sizes(const nlp::Point& q) const override { return std::vector<double>(q.size(), 1.0); }
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request&, nlp::Blocks& out) const override {
    return fill(q, out, false);
  }
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request& request, nlp::Blocks& out) const override {
    accuracies_.push_back(request.accuracy);
    if (derivatives_fail_ && derivatives_fail_(q)) return {.ok = false, .trouble = "no derivatives here"};
    return fill(q, out, true);
  }
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request&, const nlp::GapWeights& weights,
                          nlp::Gradients& out) const override {
    nlp::Blocks blocks;
    if (const auto done = fill(q, blocks, true); !done.ok) return done;
    out.objective = blocks.objective;
    out.gap = blocks.gap;
    out.objective_by_q.assign(q.size(), 0.0);
    for (int k = 0; k < layout_.thetas; ++k)
      for (int i = 0; i < blocks.priors.by_theta.rows; ++i)
        out.objective_by_q[k] += blocks.priors.by_theta(i, k) * blocks.priors.r[i];
    out.links.assign(1, {});
    for (int j = 0; j < nodes(); ++j) {
      out.objective_by_q[layout_.thetas + j] = q[layout_.thetas + j] - data_[j];
      if (j + 1 == nodes()) break;
      const nlp::Link& link = blocks.chains[0].links[j];
      double w = weights.penalty * link.gap[0];
      if (!weights.multipliers.empty()) w += weights.multipliers[0][j];
      nlp::Gradients::LinkGradient gradient{link.gap, {w * link.by_block(0, 0)}, {}};
      for (int k = 0; k < layout_.thetas; ++k) gradient.by_theta.push_back(w * link.by_theta(0, k));
      out.links[0].push_back(std::move(gradient));
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
  int nodes() const { return static_cast<int>(data_.size()); }

  nlp::Evaluation fill(const nlp::Point& q, nlp::Blocks& out, bool jacobians) const {
    if (values_fail_ && values_fail_(q)) return {.ok = false, .trouble = trouble_};
    const int m = layout_.thetas;
    out = {};
    out.chains.resize(1);
    out.priors.by_theta.resize(0, m);
    if (rows_) add_rows(rows_(nlp::Point(q.begin(), q.begin() + m)), out);
    for (int j = 0; j < nodes(); ++j) {
      nlp::Rows rows{{q[m + j] - data_[j]}, {}, {}};
      out.objective += 0.5 * rows.r[0] * rows.r[0];
      if (jacobians) {
        rows.by_block.resize(1, 1);
        rows.by_block(0, 0) = 1;
        rows.by_theta.resize(1, m);
      }
      out.chains[0].rows.push_back(rows);
      if (j + 1 == nodes()) break;
      const double decay = std::exp(-q[j % m]);
      nlp::Link link{{q[m + j] * decay - q[m + j + 1]}, {}, {}};
      out.gap = std::max(out.gap, std::abs(link.gap[0]));
      if (jacobians) {
        link.by_block.resize(1, 1);
        link.by_block(0, 0) = decay;
        link.by_theta.resize(1, m);
        link.by_theta(0, j % m) = -q[m + j] * decay;
      }
      out.chains[0].links.push_back(link);
    }
    out.constraints.by_theta.resize(static_cast<int>(equalities_.size()), m);
    for (std::size_t i = 0; i < equalities_.size(); ++i) {
      out.constraints.c.push_back(q[0] - equalities_[i]);
      out.constraints.equality.push_back(true);
      out.constraints.by_theta(static_cast<int>(i), 0) = 1;
      out.violation = std::max(out.violation, std::abs(q[0] - equalities_[i]));
    }
    return {};
  }
  void add_rows(const Residuals& residuals, nlp::Blocks& out) const {
    out.priors.r = residuals.r;
    out.priors.by_theta.resize(static_cast<int>(residuals.r.size()), layout_.thetas);
    for (std::size_t i = 0; i < residuals.r.size(); ++i) {
      out.objective += 0.5 * residuals.r[i] * residuals.r[i];
      for (int k = 0; k < layout_.thetas; ++k) out.priors.by_theta(static_cast<int>(i), k) = residuals.J[i][k];
    }
  }

  std::vector<double> data_;
  nlp::Layout layout_;
  std::function<Residuals(const nlp::Point&)> rows_{};
  std::vector<double> equalities_{};
  Predicate values_fail_{};
  std::string trouble_{};
  Predicate derivatives_fail_{};
  mutable std::vector<double> accuracies_{};
};

}  // namespace salvo::test
