#pragma once

#include <string>

#include "base/issue.hpp"
#include "base/result.hpp"
#include "model/problem.hpp"
#include "uncertainty/profiles/options.hpp"

namespace salvo::uncertainty {

// What a prediction is asked of: an observable, or any formula of states, parameters, inputs, definitions, observables
// and time.
struct PredictionFormula {
  model::NodeId node = expression::no_node;  // in the graph of the problem
  bool changes_with_time = true;             // or is it one of parameters alone?
};
Result<PredictionFormula> read_prediction(model::Problem& problem, const std::string& text);

// The experiment that a prediction is of: the one that is named, or the only one, or any if all have the same answer.
int experiment_of(const model::Problem& problem, const PredictionWanted& wanted);

// Issues for names, experiments and times that the problem does not have.
Issues check_prediction(const model::Problem& problem, const PredictionWanted& wanted);

}  // namespace salvo::uncertainty
