#pragma once

#include <string>

#include "expression/parse.hpp"
#include "formats/problem/formula.hpp"

namespace salvo::formats {

// A delay of a formula, as it was written and with its names put in.
struct ReadDelay {
  const expression::DelayUse& use;
  NodeId of = expression::no_node;
  NodeId by = expression::no_node;
};

// May it stand there, and is it a formula of parameters above 0? If not, an Issue.
bool check_delay(Draft& draft, const ReadDelay& delay, const std::string& what, const Scope& scope, IssueLog& log,
                 Place place);

// What only the whole problem tells: whether bounds keep every delay above 0, and what is known of the time before the
// start.
void check_delays(Draft& draft);

}  // namespace salvo::formats
