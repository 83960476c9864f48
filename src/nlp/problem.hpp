#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/matrix.hpp"
#include "nlp/request.hpp"

namespace salvo::nlp {

// Where each unknown stands in q = (theta, chain 0: v_0 ... v_K, chain 1: ...).
struct Layout {
  int thetas = 0;
  struct Chain {
    std::vector<int> offset{};  // of each block in q
    std::vector<int> size{};    // v_0 holds what is free of the initial state, every other block a whole state
    int links() const { return static_cast<int>(size.size()) - 1; }
  };
  std::vector<Chain> chains{};
  int unknowns = 0;
  std::vector<double> lower{};  // bounds, of every unknown
  std::vector<double> upper{};
  std::vector<double> decade{};  // of every theta, the length of a factor of ten on its scale; 0: no logarithmic scale
  std::vector<bool> noise_only{};  // of every theta: it shapes the noise and nothing else
  // This is how far every theta may move down and up in a cautious step, in units of its size. Empty: anywhere.
  std::vector<double> reach_down{};
  std::vector<double> reach_up{};
};

using Point = std::vector<double>;

// Rows of the objective that depend on one block and theta. Their r and J are made so that J'r is the exact gradient
// and J'J the expected information, whatever the noise law; for known normal noise they are plain residuals.
struct Rows {
  std::vector<double> r{};
  Matrix by_block{};
  Matrix by_theta{};
};

// The gap between two neighbours, G_j = X_j(v_j, theta) - v_{j+1}.
struct Link {
  std::vector<double> gap{};
  Matrix by_block{};  // G_s
  Matrix by_theta{};  // G_p
};

// Conditions besides bounds: c = 0 where `equality`, c <= 0 elsewhere. They depend on one block and theta. Their
// matrices are there after every evaluation.
struct Constraints {
  std::vector<double> c{};
  std::vector<bool> equality{};
  Matrix by_block{};
  Matrix by_theta{};
};

struct ChainBlocks {
  std::vector<Link> links{};               // K
  std::vector<Rows> rows{};                // K + 1
  std::vector<Constraints> constraints{};  // K + 1, or none
};

// Everything an evaluation gives. After `values` the matrices are empty.
struct Blocks {
  double objective = 0;  // the negative logarithm of likelihood times prior
  double gap = 0;        // max |G_ji| / max_j |s_ji|
  double local_gap = 0;  // the same against the sizes at the gap itself
  double violation = 0;  // of the constraints: the largest relative change of unknowns that one of them asks for
  std::vector<ChainBlocks> chains{};
  Rows priors{};              // of theta alone
  Constraints constraints{};  // of theta alone

  double infeasibility() const { return std::max(gap, violation); }
};

// Weights of the gaps in a scalar function of each interval: w_j = multipliers_j + penalty G_j.
struct GapWeights {
  double penalty = 0;
  std::vector<std::vector<double>> multipliers{};  // per chain: K blocks, one after the other; empty: zero
};

// Gradients by one adjoint per interval.
struct Gradients {
  double objective = 0;
  double gap = 0;
  std::vector<double> objective_by_q{};
  struct LinkGradient {
    std::vector<double> gap{};       // G_j
    std::vector<double> by_block{};  // d (w_j' X_j) / d v_j with w_j held
    std::vector<double> by_theta{};
  };
  std::vector<std::vector<LinkGradient>> links{};  // per chain
};

// The derivatives by theta at one point, never written down: products with them cost one tangent or one adjoint per
// interval, however many thetas there are.
class Products {
 public:
  virtual ~Products() = default;
  // How rows and gaps change along a direction of theta; only `r` and `gap` of the blocks are filled.
  virtual void along(const std::vector<double>& theta, Blocks& change) const = 0;
  // The gradient by theta of weights'rows + weights'gaps; only `r` and `gap` of the weights are read.
  virtual std::vector<double> transposed(const Blocks& weights) const = 0;
};

class Problem {
 public:
  virtual ~Problem() = default;
  virtual const Layout& layout() const = 0;
  // A typical size of every unknown near q, by which steps are measured.
  virtual std::vector<double> sizes(const Point& q) const = 0;
  virtual Evaluation values(const Point& q, const Request& request, Blocks& out) const = 0;
  virtual Evaluation linearize(const Point& q, const Request& request, Blocks& out) const = 0;
  virtual Evaluation adjoint(const Point& q, const Request& request, const GapWeights& weights,
                             Gradients& out) const = 0;
  // Blocks without derivatives by theta, and products in their place (null if the point cannot be evaluated).
  virtual Evaluation linearize_nodes(const Point& q, const Request& request, Blocks& out,
                                     std::unique_ptr<Products>& by_theta) const = 0;

  // With nothing special asked for.
  Evaluation values(const Point& q, Blocks& out) const { return values(q, Request{}, out); }
  Evaluation linearize(const Point& q, Blocks& out) const { return linearize(q, Request{}, out); }
  Evaluation adjoint(const Point& q, const GapWeights& weights, Gradients& out) const {
    return adjoint(q, Request{}, weights, out);
  }
};

}  // namespace salvo::nlp
