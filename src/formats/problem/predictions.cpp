#include <fmt/format.h>

#include <algorithm>

#include "base/words.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {

void settle_predictions(Draft& draft, const yaml::Node* until) {
  std::vector<model::Experiment>& experiments = draft.problem.experiments;
  if (until != nullptr && until->kind != yaml::Node::Kind::null)
    if (const auto time = read_time(draft, *until, "'until'")) {
      const auto is_later = [&](const model::Experiment& experiment) { return *time > experiment.start; };
      if (std::none_of(experiments.begin(), experiments.end(), is_later))
        draft.log.add(until->place, fmt::format("'until' is {}, which is not after the start", number_text(*time)),
                      "write the time to which curves and bands are to go on");
      for (model::Experiment& experiment : experiments) experiment.predicted_at.push_back(*time);
    }
  for (model::Experiment& experiment : experiments) {
    std::vector<double>& times = experiment.predicted_at;
    std::erase_if(times, [&](double time) { return time <= experiment.start; });
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
  }
}

}  // namespace salvo::formats
