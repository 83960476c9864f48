#include "helpers/blocks.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace salvo::test {

Matrix random_matrix(Random& random, int rows, int cols, double size) {
  Matrix out(rows, cols);
  for (double& entry : out.data) entry = size * random.normal();
  return out;
}
std::vector<double> random_vector(Random& random, int count) {
  std::vector<double> out(count);
  for (double& entry : out) entry = random.normal();
  return out;
}

BlockProblem random_blocks(std::uint64_t seed, int thetas, int states, const std::vector<ChainShape>& shapes,
                           int priors) {
  Random random(seed);
  BlockProblem out;
  out.layout.thetas = thetas;
  out.layout.unknowns = thetas;
  for (int i = 0; i < thetas; ++i) out.sizes.push_back(0.5 + random.uniform());
  for (const ChainShape& shape : shapes) {
    nlp::Layout::Chain chain;
    nlp::ChainBlocks blocks;
    std::vector<double> state_size;
    for (int i = 0; i < states; ++i) state_size.push_back(0.5 + 2 * random.uniform());
    for (int j = 0; j <= shape.links; ++j) {
      const int size = j == 0 ? shape.free_initial : states;
      chain.offset.push_back(out.layout.unknowns);
      chain.size.push_back(size);
      out.layout.unknowns += size;
      for (int i = 0; i < size; ++i) out.sizes.push_back(state_size[i]);
      blocks.rows.push_back({random_vector(random, shape.rows_per_node),
                             random_matrix(random, shape.rows_per_node, size),
                             random_matrix(random, shape.rows_per_node, thetas)});
      if (j == shape.links) break;
      blocks.links.push_back({random_vector(random, states), random_matrix(random, states, size, shape.growth),
                              random_matrix(random, states, thetas)});
    }
    out.layout.chains.push_back(chain);
    out.blocks.chains.push_back(blocks);
  }
  out.blocks.priors = {random_vector(random, priors), {}, random_matrix(random, priors, thetas)};
  out.layout.lower.assign(out.layout.unknowns, -1e300);
  out.layout.upper.assign(out.layout.unknowns, 1e300);
  return out;
}

Dense dense(const BlockProblem& problem) {
  const nlp::Layout& layout = problem.layout;
  int rows = static_cast<int>(problem.blocks.priors.r.size());
  int gaps = 0;
  for (const auto& chain : problem.blocks.chains) {
    for (const auto& block : chain.rows) rows += static_cast<int>(block.r.size());
    for (const auto& link : chain.links) gaps += static_cast<int>(link.gap.size());
  }
  Dense out{LongMatrix::Zero(rows, layout.unknowns), LongMatrix::Zero(gaps, layout.unknowns), LongVector::Zero(rows),
            LongVector::Zero(gaps)};
  const auto put = [](LongMatrix& to, int row, int column, const Matrix& from) {
    for (int i = 0; i < from.rows; ++i)
      for (int k = 0; k < from.cols; ++k) to(row + i, column + k) = from(i, k);
  };
  int row = 0;
  int gap = 0;
  for (std::size_t c = 0; c < problem.blocks.chains.size(); ++c) {
    const auto& place = layout.chains[c];
    const auto& chain = problem.blocks.chains[c];
    for (std::size_t j = 0; j < chain.rows.size(); ++j) {
      put(out.J, row, place.offset[j], chain.rows[j].by_block);
      put(out.J, row, 0, chain.rows[j].by_theta);
      for (const double r : chain.rows[j].r) out.r[row++] = r;
    }
    for (std::size_t j = 0; j < chain.links.size(); ++j) {
      put(out.G, gap, place.offset[j], chain.links[j].by_block);
      put(out.G, gap, 0, chain.links[j].by_theta);
      for (std::size_t i = 0; i < chain.links[j].gap.size(); ++i, ++gap) {
        out.G(gap, place.offset[j + 1] + static_cast<int>(i)) = -1;
        out.g[gap] = chain.links[j].gap[i];
      }
    }
  }
  put(out.J, row, 0, problem.blocks.priors.by_theta);
  for (const double r : problem.blocks.priors.r) out.r[row++] = r;
  return out;
}

NullSpace null_space(const Dense& problem) {
  const Eigen::Index n = problem.G.cols();
  if (problem.G.rows() == 0) return {LongMatrix::Identity(n, n), LongVector::Zero(n)};
  const Eigen::HouseholderQR<LongMatrix> qr(problem.G.transpose());
  const Eigen::Index k = problem.G.rows();
  const LongMatrix Q = qr.householderQ() * LongMatrix::Identity(n, n);
  const LongMatrix R = qr.matrixQR().topRows(k).triangularView<Eigen::Upper>();
  const LongVector y = R.transpose().triangularView<Eigen::Lower>().solve(-problem.g);
  return {Q.rightCols(n - k), Q.leftCols(k) * y};
}

LongVector dense_step(const Dense& problem) {
  const NullSpace space = null_space(problem);
  if (space.basis.cols() == 0) return space.particular;
  return space.particular +
         space.basis * least_squares(problem.J * space.basis, -(problem.r + problem.J * space.particular));
}

LongVector dense_step(const BlockProblem& problem) { return dense_step(dense(problem)); }

LongVector least_squares(const LongMatrix& rows, const LongVector& right) {
  return rows.colPivHouseholderQr().solve(right);
}

LongMatrix inverse(const LongMatrix& matrix) { return matrix.inverse(); }

}  // namespace salvo::test
