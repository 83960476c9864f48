#include "model/algebraic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expression/affine.hpp"
#include "expression/differentiate.hpp"
#include "expression/eliminate.hpp"
#include "expression/print.hpp"
#include "expression/reach.hpp"

namespace salvo::model {
namespace {

using expression::Elimination;
using expression::Graph;
using Nodes = std::vector<NodeId>;

constexpr int most_derivatives = 4;  // until an equation of a mechanical system contains its force, there are two

class AlgebraicSolver {
 public:
  AlgebraicSolver(Graph& graph, const AlgebraicSystem& system, const std::vector<State>& states, NodeId time)
      : graph_(graph), system_(system), states_(states), time_(time) {
    for (const auto& variable : system.variables) symbols_.push_back(variable.symbol);
  }

  AlgebraicSolution run(bool all_needed) {
    Nodes equations;
    std::vector<int> own;
    for (const auto& equation : system_.equations) {
      equations.push_back(equation.g);
      own.push_back(equation.own);
    }
    used_ = expression::symbols_of(graph_, equations);
    if (refuse_earlier_unknowns()) return std::move(out_);
    const Elimination eliminated = expression::eliminate(graph_, equations, symbols_, own);
    for (const auto& [equation, unknown, value, coefficient] : eliminated.solved)
      out_.found.push_back({.variable = unknown,
                            .equation = equation,
                            .value = value,
                            .divisor = graph_.is_constant(coefficient) ? expression::no_node : coefficient});
    match_rest(eliminated, all_needed);
    std::sort(out_.found.begin(), out_.found.end(),
              [](const AlgebraicVariable& a, const AlgebraicVariable& b) { return a.variable < b.variable; });
    return std::move(out_);
  }

 private:
  bool is_used(int variable) const { return std::binary_search(used_.begin(), used_.end(), symbols_[variable]); }

  std::vector<NodeId> delays_in(NodeId formula) const {
    std::vector<NodeId> delays;
    for (const NodeId id : expression::reached_from(graph_, {&formula, 1}, [](NodeId) { return false; }))
      if (graph_[id].op == expression::Op::delay) delays.push_back(id);
    return delays;
  }

  // 0 = C - delay(C, tau) - x goes on from what C was for ever: no state remembers it.
  bool refuse_earlier_unknowns() {
    for (std::size_t n = 0; n < system_.equations.size(); ++n) {
      const Nodes delays = delays_in(system_.equations[n].g);
      const Nodes seen = expression::symbols_of(graph_, delays);
      for (std::size_t v = 0; v < symbols_.size(); ++v)
        if (std::binary_search(seen.begin(), seen.end(), symbols_[v])) {
          out_.troubles.push_back({.equation = static_cast<int>(n),
                                   .kind = Issue::Kind::unsupported,
                                   .message = fmt::format("an algebraic equation looks at '{}', which algebraic "
                                                          "equations determine, at an earlier time",
                                                          system_.variables[v].id),
                                   .hint = "only states and inputs can be delayed in algebraic equations"});
          break;
        }
    }
    return !out_.troubles.empty();
  }

  void name_unused(int variable) {
    out_.troubles.push_back({.variable = variable,
                             .message = fmt::format("'{}' is in none of the algebraic equations: nothing determines it",
                                                    system_.variables[variable].id),
                             .hint = "write it into the equation that it is to be solved from, or leave its line out"});
  }

  void match_rest(const Elimination& eliminated, bool all_needed) {
    Nodes unknowns;
    for (const int unknown : eliminated.unknowns) unknowns.push_back(symbols_[unknown]);
    const std::vector<int> matched = expression::match_unknowns(graph_, eliminated.left, unknowns);
    std::vector<bool> is_found(symbols_.size(), false);
    std::vector<int> open;  // equations that determine nothing
    for (std::size_t n = 0; n < matched.size(); ++n) {
      if (matched[n] < 0) {
        open.push_back(static_cast<int>(n));
        continue;
      }
      const int variable = eliminated.unknowns[matched[n]];
      is_found[variable] = true;
      out_.found.push_back({.variable = variable, .equation = eliminated.equations[n], .g = eliminated.left[n]});
    }
    std::vector<int> missing;  // variables that nothing determines
    for (const int unknown : eliminated.unknowns)
      if (!is_found[unknown] && (all_needed || is_used(unknown))) missing.push_back(unknown);
    // Each equation that determines nothing goes with a variable that it was meant for.
    for (const int n : open) {
      const int equation = eliminated.equations[n];
      const auto meant = std::find(missing.begin(), missing.end(), system_.equations[equation].own);
      const int variable = missing.empty() ? -1 : meant != missing.end() ? *meant : missing.front();
      std::erase(missing, variable);
      explain(equation, eliminated.left[n], variable, unknowns);
    }
    for (const int variable : all_needed ? missing : std::vector<int>{}) {
      if (!is_used(variable)) {
        name_unused(variable);
        continue;
      }
      out_.troubles.push_back(
          {.variable = variable,
           .message = fmt::format("there are fewer algebraic equations than variables: '{}' is left",
                                  system_.variables[variable].id),
           .hint = "write one more equation, or give it a value of its own"});
    }
  }

  std::string for_whom(int variable) const {
    return variable < 0 ? "" : fmt::format(" and leaves '{}' undetermined", system_.variables[variable].id);
  }

