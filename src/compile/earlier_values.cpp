#include "compile/earlier_values.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "expression/print.hpp"
#include "expression/reach.hpp"

namespace salvo::compile {
namespace {

using expression::Graph;
using expression::no_node;
using expression::Node;
using expression::NodeId;
using expression::Op;
using model::Problem;

// Calls use(formula) for every formula that may look into the past.
template <class Use>
void each_formula(Problem& problem, const Use& use) {
  for (model::State& state : problem.states) use(state.derivative);
  for (model::Definition& definition : problem.definitions) use(definition.formula);
  for (model::AlgebraicEquation& equation : problem.algebraic) use(equation.divisor);
  for (model::Observable& observable : problem.observables) {
    use(observable.formula);
    if (observable.noise) use(*observable.noise);
  }
  for (model::Event& event : problem.events) {
    if (auto* when = std::get_if<model::When>(&event.trigger)) use(when->condition);
    use(event.priority);
    for (model::Assignment& assignment : event.assignments) use(assignment.value);
  }
}

// Puts delayed(e, d) in the place of every delay(e, d), the innermost first.
class Rewriting {
 public:
  using Delayed = std::function<NodeId(NodeId of, NodeId by)>;
  Rewriting(Problem& problem, Delayed delayed)
      : problem_(problem), graph_(problem.graph), delayed_(std::move(delayed)) {}

  void run() {
    each_formula(problem_, [&](NodeId& formula) {
      if (formula != no_node) formula = rewritten(formula);
    });
  }

 private:
  NodeId rewritten(NodeId root) {
    for (const NodeId id : expression::reached_from(graph_, {&root, 1}, [](NodeId) { return false; })) {
      if (now_.contains(id)) continue;
      const Node node = graph_[id];
      const auto argument = [&](int i) { return i < argument_count(node.op) ? now_.at(node.arguments[i]) : no_node; };
      NodeId out = id;
      if (node.op == Op::delay)
        out = delayed_(argument(0), argument(1));
      else if (argument_count(node.op) > 0)
        out = graph_.make(node.op, argument(0), argument(1), argument(2));
      now_.emplace(id, out);
    }
    return now_.at(root);
  }

  Problem& problem_;
  Graph& graph_;
  Delayed delayed_;
  std::unordered_map<NodeId, NodeId> now_;
};

class Collector {
 public:
  Collector(const Problem& problem, std::span<const KnownPast> known)
      : out_{.problem = problem}, graph_(out_.problem.graph) {
    for (const KnownPast& past : known) {
      model::Input input;
      input.id = "the past of " + problem.states[past.state].id;
      input.symbol = graph_.symbol(input.id);
      input.interpolation = past.interpolation;
      input.of_experiment = past.of_experiment;
      past_of_[past.state] = static_cast<int>(out_.problem.inputs.size());
      out_.problem.inputs.push_back(std::move(input));
    }
    out_.delay_of_input.assign(out_.problem.inputs.size(), -1);
    for (std::size_t i = 0; i < problem.states.size(); ++i)
      meaning_[problem.states[i].symbol] = {Kind::state, static_cast<int>(i), no_node};
    for (std::size_t i = 0; i < out_.problem.inputs.size(); ++i)
      meaning_[out_.problem.inputs[i].symbol] = {Kind::input, static_cast<int>(i), no_node};
    for (const model::Parameter& parameter : problem.parameters) {
      if (parameter.is_estimated() || is_set(parameter)) continue;
      constants_.push_back(parameter.symbol);
      values_.push_back(graph_.constant(std::get<double>(parameter.value)));
    }
  }

  EarlierValues collect() {
    Rewriting(out_.problem, [this](NodeId of, NodeId by) { return earlier(of, by); }).run();
    leave_out_unseen();
    return std::move(out_);
  }

 private:
  enum class Kind { state, input };
  struct Meaning {
    Kind kind = Kind::state;
    int index = 0;
    NodeId delay = no_node;  // none: now
    auto operator<=>(const Meaning&) const = default;
  };

