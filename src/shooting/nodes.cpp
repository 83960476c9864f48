#include "shooting/nodes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "shooting/trajectory.hpp"

namespace salvo::shooting {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// An upper bound of the spectral norm that costs d^2.
double norm(const MatrixXd& G) {
  if (G.size() == 0) return 0;
  return std::sqrt(G.cwiseAbs().rowwise().sum().maxCoeff() * G.cwiseAbs().colwise().sum().maxCoeff());
}

// Transition matrix and gap of every interval of one chain, scaled by the sizes of the states.
struct ScaledChain {
  std::vector<MatrixXd> G{};
  std::vector<VectorXd> gap{};
};

ScaledChain scaled(const nlp::Layout& layout, const std::vector<double>& sizes, const nlp::Blocks& blocks, int c) {
  const nlp::Layout::Chain& chain = layout.chains[c];
  const auto sizes_of = [&](int j) {
    return Eigen::Map<const VectorXd>(sizes.data() + chain.offset[j], chain.size[j]);
  };
  ScaledChain out;
  out.gap.reserve(chain.links());
  out.G.reserve(chain.links());
  for (int j = 0; j < chain.links(); ++j) {
    const nlp::Link& link = blocks.chains[c].links[j];
    const auto inverse = sizes_of(j + 1).cwiseInverse();
    out.gap.push_back(
        inverse.cwiseProduct(Eigen::Map<const VectorXd>(link.gap.data(), static_cast<Eigen::Index>(link.gap.size()))));
    out.G.push_back(inverse.asDiagonal() *
                    Eigen::Map<const MatrixXd>(link.by_block.data.data(), link.by_block.rows, link.by_block.cols) *
                    sizes_of(j).asDiagonal());
  }
  return out;
}

// Whether what was measured from a node on, up to the next, is about as far off as its noise.
bool meets_data(const nlp::Rows& rows, const Rules& rules) {
  double sum = 0;
  for (const double r : rows.r) sum += r * r;
  return sum <= rules.met_data * rules.met_data * static_cast<double>(std::max<std::size_t>(rows.r.size(), 1));
}

// The growth over each interval. The first one shows it only where the whole initial state is free; otherwise the
// rate of its neighbour stands in.
std::vector<double> growths(const Grid& grid, const ScaledChain& chain) {
  std::vector<double> growth;
  growth.reserve(chain.G.size());
  for (const MatrixXd& G : chain.G) growth.push_back(norm(G));
  if (chain.G.size() > 1 && chain.G[0].cols() < chain.G[0].rows()) {
    const double rate = std::log(std::max(growth[1], 1.0)) / (grid.tau[2] - grid.tau[1]);
    growth[0] =
        std::max(growth[0],
                 std::exp(std::min(rate * (grid.tau[1] - grid.tau[0]), std::log(std::numeric_limits<double>::max()))));
  }
  return growth;
}

// So many that each of them is tame.
int pieces_of(double growth, const Rules& rules) {
  if (!(growth > rules.tame_growth * rules.tame_growth)) return 1;
  return static_cast<int>(std::min(rules.most_pieces, std::ceil(std::log(growth) / std::log(rules.tame_growth))));
}

std::vector<double> thinned(const std::vector<double>& tau, int most) {
  const int intervals = static_cast<int>(tau.size()) - 1;
  if (intervals <= most) return tau;
  std::vector<double> fewer;
  for (int k = 0; k <= most; ++k) fewer.push_back(tau[static_cast<std::size_t>(1.0 * k * intervals / most + 0.5)]);
  return fewer;
}

}  // namespace

std::vector<Grid> first_grids(const model::Problem& problem, const Rules& rules) {
  std::vector<Grid> grids = make_grids(problem, model::NodesAtMeasurements{});
  const double share = std::floor(rules.most_intervals_in_all / std::max<double>(static_cast<double>(grids.size()), 1));
  const int most = static_cast<int>(std::clamp(share, rules.least_intervals, rules.most_intervals));
  for (Grid& grid : grids) grid.tau = thinned(grid.tau, most);
  return grids;
}

std::vector<Grid> split_where_it_stretches(const ShootingProblem& problem, const nlp::Point& q,
                                           const nlp::Blocks& blocks) {
  const Rules& rules = problem.options().rules;
  std::vector<Grid> grids = problem.grids();
  const std::vector<double> sizes = problem.sizes(q);
  for (std::size_t c = 0; c < grids.size(); ++c) {
    const std::vector<double> growth = growths(grids[c], scaled(problem.layout(), sizes, blocks, static_cast<int>(c)));
    if (growth.empty()) continue;
    std::vector<double> tau;
    tau.reserve(grids[c].tau.size());
    tau.push_back(grids[c].tau[0]);
    for (std::size_t j = 0; j < growth.size(); ++j) {
      const double from = grids[c].tau[j];
      const double to = grids[c].tau[j + 1];
      const int pieces = pieces_of(growth[j], rules);
      for (int k = 1; k < pieces; ++k) tau.push_back(from + (to - from) * k / pieces);
      tau.push_back(to);
    }
    if (static_cast<double>(tau.size()) <= rules.most_nodes) grids[c].tau = std::move(tau);
  }
  return grids;
}

