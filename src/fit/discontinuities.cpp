#include "fit/discontinuities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.hpp"
#include "shooting/trajectory.hpp"

namespace salvo::fit {
namespace {

struct Happening {
  std::string text{};
  std::vector<double> times{};
};

std::vector<Happening> happenings(const compile::Discontinuities& of, const std::vector<integrate::Jump>& jumps) {
  std::vector<Happening> out;
  for (const integrate::Jump& jump : jumps) {
    if (jump.event < 0 && (jump.function < 0 || of.functions[jump.function].input >= 0)) continue;
    const std::string text = jump.event >= 0 ? fmt::format("the event '{}'", of.events[jump.event].text)
                                             : fmt::format("the condition {}", of.functions[jump.function].text);
    auto place = std::find_if(out.begin(), out.end(), [&](const Happening& known) { return known.text == text; });
    if (place == out.end()) place = out.insert(out.end(), {.text = text});
    if (place->times.empty() || place->times.back() != jump.time) place->times.push_back(jump.time);
  }
  return out;
}

std::string listed_times(const std::vector<double>& times) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t n = 0; n < std::min(times.size(), most); ++n)
    out += fmt::format("{}{:.5g}", n == 0 ? "" : ", ", times[n]);
  return times.size() > most ? fmt::format("{}, ... ({} times)", out, times.size()) : out;
}

std::string place_text(const model::Problem& problem, int experiment) {
  return problem.experiments.size() > 1 ? fmt::format("in experiment '{}', ", problem.experiments[experiment].id)
                                        : std::string();
}

// Where an input is known, and where its last value holds instead.
void list_inputs(const model::Problem& problem, const shooting::Grid& grid, std::vector<Finding>& findings) {
  for (const model::Input& input : problem.inputs) {
    const model::InputCurve& curve = *input.of_experiment[grid.experiment];
    const std::string known = fmt::format(
        "{}the input '{}' ({}, {}) is known from t = {:.5g} to {:.5g}", place_text(problem, grid.experiment), input.id,
        to_string(input.interpolation), counted(std::ssize(curve.pieces()), "piece"), curve.begin(), curve.end());
    const bool is_early = grid.tau.front() < curve.begin();
    const bool is_late = grid.tau.back() > curve.end();
    if (is_early || is_late)
      findings.push_back({Finding::Level::note,
                          fmt::format("{}, but is needed from {:.5g} to {:.5g}: beyond its ends the {} value holds",
                                      known, grid.tau.front(), grid.tau.back(),
                                      is_early && is_late ? "first or last"
                                      : is_early          ? "first"
                                                          : "last")});
    else
      findings.push_back({Finding::Level::good, known});
  }
}

}  // namespace

void list_happenings(const estimate::Setup& setup, std::vector<Finding>& findings) {
  const shooting::ShootingProblem& shooting = *setup.shooting;
  const compile::CompiledModel& model = shooting.model();
  for (const shooting::Grid& grid : shooting.grids()) list_inputs(setup.problem(), grid, findings);
  if (!model.discontinuities) return;
  for (int c = 0; c < static_cast<int>(shooting.grids().size()); ++c) {
    const shooting::Grid& grid = shooting.grids()[c];
    const shooting::ExperimentValues values = shooting.values_of(c, setup.start, false);
    const std::vector<double> end{grid.tau.back()};
    const shooting::Trajectory arc =
        shooting::trajectory(model, shooting.options().integrator,
                             {.time = grid.tau.front(), .experiment = grid.experiment}, values.s0, values.p, end);
    const std::string where = place_text(setup.problem(), grid.experiment);
    for (const Happening& each : happenings(*model.discontinuities, arc.jumps))
      findings.push_back({Finding::Level::good, fmt::format("{}{} {} at t = {}, from the guess", where, each.text,
                                                            each.text.starts_with("the event") ? "acts" : "switches",
                                                            listed_times(each.times))});
  }
}

}  // namespace salvo::fit