  void explain(int equation, NodeId left, int variable, const Nodes& unknowns) {
    const std::string& text = system_.equations[equation].text;
    AlgebraicTrouble trouble{.equation = equation};
    if (expression::is_zero_everywhere(graph_, left)) {
      trouble.message =
          fmt::format("0 = {} says what the other algebraic equations say already{}", text, for_whom(variable));
      trouble.hint = "write another equation in its place, or leave out the line and its variable";
    } else if (variable < 0) {
      trouble.message =
          fmt::format("0 = {} determines nothing: there are more algebraic equations than variables", text);
      trouble.hint = "each equation under 'algebraic' needs a variable of its own, which no other one determines";
    } else if (describe_index(system_.equations[equation], left, variable, unknowns, trouble)) {
      // It says all there is.
    } else if (!is_used(variable)) {
      return name_unused(variable);
    } else {
      trouble.message =
          fmt::format("0 = {} cannot be solved for '{}': once the other equations are put in, it does not contain it",
                      text, system_.variables[variable].id);
      trouble.hint = "each equation under 'algebraic' needs a variable of its own, which no other one determines";
    }
    out_.troubles.push_back(std::move(trouble));
  }

  // Derivatives by time until one contains the variable.
  bool describe_index(const AlgebraicSystem::Equation& equation, NodeId left, int variable, const Nodes& unknowns,
                      AlgebraicTrouble& to) {
    const auto has_delays = [&](NodeId formula) {
      return formula != expression::no_node && !delays_in(formula).empty();
    };
    if (has_delays(left) ||
        std::any_of(states_.begin(), states_.end(), [&](const State& state) { return has_delays(state.derivative); }))
      return false;
    Nodes hidden{left};
    for (int k = 1; k <= most_derivatives; ++k) {
      const NodeId derivative = by_time(hidden.back());
      if (expression::is_zero_everywhere(graph_, derivative)) return false;
      const Nodes symbols = expression::symbols_of(graph_, Nodes{derivative});
      if (!std::binary_search(symbols.begin(), symbols.end(), symbols_[variable])) {
        const auto is_unknown = [&](NodeId symbol) {
          return std::find(unknowns.begin(), unknowns.end(), symbol) != unknowns.end();
        };
        if (std::any_of(symbols.begin(), symbols.end(), is_unknown)) return false;
        hidden.push_back(derivative);
        continue;
      }
      constexpr const char* names[] = {"first", "second", "third", "fourth"};
      std::string conditions;
      for (std::size_t n = 0; n < hidden.size(); ++n)
        conditions += fmt::format("{}0 = {}", n == 0 ? "" : " and ", in_words(hidden[n]));
      to.kind = Issue::Kind::unsupported;
      to.message = fmt::format("'{}' is not determined: {} does not contain it. By structure this is index {}",
                               system_.variables[variable].id, equation.text, k + 1);
      const std::string by = fmt::format("its {} derivative, {}, and let the initial values satisfy {}", names[k - 1],
                                         in_words(derivative), conditions);
      to.hint =
          equation.row.empty()
              ? "replace that line by " + by
              : fmt::format("write 0 as the row of {0} in 'mass'; let the equation of {0} be {1}", equation.row, by);
      return true;
    }
    return false;
  }

  std::string in_words(NodeId formula) {
    if (system_.unwritten.empty()) return expression::print(graph_, formula);
    return expression::print(
        graph_, expression::substitute(graph_, Nodes{formula}, system_.unwritten, system_.written).front());
  }

  // d/dt g = g_x f + g_t
  NodeId by_time(NodeId g) {
    Nodes variables{time_};
    Nodes directions{graph_.constant(1)};
    for (const State& state : states_) {
      if (state.derivative == expression::no_node) continue;
      variables.push_back(state.symbol);
      directions.push_back(state.derivative);
    }
    return expression::forward(graph_, Nodes{g}, variables, directions).front();
  }

  Graph& graph_;
  const AlgebraicSystem& system_;
  const std::vector<State>& states_;
  NodeId time_;
  Nodes symbols_;  // of the variables
  Nodes used_;     // symbols in the equations as they were written
  AlgebraicSolution out_;
};

}  // namespace

AlgebraicSolution solve_algebraic(Graph& graph, const AlgebraicSystem& system, const std::vector<State>& states,
                                  NodeId time, bool all_needed) {
  return AlgebraicSolver(graph, system, states, time).run(all_needed);
}

bool has_algebraic_states(const Problem& problem) {
  return std::any_of(problem.states.begin(), problem.states.end(),
                     [](const State& state) { return state.is_algebraic; });
}

bool knows_algebraic_states(const Integrator& integrator) {
  return std::holds_alternative<AutoIntegrator>(integrator) || std::holds_alternative<Rodas5p>(integrator);
}

Integrator integrator_for(const Problem& problem, const std::optional<Integrator>& chosen) {
  const Integrator integrator = chosen.value_or(problem.settings.integrator);
  const auto* open = std::get_if<AutoIntegrator>(&integrator);
  if (open == nullptr || !has_algebraic_states(problem)) return integrator;
  return Rodas5p{.rtol = open->rtol, .atol = open->atol};
}

}  // namespace salvo::model
