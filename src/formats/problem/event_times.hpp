#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// `every`
struct Repetition {
  NodeId every = expression::no_node;
  NodeId from = expression::no_node;   // none: the start of the experiment
  NodeId until = expression::no_node;  // none: its last measurement
  Place place{};                       // of `every`
  Place until_place{};
};

// When an event acts, as its `at`, or its `every`, `from` and `until` say.
struct EventTimes {
  struct At {
    NodeId time = expression::no_node;
    Place place{};
  };
  std::vector<At> listed{};  // `at`
  std::optional<Repetition> repetition{};
  std::string text{};  // as the user wrote it
};

// Nothing, and an Issue for each mistake, where they cannot be read.
std::optional<EventTimes> read_event_times(Draft& draft, const yaml::Node& event);

// These are the times in one experiment: a list of formulas, none before its start as far as can be told. The data must
// have been read. Nothing after an Issue.
std::optional<std::vector<NodeId>> times_in_experiment(Draft& draft, const EventTimes& times, int experiment);

}  // namespace salvo::formats
