#include "shooting/measurements_by_time.hpp"

#include <algorithm>

namespace salvo::shooting {

std::vector<std::vector<int>> measurements_by_time(const model::Problem& problem) {
  std::vector<std::vector<int>> out(problem.experiments.size());
  std::vector<int> count(problem.experiments.size(), 0);
  for (const model::Measurement& m : problem.measurements) ++count[m.experiment];
  for (std::size_t e = 0; e < out.size(); ++e) out[e].reserve(count[e]);
  for (int i = 0; i < static_cast<int>(problem.measurements.size()); ++i)
    out[problem.measurements[i].experiment].push_back(i);
  const auto is_earlier = [&](int a, int b) {
    return problem.measurements[a].seen_at() < problem.measurements[b].seen_at();
  };
  for (std::vector<int>& measured : out)
    if (!std::is_sorted(measured.begin(), measured.end(), is_earlier))
      std::stable_sort(measured.begin(), measured.end(), is_earlier);
  return out;
}

std::vector<std::vector<double>> measured_times(const model::Problem& problem) {
  std::vector<std::vector<double>> out(problem.experiments.size());
  for (const model::Measurement& m : problem.measurements) {
    std::vector<double>& times = out[m.experiment];
    if (times.empty() || times.back() != m.time) times.push_back(m.time);
  }
  for (std::vector<double>& times : out) {
    if (!std::is_sorted(times.begin(), times.end())) std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
  }
  return out;
}

}  // namespace salvo::shooting
