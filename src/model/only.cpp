#include "model/only.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"

namespace salvo::model {

Issues keep_only(Problem& problem, const std::vector<std::string>& experiments) {
  std::vector<std::string> known;
  std::vector<bool> is_kept(problem.experiments.size(), false);
  for (std::size_t e = 0; e < is_kept.size(); ++e) {
    const Experiment& experiment = problem.experiments[e];
    known.push_back(experiment.id);
    // The steady state of an experiment goes with it.
    const std::string& id = experiment.initial_of < 0 ? experiment.id : problem.experiments[experiment.initial_of].id;
    is_kept[e] = std::find(experiments.begin(), experiments.end(), id) != experiments.end();
  }
  Issues issues;
  for (const std::string& id : experiments)
    if (std::find(known.begin(), known.end(), id) == known.end())
      issues.push_back(
          {.message = fmt::format("there is no experiment '{}'", id), .hint = hint_for_unknown(id, known)});
  if (!issues.empty()) return issues;
  const auto is_dropped = [&](const Measurement& m) { return !is_kept[m.experiment]; };
  if (problem.petab) {
    auto& rows = problem.petab->measurements.rows;  // row i is measurement i
    std::size_t kept = 0;
    for (std::size_t i = 0; i < problem.measurements.size(); ++i)
      if (!is_dropped(problem.measurements[i])) std::swap(rows[kept++], rows[i]);
    rows.resize(kept);
  }
  std::erase_if(problem.measurements, is_dropped);
  std::erase_if(problem.validation, is_dropped);
  if (problem.measurements.empty())
    issues.push_back({.message = "nothing was measured in these experiments", .hint = "name others"});
  return issues;
}

}  // namespace salvo::model
