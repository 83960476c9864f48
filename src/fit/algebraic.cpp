#include "fit/algebraic.hpp"

#include <fmt/format.h>

#include "estimate/ways/roots_at_start.hpp"
#include "expression/print.hpp"

namespace salvo::fit {
namespace {

constexpr std::size_t most_listed = 20;
constexpr double worst_condition = 1e12;

std::string formula_of(const model::Problem& problem, const std::string& variable) {
  for (const model::Definition& definition : problem.definitions)
    if (definition.id == variable) return expression::print(problem.graph, definition.formula);
  return {};
}

}  // namespace

void list_algebraic(const estimate::Setup& setup, std::vector<Finding>& findings) {
  const model::Problem& problem = setup.problem();
  for (std::size_t n = 0; n < problem.algebraic.size() && n < most_listed; ++n) {
    const model::AlgebraicEquation& equation = problem.algebraic[n];
    findings.push_back({Finding::Level::good,
                        equation.state >= 0 ? fmt::format("0 = {} determines {}, which is integrated with the states",
                                                          equation.text, equation.variable)
                                            : fmt::format("0 = {} is solved by a formula: {} = {}", equation.text,
                                                          equation.variable, formula_of(problem, equation.variable))});
  }
  for (const estimate::RootAtStart& root : estimate::roots_at_start(*setup.shooting, setup.start)) {
    const std::string where = root.experiment.empty() ? "" : fmt::format("in experiment '{}', ", root.experiment);
    findings.push_back(
        {root.condition < worst_condition ? Finding::Level::good : Finding::Level::trouble,
         fmt::format(
             "{}{} begins at {:.5g} (looked for near {:.5g}); the condition of the algebraic equations is {:.1e}{}",
             where, root.variable, root.value, root.near, root.condition,
             root.condition < worst_condition ? "" : ": they hardly determine it")});
  }
}

}  // namespace salvo::fit
