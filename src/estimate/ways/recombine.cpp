#include "estimate/ways/recombine.hpp"

#include <map>

namespace salvo::estimate {
namespace {

bool acts(const Matrix& by_theta, int k) {
  for (int row = 0; row < by_theta.rows; ++row)
    if (by_theta(row, k) != 0) return true;
  return false;
}

bool acts(const nlp::ChainBlocks& chain, int k) {
  for (const nlp::Rows& rows : chain.rows)
    if (acts(rows.by_theta, k)) return true;
  return false;
}

}  // namespace

std::vector<std::vector<int>> groups_that_act_alike(const nlp::Layout& layout,
                                                    const std::vector<solve::SolveResult>& ends) {
  std::map<std::vector<bool>, std::vector<int>> by_experiments;
  for (int k = 0; k < layout.thetas; ++k) {
    std::vector<bool> experiments(layout.chains.size(), false);
    for (const solve::SolveResult& end : ends)
      for (std::size_t e = 0; e < end.linearized.chains.size(); ++e)
        experiments[e] = experiments[e] || acts(end.linearized.chains[e], k);
    by_experiments[experiments].push_back(k);
  }
  for (std::size_t e = 0; e < layout.chains.size(); ++e) {
    std::vector<bool> only(layout.chains.size(), false);
    only[e] = true;
    const nlp::Layout::Chain& chain = layout.chains[e];
    for (int i = 0; i < chain.size.front(); ++i) by_experiments[only].push_back(chain.offset.front() + i);
  }
  std::vector<std::vector<int>> groups;
  for (auto& [experiments, unknowns] : by_experiments) groups.push_back(std::move(unknowns));
  return groups;
}

nlp::Point recombined(const nlp::Problem& problem, const std::vector<solve::SolveResult>& ends,
                      const RunContext& context) {
  nlp::Point best = ends.front().q;
  double least = ends.front().objective;
  const std::vector<std::vector<int>> groups = groups_that_act_alike(problem.layout(), ends);
  if (groups.size() < 2) return best;
  nlp::Blocks blocks;
  for (const std::vector<int>& group : groups)
    for (const solve::SolveResult& end : ends) {
      if (context.should_stop()) return best;
      nlp::Point q = best;
      for (const int i : group) q[i] = end.q[i];
      if (q == best || !problem.values(q, end.request, blocks).ok || !(blocks.objective < least)) continue;
      least = blocks.objective;
      best = std::move(q);
    }
  return best;
}

}  // namespace salvo::estimate
