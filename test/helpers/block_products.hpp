#pragma once

#include <vector>

#include "nlp/problem.hpp"

namespace salvo::test {

// Products with the derivatives by theta, from blocks in which they are written down.
class BlockProducts final : public nlp::Products {
 public:
  explicit BlockProducts(nlp::Blocks blocks) : blocks_(std::move(blocks)) {}

  void along(const std::vector<double>& theta, nlp::Blocks& change) const override {
    const auto product = [&](const Matrix& m) {
      std::vector<double> out(m.rows, 0.0);
      for (int i = 0; i < m.rows; ++i)
        for (int k = 0; k < m.cols; ++k) out[i] += m(i, k) * theta[k];
      return out;
    };
    change = {};
    for (const nlp::ChainBlocks& chain : blocks_.chains) {
      change.chains.emplace_back();
      for (const nlp::Link& link : chain.links) change.chains.back().links.push_back({.gap = product(link.by_theta)});
      for (const nlp::Rows& rows : chain.rows) change.chains.back().rows.push_back({.r = product(rows.by_theta)});
    }
    change.priors.r = product(blocks_.priors.by_theta);
  }

  std::vector<double> transposed(const nlp::Blocks& weights) const override {
    std::vector<double> out(blocks_.priors.by_theta.cols, 0.0);
    const auto add = [&](const Matrix& m, const std::vector<double>& weight) {
      for (int i = 0; i < m.rows; ++i)
        for (int k = 0; k < m.cols; ++k) out[k] += m(i, k) * weight[i];
    };
    for (std::size_t c = 0; c < blocks_.chains.size(); ++c) {
      for (std::size_t j = 0; j < blocks_.chains[c].links.size(); ++j)
        add(blocks_.chains[c].links[j].by_theta, weights.chains[c].links[j].gap);
      for (std::size_t j = 0; j < blocks_.chains[c].rows.size(); ++j)
        add(blocks_.chains[c].rows[j].by_theta, weights.chains[c].rows[j].r);
    }
    add(blocks_.priors.by_theta, weights.priors.r);
    return out;
  }

 private:
  nlp::Blocks blocks_;
};

}  // namespace salvo::test
