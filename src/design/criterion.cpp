#include "design/criterion.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

namespace salvo::design {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::DesignCriterion;

// p of the smooth E. Two eigenvalues that differ by 4 % are told apart; the bound does not depend on it.
constexpr double power = 64;

// Every candidate counts as taken this often: what a design does not see at all has a very large error then, and not an
// infinite one. Coordinates z make it the rounding of the rest.
constexpr double trace_of_all = 1e-12;

// F^-1 = A A', V = Q Q'... in the basis U of its eigenvectors: Q = A' K U, Q' Q = diag(eigenvalue).
struct Inverse {
  MatrixXd A{};
  MatrixXd Q{};
  VectorXd eigenvalue{};
};

Inverse inverse_of(const Problem::Point& point, const MatrixXd& F) {
  Inverse out;
  const Index r = F.rows();
  const Eigen::LLT<MatrixXd> cholesky(F + trace_of_all * MatrixXd::Identity(r, r));
  out.A = cholesky.matrixU().solve(MatrixXd::Identity(r, r));
  const MatrixXd Y = out.A.transpose() * point.K;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(Y.transpose() * Y);
  out.eigenvalue = eigen.eigenvalues().cwiseMax(std::numeric_limits<double>::min());
  out.Q = Y * eigen.eigenvectors();
  return out;
}

double smooth_largest(const VectorXd& eigenvalue) {
  const double largest = eigenvalue.maxCoeff();
  double sum = 0;
  for (const double each : eigenvalue) sum += std::pow(each / largest, power);
  return largest * std::pow(sum, 1 / power);
}

double spectral_value(DesignCriterion criterion, const VectorXd& eigenvalue, bool smooth) {
  switch (criterion) {
    case DesignCriterion::D: return eigenvalue.array().log().sum();
    case DesignCriterion::A:
    case DesignCriterion::c: return eigenvalue.sum();
    case DesignCriterion::E: return smooth ? smooth_largest(eigenvalue) : eigenvalue.maxCoeff();
  }
  return 0;
}

// The loss as a function of the eigenvalues of V: its first derivatives, the divided differences of these, and by how
// much the square of the first derivative counts.
struct Spectral {
  VectorXd first{};
  MatrixXd second{};
  double of_square = 0;
};

Spectral spectral(DesignCriterion criterion, const VectorXd& eigenvalue) {
  const Index s = eigenvalue.size();
  Spectral out{.first = VectorXd::Ones(s), .second = MatrixXd::Zero(s, s)};
  if (criterion == DesignCriterion::D) {
    out.first = eigenvalue.cwiseInverse();
    out.second = -out.first * out.first.transpose();
  }
  if (criterion != DesignCriterion::E) return out;
  const double all = smooth_largest(eigenvalue);
  const VectorXd part = eigenvalue / all;
  for (Index a = 0; a < s; ++a) out.first[a] = std::pow(part[a], power - 1);
  for (Index a = 0; a < s; ++a)
    for (Index b = 0; b < s; ++b) {
      const double apart = part[a] - part[b];
      const bool are_equal = std::abs(apart) < 1e-6 * (part[a] + part[b]);
      const double slope = are_equal ? (power - 1) * std::pow(0.5 * (part[a] + part[b]), power - 2)
                                     : (out.first[a] - out.first[b]) / apart;
      out.second(a, b) = slope / all;
    }
  out.of_square = -(power - 1) / all;
  return out;
}

// d_i = sum_a first_a |S_i A Q_a|^2
double sensitivity_of(const MatrixXd& row, const MatrixXd& AQ, const VectorXd& first) {
  return ((row * AQ).colwise().squaredNorm() * first)(0);
}

void add_second(const Problem::Point& point, const Inverse& inverse, const Spectral& form, std::span<const int> among,
                const VectorXd& sensitivity, MatrixXd& second) {
  const Index n = static_cast<Index>(among.size());
  const Index r = inverse.A.rows();
  const Index s = inverse.Q.cols();
  MatrixXd turned(n, r * s);   // Z_i' T_i sqrt(first), Z_i = S_i A, T_i = Z_i Q
  MatrixXd squared(n, s * s);  // T_i' T_i
  const VectorXd root = form.first.cwiseSqrt();
  for (Index i = 0; i < n; ++i) {
    const MatrixXd Z = point.rows[static_cast<std::size_t>(among[static_cast<std::size_t>(i)])] * inverse.A;
    const MatrixXd T = Z * inverse.Q;
    const MatrixXd P = Z.transpose() * T * root.asDiagonal();
    const MatrixXd B = T.transpose() * T;
    turned.row(i) = P.reshaped().transpose();
    squared.row(i) = B.reshaped().transpose();
  }
  second.noalias() += 2 * turned * turned.transpose();
  const VectorXd weight = form.second.reshaped();
  second.noalias() += squared * weight.asDiagonal() * squared.transpose();
  second.noalias() += form.of_square * sensitivity * sensitivity.transpose();
}

}  // namespace

