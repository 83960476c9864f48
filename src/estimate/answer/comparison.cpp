#include "estimate/answer/comparison.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace salvo::estimate {
namespace {

using Indices = std::vector<std::size_t>;

// Leaves those that have it, if any has.
template <class Has>
void prefer(Indices& left, const Has& has) {
  if (std::any_of(left.begin(), left.end(), has)) std::erase_if(left, [&](std::size_t i) { return !has(i); });
}

// Leaves those that are as small as the smallest, as far as that can be meant.
template <class Of, class Most>
void prefer_least(Indices& left, const Of& of, const Most& most) {
  const std::size_t least =
      *std::min_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) { return of(a) < of(b); });
  std::erase_if(left, [&](std::size_t i) { return i != least && !(of(i) <= most(least, i)); });
}

struct Filter {
  std::string_view rule{};
  std::function<void(Indices&)> leave{};
};

std::vector<Filter> filters(const std::vector<Merits>& answers, const AnswerRules& rules) {
  const auto margin = [&answers, &rules](std::size_t a, std::size_t b) {
    return std::max(rules.better, answers[a].resolution + answers[b].resolution);
  };
  return {{"finished", [&](Indices& left) { prefer(left, [&](std::size_t i) { return answers[i].is_finished; }); }},
          {"joined", [&](Indices& left) { prefer(left, [&](std::size_t i) { return answers[i].is_joined; }); }},
          {"resolved", [&](Indices& left) { prefer(left, [&](std::size_t i) { return answers[i].is_resolved; }); }},
          {"better",
           [&answers, margin](Indices& left) {
             prefer_least(
                 left, [&](std::size_t i) { return answers[i].objective; },
                 [&](std::size_t least, std::size_t i) { return answers[least].objective + margin(least, i); });
           }},
          {"proved", [&](Indices& left) { prefer(left, [&](std::size_t i) { return answers[i].is_proved; }); }},
          {"seen", [&](Indices& left) { prefer(left, [&](std::size_t i) { return !answers[i].is_flat; }); }},
          {"motion",
           [&](Indices& left) {
             prefer_least(
                 left, [&](std::size_t i) { return answers[i].motion; },
                 [&](std::size_t least, std::size_t) { return rules.still * answers[least].motion; });
           }},
          {"nearest", [&](Indices& left) {
             prefer_least(
                 left, [&](std::size_t i) { return answers[i].distance; },
                 [&](std::size_t least, std::size_t) { return answers[least].distance + rules.same; });
           }}};
}

}  // namespace

Choice choose(const std::vector<Merits>& answers, const AnswerRules& rules) {
  Indices left(answers.size());
  std::iota(left.begin(), left.end(), 0);
  for (const Filter& filter : filters(answers, rules)) {
    if (left.size() == 1) break;
    filter.leave(left);
    if (left.size() == 1) return {left.front(), filter.rule};
  }
  return {left.front(), "first"};
}

std::vector<std::size_t> equally_good(const std::vector<Merits>& answers, const AnswerRules& rules) {
  Indices left(answers.size());
  std::iota(left.begin(), left.end(), 0);
  for (const Filter& filter : filters(answers, rules)) {
    if (filter.rule == "motion") break;
    filter.leave(left);
  }
  return left;
}

std::vector<std::size_t> ranked(const std::vector<Merits>& answers, std::size_t best) {
  Indices order(answers.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](std::size_t i) {
    const Merits& one = answers[i];
    return std::tuple(i != best, !one.is_joined, !one.is_finished || !one.is_resolved, one.objective);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace salvo::estimate
