#include "formats/problem/knots.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/words.hpp"
#include "formats/problem/estimated.hpp"
#include "formats/problem/values.hpp"

namespace salvo::formats {
namespace {

using expression::Op;
using model::Estimated;
using model::Scale;
using yaml::Node;

constexpr double fewest_knots = 2;
constexpr double most_knots = 50;

class KnotReader {
 public:
  KnotReader(Draft& draft, const Node& node, const model::Field& field, std::size_t experiment)
      : draft_(draft), graph_(draft.problem.graph), node_(node), space_(draft.problem.space[0]) {
    const bool is_only = draft.problem.experiments.size() == 1;
    name_ = is_only ? field.id : fmt::format("{}_{}", draft.problem.experiments[experiment].id, field.id);
    what_ = fmt::format("the initial field {}", field.id);
  }

  std::optional<model::InitialField> read() {
    if (!read_count() || !read_smoothness()) return std::nullopt;
    Node map = node_;
    std::erase_if(map.entries,
                  [](const yaml::Entry& entry) { return entry.key.text == "knots" || entry.key.text == "smoothness"; });
    const auto values = read_estimated(draft_, map, what_, Guess::optional);
    if (!values) return std::nullopt;
    values_ = *values;
    if (!values_.guess) values_.guess = 1;
    position_ = graph_.divide(graph_.subtract(space_.symbol, graph_.constant(space_.from)),
                              graph_.constant(space_.to - space_.from));
    return model::InitialField(smoothness_ ? of_bends() : of_values());
  }

 private:
  bool read_count() {
    if (draft_.problem.space.size() != 1) {
      draft_.log.add(node_.place, fmt::format("{} has knots, which lie along one coordinate", what_),
                     "on a rectangle, write a formula of x, y and parameters");
      return false;
    }
    const Node& node = *node_.find("knots");
    const auto count = read_finite(draft_, node, "the number of knots");
    if (!count) return false;
    if (*count != std::floor(*count) || *count < fewest_knots || *count > most_knots) {
      draft_.log.add(node.place, fmt::format("{} has {} knots", what_, number_text(*count)),
                     fmt::format("a whole number from {} to {}; a few are enough", fewest_knots, most_knots));
      return false;
    }
    count_ = static_cast<int>(*count);
    return true;
  }

  bool read_smoothness() {
    const Node* node = node_.find("smoothness");
    if (node == nullptr) return true;
    smoothness_ = read_positive(draft_, *node, fmt::format("the smoothness of {}", what_));
    if (smoothness_ && node_.find("bounds") != nullptr) {
      draft_.log.add(node_.find("bounds")->place,
                     fmt::format("{} has a smoothness; its knots then take no bounds", what_),
                     "leave 'bounds' out; scale: log keeps a field positive");
      return false;
    }
    return smoothness_.has_value();
  }

  // A new estimated quantity of the problem.
  NodeId parameter(const std::string& id, const Estimated& estimated) {
    const NodeId symbol = graph_.symbol(id);
    if (const Name* other = draft_.find(id))
      draft_.log.add(node_.place,
                     fmt::format("the knots of {} are called {}, which is {} at {}", what_, id, to_string(other->kind),
                                 to_string(other->place)),
                     "rename that one");
    draft_.names.emplace(id, Name{.kind = Name::Kind::parameter,
                                  .index = static_cast<int>(draft_.problem.parameters.size()),
                                  .place = node_.place});
    draft_.problem.parameters.push_back({.id = id, .symbol = symbol, .value = estimated});
    return symbol;
  }
  std::string knot_name(int i) const { return fmt::format("{}_knot_{}", name_, i + 1); }
  double step() const { return 1.0 / (count_ - 1); }

  // v0 + sum of (v[i] - v[i-1]) times how much of the piece between both lies to the left.
  NodeId of_values() {
    NodeId before = parameter(knot_name(0), values_);
    NodeId sum = before;
    for (int i = 1; i < count_; ++i) {
      const NodeId value = parameter(knot_name(i), values_);
      const NodeId along = graph_.subtract(graph_.divide(position_, graph_.constant(step())), graph_.constant(i - 1));
      const NodeId share =
          graph_.make(Op::minimum, graph_.constant(1), graph_.make(Op::maximum, graph_.constant(0), along));
      sum = graph_.add(sum, graph_.multiply(graph_.subtract(value, before), share));
      before = value;
    }
    return sum;
  }

  // a (1 - z) + b z - sum of bend[j] (min(z, z[j]) - z z[j])/h: what bends at z[j] alone and vanishes at both ends.
  NodeId of_bends() {
    const bool is_log = values_.scale != Scale::lin;
    Estimated end = values_;
    if (is_log) end.guess = std::log(*values_.guess);
    end.scale = Scale::lin;
    end.lower = -std::numeric_limits<double>::infinity();
    end.upper = std::numeric_limits<double>::infinity();
    const Estimated bend{.guess = 0, .prior = model::Prior{.spread = *smoothness_}, .size = *smoothness_};
    const char* of_log = is_log ? "ln_" : "";
    ends_ = {parameter(of_log + knot_name(0), end), parameter(of_log + knot_name(count_ - 1), end)};
    for (int j = 1; j + 1 < count_; ++j) bends_.push_back(parameter(fmt::format("{}_bend_{}", name_, j + 1), bend));
    const auto field = [&](NodeId z) { return is_log ? graph_.make(Op::exp, bent(z)) : bent(z); };
    for (int i = is_log ? 0 : 1; i < (is_log ? count_ : count_ - 1); ++i) {
      const std::string id = knot_name(i);
      draft_.problem.derived.push_back({.id = id, .formula = field(graph_.constant(i * step())), .axis = values_.axis});
    }
    return field(position_);
  }

  NodeId bent(NodeId z) {
    NodeId sum =
        graph_.add(graph_.multiply(ends_[0], graph_.subtract(graph_.constant(1), z)), graph_.multiply(ends_[1], z));
    for (std::size_t j = 0; j < bends_.size(); ++j) {
      const double at = (static_cast<double>(j) + 1) * step();
      const NodeId tent =
          graph_.subtract(graph_.make(Op::minimum, z, graph_.constant(at)), graph_.multiply(z, graph_.constant(at)));
      sum = graph_.subtract(sum, graph_.multiply(bends_[j], graph_.divide(tent, graph_.constant(step()))));
    }
    return sum;
  }

  Draft& draft_;
  expression::Graph& graph_;
  const Node& node_;
  const model::Space& space_;
  std::string name_, what_;
  int count_ = 0;
  std::optional<double> smoothness_{};
  Estimated values_{};
  NodeId position_ = expression::no_node;  // from 0 to 1
  std::array<NodeId, 2> ends_{};
  std::vector<NodeId> bends_;
};

}  // namespace

std::optional<model::InitialField> read_knots(Draft& draft, const Node& node, const model::Field& field,
                                              std::size_t experiment) {
  return KnotReader(draft, node, field, experiment).read();
}

}  // namespace salvo::formats
