#pragma once

#include <map>

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
  std::vector<double> near_;  // of the states that no formula solves for, which come last
  Issues issues_;
};

}  // namespace salvo
