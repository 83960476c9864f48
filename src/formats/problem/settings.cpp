#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "formats/problem/sections.hpp"
#include "formats/problem/values.hpp"
#include "model/faults.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

std::optional<model::Nodes> read_node_times(Draft& draft, const Node& list) {
  model::NodeTimes nodes;
  if (list.items.empty())
    draft.log.add(list.place, "the list of nodes is empty", "write auto to leave the choice open");
  for (const Node& item : list.items) {
    const auto time = read_finite(draft, item, "the time of a node");
    if (!time) return std::nullopt;
    if (!nodes.times.empty() && *time <= nodes.times.back()) {
      draft.log.add(item.place, fmt::format("the times of nodes must increase: {} follows {}", number_text(*time),
                                            number_text(nodes.times.back())));
      return std::nullopt;
    }
    nodes.times.push_back(*time);
  }
  return nodes;
}

std::optional<model::Nodes> read_nodes(Draft& draft, const Node& node) {
  if (node.kind == Node::Kind::sequence) return read_node_times(draft, node);
  const std::optional<std::string> word = read_text(draft, node, "'nodes'");
  if (!word) return std::nullopt;
  if (*word == model::AutoNodes::name) return model::AutoNodes{};
  if (*word == model::NodesAtMeasurements::name) return model::NodesAtMeasurements{};
  if (*word == model::SingleInterval::name) return model::SingleInterval{};
  const std::optional<double> count = parse_number(*word);
  if (count && *count >= 1 && *count <= model::most_intervals && *count == std::floor(*count))
    return model::IntervalCount{.intervals = static_cast<int>(*count)};
  draft.log.add(node.place, fmt::format("'{}' does not say where the nodes are", *word),
                "write auto, measurements, single, a number of intervals (at most 1000000), or a list of times");
  return std::nullopt;
}

void read_rtol(Draft& draft, const Node& map, double& rtol) {
  const Node* node = map.find("rtol");
  if (node == nullptr) return;
  const auto value = read_positive(draft, *node, "rtol");
  if (value && *value < model::smallest_rtol)
    draft.log.add(node->place, fmt::format("rtol must be at least {}", number_text(model::smallest_rtol)),
                  "numbers of the computer carry about 16 digits");
  else if (value && *value > model::largest_rtol)
    draft.log.add(node->place, fmt::format("rtol must be at most {}", number_text(model::largest_rtol)),
                  "the usual 1e-8 keeps errors of integration far below those of the data");
  else if (value)
    rtol = *value;
}

template <class Adaptive>
Adaptive read_adaptive(Draft& draft, const Node& map, std::vector<std::string> options = {"name", "rtol", "atol"}) {
  Adaptive integrator;
  check_options(draft, map, fmt::format("the integrator {}", Adaptive::name), options);
  read_rtol(draft, map, integrator.rtol);
  if (const Node* atol = map.find("atol"))
    if (const auto value = read_positive(draft, *atol, "atol")) integrator.atol = *value;
  return integrator;
}

model::Integrator read_cvodes(Draft& draft, const Node& map) {
  auto integrator = read_adaptive<model::Cvodes>(draft, map, {"name", "rtol", "atol", "family"});
  if (const Node* family = map.find("family"))
    if (const auto choice = read_choice<model::MultistepFamily>(draft, *family)) integrator.family = *choice;
  return integrator;
}

model::Integrator read_rk4(Draft& draft, const Node& map) {
  model::Rk4 integrator;
  check_options(draft, map, "the integrator rk4", std::vector<std::string>{"name", "step"});
  if (const Node* step = map.find("step"))
    if (const auto value = read_positive(draft, *step, "step")) integrator.step = *value;
  return integrator;
}

std::optional<model::Integrator> read_named(Draft& draft, const std::string& name, Place place, const Node& map) {
  if (name == model::AutoIntegrator::name) return read_adaptive<model::AutoIntegrator>(draft, map);
  if (name == model::Dopri5::name) return read_adaptive<model::Dopri5>(draft, map);
  if (name == model::Rodas5p::name) return read_adaptive<model::Rodas5p>(draft, map);
  if (name == model::Cvodes::name) return read_cvodes(draft, map);
  if (name == model::Rk4::name) return read_rk4(draft, map);
  draft.log.add(place, fmt::format("unknown integrator '{}'", name),
                hint_for_unknown(name, std::vector<std::string>{"auto", "dopri5", "rodas5p", "rk4", "cvodes"}));
  return std::nullopt;
}

}  // namespace

void read_shooting(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'shooting'")) return;
  check_options(draft, section, "shooting", std::vector<std::string>{"nodes", "start"});
  if (const Node* node = section.find("nodes"))
    if (auto nodes = read_nodes(draft, *node)) draft.problem.settings.nodes = *std::move(nodes);
  if (const Node* node = section.find("start"))
    if (const auto start = read_choice<model::StartValues>(draft, *node)) draft.problem.settings.start = *start;
}

void read_integrator(Draft& draft, const Node& section) {
  std::optional<model::Integrator> integrator;
  if (section.kind == Node::Kind::map) {
    const Node* name = section.find("name");
    const std::optional<std::string> word = name == nullptr ? std::string(model::AutoIntegrator::name)
                                                            : read_text(draft, *name, "the name of the integrator");
    if (word) integrator = read_named(draft, *word, name == nullptr ? section.place : name->place, section);
  } else if (const auto word = read_text(draft, section, "the integrator")) {
    integrator = read_named(draft, *word, section.place, Node{});
  }
  if (integrator) draft.problem.settings.integrator = *integrator;
}

}  // namespace salvo::formats
