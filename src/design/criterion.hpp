#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "model/design.hpp"

namespace salvo::design {

// What is to be small, as a function of V = K' F^-1 K, the covariance of what is of interest, F the information:
//   D    log det V                    (with K a part of I, that of the Schur complement of F: Ds)
//   A    tr V                         (with one column c of K: c' F^-1 c)
//   E    the largest eigenvalue of V, made smooth by (tr V^p)^(1/p), which lies above it
// Each is convex in F. Information is that in coordinates z (design/space.hpp).
struct Problem {
  model::DesignCriterion criterion = model::DesignCriterion::D;
  struct Point {  // one of several over which the criterion is averaged
    Eigen::MatrixXd K{};
    Eigen::MatrixXd known{};              // F_0
    std::vector<Eigen::MatrixXd> rows{};  // S_i of the candidates
  };
  std::vector<Point> points{};

  int candidates() const { return static_cast<int>(points.front().rows.size()); }
  int interest() const { return static_cast<int>(points.front().K.cols()); }
};

// F at one point for so many of each candidate.
Eigen::MatrixXd information(const Problem::Point& point, std::span<const double> weights);
std::vector<Eigen::MatrixXd> information(const Problem& problem, std::span<const double> weights);

// The loss, a mean over the points. Where `smooth`, E is (tr V^p)^(1/p).
double loss(const Problem& problem, const std::vector<Eigen::MatrixXd>& F, bool smooth = false);

// First and second derivatives of the smooth loss by the weights of the candidates `among`; the first ones are -d_i,
// d_i the sensitivity.
struct Derivatives {
  double loss = 0;
  Eigen::VectorXd sensitivity{};
  Eigen::MatrixXd second{};  // if it was asked for
};
Derivatives derivatives(const Problem& problem, const std::vector<Eigen::MatrixXd>& F, std::span<const int> among,
                        bool second);

// A linear function below which the loss of no design falls: with d_i and tr(G F_0), the theorem of equivalence says
// how far from the best a design is at most. For E the mixture of eigenvectors is normalised: the bound is of the
// largest eigenvalue itself.
struct Support {
  double loss = 0;                // of the mixture; that of the design but for E
  Eigen::VectorXd sensitivity{};  // d_i of all candidates
  double of_known = 0;            // tr(G F_0)
};
Support support(const Problem& problem, const std::vector<Eigen::MatrixXd>& F);

// The least loss that any design can have, if no weights make the sum of w_i d_i more than `most`.
double least_loss(const Problem& problem, const Support& at, double most);

// How good a loss is against a lower one, from 0 to 1: the part of the samples that the better design would need.
double efficiency(const Problem& problem, double loss, double least);

}  // namespace salvo::design