MatrixXd information(const Problem::Point& point, std::span<const double> weights) {
  MatrixXd F = point.known;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] != 0) F.noalias() += weights[i] * point.rows[i].transpose() * point.rows[i];
  return F;
}

std::vector<MatrixXd> information(const Problem& problem, std::span<const double> weights) {
  std::vector<MatrixXd> F;
  for (const Problem::Point& point : problem.points) F.push_back(information(point, weights));
  return F;
}

double loss(const Problem& problem, const std::vector<MatrixXd>& F, bool smooth) {
  double sum = 0;
  for (std::size_t k = 0; k < F.size(); ++k)
    sum += spectral_value(problem.criterion, inverse_of(problem.points[k], F[k]).eigenvalue, smooth);
  return sum / static_cast<double>(F.size());
}

Derivatives derivatives(const Problem& problem, const std::vector<MatrixXd>& F, std::span<const int> among,
                        bool second) {
  const Index n = static_cast<Index>(among.size());
  Derivatives out{.sensitivity = VectorXd::Zero(n)};
  if (second) out.second = MatrixXd::Zero(n, n);
  const double share = 1 / static_cast<double>(F.size());
  for (std::size_t k = 0; k < F.size(); ++k) {
    const Problem::Point& point = problem.points[k];
    const Inverse inverse = inverse_of(point, F[k]);
    const Spectral form = spectral(problem.criterion, inverse.eigenvalue);
    out.loss += share * spectral_value(problem.criterion, inverse.eigenvalue, true);
    const MatrixXd AQ = inverse.A * inverse.Q;
    VectorXd own(n);
    for (Index i = 0; i < n; ++i)
      own[i] = sensitivity_of(point.rows[static_cast<std::size_t>(among[static_cast<std::size_t>(i)])], AQ, form.first);
    out.sensitivity += share * own;
    if (!second) continue;
    MatrixXd its = MatrixXd::Zero(n, n);
    add_second(point, inverse, form, among, own, its);
    out.second += share * its;
  }
  return out;
}

Support support(const Problem& problem, const std::vector<MatrixXd>& F) {
  Support out{.sensitivity = VectorXd::Zero(problem.candidates())};
  const double share = 1 / static_cast<double>(F.size());
  for (std::size_t k = 0; k < F.size(); ++k) {
    const Problem::Point& point = problem.points[k];
    const Inverse inverse = inverse_of(point, F[k]);
    VectorXd first = spectral(problem.criterion, inverse.eigenvalue).first;
    if (problem.criterion == DesignCriterion::E) first /= first.sum();
    out.loss += share * (problem.criterion == DesignCriterion::D ? inverse.eigenvalue.array().log().sum()
                                                                 : first.dot(inverse.eigenvalue));
    const MatrixXd AQ = inverse.A * inverse.Q;
    for (Index i = 0; i < out.sensitivity.size(); ++i)
      out.sensitivity[i] += share * sensitivity_of(point.rows[static_cast<std::size_t>(i)], AQ, first);
    const MatrixXd known = point.known + trace_of_all * MatrixXd::Identity(F[k].rows(), F[k].rows());
    out.of_known += share * (AQ.transpose() * known * AQ).diagonal().dot(first);
  }
  return out;
}

// log det is concave and det^(1/s) is so too; one over the others is concave and of degree one in F
// (docs/mathematics.md, section 24).
double least_loss(const Problem& problem, const Support& at, double most) {
  const double reached = at.of_known + most;
  if (problem.criterion == DesignCriterion::D) {
    const double s = problem.interest();
    return at.loss - s * std::log(reached / s);
  }
  return at.loss * at.loss / reached;
}

double efficiency(const Problem& problem, double loss, double least) {
  if (problem.criterion == DesignCriterion::D) return std::exp((least - loss) / problem.interest());
  return least / loss;
}

}  // namespace salvo::design
