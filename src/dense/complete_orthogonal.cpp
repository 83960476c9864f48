#include "dense/complete_orthogonal.hpp"

#include <Eigen/QR>

namespace salvo::dense {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using Decomposition = Eigen::CompleteOrthogonalDecomposition<MatrixXd>;

Decomposition decompose(const MatrixXd& A, double tolerance) {
  Decomposition out;
  out.setThreshold(tolerance);
  out.compute(A);
  return out;
}

}  // namespace

CompleteOrthogonal complete_orthogonal(const MatrixXd& A, const VectorXd& b, double tolerance) {
  const Decomposition decomposition = decompose(A, tolerance);
  const Index n = A.cols();
  CompleteOrthogonal out{.rank = decomposition.rank(), .T = {}, .directions = {}, .rotated = {}};
  out.T = decomposition.matrixT().topLeftCorner(out.rank, out.rank);
  MatrixXd rotation = MatrixXd::Identity(n, n);
  if (out.rank < n) rotation = decomposition.matrixZ().transpose();  // at full rank Z is the identity, but not in Eigen
  out.directions = decomposition.colsPermutation() * rotation;
  out.rotated = decomposition.householderQ().transpose() * b;
  return out;
}

ShortestSolution shortest_solution(const MatrixXd& A, const VectorXd& b, double tolerance) {
  const Decomposition decomposition = decompose(A, tolerance);
  ShortestSolution out{.x = decomposition.solve(b), .rank = decomposition.rank(), .unseen = {}};
  const Index unseen = A.cols() - out.rank;
  if (unseen == 0) return out;
  out.unseen = MatrixXd::Zero(A.cols(), unseen);
  out.unseen.bottomRows(unseen).setIdentity();
  out.unseen = (decomposition.colsPermutation() * (decomposition.matrixZ().transpose() * out.unseen)).eval();
  return out;
}

MatrixXd pseudo_inverse(const MatrixXd& A) { return A.completeOrthogonalDecomposition().pseudoInverse(); }

}  // namespace salvo::dense
