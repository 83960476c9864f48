#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/problem.hpp"

namespace salvo::compile {

// The past of a state as a known curve, in place of what the state itself was.
struct KnownPast {
  int state = 0;
  model::Interpolation interpolation = model::Interpolation::cubic;
  std::vector<std::shared_ptr<const model::InputCurve>> of_experiment{};  // every one
};

// A problem in whose formulas delay(e, d) has become e of earlier values: every state, input and time in e is that of
// t - d. Equal ones are one symbol; delays of delays add up.
struct EarlierValues {
  struct State {
    expression::NodeId symbol = expression::no_node;
    int state = 0;
    int delay = 0;
  };
  model::Problem problem{};                  // earlier inputs are the last of its inputs
  std::vector<State> states{};               // states as they were earlier
  std::vector<int> delay_of_input{};         // of every input; -1: it is read as it is now
  std::vector<expression::NodeId> delays{};  // formulas of parameters, each once
  std::vector<std::string> texts{};          // the same in the user's words
};

EarlierValues with_earlier_values(const model::Problem& problem, std::span<const KnownPast> known);
// The same where everything stands still: e has always been what it is.
model::Problem without_past(const model::Problem& problem);

}  // namespace salvo::compile
