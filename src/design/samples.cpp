#include "design/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/words.hpp"

namespace salvo::design {
namespace {

using model::Factor;
using model::NodeId;

// What the program sets by itself has a name that no user can write: the rates and times of infusions.
bool is_made_up(const model::Problem& problem, int parameter) {
  return problem.parameters[parameter].id.find(' ') != std::string::npos;
}

void set_parameter(model::Problem& problem, model::Experiment& experiment, int parameter, NodeId level) {
  std::erase_if(experiment.overrides, [&](const auto& set) { return set.first == parameter; });
  const NodeId symbol = problem.parameters[parameter].symbol;
  for (auto& [index, value] : experiment.overrides)
    if (is_made_up(problem, index))
      value = expression::substitute(problem.graph, {&value, 1}, {&symbol, 1}, {&level, 1})[0];
  experiment.overrides.push_back({parameter, level});
}

bool is_name_of_one(const model::Problem& problem, const std::string& id) {
  return std::any_of(problem.experiments.begin(), problem.experiments.end(),
                     [&](const model::Experiment& each) { return each.id == id; });
}

}  // namespace

std::vector<Setting> all_settings(const model::Design& design) {
  std::vector<Setting> settings;
  if (design.factors.empty()) return settings;
  settings.push_back({});
  for (const Factor& factor : design.factors) {
    std::vector<Setting> longer;
    for (const Setting& setting : settings)
      for (const double level : factor.levels) {
        longer.push_back(setting);
        longer.back().push_back(level);
      }
    settings = std::move(longer);
  }
  return settings;
}

std::string name_of(const model::Problem& problem, const Setting& setting) {
  std::string name;
  for (std::size_t f = 0; f < setting.size(); ++f) {
    const Factor& factor = problem.design->factors[f];
    name += fmt::format("{}{}={}", f > 0 ? ", " : "", factor.id,
                        factor.of == Factor::Of::input ? problem.experiments[static_cast<std::size_t>(setting[f])].id
                                                       : fmt::format("{:.6g}", setting[f]));
  }
  return name;
}

model::Problem with_new_experiments(const model::Problem& given, const std::vector<Setting>& settings) {
  model::Problem problem = given;
  const model::Design& design = *problem.design;
  for (const Setting& setting : settings) {
    const int index = static_cast<int>(problem.experiments.size());
    model::Experiment experiment = problem.experiments[design.like];
    experiment.predicted_at.clear();
    experiment.id = name_of(given, setting);
    while (is_name_of_one(problem, experiment.id)) experiment.id += "'";
    for (model::Input& input : problem.inputs) input.of_experiment.push_back(input.of_experiment[design.like]);
    for (std::size_t f = 0; f < setting.size(); ++f) {
      const Factor& factor = design.factors[f];
      switch (factor.of) {
        case Factor::Of::parameter:
          set_parameter(problem, experiment, factor.index, problem.graph.constant(setting[f]));
          break;
        case Factor::Of::initial: experiment.initial[factor.index] = problem.graph.constant(setting[f]); break;
        case Factor::Of::input: {
          auto& curves = problem.inputs[factor.index].of_experiment;
          const int of = static_cast<int>(setting[f]);
          curves.back() = curves[of];
          break;
        }
      }
    }
    for (model::Event& event : problem.events)
      if (!event.experiments.empty() && event.acts_in(design.like)) event.experiments.push_back(index);
    problem.experiments.push_back(std::move(experiment));
  }
  return problem;
}

std::string why_not_varied(const model::Problem& problem) {
  const model::Design& design = *problem.design;
  const model::Experiment& like = problem.experiments[design.like];
  const bool has_infusions = std::any_of(like.overrides.begin(), like.overrides.end(),
                                         [&](const auto& set) { return is_made_up(problem, set.first); });
  for (const Factor& factor : design.factors)
    for (const auto& set : like.overrides)
      if (has_infusions && factor.of == Factor::Of::parameter && set.first == factor.index)
        return fmt::format(
            "{} cannot be varied: experiment '{}' sets it itself, and its infusions are made of that value. Name an "
            "experiment under 'like' that does not set it.",
            factor.id, like.id);
  return {};
}

Candidates candidates_of(const model::Problem& problem, int old) {
  Candidates out;
  const int all = static_cast<int>(problem.experiments.size());
  const std::vector<model::Measure>& measures = problem.design->measures;
  for (int k = 0; k < static_cast<int>(measures.size()); ++k) {
    const model::Measure& measure = measures[k];
    std::vector<int> experiments = measure.experiments;
    if (experiments.empty())
      for (int e = all > old ? old : 0; e < all; ++e)
        if (problem.experiments[e].initial_of < 0) experiments.push_back(e);
    for (const int e : experiments)
      for (const double time : measure.times) {
        out.samples.push_back({.measure = k, .experiment = e, .time = time});
        out.cost.push_back(measure.cost);
        out.limit.push_back(measure.at_most ? *measure.at_most : std::numeric_limits<double>::infinity());
      }
  }
  return out;
}

}  // namespace salvo::design
