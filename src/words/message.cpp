#include "words/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/words.hpp"
#include "estimate/quantities.hpp"
#include "estimate/validation.hpp"
#include "estimate/ways/roots_at_start.hpp"
#include "words/constraints.hpp"
#include "words/how_found.hpp"
#include "words/worst_gap.hpp"

namespace salvo::words {
namespace {

// What messages are made of.
struct Reached {
  const model::Problem& problem;
  const shooting::ShootingProblem& shooting;
  const estimate::Answer& answer;
  const solve::GapRules& gaps;
  const Spelling& door;

  const solve::SolveResult& run() const { return answer.run; }
  std::string hint(Hint each) const { return spelled(door, each); }
};

std::string capitalized(std::string sentence) {
  if (!sentence.empty()) sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

// "x1", or "low:x1" where there are several experiments.
std::string name_of(const model::Problem& problem, const Estimate& estimate) {
  const bool several = problem.experiments.size() > 1 && !estimate.experiment.empty();
  return several ? estimate.experiment + ":" + estimate.id : estimate.id;
}

// Estimated noises that a perfect fit drives to zero: the likelihood has no end there.
std::vector<std::string> vanishing_noises(const Reached& at) {
  constexpr double nothing = 1e-8;  // of the data
  double size = 0;
  for (const model::Measurement& measurement : at.problem.measurements)
    size = std::max(size, std::abs(measurement.value));
  std::vector<std::string> ids;
  const nlp::Layout& layout = at.shooting.layout();
  for (const estimate::Quantity& quantity : estimate::quantities(at.shooting)) {
    if (quantity.unknown >= layout.thetas || !layout.noise_only[quantity.unknown]) continue;
    const double value = model::from_scale(quantity.estimated->scale, at.run().q[quantity.unknown]);
    if (std::abs(value) < nothing * size) ids.push_back(quantity.id);
  }
  return ids;
}

// So many of the directions that are not identifiable are told at length; fit.json has all of them.
constexpr std::size_t enough_directions = 2;
constexpr std::size_t enough_parts = 6;

std::string hold_what_is_not_identifiable(const Reached& at, const FitResult& result) {
  std::string text;
  for (std::size_t n = 0; n < std::min(result.null_directions.size(), enough_directions); ++n) {
    std::vector<std::string> ids;
    for (const auto& part : result.null_directions[n].parts) ids.push_back(part.first);
    text += fmt::format("Hold {}{} at a value ({}). ", ids.size() > 1 ? "one of " : "", listed(ids, enough_parts),
                        at.hint(Hint::hold));
  }
  return text;
}

// Null directions and bounds are what most often keeps a run from its end: they are named first.
std::string advice(const Reached& at, const FitResult& result) {
  if (const std::vector<std::string> ids = vanishing_noises(at); !ids.empty())
    return fmt::format(
        "{} {} to zero, because the fit goes through all of its data: there are too few to tell their noise. State it "
        "in "
        "the file, or measure more.",
        listed(ids), ids.size() == 1 ? "runs" : "run");
  std::string text = hold_what_is_not_identifiable(at, result);
  if (!result.certificate.is_resolved) text += fmt::format("Integrate more accurately ({}). ", at.hint(Hint::accuracy));
  std::vector<std::string> pressed;
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& estimate : *list)
      if (estimate.at_bound != AtBound::none)
        pressed.push_back(fmt::format("{} bound of {}", to_string(estimate.at_bound), name_of(at.problem, estimate)));
  if (!pressed.empty()) text += fmt::format("Move the {}, unless it is a physical limit. ", listed(pressed));
  bool single = true;
  for (const auto& grid : at.shooting.grids()) single = single && grid.intervals() <= 1;
  if (single)
    return text + fmt::format("Use more nodes ({}), or another guess ({}).", at.hint(Hint::at_measurements),
                              at.hint(Hint::guess));
  return text + fmt::format("Try another guess ({}, {}), more nodes ({}), or bounds that keep parameters reasonable.",
                            at.hint(Hint::guess), at.hint(Hint::starts), at.hint(Hint::nodes));
}

// "0.31 (x2 at t = 3.5, between intervals 4 and 5 of 10)"
std::string gap_in_words(const Reached& at) {
  const bool is_open = at.run().gap > at.gaps.closed;
  const std::string place = is_open ? worst_gap_in_words(at.shooting, at.run().q) : "";
  return fmt::format("{:.2g}{}", at.run().gap, place.empty() ? "" : " (" + place + ")");
}

std::string about_conflict(const Reached& at) {
  const std::vector<std::string> words = in_words(at.shooting, at.run().conflict);
  if (words.size() == 1)
    return fmt::format(
        "The constraint {} does not hold, and nothing that is estimated changes it. Remove it, or estimate "
        "what it depends on.",
        words.front());
  return fmt::format(
      "These cannot hold together, at least not near the point that was reached: {}. Relax or remove one of "
      "them, or try another guess ({}).",
      listed(words), at.hint(Hint::guess));
}

std::string about_budget(const Reached& at, const FitResult& result) {
  return fmt::format(
      "Not converged: after {} the work that a fit may do is used up, and the largest gap is {}. Allow more with {}, "
      "or "
      "go on from here with {}. {}",
      counted(result.iterations, "iteration"), gap_in_words(at), at.hint(Hint::effort), at.hint(Hint::go_on),
      advice(at, result));
}

std::string outcome(const Reached& at, const FitResult& result) {
  const std::string iterations = counted(result.iterations, "iteration");
  switch (result.status) {
    case Status::converged:
      if (at.run().ended == solve::Ended::early_stopping)
        return fmt::format("Stopped after {}, because the validation data were predicted no better.", iterations);
      return fmt::format("Converged after {}.", iterations);
    case Status::max_iterations:
      return fmt::format(
          "Not converged after {}: the last step was {:.2g}, the largest gap is {}. Allow more with {}, or go on from "
          "here with {}. {}",
          iterations, result.trace.empty() ? 0.0 : result.trace.back().step, gap_in_words(at),
          at.hint(Hint::iterations), at.hint(Hint::go_on), advice(at, result));
    case Status::max_time:
      return fmt::format(
          "The time ran out after {} with a largest gap of {}. Allow more with {}, or go on from here with {}.",
          iterations, gap_in_words(at), at.hint(Hint::time), at.hint(Hint::go_on));
    case Status::infeasible:
      if (at.run().ended == solve::Ended::budget) return about_budget(at, result);
      if (!at.run().conflict.empty()) return about_conflict(at);
      if (at.run().violation > at.run().gap)
        return fmt::format(
            "The constraints could not be met: after {} the largest relative violation is still {:.2g}. {}", iterations,
            at.run().violation, advice(at, result));
      return fmt::format("The trajectories could not be joined: after {} the largest gap is still {}{}. {}", iterations,
                         gap_in_words(at), at.answer.trouble.empty() ? "" : "; " + at.answer.trouble,
                         advice(at, result));
    case Status::stalled:
      if (at.run().ended == solve::Ended::budget) return about_budget(at, result);
      return fmt::format("No further progress after {}: even very short steps do not help{}. The largest gap is {}. {}",
                         iterations, at.answer.trouble.empty() ? "" : "; " + at.answer.trouble, gap_in_words(at),
                         advice(at, result));
    case Status::interrupted:
      return fmt::format("Interrupted after {}; what was reached is kept (go on with {}).", iterations,
                         at.hint(Hint::go_on));
    case Status::numerical_failure: return fmt::format("{}. {}", capitalized(at.answer.trouble), advice(at, result));
  }
  return {};
}

std::string about_bounds(const Reached& at, const FitResult& result) {
  std::vector<std::string> held;
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& estimate : *list)
      if (estimate.at_bound != AtBound::none)
        held.push_back(fmt::format("{} (its {} bound)", name_of(at.problem, estimate), to_string(estimate.at_bound)));
  if (held.empty()) return {};
  return fmt::format(" At a bound, so without a standard error: {}; the other standard errors are conditional on {}.",
                     listed(held), held.size() > 1 ? "them" : "it");
}

std::string about_constraints(const Reached& at, const FitResult& result) {
  const bool several = at.shooting.grids().size() > 1;
  std::string text;
  bool any = false;
  for (const ConstraintResult& constraint : result.constraints) {
    any = any || constraint.active;
    if (!constraint.active || constraint.is_equality) continue;
    constexpr std::size_t enough = 3;
    std::vector<std::string> places;
    for (const auto& place : constraint.places)
      if (places.size() < enough) places.push_back(in_words(place, several));
    if (constraint.places.size() > enough)
      places.push_back(counted(std::ssize(constraint.places) - std::ssize(places), "other place"));
    std::erase(places, "");
    text += fmt::format(" {} holds with equality{}{}; standard errors are conditional on it.", constraint.text,
                        places.empty() ? "" : " ", listed(places));
  }
  std::vector<std::string> determined;
  for (const auto* list : {&result.parameters, &result.initial})
    for (const Estimate& estimate : *list)
      if (any && !estimate.standard_error && estimate.identifiable && estimate.at_bound == AtBound::none)
        determined.push_back(name_of(at.problem, estimate));
  if (!determined.empty())
    text += fmt::format(" Determined by constraints, so without a standard error: {}.", listed(determined));
  return text;
}

std::string about_null_directions(const FitResult& result) {
  std::string text;
  for (std::size_t n = 0; n < std::min(result.null_directions.size(), enough_directions); ++n) {
    std::vector<std::string> parts;
    for (const auto& [id, coefficient] : result.null_directions[n].parts)
      parts.push_back(fmt::format("{} by {:+.3g} %", id, coefficient));
    text +=
        fmt::format(" Not identifiable: a change of {}{} leaves the fit as it is; no standard error is given for {}.",
                    listed(parts, enough_parts), parts.size() > 1 ? " together" : "", parts.size() > 1 ? "them" : "it");
  }
  if (result.null_directions.size() > enough_directions)
    text += fmt::format(" {} not identifiable either (null_directions in fit.json).",
                        counted(static_cast<long>(result.null_directions.size() - enough_directions),
                                "other direction is", "other directions are"));
  return text;
}

std::string about_vague_estimates(const FitResult& result) {
  std::vector<std::string> vague;
  for (const auto* list : {&result.parameters, &result.initial}) {
    for (const Estimate& estimate : *list) {
      if (estimate.identifiable) continue;
      bool named = false;
      const std::string id = estimate.experiment.empty() ? estimate.id : estimate.experiment + ":" + estimate.id;
      for (const NullDirection& direction : result.null_directions)
        for (const auto& part : direction.parts) named |= part.first == estimate.id || part.first == id;
      if (!named) vague.push_back(estimate.id);
    }
  }
  if (vague.empty()) return {};
  return fmt::format(" Not identifiable: the order of magnitude of {}.", listed(vague));
}

std::string about_validation(const solve::SolveResult& run, const FitResult& result) {
  if (!run.best_iteration) return {};
  return fmt::format(
      " The answer is iteration {}, which predicts the validation data best: their residuals are {:.3g} standard "
      "deviations of the noise (root mean square).",
      *run.best_iteration, estimate::rms_residual(result.validation));
}

std::string about_nodes(const FitResult& result) {
  if (result.status != Status::converged || !result.certificate.is_of_nodes) return {};
  return " Errors of integration grow so much that one trajectory from the start departs from the nodes. "
         "The nodes are "
         "the answer, and salvo evaluate, which integrates that trajectory, gives another likelihood.";
}

std::string about_errors(const FitResult& result) {
  if (result.no_errors.empty()) return {};
  return fmt::format(" No standard errors are given: {}.", result.no_errors);
}

}  // namespace

std::string message(const estimate::Estimation& estimation, const FitResult& result) {
  const estimate::Workspace& workspace = *estimation.workspace;
  const Reached at{workspace.problem(), *estimation.best.shooting, estimation.best.answer, workspace.rules().solve.gaps,
                   workspace.options().spelling};
  std::string text = outcome(at, result) + about_validation(at.run(), result);
  for (const std::string& remark : at.problem.remarks) text += " " + capitalized(remark) + ".";
  for (const std::string& remark : at.answer.remarks) text += " " + capitalized(remark) + ".";
  for (const std::string& remark : estimate::remarks_on_roots(estimate::roots_at_start(at.shooting, at.run().q)))
    text += " " + capitalized(remark) + ".";
  return text + how_it_was_found(estimation) + about_nodes(result) + about_errors(result) + about_bounds(at, result) +
         about_constraints(at, result) + about_null_directions(result) + about_vague_estimates(result);
}

}  // namespace salvo::words
