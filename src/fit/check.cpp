#include "fit/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/watch.hpp"
#include "base/words.hpp"
#include "estimate/plan/plan.hpp"
#include "estimate/quantities.hpp"
#include "estimate/ways/setup.hpp"
#include "fit/algebraic.hpp"
#include "fit/delays.hpp"
#include "fit/describe.hpp"
#include "fit/diagnostics.hpp"
#include "fit/discontinuities.hpp"
#include "fit/fit.hpp"
#include "fit/grid_error.hpp"
#include "fit/solution.hpp"
#include "nlp/constraints.hpp"
#include "uncertainty/summarize.hpp"
#include "words/grid_error.hpp"

namespace salvo::fit {
namespace {

using Level = Finding::Level;

// Gradient of the objective by one adjoint per interval against central differences along a fixed direction.
Finding derivative_check(const estimate::Setup& setup) {
  const shooting::ShootingProblem& shooting = *setup.shooting;
  const nlp::Point& q = setup.start;
  const std::vector<double> sizes = shooting.sizes(q);
  nlp::Blocks blocks;
  const auto at = [&](double step) {
    nlp::Point moved = q;
    for (std::size_t i = 0; i < q.size(); ++i) moved[i] += step * sizes[i] * (i % 2 == 0 ? 1.0 : -0.7);
    if (!shooting.values(moved, blocks).ok) return std::nan("");
    double sum = 0;  // of the objective and all gaps, so that every derivative takes part
    for (std::size_t c = 0; c < blocks.chains.size(); ++c)
      for (const nlp::Link& link : blocks.chains[c].links)
        for (const double g : link.gap) sum += g;
    return blocks.objective + sum;
  };
  nlp::GapWeights ones;
  for (const auto& chain : shooting.layout().chains)
    ones.multipliers.push_back(
        std::vector<double>(static_cast<std::size_t>(chain.links()) * shooting.model().states, 1.0));
  nlp::Gradients gradients;
  if (!shooting.adjoint(q, ones, gradients).ok)
    return {Level::note, "the derivatives could not be checked at the start"};
  std::vector<double> total = gradients.objective_by_q;
  for (std::size_t c = 0; c < gradients.links.size(); ++c) {
    const auto& chain = shooting.layout().chains[c];
    for (int j = 0; j < chain.links(); ++j) {
      const auto& link = gradients.links[c][j];
      for (int i = 0; i < shooting.layout().thetas; ++i) total[i] += link.by_theta[i];
      for (std::size_t i = 0; i < link.by_block.size(); ++i) total[chain.offset[j] + i] += link.by_block[i];
      for (int i = 0; i < chain.size[j + 1]; ++i) total[chain.offset[j + 1] + i] -= 1;
    }
  }
  double exact = 0;
  for (std::size_t i = 0; i < q.size(); ++i) exact += total[i] * sizes[i] * (i % 2 == 0 ? 1.0 : -0.7);
  // Fourth-order differences: the error of the integration limits them, not their own.
  const auto error_with = [&](double h) {
    const double differences = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    return std::abs(differences - exact) / std::max(std::abs(exact), 1e-8);
  };
  // Long steps may change which events act in which interval, or lead to where nothing can be computed.
  double error = std::nan("");
  for (const double h : {2e-3, 1e-4, 5e-6}) {
    if (error < 1e-2 || shooting.is_stopped()) break;
    error = std::fmin(error, error_with(h));
  }
  if (std::isnan(error))
    return {Level::note, "the derivatives could not be checked: close to the start there are points without a value"};
  if (!(error < 1e-2))
    return {
        Level::trouble,
        fmt::format(
            "adjoint derivatives and differences disagree by {:.1e}: a formula may have a kink or a jump at the start",
            error)};
  return {Level::good, fmt::format("adjoint derivatives agree with differences to {:.1e}", error)};
}

// A problem that takes longer than this is looked at in part, unless somebody allows more.
constexpr double usual_seconds = 60;

// The nodes on which a fit begins, and its start there.
estimate::Setup first_setup(const estimate::Workspace& workspace) {
  const estimate::Plan plan = estimate::make_plan(workspace, estimate::strategy(workspace.rules()));
  return estimate::make_setup(workspace, plan.ways.front().discretisation);
}

std::vector<std::string> violated_constraints(const shooting::ShootingProblem& shooting, const nlp::Blocks& blocks) {
  std::vector<std::string> texts;
  std::size_t row = 0;
  nlp::each_constraints(blocks, [&](int, int, const nlp::Constraints& constraints) {
    for (std::size_t i = 0; i < constraints.c.size(); ++i, ++row) {
      const std::string& text = shooting.problem().constraints[shooting.constraint_rows()[row].constraint].text;
      const bool is_new = std::find(texts.begin(), texts.end(), text) == texts.end();
      if (nlp::violation(constraints, i) > 0 && is_new) texts.push_back(text);
    }
  });
  return texts;
}

// How space is divided, and what that does to what is predicted.
void list_grid(const model::Problem& problem, const estimate::Options& options, const RunContext& context,
               std::vector<Finding>& findings) {
  const std::optional<GridError> grid = grid_error_at_guess(problem, options, context);
  if (!grid) return;
  std::string cells = counted(grid->cells, "cell");
  if (problem.space.size() > 1) cells = fmt::format("{} by {} cells", problem.space[0].cells, problem.space[1].cells);
  std::string text = fmt::format("{} on {}: {}", counted(std::ssize(problem.fields), "field"), cells,
                                 counted(grid->unknowns, "unknown"));
  if (grid->bandwidth > 0) text += fmt::format(", bandwidth {}", grid->bandwidth);
  if (grid->peclet > 0) text += fmt::format(", cell Peclet number {:.2g}", grid->peclet);
  findings.push_back({Level::good, text});
  if (!grid->trouble.empty())
    findings.push_back({Level::note, "what dividing space does at the guess could not be found out: " + grid->trouble});
  for (const GridError::OfObservable& each : grid->observables)
    findings.push_back(
        {each.in_sigma > GridError::worth_telling ? Level::note : Level::good,
         fmt::format("dividing space moves what is predicted of {} by {:.2g} at the guess, {:.2g} standard deviations "
                     "of its noise{}",
                     each.id, each.error, each.in_sigma,
                     each.in_sigma > GridError::worth_telling
                         ? fmt::format("; with more cells ({} {}) it moves less",
                                       spelled(options.spelling, Hint::cells), words::enough_cells(*grid))
                         : "")});
}

}  // namespace

std::string_view to_string(Level level) {
  switch (level) {
    case Level::good: return "good";
    case Level::note: return "note";
    case Level::trouble: return "trouble";
  }
  return {};
}

std::vector<Finding> check(const model::Problem& problem, const estimate::Options& options) {
  if (const std::string refusal = why_not_fitted(problem, options); !refusal.empty())
    return {{Level::trouble, refusal}};
  std::vector<Finding> findings;
  RunContext context;
  const double seconds = options.max_seconds.value_or(usual_seconds);
  context.stop_after(seconds);
  Watch watch(context);
  const auto is_over = [&] {
    if (!is_raised(context.stop)) return false;
    findings.push_back({Level::note,
                        fmt::format("after {:g} s the rest was left out; allow more with {}", seconds,
                                    spelled(options.spelling, Hint::time)),
                        true});
    return true;
  };
  watch.grant(for_description);
  auto compiled = compile::compile(problem, context.stop);
  watch.grant({});
  if (!compiled) {
    is_over();
    return findings;
  }
  const estimate::Workspace workspace(problem, options, std::move(compiled), {}, context.stop);
  estimate::Setup setup = first_setup(workspace);
  setup.at_start = {};
  const shooting::ShootingProblem& shooting = *setup.shooting;
  const auto all = estimate::quantities(shooting);
  const estimate::Choices choices = estimate::choices_of(setup);
  findings.push_back(
      {Level::good, fmt::format("{}, {} to estimate, {} in {}", counted(std::ssize(problem.states), "state"),
                                counted(std::ssize(all), "quantity", "quantities"),
                                counted(std::ssize(problem.measurements), "measurement"),
                                counted(std::ssize(shooting.grids()), "experiment"))});
  findings.push_back({Level::good, fmt::format("method {}, derivatives by {}, integrator {}, {}{}, {}",
                                               model::to_string(choices.method), model::to_string(choices.derivatives),
                                               choices.integrator, counted(choices.nodes, "node"),
                                               setup.nodes_reason.empty() ? "" : " (" + setup.nodes_reason + ")",
                                               counted(shooting.layout().unknowns, "unknown"))});
  list_algebraic(setup, findings);
  list_delays(setup, findings);
  list_grid(problem, options, context, findings);
  for (const std::string& remark : setup.remarks) findings.push_back({Level::note, remark});
  if (all.empty())
    findings.push_back(
        {Level::note, "nothing is to be estimated: write {guess: 1} in place of the number of what is not known"});
  if (const std::string why = compile::why_no_machine_code(); !why.empty())
    findings.push_back({Level::note, "models are interpreted, which takes longer than machine code: " + why});
  if (!problem.networks.empty())
    findings.push_back({Level::note, problem.validation.empty()
                                         ? "a network may overfit the noise: give some of the data as "
                                           "'validation', and they will stop the fit in time"
                                         : "the validation data will stop the fit"});
  else if (all.size() >= problem.measurements.size())
    findings.push_back({Level::trouble, fmt::format("{} to be estimated from {}: measure more, or fix some ({})",
                                                    counted(std::ssize(all), "quantity is", "quantities are"),
                                                    counted(std::ssize(problem.measurements), "measurement"),
                                                    spelled(options.spelling, Hint::hold))});
  for (const estimate::Quantity& quantity : all) {
    const double value = setup.start[quantity.unknown];
    const auto& layout = shooting.layout();
    if (value <= layout.lower[quantity.unknown] || value >= layout.upper[quantity.unknown])
      findings.push_back(
          {Level::note,
           fmt::format("the guess of {} stands on its bound: one inside leaves the fit more ways to go", quantity.id)});
  }
  nlp::Blocks blocks;
  const long before = shooting.work().rhs;
  std::vector<shooting::ShootingProblem::Predicted> at_start;
  const nlp::Evaluation start = shooting.values(setup.start, {}, blocks, at_start);
  if (is_over()) return findings;
  if (!start.ok) {
    findings.push_back(
        {Level::trouble,
         fmt::format("the start cannot be evaluated: {}. Try another guess ({}), or more nodes ({})", start.trouble,
                     spelled(options.spelling, Hint::guess), spelled(options.spelling, Hint::nodes))});
    return findings;
  }
  const long evaluations = shooting.work().rhs - before;
  const std::vector<Finding> of_noise = diagnose_noise(setup, at_start);
  findings.push_back({Level::good, fmt::format("the start can be evaluated; its largest gap is {:.2g}", blocks.gap)});
  for (const std::string& text : violated_constraints(shooting, blocks))
    findings.push_back({Level::note, fmt::format("the start violates the constraint '{}', which does no harm", text)});
  blocks = {};
  list_happenings(setup, findings);
  if (const Finding derivatives = derivative_check(setup); !is_raised(context.stop)) findings.push_back(derivatives);
  if (!is_raised(context.stop)) diagnose(setup, evaluations, findings);
  is_over();
  findings.insert(findings.end(), of_noise.begin(), of_noise.end());
  return findings;
}

}  // namespace salvo::fit
