#include "shooting/grid.hpp"

#include <algorithm>
#include <variant>

namespace salvo::shooting {
namespace {

// Nodes strictly between start and end that the choice asks for.
struct InnerNodes {
  double start;
  double end;
  const std::vector<double>& measured;

  std::vector<double> operator()(const model::AutoNodes&) const { return measured; }
  std::vector<double> operator()(const model::NodesAtMeasurements&) const { return measured; }
  std::vector<double> operator()(const model::SingleInterval&) const { return {}; }
  std::vector<double> operator()(const model::IntervalCount& count) const {
    std::vector<double> nodes;
    for (int j = 1; j < count.intervals; ++j) nodes.push_back(start + (end - start) * j / count.intervals);
    return nodes;
  }
  std::vector<double> operator()(const model::NodeTimes& list) const { return list.times; }
};

}  // namespace

std::vector<Grid> make_grids(const model::Problem& problem, const model::Nodes& nodes) {
  std::vector<std::vector<double>> measured_in(problem.experiments.size());
  for (const model::Measurement& m : problem.measurements) measured_in[m.experiment].push_back(m.time);
  std::vector<Grid> grids;
  for (int e = 0; e < static_cast<int>(problem.experiments.size()); ++e) {
    const std::vector<double>& measured = measured_in[e];
    if (measured.empty()) continue;
    const double start = problem.experiments[e].start;
    const double end = *std::max_element(measured.begin(), measured.end());
    Grid grid{.experiment = e, .tau = std::visit(InnerNodes{start, end, measured}, nodes)};
    grid.tau.push_back(start);
    grid.tau.push_back(end);
    std::sort(grid.tau.begin(), grid.tau.end());
    grid.tau.erase(std::unique(grid.tau.begin(), grid.tau.end()), grid.tau.end());
    std::erase_if(grid.tau, [&](double t) { return t < start || t > end; });
    grids.push_back(std::move(grid));
  }
  return grids;
}

}  // namespace salvo::shooting
