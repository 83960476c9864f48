#include "solve/step/node_filter.hpp"

#include <algorithm>
#include <cmath>

#include "dense/householder_qr.hpp"
#include "solve/elimination/views.hpp"

namespace salvo::solve {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

Eigen::Map<VectorXd> writable(std::vector<double>& v) { return {v.data(), static_cast<Index>(v.size())}; }

}  // namespace

struct NodeFilter::Chain {
  // Rows in (v_j, v_{j+1}), the heavy ones of the gap on top: Householder's method is then stable for any rho.
  struct Node {
    dense::HouseholderQr qr{};
    MatrixXd J{}, G_s{};          // scaled
    VectorXd size{}, gap_size{};  // of v_j, and of the gap that leaves it
    Index carried = 0;            // rows that come from the nodes before
    Index n = 0, next = 0, kept = 0;
  };

  Chain(const nlp::Layout::Chain& place, const nlp::ChainBlocks& blocks, const std::vector<double>& sizes, double rho,
        double mu)
      : root_rho_(std::sqrt(rho)) {
    MatrixXd carried(0, place.size[0]);
    for (int j = 0; j <= place.links(); ++j) {
      Node node;
      node.n = place.size[j];
      node.size = Eigen::Map<const VectorXd>(sizes.data() + place.offset[j], node.n);
      node.J = map(blocks.rows[j].by_block) * node.size.asDiagonal();
      node.carried = carried.rows();
      if (j < place.links()) {
        node.next = place.size[j + 1];
        node.gap_size = Eigen::Map<const VectorXd>(sizes.data() + place.offset[j + 1], node.next);
        node.G_s = map(blocks.links[j].by_block) * node.size.asDiagonal();
      }
      MatrixXd stacked = MatrixXd::Zero(node.next + node.carried + node.J.rows() + node.n, node.n + node.next);
      if (node.next > 0) {
        stacked.topLeftCorner(node.next, node.n) = root_rho_ * node.gap_size.cwiseInverse().asDiagonal() * node.G_s;
        stacked.block(0, node.n, node.next, node.next).diagonal().setConstant(-root_rho_);
      }
      stacked.block(node.next, 0, node.carried, node.n) = carried;
      stacked.block(node.next + node.carried, 0, node.J.rows(), node.n) = node.J;
      stacked.bottomLeftCorner(node.n, node.n).diagonal().setConstant(std::sqrt(mu));
      node.qr.compute(stacked);
      node.kept = std::min(stacked.rows(), stacked.cols());
      const MatrixXd R = node.qr.R();
      carried = R.bottomRightCorner(node.kept - node.n, node.next);
      nodes_.push_back(std::move(node));
    }
  }

  void solve(const nlp::Layout::Chain& place, nlp::ChainBlocks& numbers, std::vector<double>& delta) const {
    const int K = place.links();
    std::vector<VectorXd> rotated;
    VectorXd carried(0);
    for (int j = 0; j <= K; ++j) {
      const Node& node = nodes_[j];
      VectorXd rhs = VectorXd::Zero(node.qr.packed().rows());
      if (j < K) rhs.head(node.next) = root_rho_ * map(numbers.links[j].gap).cwiseQuotient(node.gap_size);
      rhs.segment(node.next, node.carried) = carried;
      rhs.segment(node.next + node.carried, node.J.rows()) = map(numbers.rows[j].r);
      node.qr.rotate(rhs);
      carried = rhs.segment(node.n, node.kept - node.n);
      rotated.push_back(std::move(rhs));
    }
    VectorXd after(0);  // w_{j+1}
    for (int j = K; j >= 0; --j) {
      const Node& node = nodes_[j];
      VectorXd w = -rotated[j].head(node.n);
      if (j < K) w -= node.qr.packed().block(0, node.n, node.n, node.next) * after;
      node.qr.packed().topLeftCorner(node.n, node.n).triangularView<Eigen::Upper>().solveInPlace(w);
      writable(numbers.rows[j].r) += node.J * w;
      if (j < K) writable(numbers.links[j].gap) += node.G_s * w - node.gap_size.cwiseProduct(after);
      Eigen::Map<VectorXd>(delta.data() + place.offset[j], node.n) = node.size.cwiseProduct(w);
      after = std::move(w);
    }
  }

 private:
  double root_rho_;
  std::vector<Node> nodes_;
};

NodeFilter::NodeFilter(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& sizes,
                       double rho, double mu)
    : layout_(layout) {
  for (std::size_t c = 0; c < layout.chains.size(); ++c)
    chains_.push_back(std::make_unique<Chain>(layout.chains[c], blocks.chains[c], sizes, rho, mu));
}
NodeFilter::~NodeFilter() = default;

std::vector<double> NodeFilter::solve(nlp::Blocks& rows_and_gaps) const {
  std::vector<double> delta(layout_.unknowns, 0.0);
  for (std::size_t c = 0; c < chains_.size(); ++c) chains_[c]->solve(layout_.chains[c], rows_and_gaps.chains[c], delta);
  return delta;
}

}  // namespace salvo::solve
