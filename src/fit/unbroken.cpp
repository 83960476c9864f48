#include "fit/unbroken.hpp"

#include <utility>

#include "base/contract.hpp"
#include "start/start.hpp"

namespace salvo::fit {
namespace {

nlp::Point guess_of(const shooting::ShootingProblem& shooting, const std::vector<estimate::Quantity>& quantities) {
  nlp::Point q = start::start_point(shooting, model::StartValues::simulate).q;
  for (const estimate::Quantity& quantity : quantities) {
    const model::Estimated& estimated = *quantity.estimated;
    if (!estimated.guess || (*estimated.guess >= estimated.lower && *estimated.guess <= estimated.upper)) continue;
    if (estimated.scale == model::Scale::lin || *estimated.guess > 0)
      q[quantity.unknown] = model::to_scale(estimated.scale, *estimated.guess);
  }
  return q;
}

}  // namespace

Unbroken::Unbroken(const model::Problem& problem, std::shared_ptr<const compile::CompiledModel> model,
                   const shooting::ShootingOptions& options)
    : shooting_(problem, std::move(model), shooting::make_grids(problem, model::SingleInterval{}), options),
      quantities_(estimate::quantities(shooting_)),
      guess_(guess_of(shooting_, quantities_)) {
  SALVO_EXPECTS(problem.constraints.empty());
}

void Unbroken::write_rows(const nlp::Blocks& blocks, std::vector<double>& rows) const {
  rows.clear();
  for (const nlp::ChainBlocks& chain : blocks.chains)
    rows.insert(rows.end(), chain.rows[0].r.begin(), chain.rows[0].r.end());
  rows.insert(rows.end(), blocks.priors.r.begin(), blocks.priors.r.end());
}

void Unbroken::write_jacobian(const nlp::Blocks& blocks, Matrix& jacobian) const {
  int count = static_cast<int>(blocks.priors.r.size());
  for (const nlp::ChainBlocks& chain : blocks.chains) count += static_cast<int>(chain.rows[0].r.size());
  jacobian.resize(count, static_cast<int>(quantities_.size()));
  int first = 0;
  const auto write = [&](const nlp::Rows& rows, int block_begin) {
    const int size = static_cast<int>(rows.r.size());
    for (int i = 0; i < jacobian.cols; ++i) {
      const int unknown = quantities_[i].unknown;
      const int in_block = unknown - block_begin;
      const bool is_theta = unknown < shooting_.layout().thetas;
      if (!is_theta && (in_block < 0 || in_block >= rows.by_block.cols)) continue;  // of another experiment
      for (int n = 0; n < size; ++n)
        jacobian(first + n, i) = is_theta ? rows.by_theta(n, unknown) : rows.by_block(n, in_block);
    }
    first += size;
  };
  for (std::size_t c = 0; c < blocks.chains.size(); ++c)
    write(blocks.chains[c].rows[0], shooting_.layout().chains[c].offset[0]);
  write(blocks.priors, 0);
}

}  // namespace salvo::fit
