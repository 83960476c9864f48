#include "formats/problem/networks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "formats/prior_law.hpp"
#include "formats/problem/formula.hpp"
#include "formats/problem/names.hpp"
#include "formats/problem/prior.hpp"
#include "formats/problem/values.hpp"
#include "model/network.hpp"
#include "model/prior.hpp"

namespace salvo::formats {
namespace {

using yaml::Node;

constexpr double most_units = 10'000;           // of one layer
constexpr std::size_t most_hidden_layers = 50;  // gradients through more vanish long before
constexpr long most_weights = 500'000;          // of one network
constexpr double largest_seed = 1e15;

const std::vector<std::string> options_of_networks{"inputs", "outputs", "hidden", "activation", "seed", "prior"};

// The steps return whether all went well; Issues are added by them.
class ShapeReader {
 public:
  ShapeReader(Draft& draft, const yaml::Entry& entry)
      : draft_(draft), key_(entry.key), map_(entry.value), what_(fmt::format("the network {}", entry.key.text)) {}

  std::optional<NetworkDraft> read() {
    if (!can_be_a_name(draft_, key_) || !is_map(draft_, map_, what_)) return std::nullopt;
    check_options(draft_, map_, what_, options_of_networks);
    result_.shape.id = key_.text;
    result_.place = key_.place;
    bool good = read_inputs();
    good = read_hidden() && good;
    good = read_outputs() && good;
    good = read_activation() && good;
    good = read_seed() && good;
    good = read_its_prior() && good;
    if (!good || !is_small_enough()) return std::nullopt;
    return std::move(result_);
  }

 private:
  bool fail(Place place, std::string message, std::string hint = {}) {
    draft_.log.add(place, std::move(message), std::move(hint));
    return false;
  }

  bool read_inputs() {
    result_.inputs = map_.find("inputs");
    if (result_.inputs == nullptr)
      return fail(key_.place, fmt::format("{} has no inputs", what_), "write inputs: [x1, x2], any formulas");
    if (result_.inputs->kind == Node::Kind::broken) return false;
    if (result_.inputs->kind != Node::Kind::sequence || result_.inputs->items.empty())
      return fail(result_.inputs->place, fmt::format("the inputs of {} must be a list of formulas", what_),
                  "write inputs: [x1, x2]");
    result_.shape.widths.push_back(static_cast<int>(result_.inputs->items.size()));
    return true;
  }

  std::optional<int> read_units(const Node& node, const std::string& what) {
    const std::optional<double> count = read_finite(draft_, node, what);
    if (!count) return std::nullopt;
    if (*count >= 1 && *count <= most_units && *count == std::floor(*count)) return static_cast<int>(*count);
    fail(node.place, fmt::format("{} must be a whole number from 1 to {}", what, number_text(most_units)));
    return std::nullopt;
  }

  bool read_hidden() {
    const Node* hidden = map_.find("hidden");
    if (hidden == nullptr) return true;
    if (hidden->kind == Node::Kind::broken) return false;
    if (hidden->kind != Node::Kind::sequence)
      return fail(hidden->place, fmt::format("the hidden layers of {} must be a list of their sizes", what_),
                  "write hidden: [16, 16]");
    if (hidden->items.size() > most_hidden_layers)
      return fail(hidden->place, fmt::format("{} has {} hidden layers, more than {}", what_, hidden->items.size(),
                                             most_hidden_layers));
    for (const Node& item : hidden->items) {
      const auto units = read_units(item, fmt::format("the size of a hidden layer of {}", what_));
      if (!units) return false;
      result_.shape.widths.push_back(*units);
    }
    return true;
  }

  bool read_outputs() {
    const Node* outputs = map_.find("outputs");
    if (outputs == nullptr)
      return fail(key_.place, fmt::format("{} does not say how many outputs it has", what_),
                  fmt::format("with outputs: 2, formulas may use {0}1 and {0}2", key_.text));
    const auto units = read_units(*outputs, fmt::format("the number of outputs of {}", what_));
    if (units) result_.shape.widths.push_back(*units);
    return units.has_value();
  }

  bool read_activation() {
    const Node* node = map_.find("activation");
    if (node == nullptr) return true;
    const auto activation = read_choice<model::Activation>(draft_, *node);
    if (activation) result_.shape.activation = *activation;
    return activation.has_value();
  }

