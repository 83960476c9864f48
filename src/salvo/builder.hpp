#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "model/problem.hpp"
#include "salvo/formula.hpp"

namespace salvo {

using model::Estimated;

// Known: a formula of parameters. Estimated: one unknown for each experiment.
using InitialValue = std::variant<Formula, Estimated>;
// What takes the place of a symbol, a parameter's or a state's.
using Setting = std::pair<Formula, Formula>;

struct ObservableOptions {
  std::optional<Formula> noise{};  // sigma; none: every measurement brings its own
  model::Distribution distribution = model::Distribution::normal;
};
struct ExperimentOptions {
  double start = 0;
  std::vector<Setting> set{};                               // parameters with other values here
  std::vector<std::pair<Formula, InitialValue>> initial{};  // states that begin otherwise here
};
// A table of a known function of time.
struct InputRows {
  std::vector<double> time{};  // increasing
  std::vector<double> value{};
  std::string experiment{};  // none: all
};
struct MeasurementOptions {
  std::string experiment{};  // none: the only one
  std::optional<double> sigma{};
  bool validation = false;  // is predicted, not fitted
};

// Puts a problem together and says all that is wrong with it at the end:
//
//   ProblemBuilder builder;
//   const Formula k = builder.parameter("k", {.guess = 1});
//   const Formula x = builder.state("x");
//   builder.equation(x, -k * x).initial(x, 2).observable("y", x, {.noise = 0.1});
//   builder.measure("y", 1, 0.74).measure("y", 2, 0.27);
//   const Result<model::Problem> problem = builder.build();
class ProblemBuilder {
 public:
  ProblemBuilder();

  Formula time() const;
  Formula state(const std::string& id);
  // What an algebraic equation determines; `near` says where its root is looked for at the start.
  Formula variable(const std::string& id, double near = 1);
  Formula parameter(const std::string& id, const Estimated& estimated);
  Formula parameter(const std::string& id, double constant);
  // A known function of time, by one table for all experiments or one for each.
  Formula input(const std::string& id, const std::vector<InputRows>& tables,
                model::Interpolation interpolation = model::Interpolation::linear);

  ProblemBuilder& title(std::string text);
  ProblemBuilder& equation(const Formula& state, const Formula& derivative);
  // 0 = zero, from which the variable follows at all times.
  ProblemBuilder& algebraic(const Formula& variable, const Formula& zero);
  // The row of M in M x' = f that belongs to the equation of a state: numbers or formulas of parameters before the
  // derivatives of states. An empty row has no derivative; a state without a row has the one of the identity.
  ProblemBuilder& mass(const Formula& state, const std::vector<std::pair<Formula, Formula>>& row);
  ProblemBuilder& initial(const Formula& state, const InitialValue& value);
  // What a state was before the start, for delay(): a formula of time and parameters. Without it, its initial value.
  ProblemBuilder& history(const Formula& state, const Formula& before);
  ProblemBuilder& observable(const std::string& id, const Formula& formula, const ObservableOptions& options = {});
  // Without any there is one, "default", from 0 on.
  ProblemBuilder& experiment(const std::string& id, const ExperimentOptions& options = {});
  ProblemBuilder& measure(const std::string& observable, double time, double value,
                          const MeasurementOptions& options = {});
  // a <= b and a = b, for states at every node
  ProblemBuilder& at_most(const Formula& a, const Formula& b);
  ProblemBuilder& equal(const Formula& a, const Formula& b);
  // States that change suddenly, at times that are formulas of parameters, or when a condition comes true.
  ProblemBuilder& event_at(const std::vector<Formula>& times, const std::vector<Setting>& changes);
  ProblemBuilder& event_when(const Formula& condition, const std::vector<Setting>& changes);

  model::Settings& settings() { return problem_.settings; }

  Result<model::Problem> build() const;

 private:
  using NodeId = expression::NodeId;
  struct Begins {
    NodeId state = expression::no_node;
    model::Initial value{};
  };
  struct Variable {
    std::string id{};
    NodeId symbol = expression::no_node;
    double near = 1;
  };
  struct DraftExperiment {
    model::Experiment experiment{};
    std::vector<Begins> initial{};
  };
  struct DraftInput {
    model::Input input{};
    std::vector<InputRows> tables{};
  };
  struct Measured {
    std::string observable{}, experiment{};
    model::Measurement measurement{};
    bool validation = false;
  };

  void complain(std::string message, std::string hint = {});
  Formula symbol(const std::string& id, const char* what);
  NodeId node(const Formula& formula, const std::string& what);
  model::Initial initial_node(const InitialValue& value, const std::string& what);
  void check(const Estimated& estimated, const std::string& what);
  void check(const InputRows& rows, const std::string& what);
  void add_constraint(const Formula& a, const Formula& b, bool is_equality);
  void add_event(model::Trigger trigger, const std::vector<Setting>& changes, std::string text);
  friend class Assembly;

  std::shared_ptr<expression::Graph> graph_;
  model::Problem problem_;  // without its graph, experiments and measurements
  std::vector<std::pair<NodeId, NodeId>> equations_;
  std::vector<Variable> variables_;
  std::vector<std::pair<NodeId, NodeId>> algebraic_;
  struct MassRow {
    NodeId state = expression::no_node;
    std::vector<std::pair<NodeId, NodeId>> entries{};  // state, value
  };
  std::vector<MassRow> masses_;
  std::vector<Begins> initial_;
  std::vector<std::pair<NodeId, NodeId>> histories_;
  std::vector<DraftExperiment> experiments_;
  std::vector<DraftInput> inputs_;
  std::vector<Measured> measured_;
  Issues issues_;
};

}  // namespace salvo
