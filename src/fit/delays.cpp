#include "fit/delays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/words.hpp"
#include "expression/print.hpp"
#include "model/delays.hpp"

namespace salvo::fit {
namespace {

constexpr int most_delays = 5;       // after which no step feels a kink any more
constexpr double many_steps = 2000;  // that the shortest delay asks for
constexpr double same = 1e-12;       // relative: two times that are one
constexpr std::size_t most_kinks = 10'000;

std::string history_of(const model::Problem& problem, const model::State& state) {
  const auto rests = [](const model::Experiment& experiment) { return experiment.equilibrate.has_value(); };
  if (std::all_of(problem.experiments.begin(), problem.experiments.end(), rests))
    return fmt::format("before the start, {} was where it rested", state.id);
  if (state.history == expression::no_node)
    return fmt::format("before the start, {} is taken to have been what it is there; 'history' may say otherwise",
                       state.id);
  const std::string text = expression::print(problem.graph, state.history);
  constexpr std::size_t longest = 60;
  return fmt::format("before the start, {} was {}", state.id, text.size() <= longest ? text : "what its table says");
}

// The times of kinks after the start, up to the end: sums of up to `most_delays` delays.
std::set<double> kinks(const std::vector<double>& delays, double start, double end) {
  std::set<double> all, last{start};
  for (int order = 1; order <= most_delays && all.size() < most_kinks; ++order) {
    std::set<double> next;
    for (const double from : last)
      for (const double delay : delays)
        if (from + delay < end) next.insert(from + delay);
    for (const double t : next) {
      const auto above = all.lower_bound(t * (1 - same));
      if (above == all.end() || *above > t * (1 + same)) all.insert(t);
    }
    last = std::move(next);
  }
  return all;
}

}  // namespace

void list_delays(const estimate::Setup& setup, std::vector<Finding>& findings) {
  const model::Problem& problem = setup.problem();
  const compile::CompiledModel& model = setup.shooting->model();
  if (!model.delays || setup.shooting->grids().empty()) return;
  const shooting::Grid& grid = setup.shooting->grids().front();
  const shooting::ExperimentValues values = setup.shooting->values_of(0, setup.start, false);
  const std::vector<double> tau = model.delays_at(values.p.data(), 1);
  std::vector<std::string> delays, states;
  for (std::size_t k = 0; k < tau.size(); ++k) {
    const std::string number = number_text(tau[k]);
    const std::string& text = model.delays->texts[k];
    delays.push_back(text == number ? number : fmt::format("{} = {:.6g} at the guess", text, tau[k]));
  }
  const std::vector<int> delayed = model::delayed_states(problem);
  for (const int state : delayed) states.push_back(problem.states[state].id);
  findings.push_back(
      {Finding::Level::good, fmt::format("{} ({}); formulas look back at {}", counted(std::ssize(tau), "delay"),
                                         listed(delays), states.empty() ? "inputs" : listed(states))});
  for (const int state : delayed)
    findings.push_back(
        {problem.states[state].history == expression::no_node ? Finding::Level::note : Finding::Level::good,
         history_of(problem, problem.states[state])});
  const double begin = grid.tau.front();
  const double end = grid.tau.back();
  const double shortest = *std::min_element(tau.begin(), tau.end());
  const std::size_t count = kinks(tau, begin, end).size();
  findings.push_back(
      {Finding::Level::good,
       count == 0
           ? "no delay ends within the time of the data: what was before the start is all that formulas see"
           : fmt::format("what jumps at the start comes again {} up to t = {:.5g}, one order smoother after each "
                         "delay; steps end there",
                         counted(static_cast<long>(count), "time"), end)});
  if (shortest > 0 && (end - begin) / shortest > many_steps)
    findings.push_back({Finding::Level::note,
                        fmt::format("no step is longer than the shortest delay, {:.3g}: at least {:.0f} of them; a "
                                    "delay far below what the data can show may be left out",
                                    shortest, (end - begin) / shortest)});
}

}  // namespace salvo::fit