  bool read_seed() {
    const Node* node = map_.find("seed");
    if (node == nullptr) return true;
    const std::optional<double> seed = read_finite(draft_, *node, fmt::format("the seed of {}", what_));
    if (!seed) return false;
    if (*seed < 0 || *seed > largest_seed || *seed != std::floor(*seed))
      return fail(node->place, fmt::format("the seed of {} must be a whole number, zero or more", what_));
    result_.shape.seed = static_cast<std::uint64_t>(*seed);
    return true;
  }

  bool read_its_prior() {
    const Node* node = map_.find("prior");
    if (node == nullptr) return true;
    model::Estimated weight;  // of any size and sign
    result_.shape.prior = read_prior(draft_, *node, fmt::format("the prior of {}", what_), weight);
    if (!result_.shape.prior) return false;
    const model::PriorLaw law = result_.shape.prior->law;
    return (!model::is_positive(law) && !has_ends(law)) ||
           fail(node->place, fmt::format("the prior of {} must allow weights of any size and sign", what_),
                "write normal(0, 1), laplace(0, 1) or cauchy(0, 1)");
  }

  bool is_small_enough() {
    long weights = 0;
    for (std::size_t l = 1; l < result_.shape.widths.size(); ++l)
      weights += (result_.shape.widths[l - 1] + 1L) * result_.shape.widths[l];
    return weights <= most_weights ||
           fail(key_.place, fmt::format("{} would have {} weights, more than {}", what_, weights, most_weights),
                "use fewer or smaller layers");
  }

  Draft& draft_;
  const Node& key_;
  const Node& map_;
  std::string what_;
  NetworkDraft result_;
};

void enter_names(Draft& draft, const NetworkDraft& network) {
  int index = network.shape.first_parameter;
  for (; index < network.shape.first_parameter + network.shape.parameters(); ++index)
    declare_name(draft, draft.problem.parameters[static_cast<std::size_t>(index)].id,
                 {.kind = Name::Kind::parameter, .index = index, .place = network.place});
  for (int i = 0; i < network.shape.widths.back(); ++i)
    declare_name(draft, draft.definitions[static_cast<std::size_t>(network.first_output + i)].id,
                 {.kind = Name::Kind::definition, .index = network.first_output + i, .place = network.place});
}

}  // namespace

void declare_networks(Draft& draft, const Node& section) {
  if (!is_map(draft, section, "the section 'networks'")) {
    draft.all_names_known = false;
    return;
  }
  for (const yaml::Entry& entry : section.entries) {
    std::optional<NetworkDraft> network = ShapeReader(draft, entry).read();
    if (!network) {
      draft.all_names_known = false;
      continue;
    }
    model::Problem& problem = draft.problem;
    network->shape.first_parameter = static_cast<int>(problem.parameters.size());
    for (model::Parameter& weight : model::network_parameters(problem.graph, network->shape))
      problem.parameters.push_back(std::move(weight));
    network->first_output = static_cast<int>(draft.definitions.size());
    for (int i = 1; i <= network->shape.widths.back(); ++i) {
      Definition output;
      output.id = model::output_name(network->shape.id, i);
      draft.definitions.push_back(std::move(output));
    }
    enter_names(draft, *network);
    problem.networks.push_back(network->shape);
    draft.networks.push_back(*std::move(network));
  }
}

void read_network(Draft& draft, const NetworkDraft& network) {
  std::vector<NodeId> inputs;
  Traits traits;
  for (const Node& item : network.inputs->items) {
    const auto formula =
        read_formula(draft, item, fmt::format("an input of the network {}", network.shape.id), everything());
    if (!formula) continue;
    inputs.push_back(*formula);
    Definition as_definition{.node = *formula};
    note_what_it_uses(draft, as_definition);
    traits.uses_states |= as_definition.traits.uses_states;
    traits.uses_time |= as_definition.traits.uses_time;
    traits.uses_inputs |= as_definition.traits.uses_inputs;
  }
  if (inputs.size() != network.inputs->items.size()) return;
  model::Problem& problem = draft.problem;
  const std::span<const model::Parameter> weights =
      std::span(problem.parameters)
          .subspan(static_cast<std::size_t>(network.shape.first_parameter),
                   static_cast<std::size_t>(network.shape.parameters()));
  const std::vector<NodeId> outputs = model::network_outputs(problem.graph, network.shape, inputs, weights);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Definition& output = draft.definitions[static_cast<std::size_t>(network.first_output) + i];
    output.node = outputs[i];
    output.traits = traits;
  }
}

}  // namespace salvo::formats