  // What stood inside another delay is seen further back only.
  void leave_out_unseen() {
    std::vector<NodeId> formulas;
    each_formula(out_.problem, [&](NodeId& formula) {
      if (formula != no_node) formulas.push_back(formula);
    });
    const std::vector<NodeId> seen = expression::symbols_of(graph_, formulas);
    std::erase_if(out_.states, [&](const EarlierValues::State& each) {
      return std::find(seen.begin(), seen.end(), each.symbol) == seen.end();
    });
    std::vector<int> kept(out_.delays.size(), -1);
    const std::vector<NodeId> delays = std::exchange(out_.delays, {});
    const std::vector<std::string> texts = std::exchange(out_.texts, {});
    const auto keep = [&](int& delay) {
      if (delay < 0) return;
      if (kept[delay] < 0) {
        kept[delay] = static_cast<int>(out_.delays.size());
        out_.delays.push_back(delays[delay]);
        out_.texts.push_back(texts[delay]);
      }
      delay = kept[delay];
    };
    for (EarlierValues::State& each : out_.states) keep(each.delay);
    for (int& delay : out_.delay_of_input) keep(delay);
  }

  bool is_set(const model::Parameter& parameter) const {
    const auto& experiments = out_.problem.experiments;
    return std::any_of(experiments.begin(), experiments.end(), [&](const model::Experiment& experiment) {
      return std::any_of(experiment.overrides.begin(), experiment.overrides.end(), [&](const auto& override_) {
        return out_.problem.parameters[override_.first].symbol == parameter.symbol;
      });
    });
  }

  NodeId earlier(NodeId of, NodeId by) {
    if (graph_.is_constant(by, 0)) return of;
    std::vector<NodeId> from, to;
    for (const NodeId symbol : expression::symbols_of(graph_, std::vector{of})) {
      const auto known = meaning_.find(symbol);
      if (symbol != out_.problem.time && known == meaning_.end()) continue;
      from.push_back(symbol);
      if (symbol == out_.problem.time) {
        to.push_back(graph_.subtract(symbol, by));
        continue;
      }
      Meaning meaning = known->second;
      meaning.delay = meaning.delay == no_node ? by : graph_.add(meaning.delay, by);
      to.push_back(symbol_of(meaning));
    }
    return expression::substitute(graph_, std::vector{of}, from, to).front();
  }

  NodeId symbol_of(Meaning meaning) {
    if (const auto past = past_of_.find(meaning.index); meaning.kind == Kind::state && past != past_of_.end()) {
      meaning.kind = Kind::input;
      meaning.index = past->second;
    }
    const std::string text = expression::print(graph_, meaning.delay);
    meaning.delay = expression::substitute(graph_, std::vector{meaning.delay}, constants_, values_).front();
    if (const auto found = symbols_.find(meaning); found != symbols_.end()) return found->second;
    const std::string& id =
        meaning.kind == Kind::state ? out_.problem.states[meaning.index].id : out_.problem.inputs[meaning.index].id;
    const NodeId symbol = graph_.symbol("delay(" + id + ", " + text + ")");
    symbols_.emplace(meaning, symbol);
    meaning_[symbol] = meaning;
    const int delay = delay_index(meaning.delay, text);
    if (meaning.kind == Kind::state) {
      out_.states.push_back({symbol, meaning.index, delay});
    } else {
      model::Input input = out_.problem.inputs[meaning.index];
      input.id = graph_.symbol_name(symbol);
      input.symbol = symbol;
      out_.problem.inputs.push_back(std::move(input));
      out_.delay_of_input.push_back(delay);
    }
    return symbol;
  }

  int delay_index(NodeId delay, const std::string& text) {
    const auto found = std::find(out_.delays.begin(), out_.delays.end(), delay);
    if (found != out_.delays.end()) return static_cast<int>(found - out_.delays.begin());
    out_.delays.push_back(delay);
    out_.texts.push_back(text);
    return static_cast<int>(out_.delays.size()) - 1;
  }

  EarlierValues out_;
  Graph& graph_;
  std::unordered_map<NodeId, Meaning> meaning_;  // of symbols that are what they are by time
  std::map<Meaning, NodeId> symbols_;
  std::map<int, int> past_of_;  // states whose past is an input
  std::vector<NodeId> constants_, values_;
};

}  // namespace

EarlierValues with_earlier_values(const Problem& problem, std::span<const KnownPast> known) {
  return Collector(problem, known).collect();
}

Problem without_past(const Problem& problem) {
  Problem out = problem;
  Rewriting(out, [](NodeId of, NodeId) { return of; }).run();
  return out;
}

}  // namespace salvo::compile
