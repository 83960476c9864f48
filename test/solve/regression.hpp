#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "helpers/block_products.hpp"
#include "nlp/constraints.hpp"
#include "nlp/problem.hpp"

namespace salvo::test {

// Residuals of theta and their derivatives, written down by hand. The objective is half their square, unless another is
// given.
struct Residuals {
  std::vector<double> r{};
  std::vector<std::vector<double>> J{};  // a row for each residual
  std::optional<double> objective{};
};

// An algebraic problem: no states, no gaps, one chain whose only block is empty. Nothing is evaluated where `fails`
// says so; sizes are one unless others are given.
class Regression : public nlp::Problem {
 public:
  using Formula = std::function<Residuals(const nlp::Point&)>;

  Regression(int thetas, Formula formula) : formula_(std::move(formula)) {
    layout_.thetas = layout_.unknowns = thetas;
    layout_.lower.assign(thetas, -INFINITY);
    layout_.upper.assign(thetas, INFINITY);
    layout_.chains.push_back({.offset = {thetas}, .size = {0}});
  }
  Regression& bound(int k, double lower, double upper) {
    layout_.lower[k] = lower;
    layout_.upper[k] = upper;
    return *this;
  }
  Regression& sized(std::function<std::vector<double>(const nlp::Point&)> sizes) {
    sizes_ = std::move(sizes);
    return *this;
  }
  Regression& sized(std::vector<double> sizes) {
    return sized([sizes = std::move(sizes)](const nlp::Point&) { return sizes; });
  }
  Regression& shaping_noise_only(std::vector<bool> noise_only) {
    layout_.noise_only = std::move(noise_only);
    return *this;
  }
  Regression& failing(std::function<bool(const nlp::Point&)> fails) {
    fails_ = std::move(fails);
    return *this;
  }
  // By constraints of theta, with their derivatives.
  Regression& constrained(std::function<nlp::Constraints(const nlp::Point&)> constraints) {
    constraints_ = std::move(constraints);
    return *this;
  }
  // Where it has values, but no derivatives.
  Regression& failing_to_linearize(std::function<bool(const nlp::Point&)> fails) {
    fails_to_linearize_ = std::move(fails);
    return *this;
  }
  double objective(const nlp::Point& q) const {
    nlp::Blocks blocks;
    return values(q, blocks).ok ? blocks.objective : INFINITY;
  }

  const nlp::Layout& layout() const override { return layout_; }
  std::vector<double> sizes(const nlp::Point& q) const override {
    return sizes_ ? sizes_(q) : std::vector<double>(q.size(), 1.0);
  }
  using nlp::Problem::linearize;
  using nlp::Problem::values;
  nlp::Evaluation values(const nlp::Point& q, const nlp::Request&, nlp::Blocks& out) const override {
    return fill(q, out, false);
  }
  nlp::Evaluation linearize(const nlp::Point& q, const nlp::Request&, nlp::Blocks& out) const override {
    return fill(q, out, true);
  }
  nlp::Evaluation adjoint(const nlp::Point& q, const nlp::Request&, const nlp::GapWeights&,
                          nlp::Gradients& out) const override {
    nlp::Blocks blocks;
    const nlp::Evaluation done = fill(q, blocks, true);
    if (!done.ok) return done;
    const nlp::Rows& rows = blocks.chains[0].rows[0];
    out = {.objective = blocks.objective, .objective_by_q = std::vector<double>(q.size(), 0.0), .links = {{}}};
    for (int k = 0; k < layout_.thetas; ++k)
      for (int i = 0; i < rows.by_theta.rows; ++i) out.objective_by_q[k] += rows.by_theta(i, k) * rows.r[i];
    return done;
  }
  nlp::Evaluation linearize_nodes(const nlp::Point& q, const nlp::Request&, nlp::Blocks& out,
                                  std::unique_ptr<nlp::Products>& by_theta) const override {
    const nlp::Evaluation done = fill(q, out, true);
    by_theta = std::make_unique<BlockProducts>(out);
    return done;
  }

 private:
  nlp::Evaluation fill(const nlp::Point& q, nlp::Blocks& out, bool jacobians) const {
    if (fails_ && fails_(q)) return {.ok = false, .trouble = "theta is out of reach"};
    if (jacobians && fails_to_linearize_ && fails_to_linearize_(q))
      return {.ok = false, .trouble = "derivatives are out of reach"};
    Residuals at = formula_(q);
    out = {};
    out.priors.by_theta.resize(0, layout_.thetas);
    nlp::Rows rows;
    for (const double r : at.r) out.objective += 0.5 * r * r;
    if (at.objective) out.objective = *at.objective;
    if (jacobians) {
      rows.by_theta.resize(static_cast<int>(at.r.size()), layout_.thetas);
      rows.by_block.resize(static_cast<int>(at.r.size()), 0);
      for (int i = 0; i < rows.by_theta.rows; ++i)
        for (int k = 0; k < layout_.thetas; ++k) rows.by_theta(i, k) = at.J[i][k];
    }
    rows.r = std::move(at.r);
    if (constraints_) out.constraints = constraints_(q);
    out.violation = nlp::largest_violation(layout_, out, sizes(q));
    out.chains.resize(1);
    out.chains[0].rows.push_back(std::move(rows));
    return {};
  }

  Formula formula_;
  std::function<bool(const nlp::Point&)> fails_{};
  std::function<bool(const nlp::Point&)> fails_to_linearize_{};
  std::function<nlp::Constraints(const nlp::Point&)> constraints_{};
  std::function<std::vector<double>(const nlp::Point&)> sizes_{};
  nlp::Layout layout_{};
};

// (w (y - x^2), 1 - x): a valley along the parabola, as narrow as w makes it, that ends at (1, 1).
inline Regression rosenbrock(double w = 10) {
  return {2, [w](const nlp::Point& q) {
            return Residuals{.r = {w * (q[1] - q[0] * q[0]), 1 - q[0]}, .J = {{-2 * w * q[0], w}, {-1, 0}}};
          }};
}

}  // namespace salvo::test
