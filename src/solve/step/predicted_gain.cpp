#include "solve/step/predicted_gain.hpp"

#include "solve/elimination/row_change.hpp"

namespace salvo::solve {

double predicted_gain(const nlp::Layout& layout, const nlp::Blocks& blocks, const std::vector<double>& delta) {
  std::vector<double> change;
  double gain = 0;
  const auto add_fall = [&](const nlp::Rows& rows, std::span<const double> v) {
    row_change(rows, v, theta_of(layout, delta), change);
    for (std::size_t i = 0; i < change.size(); ++i) gain -= change[i] * (rows.r[i] + 0.5 * change[i]);
  };
  add_fall(blocks.priors, {});
  for (std::size_t c = 0; c < layout.chains.size(); ++c) {
    const nlp::Layout::Chain& chain = layout.chains[c];
    for (int j = 0; j <= chain.links(); ++j) add_fall(blocks.chains[c].rows[j], block_of_step(chain, j, delta));
  }
  return gain;
}

}  // namespace salvo::solve
