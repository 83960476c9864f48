#include "solve/elimination/null_space.hpp"

#include <algorithm>

#include "dense/householder_qr.hpp"
#include "solve/elimination/chain_elimination.hpp"
#include "solve/elimination/constraint_rows.hpp"
#include "solve/elimination/null_space_basis.hpp"
#include "solve/elimination/product.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// The motion of every node of every chain, in y = (θ, ends of every chain).
std::vector<std::vector<MatrixXd>> node_basis(const std::vector<ChainElimination>& chains, const MatrixXd& theta) {
  std::vector<std::vector<MatrixXd>> nodes;
  Index column = theta.rows();
  for (const ChainElimination& chain : chains) {
    MatrixXd ends = MatrixXd::Zero(chain.ends(), theta.cols());
    ends.middleCols(column, chain.ends()).setIdentity();
    nodes.push_back(chain.motion(ends, theta));
    column += chain.ends();
  }
  return nodes;
}

}  // namespace

NullSpace::NullSpace(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                     const std::vector<bool>& held, const std::vector<int>& active) {
  CondensedChains condensed;
  condensed.take(layout, blocks, sizes);
  const std::vector<ChainElimination> chains = eliminate_chains(layout, blocks, sizes, condensed);
  const Index m = layout.thetas;
  const Index priors = static_cast<Index>(blocks.priors.r.size());
  Index columns = m;
  Index quantities = m;
  Index count = priors;
  Index equations = std::count(held.begin(), held.end(), true);
  for (const ChainElimination& chain : chains) {
    columns += chain.ends();
    quantities += chain.first();
    count += chain.rows_by_theta().rows();
    equations += chain.constraints();
  }
  rows_ = MatrixXd::Zero(count, columns);
  select_ = MatrixXd::Zero(quantities, columns);
  E_ = MatrixXd::Zero(equations, columns);
  select_.topLeftCorner(m, m).setIdentity();
  Index row = 0;
  Index column = m;
  Index quantity = m;
  Index equation = 0;
  for (const ChainElimination& chain : chains) {
    const MatrixXd by_ends = chain.rows_by_ends();
    rows_.block(row, 0, by_ends.rows(), m) = chain.rows_by_theta();
    rows_.block(row, column, by_ends.rows(), by_ends.cols()) = by_ends;
    select_.block(quantity, column, chain.first(), chain.first()).setIdentity();
    E_.block(equation, 0, chain.constraints(), m) = chain.constraint_by_theta();
    E_.block(equation, column, chain.constraints(), chain.ends()) = chain.constraint_by_ends();
    row += by_ends.rows();
    column += chain.ends();
    quantity += chain.first();
    equation += chain.constraints();
  }
  const Eigen::Map<const MatrixXd> by_theta(blocks.priors.by_theta.data.data(), priors, m);
  rows_.bottomLeftCorner(priors, m) = by_theta * Eigen::Map<const VectorXd>(sizes.data(), m).asDiagonal();
  for (Index i = 0; i < m; ++i)
    if (held[i]) E_(equation++, i) = 1;
  compress();
  active_.resize(static_cast<Index>(active.size()), columns);
  if (active.empty()) return;
  const MatrixXd theta = MatrixXd::Identity(m, columns);
  const MatrixXd all = ConstraintRows(layout, blocks, sizes).by(theta, node_basis(chains, theta));
  for (Index i = 0; i < active_.rows(); ++i) active_.row(i) = all.row(active[i]);
}

// Orthogonal transformations of the rows change nothing that is asked of them.
void NullSpace::compress() {
  if (rows_.rows() <= rows_.cols()) return;
  rows_ = dense::HouseholderQr(rows_).R();
}

NullSpace::Basis NullSpace::basis(const VectorXd& stretch) const {
  VectorXd scale = VectorXd::Ones(rows_.cols());
  scale.head(stretch.size()) = stretch;
  MatrixXd basis = NullSpaceBasis(E_ * scale.asDiagonal()).basis();
  if (active_.rows() > 0)  // after the gaps, so that the sizes of the two do not mix
    basis *= NullSpaceBasis((active_ * scale.asDiagonal()) * basis).basis();
  return {product(rows_ * scale.asDiagonal(), basis), product(select_, basis)};
}

}  // namespace salvo::solve
