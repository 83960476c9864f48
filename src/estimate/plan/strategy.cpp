#include "estimate/plan/strategy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/contract.hpp"
#include "estimate/ways/way.hpp"

namespace salvo::estimate {

Strategy strategy(const Rules& rules) {
  const StrategyStep by_nodes{&nodes}, by_trajectory{&trajectory};
  const StrategyStep nodes_first{&nodes, rules.account.first_way},
      trajectory_first{&trajectory, rules.account.first_way};
  // Whoever states a guess wants to know what lies below it: its trajectory has half of the rest too.
  const StrategyStep stated{&trajectory, 0.5 * (1 + rules.account.first_way)};
  const StrategyStep by_known_past{&known_past}, known_past_first{&known_past, rules.account.first_way};
  const StrategyStep by_search{.way = &search, .most = rules.account.look};
  const StrategyStep by_drawn_search{.way = &search, .most = rules.account.drawn_look};
  const StrategyStep by_population{.way = &population,
                                   .most = rules.account.look,
                                   .rounds = rules.population.rounds,
                                   .tried = Tried::once_if_settled};
  const StrategyStep other{.way = &other_weights, .rounds = rules.draw.weights};
  const StrategyStep back{.way = &way_back, .most = rules.account.look, .tried = Tried::if_flat};
  const StrategyStep mirrored{.way = &mirror, .most = rules.account.look, .tried = Tried::if_proved};
  return {
      {"weights of a network", {Fact::network}, {nodes_first, other}},
      {"another method", {Fact::other_method}, {by_nodes}},
      {"constraints", {Fact::constraints}, {by_nodes}},
      {"single shooting", {Fact::single}, {by_trajectory, back, mirrored}},
      {"nodes as stated", {Fact::nodes_or_start}, {by_nodes, back, mirrored}},
      {"nothing to estimate", {Fact::nothing_estimated}, {by_trajectory}},
      {"fields, a drawn guess", {Fact::fields, Fact::draw}, {by_drawn_search, by_trajectory}},
      {"fields", {Fact::fields}, {by_trajectory, by_search, back, mirrored}},
      {"earlier values shown, a stated guess",
       {Fact::past_shown, Fact::guess},
       {stated, by_known_past, by_search, back, mirrored}},
      {"earlier values shown, a drawn guess",
       {Fact::past_shown, Fact::draw},
       {known_past_first, by_drawn_search, by_trajectory}},
      {"earlier values shown", {Fact::past_shown}, {known_past_first, by_trajectory, by_search, back, mirrored}},
      {"earlier values, a drawn guess", {Fact::delays, Fact::draw}, {by_drawn_search, by_trajectory}},
      {"earlier values", {Fact::delays}, {by_trajectory, by_search, back, mirrored}},
      {"a stated guess", {Fact::guess}, {stated, by_nodes, by_search, back, mirrored}},
      {"a drawn guess, states shown", {Fact::draw, Fact::shown}, {by_drawn_search, by_nodes, by_trajectory}},
      {"a drawn guess", {Fact::draw}, {by_drawn_search, by_trajectory}},
      {"moving discontinuities, many nodes",
       {Fact::shown, Fact::moving, Fact::many_nodes},
       {trajectory_first, by_nodes, by_search, by_population, back, mirrored}},
      {"moving discontinuities, states shown",
       {Fact::shown, Fact::moving},
       {nodes_first, by_trajectory, by_search, by_population, back, mirrored}},
      {"moving discontinuities", {Fact::moving}, {by_trajectory, by_search, by_population, back, mirrored}},
      {"states shown", {Fact::shown}, {nodes_first, by_trajectory, by_search, back, mirrored}},
      {"states hidden", {}, {by_trajectory, by_search, back, mirrored}},
  };
}

const StrategyRow& row_for(const Strategy& strategy, const std::vector<Fact>& facts) {
  const auto holds = [&](Fact fact) { return std::find(facts.begin(), facts.end(), fact) != facts.end(); };
  const auto row = std::find_if(strategy.begin(), strategy.end(), [&](const StrategyRow& each) {
    return std::all_of(each.when.begin(), each.when.end(), holds);
  });
  SALVO_EXPECTS(row != strategy.end());
  return *row;
}

std::string to_markdown(const Strategy& strategy) {
  std::string text = "| situation | facts | ways, in their order |\n| --- | --- | --- |\n";
  for (const StrategyRow& row : strategy) {
    std::string facts;
    for (const Fact fact : row.when) facts += fmt::format("{}{}", facts.empty() ? "" : "; ", to_string(fact));
    std::string ways;
    for (const StrategyStep& step : row.ways) {
      std::string limits;
      if (step.until < 1) limits += fmt::format(" until {:g} %", 100 * step.until);
      if (step.most < 1) limits += fmt::format(" for {:g} %", 100 * step.most);
      if (step.rounds > 1) limits += fmt::format(", {} times", step.rounds);
      ways += fmt::format("{}{}{}", ways.empty() ? "" : "; ", step.way->name, limits);
    }
    text += fmt::format("| {} | {} | {} |\n", row.name, facts.empty() ? "none of these" : facts, ways);
  }
  return text;
}

}  // namespace salvo::estimate
