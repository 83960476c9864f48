#include "statistics/influence.hpp"

#include <Eigen/Core>

#include "statistics/matrix_view.hpp"

namespace salvo::statistics {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

int count_rows(const nlp::Blocks& blocks) {
  std::size_t count = blocks.priors.r.size();
  for (const nlp::ChainBlocks& chain : blocks.chains)
    for (const nlp::Rows& rows : chain.rows) count += rows.r.size();
  return static_cast<int>(count);
}

}  // namespace

// The blocks of a chain move by M_0 = root of v_0 and M_{j+1} = G_s M_j + G_p root of theta.
Matrix row_influence(const nlp::Layout& layout, const nlp::Blocks& blocks, const Matrix& root) {
  const Index r = root.cols;
  Matrix out(root.cols, count_rows(blocks));
  Eigen::Map<MatrixXd> influence(out.data.data(), r, out.cols);
  const auto all = view(root);
  const MatrixXd by_theta = all.topRows(layout.thetas);
  Index row = 0;
  const auto add = [&](const nlp::Rows& rows, const MatrixXd& block) {
    const Index count = static_cast<Index>(rows.r.size());
    if (count == 0) return;
    MatrixXd moved = MatrixXd::Zero(count, r);
    if (rows.by_theta.rows > 0) moved += view(rows.by_theta) * by_theta;
    if (rows.by_block.rows > 0 && rows.by_block.cols > 0) moved += view(rows.by_block) * block;
    influence.middleCols(row, count) = moved.transpose();
    row += count;
  };
  Index first = layout.thetas;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c) {
    const nlp::ChainBlocks& chain = blocks.chains[c];
    MatrixXd block = all.middleRows(first, layout.chains[c].size[0]);
    first += layout.chains[c].size[0];
    for (std::size_t j = 0; j < chain.rows.size(); ++j) {
      add(chain.rows[j], block);
      if (j >= chain.links.size()) continue;
      const nlp::Link& link = chain.links[j];
      if (link.by_block.rows == 0) continue;
      block = (view(link.by_block) * block + view(link.by_theta) * by_theta).eval();
    }
  }
  add(blocks.priors, MatrixXd(0, r));
  return out;
}

double influence_work(const nlp::Layout& layout, const nlp::Blocks& blocks, const Matrix& root) {
  double work = 0;
  for (std::size_t c = 0; c < blocks.chains.size(); ++c) {
    for (std::size_t j = 0; j < blocks.chains[c].rows.size(); ++j)
      work += static_cast<double>(blocks.chains[c].rows[j].r.size()) * (layout.thetas + layout.chains[c].size[j]);
    for (std::size_t j = 0; j < blocks.chains[c].links.size(); ++j)
      work += static_cast<double>(layout.chains[c].size[j + 1]) * (layout.thetas + layout.chains[c].size[j]);
  }
  return work * root.cols;
}

}  // namespace salvo::statistics
