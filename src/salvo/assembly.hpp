#pragma once

#include <map>
#include <memory>
#include <optional>

#include "model/algebraic.hpp"
#include "model/mass.hpp"
#include "salvo/builder.hpp"

namespace salvo {

// Makes one problem of what a builder was told, or says everything that is wrong with it.
class Assembly {
 public:
  explicit Assembly(const ProblemBuilder& builder);
  Result<model::Problem> build();

 private:
  using NodeId = expression::NodeId;
  void complain(std::string message, std::string hint = {});
  void put_equations();
  void put_histories();
  void check_delays();
  void put_algebraic();
  std::optional<model::MassRows> read_mass();
  void put_mass();
  double near_of(NodeId symbol) const;
  void combine(const model::ReducedMass::Combination& each);
  void refuse_events_that_set_joined_states(const model::ReducedMass& reduced);
  void leave_out(const std::vector<int>& states);
  void join_initial(const std::map<NodeId, const model::Initial*>& given, std::vector<const model::Initial*>& of_state);
  void put_in(const std::vector<NodeId>& symbols, const std::vector<NodeId>& values);
  void put_experiments();
  void put_initial(const ProblemBuilder::DraftExperiment& draft, model::Experiment& experiment);
  void put_inputs();
  void put_measurements();
  void check_measurement(const model::Measurement& measurement, const std::string& what);
  // Complains of symbols in a formula that must be made of parameters alone.
  void need_parameters_only(NodeId formula, const std::string& what);
  int state_of(NodeId symbol) const;  // -1: none

  const ProblemBuilder& from_;
  model::Problem problem_;
  std::map<NodeId, int> states_;
  // Of a mass: w = sum of factors times states, which stands for one of them; and equations without derivatives.
  struct Joined {
    NodeId symbol = expression::no_node;
    std::vector<std::pair<NodeId, NodeId>> parts{};  // state, factor
  };
  std::vector<Joined> joined_{};
  std::vector<std::unique_ptr<model::Initial>> joined_initial_{};
  std::vector<model::AlgebraicSystem::Equation> zero_rows_{};
  std::vector<NodeId> unwritten_{}, written_{};                     // for messages
  std::pair<std::vector<NodeId>, std::vector<NodeId>> in_place_{};  // of states that are formulas now
  std::vector<ProblemBuilder::Variable> variables_;
  std::vector<double> near_;  // of the states that no formula solves for, which come last
  Issues issues_;
};

}  // namespace salvo
