#pragma once

#include "nlp/problem.hpp"

namespace salvo::shooting {

// Products with derivatives by theta that were written down: where a few adjoints give all of them, a hundred products
// cost next to nothing.
class WrittenProducts final : public nlp::Products {
 public:
  // Takes the derivatives by theta out of the blocks.
  explicit WrittenProducts(nlp::Blocks& blocks);

  void along(const std::vector<double>& theta, nlp::Blocks& change) const override;
  std::vector<double> transposed(const nlp::Blocks& weights) const override;

 private:
  struct Chain {
    std::vector<Matrix> links{};
    std::vector<Matrix> rows{};  // without columns where nothing depends on theta: what is measured at a node
    std::vector<int> row_count{};
  };
  std::vector<Chain> chains_{};
  Matrix priors_{};
};

}  // namespace salvo::shooting
