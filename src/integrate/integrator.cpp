#include "integrate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/contract.hpp"
#include "integrate/delayed/delayed.hpp"
#include "integrate/methods.hpp"

namespace salvo::integrate {

std::string describe(const Ending& ending, std::span<const std::string> state_names) {
  const std::string& state = state_names[ending.state];
  switch (ending.outcome) {
    case Outcome::reached_end: return "the end was reached";
    case Outcome::step_too_small:
      return fmt::format("{} reaches a singularity or discontinuity at t = {:.5g}", state, ending.time);
    case Outcome::not_finite: return fmt::format("{} stops being a finite number at t = {:.5g}", state, ending.time);
    case Outcome::equation_not_finite:
      return fmt::format("the equation of {} has no finite value at t = {:.5g}", state, ending.time);
    case Outcome::too_many_steps:
      return fmt::format(
          "the integration took too many steps and got no further than t = {:.5g} (fastest state: {}); the system may "
          "be stiff there: try the integrator auto or rodas5p, larger tolerances (rtol, atol), or guesses of slower "
          "rates",
          ending.time, state);
    case Outcome::no_jacobian: return "the Jacobian of the equations is too large to be written down: take dopri5";
    case Outcome::not_built_in: return "this program was built without SUNDIALS, which cvodes needs: take rodas5p";
    case Outcome::stopped: return "the run was told to stop";
    case Outcome::stiff:
      return fmt::format("the equations are stiff at t = {:.5g} (fastest state: {})", ending.time, state);
    case Outcome::sliding:
      return fmt::format(
          "the condition {} switches back and forth without end at t = {:.5g}: the equations on either "
          "side lead back to it",
          ending.condition, ending.time);
    case Outcome::grazing:
      return fmt::format(
          "the condition {} is touched but not crossed at t = {:.5g}, where nothing can be "
          "differentiated",
          ending.condition, ending.time);
    case Outcome::endless_events:
      return fmt::format("{} happens again and again without end at t = {:.5g}", ending.condition, ending.time);
    case Outcome::unsolvable:
      return fmt::format("0 = {} has no solution at t = {:.5g}: what it is divided by vanishes", ending.condition,
                         ending.time);
    case Outcome::inconsistent:
      return fmt::format(
          "no values of the algebraic variables ({} first) satisfy their equations at t = {:.5g}: none was found from "
          "where they are looked for (near)",
          state, ending.time);
    case Outcome::fold:
      return fmt::format("the algebraic equations lose their solution at t = {:.5g}: two roots of {} meet there",
                         ending.time, state);
    case Outcome::algebraic:
      return "the problem has algebraic equations that no formula solves: take the integrator rodas5p, or auto";
    case Outcome::delayed: return "the problem has delays: take the integrator dopri5, rodas5p, rk4 or auto";
    case Outcome::no_delay:
      return fmt::format("the delay {} is not a positive number: give what is estimated in it a lower bound above 0",
                         ending.condition);
    case Outcome::past_unknown:
      return fmt::format(
          "delays look at what was before t = {:.5g}, where this trajectory begins: take a single interval (nodes)",
          ending.time);
    case Outcome::too_many_images:
      return fmt::format(
          "what was not smooth is seen again too often by t = {:.5g}, each time the delay {} later: the delay may be "
          "far shorter than the experiment",
          ending.time, ending.condition);
    case Outcome::too_many_jumps:
      return fmt::format(
          "conditions have changed so often by t = {:.5g}, {} the last of them, that memory does not hold what was "
          "true when",
          ending.time, ending.condition);
  }
  return {};
}

const compile::Tableau* whole_steps_of(const model::Integrator& choice) {
  if (std::holds_alternative<model::AutoIntegrator>(choice)) return tableau_of(model::Dopri5{});
  if (const auto* dopri5 = std::get_if<model::Dopri5>(&choice)) return tableau_of(*dopri5);
  const auto* rk4 = std::get_if<model::Rk4>(&choice);
  return rk4 != nullptr ? tableau_of(*rk4) : nullptr;
}

model::Integrator no_finer(const model::Integrator& choice, double least) {
  return std::visit(
      [&](auto method) -> model::Integrator {
        if constexpr (requires { method.rtol; }) method.rtol = std::max(method.rtol, least);
        return method;
      },
      choice);
}

double steps_saved(const model::Integrator& choice, double least) {
  return std::visit(
      [&](const auto& method) {
        if constexpr (requires { method.rtol; }) return std::pow(std::max(least / method.rtol, 1.0), 0.2);
        return 1.0;
      },
      choice);
}

double relative_tolerance(const model::Integrator& choice) {
  return std::visit(
      [](const auto& method) {
        if constexpr (requires { method.rtol; }) return method.rtol;
        return 0.0;
      },
      choice);
}

SmallestSize smallest_size(const model::Integrator& choice) {
  return std::visit(
      [](const auto& method) {
        SmallestSize out;
        if constexpr (requires { method.atol; })
          if (method.atol && method.rtol > 0) out.given = *method.atol / method.rtol;
        return out;
      },
      choice);
}

model::Integrator for_stiff(const model::Integrator& choice) {
  const auto* open = std::get_if<model::AutoIntegrator>(&choice);
  return open != nullptr ? model::Rodas5p{.rtol = open->rtol, .atol = open->atol} : choice;
}

bool turned_out_stiff(const model::Integrator& choice, const Ending& ending, int max_steps) {
  const bool out_of_steps = ending.outcome == Outcome::too_many_steps && max_steps >= default_max_steps;
  return std::holds_alternative<model::AutoIntegrator>(choice) && (ending.outcome == Outcome::stiff || out_of_steps);
}

std::string_view name_in_use(const model::Integrator& choice) {
  if (std::holds_alternative<model::AutoIntegrator>(choice)) return model::Dopri5::name;
  return std::visit([](const auto& method) { return method.name; }, choice);
}

std::vector<Seed> unit_seeds(const compile::CompiledModel& model) {
  std::vector<Seed> seeds;
  for (int c = 0; c < model.states + model.active; ++c) seeds.push_back({.column = c, .row = c, .value = 1});
  return seeds;
}

namespace {

// Calls `verb` with the method that was chosen. The steps of `auto` are those of dopri5; algebraic equations need those
// of rodas5p, and fields are stiff as a rule.
template <class Verb>
void with_method(const compile::CompiledModel& model, const model::Integrator& integrator, const Verb& verb) {
  if (!model.algebraic.empty()) {
    const model::Integrator chosen = for_stiff(integrator);
    if (const auto* rodas5p = std::get_if<model::Rodas5p>(&chosen)) verb(*rodas5p);
    return;
  }
  const auto* open = std::get_if<model::AutoIntegrator>(&integrator);
  if (open != nullptr && !model.fields.empty()) return verb(model::Rodas5p{.rtol = open->rtol, .atol = open->atol});
  if (open != nullptr) verb(model::Dopri5{.rtol = open->rtol, .atol = open->atol});
  if (const auto* dopri5 = std::get_if<model::Dopri5>(&integrator)) verb(*dopri5);
  if (const auto* rk4 = std::get_if<model::Rk4>(&integrator)) verb(*rk4);
  if (const auto* cvodes = std::get_if<model::Cvodes>(&integrator)) verb(*cvodes);
  if (const auto* rodas5p = std::get_if<model::Rodas5p>(&integrator)) verb(*rodas5p);
}

}  // namespace

template <int W>
void integrate(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
               Record<W>& record, Scratch& scratch) {
  if (model.looks_back()) return integrate_delayed<W>(model, integrator, launch, record);
  const auto* open = std::get_if<model::AutoIntegrator>(&integrator);
  if (!model.algebraic.empty() && !std::holds_alternative<model::Rodas5p>(for_stiff(integrator))) {
    record.states = model.states;
    return refuse(record, Outcome::algebraic);
  }
  if (open != nullptr && model.algebraic.empty() && model.fields.empty() &&
      model.stiff)  // without a Jacobian there is nothing to change over to
    return integrate_with<W>(*open, model, launch, record, scratch);
  with_method(model, integrator,
              [&](const auto& choice) { integrate_with<W>(choice, model, launch, record, scratch); });
}

template <int W>
void tangent(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
             Record<W>& record, const Seeds<W>& seeds, const TangentSink& sink, Scratch& scratch) {
  SALVO_EXPECTS(record.keeps_steps);
  if (seeds.most_columns() == 0) return;
  if (model.looks_back()) return tangent_delayed<W>(model, integrator, launch, record, seeds, sink);
  with_method(model, integrator,
              [&](const auto& choice) { tangent_with<W>(choice, model, launch, record, seeds, sink, scratch); });
}

template <int W>
void tangent_along(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
                   Record<W>& record, const Directions& directions, const TangentSink& sink, Scratch& scratch) {
  SALVO_EXPECTS(record.keeps_steps);
  if (model.looks_back()) return tangent_along_delayed<W>(model, integrator, launch, record, directions, sink);
  with_method(model, integrator, [&](const auto& choice) {
    tangent_along_with<W>(choice, model, launch, record, directions, sink, scratch);
  });
}

template <int W>
void adjoint(const compile::CompiledModel& model, const model::Integrator& integrator, const Launch<W>& launch,
             Record<W>& record, const Scalars& scalars, Scratch& scratch) {
  SALVO_EXPECTS(record.keeps_steps);
  if (model.looks_back()) return adjoint_delayed<W>(model, integrator, launch, record, scalars);
  with_method(model, integrator,
              [&](const auto& choice) { adjoint_with<W>(choice, model, launch, record, scalars, scratch); });
}

#define SALVO_INSTANTIATE_VERBS(W)                                                                                  \
  template void integrate<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&, Record<W>&, \
                             Scratch&);                                                                             \
  template void tangent<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&, Record<W>&,   \
                           const Seeds<W>&, const TangentSink&, Scratch&);                                          \
  template void tangent_along<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&,         \
                                 Record<W>&, const Directions&, const TangentSink&, Scratch&);                      \
  template void adjoint<W>(const compile::CompiledModel&, const model::Integrator&, const Launch<W>&, Record<W>&,   \
                           const Scalars&, Scratch&)
SALVO_INSTANTIATE_VERBS(1);
SALVO_INSTANTIATE_VERBS(4);

}  // namespace salvo::integrate
