#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "expression/graph.hpp"

// Sudden changes of states, as plain data.
namespace salvo::model {

// Acts at each of these times, expressions of parameters. None that is a number lies before the start.
struct AtTimes {
  std::vector<expression::NodeId> times{};
};

// Acts each time this condition, of states, parameters and time, turns from false to true after the start.
struct When {
  expression::NodeId condition = expression::no_node;
  bool false_before_start = false;  // it turns at the start if it holds there
  bool is_persistent = true;        // acts although another event at the same time has made the condition false again
};

using Trigger = std::variant<AtTimes, When>;

struct Assignment {
  int state = 0;
  expression::NodeId value = expression::no_node;  // of states, parameters and time, as they are before the event
};

// x^+ = E(x^-, t, p): the assignments are evaluated with the values before the event and then made at once. Events at
// the same time act one after the other, those with the highest priority first, then in the order of Problem::events; a
// measurement at that time sees the state after them. States without an assignment go on as they are.
struct Event {
  Trigger trigger{};
  std::vector<Assignment> assignments{};  // at least one; no state twice
  std::vector<int> experiments{};         // it acts in these, in order; none: in all
  std::string text{};                     // its trigger, as the user wrote it: "at 12 + tlag", "when x1 > 3"
  expression::NodeId priority = expression::no_node;  // of states, parameters and time; none: after those that have one

  bool acts_in(int experiment) const {
    return experiments.empty() || std::binary_search(experiments.begin(), experiments.end(), experiment);
  }
};

}  // namespace salvo::model