std::vector<Grid> split_where_it_fails(const ShootingProblem& problem, const nlp::Point& q) {
  constexpr int pieces = widest_pack;  // they fly side by side
  const Rules& rules = problem.options().rules;
  std::vector<Grid> grids = problem.grids();
  for (int c = 0; c < static_cast<int>(grids.size()); ++c) {
    const std::vector<double> p = problem.values_of(c, q, false).p;
    std::vector<double> tau{grids[c].tau[0]};
    for (int j = 0; j < grids[c].intervals(); ++j) {
      const std::vector<double> end{grids[c].tau[j + 1]};
      const Trajectory arc =
          trajectory(problem.model(), problem.options().integrator, {grids[c].tau[j], grids[c].experiment, j == 0},
                     problem.node_state(c, j, q), p, end, problem.stop());
      for (int k = 1; k < pieces && !arc.ending.ok(); ++k)
        tau.push_back(grids[c].tau[j] + (end[0] - grids[c].tau[j]) * k / pieces);
      tau.push_back(end[0]);
    }
    if (static_cast<double>(tau.size()) <= rules.most_nodes) grids[c].tau = std::move(tau);
  }
  return grids;
}

std::vector<Grid> halved(std::vector<Grid> grids, int chain, int interval) {
  std::vector<double>& tau = grids[chain].tau;
  tau.insert(tau.begin() + interval + 1, 0.5 * (tau[interval] + tau[interval + 1]));
  return grids;
}

namespace {

// Node by node from the left: P carries a perturbation over the interval since the last node that stays, e the distance
// to the nodes that are passed.
std::vector<double> tame_times(const Grid& grid, const ScaledChain& chain, const std::vector<nlp::Rows>& rows,
                               double long_enough, const Rules& rules) {
  const std::vector<double> growth = growths(grid, chain);
  std::vector<double> tau{grid.tau[0]};
  MatrixXd P = chain.G[0];
  VectorXd e = chain.gap[0];
  double known = growth[0];  // of what P cannot show
  for (std::size_t j = 1; j < chain.G.size(); ++j) {
    MatrixXd next_P = chain.G[j] * P;
    VectorXd next_e = chain.gap[j] + chain.G[j] * e;
    const double next_known = P.cols() < P.rows() ? known * growth[j] : 0;
    const bool tame = grid.tau[j] - tau.back() < long_enough &&
                      std::max(norm(next_P), next_known) <= rules.tame_growth &&
                      e.cwiseAbs().maxCoeff() <= rules.near_node && next_e.cwiseAbs().maxCoeff() <= rules.near_node &&
                      meets_data(rows[j - 1], rules) && meets_data(rows[j], rules);
    if (!tame) {
      tau.push_back(grid.tau[j]);
      next_P = chain.G[j];
      next_e = chain.gap[j];
    }
    P = std::move(next_P);
    e = std::move(next_e);
    known = tame ? next_known : growth[j];
  }
  tau.push_back(grid.tau.back());
  return tau;
}

}  // namespace

std::vector<Grid> merged_where_tame(const ShootingProblem& problem, const nlp::Point& q, const nlp::Blocks& blocks,
                                    int least) {
  std::vector<Grid> grids = problem.grids();
  const std::vector<double> sizes = problem.sizes(q);
  for (std::size_t c = 0; c < grids.size(); ++c) {
    const double long_enough = (grids[c].tau.back() - grids[c].tau.front()) / least;
    const ScaledChain chain = scaled(problem.layout(), sizes, blocks, static_cast<int>(c));
    if (chain.G.empty()) continue;
    grids[c].tau = tame_times(grids[c], chain, blocks.chains[c].rows, long_enough, problem.options().rules);
  }
  return grids;
}

nlp::Point carried_over(const ShootingProblem& from, const nlp::Point& q, const ShootingProblem& to) {
  nlp::Point out(to.layout().unknowns, 0.0);
  std::copy(q.begin(), q.begin() + from.layout().thetas, out.begin());
  for (int c = 0; c < static_cast<int>(from.grids().size()); ++c) {
    const nlp::Layout::Chain& old_chain = from.layout().chains[c];
    const nlp::Layout::Chain& chain = to.layout().chains[c];
    std::copy_n(q.begin() + old_chain.offset[0], chain.size[0], out.begin() + chain.offset[0]);
    const std::vector<double> p = from.values_of(c, q, false).p;
    const std::vector<double>& old_tau = from.grids()[c].tau;
    const std::span<const double> tau = std::span(to.grids()[c].tau).first(chain.links() + 1);
    for (std::size_t j = 1; j < tau.size();) {
      // One trajectory for all new nodes from one old node to the next.
      const auto after = std::upper_bound(old_tau.begin(), old_tau.end(), tau[j]);
      const int before = std::min(static_cast<int>(after - old_tau.begin()) - 1, old_chain.links());
      const auto end = before < old_chain.links() ? std::lower_bound(tau.begin(), tau.end(), *after) : tau.end();
      const std::span<const double> times(tau.begin() + static_cast<std::ptrdiff_t>(j), end);
      const std::vector<double> x = from.node_state(c, before, q);
      const Trajectory arc =
          trajectory(from.model(), from.options().integrator,
                     {old_tau[before], from.grids()[c].experiment, before == 0}, x, p, times, from.stop());
      for (std::size_t k = 0; k < times.size(); ++k, ++j) {
        const double* reached = arc.states.data.data() + k * x.size();
        to.put_node_state(c, static_cast<int>(j), {k < arc.time.size() ? reached : x.data(), x.size()}, out);
      }
    }
  }
  return out;
}

int count_nodes(const std::vector<Grid>& grids) {
  int nodes = 0;
  for (const Grid& grid : grids) nodes += static_cast<int>(grid.tau.size());
  return nodes;
}

}  // namespace salvo::shooting
