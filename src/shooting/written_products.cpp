#include "shooting/written_products.hpp"

#include <algorithm>
#include <utility>

namespace salvo::shooting {
namespace {

Matrix taken(Matrix& matrix) { return std::exchange(matrix, {}); }

Matrix taken_if_not_zero(Matrix& matrix) {
  Matrix out = taken(matrix);
  if (std::all_of(out.data.begin(), out.data.end(), [](double entry) { return entry == 0; })) return {};
  return out;
}

// Column after column, as they lie in memory.
std::vector<double> product(const Matrix& m, const std::vector<double>& theta, int rows) {
  std::vector<double> out(rows, 0.0);
  const double* entry = m.data.data();
  for (int k = 0; k < m.cols; ++k)
    for (int i = 0; i < m.rows; ++i) out[i] += *entry++ * theta[k];
  return out;
}

void add_transposed(const Matrix& m, const std::vector<double>& weight, std::vector<double>& out) {
  const double* entry = m.data.data();
  for (int k = 0; k < m.cols; ++k)
    for (int i = 0; i < m.rows; ++i) out[k] += *entry++ * weight[i];
}

}  // namespace

WrittenProducts::WrittenProducts(nlp::Blocks& blocks) : priors_(taken(blocks.priors.by_theta)) {
  for (nlp::ChainBlocks& from : blocks.chains) {
    Chain chain;
    for (nlp::Link& link : from.links) chain.links.push_back(taken(link.by_theta));
    for (nlp::Rows& rows : from.rows) {
      chain.row_count.push_back(static_cast<int>(rows.r.size()));
      chain.rows.push_back(taken_if_not_zero(rows.by_theta));
    }
    chains_.push_back(std::move(chain));
  }
}

void WrittenProducts::along(const std::vector<double>& theta, nlp::Blocks& change) const {
  change.chains.resize(chains_.size());
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const Chain& chain = chains_[c];
    change.chains[c].links.resize(chain.links.size());
    change.chains[c].rows.resize(chain.rows.size());
    for (std::size_t j = 0; j < chain.links.size(); ++j)
      change.chains[c].links[j].gap = product(chain.links[j], theta, chain.links[j].rows);
    for (std::size_t j = 0; j < chain.rows.size(); ++j)
      change.chains[c].rows[j].r = product(chain.rows[j], theta, chain.row_count[j]);
  }
  change.priors.r = product(priors_, theta, priors_.rows);
}

std::vector<double> WrittenProducts::transposed(const nlp::Blocks& weights) const {
  std::vector<double> out(priors_.cols, 0.0);
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    for (std::size_t j = 0; j < chains_[c].links.size(); ++j)
      add_transposed(chains_[c].links[j], weights.chains[c].links[j].gap, out);
    for (std::size_t j = 0; j < chains_[c].rows.size(); ++j)
      add_transposed(chains_[c].rows[j], weights.chains[c].rows[j].r, out);
  }
  add_transposed(priors_, weights.priors.r, out);
  return out;
}

}  // namespace salvo::shooting
