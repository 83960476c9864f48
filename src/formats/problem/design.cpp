#include "formats/problem/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/words.hpp"
#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using model::Design;
using yaml::Node;

std::vector<std::string> read_interest(Draft& draft, const Node& node) {
  std::vector<std::string> names;
  const auto read_one = [&](const Node& item) {
    const auto name = read_text(draft, item, "'for' of 'design' (a name)");
    if (!name) return;
    if (!names_an_estimate(draft, *name)) {
      draft.log.add(item.place, fmt::format("'{}' is not estimated, so no measurement can be for it", *name),
                    hint_for_unknown(*name, names_of_estimates(draft)));
      return;
    }
    names.push_back(*name);
  };
  if (node.kind == Node::Kind::sequence)
    for (const Node& item : node.items) read_one(item);
  else
    read_one(node);
  return names;
}

void read_over(Draft& draft, const Node& node, Design& design) {
  const auto word = read_text(draft, node, "'over' of 'design'");
  if (!word) return;
  const auto known = model::from_name<model::DesignOver>(*word);
  design.over = known.value_or(model::DesignOver::file);
  if (design.over == model::DesignOver::file) design.draws = read_draws(draft, node);
}

void check_budget(Draft& draft, const Node& section, const Design& design) {
  const Node* budget = section.find("budget");
  if (budget == nullptr) {
    draft.log.add(section.place, "'design' has no budget",
                  "write budget: 4, the number of samples, or what they may cost together");
    return;
  }
  double least = std::numeric_limits<double>::infinity();
  for (const model::Measure& measure : design.measures) least = std::min(least, measure.cost);
  constexpr double most_samples = 1e5;
  if (std::isfinite(least) && design.budget > most_samples * least)
    draft.log.add(budget->place, fmt::format("the budget pays for more than {:.0f} samples", most_samples),
                  "where there are so many, the weights of fewer say the same");
  if (design.budget > 0 && std::isfinite(least) && design.budget < least)
    draft.log.add(budget->place, fmt::format("the budget, {}, does not pay for one sample, which costs {}",
                                             number_text(design.budget), number_text(least)));
}

// New experiments are like one of the file; where there are several, it says which.
void read_like(Draft& draft, const Node& section, Design& design) {
  if (const Node* like = section.find("like")) {
    design.like = std::max(read_experiment_name(draft, *like), 0);
    if (design.factors.empty() && section.find("experiments") == nullptr)
      draft.log.add(like->place, "'like' of 'design' belongs to 'experiments'",
                    "write what is varied, as in experiments: {dose: [1, 3, 10]}");
  } else if (!design.factors.empty() && draft.problem.experiments.size() > 1) {
    draft.log.add(section.find("experiments")->place,
                  "the problem has several experiments; which one are new ones like?",
                  fmt::format("write like: {}", draft.problem.experiments[0].id));
  }
}

}  // namespace

std::vector<std::string> names_of_estimates(const Draft& draft) {
  std::vector<std::string> names;
  for (const model::Parameter& parameter : draft.problem.parameters)
    if (parameter.is_estimated()) names.push_back(parameter.id);
  for (const model::Observable& observable : draft.problem.observables)  // noise that is stated nowhere is estimated
    if (!observable.noise && !model::is_count(observable.distribution)) names.push_back("noise_" + observable.id);
  const bool several = draft.problem.experiments.size() > 1;
  for (std::size_t i = 0; i < draft.problem.states.size(); ++i) {
    bool is_estimated = false;
    for (const model::Experiment& experiment : draft.problem.experiments) {
      if (i >= experiment.initial.size() || !std::holds_alternative<model::Estimated>(experiment.initial[i])) continue;
      is_estimated = true;
      if (several) names.push_back(experiment.id + ":" + draft.problem.states[i].id);
    }
    if (is_estimated) names.push_back(draft.problem.states[i].id);
  }
  return names;
}

bool names_an_estimate(const Draft& draft, std::string_view name) {
  const std::vector<std::string> names = names_of_estimates(draft);
  return std::find(names.begin(), names.end(), name) != names.end();
}

int read_experiment_name(Draft& draft, const Node& node) {
  const auto name = read_text(draft, node, "the name of an experiment");
  if (!name) return -1;
  std::vector<std::string> ids;
  for (std::size_t e = 0; e < draft.problem.experiments.size(); ++e) {
    ids.push_back(draft.problem.experiments[e].id);
    if (ids.back() == *name) return static_cast<int>(e);
  }
  if (draft.all_experiments_known)
    draft.log.add(node.place, fmt::format("unknown experiment '{}'", *name), hint_for_unknown(*name, ids));
  return -1;
}

void read_design(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'design'")) return;
  check_options(draft, section, "'design'",
                std::vector<std::string>{"measure", "experiments", "like", "criterion", "for", "budget", "over"});
  auto design = std::make_shared<Design>();
  if (const Node* experiments = section.find("experiments")) design->factors = read_factors(draft, *experiments);
  read_like(draft, section, *design);
  if (const Node* measure = section.find("measure"))
    design->measures = read_measures(draft, *measure);
  else
    draft.log.add(section.place, "'design' does not say what could be measured",
                  "write measure: [{observables: [x], times: {from: 0, to: 10, step: 0.1}}]");
  if (const Node* criterion = section.find("criterion")) read_criterion(draft, *criterion, *design);
  if (const Node* interest = section.find("for")) design->interest = read_interest(draft, *interest);
  if (const Node* budget = section.find("budget"))
    design->budget = read_positive(draft, *budget, "the budget of 'design'").value_or(0);
  check_budget(draft, section, *design);
  if (const Node* over = section.find("over")) read_over(draft, *over, *design);
  draft.problem.design = std::move(design);
}

}  // namespace salvo::formats
