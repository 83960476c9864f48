#include "integrate/work.hpp"

#include <algorithm>

namespace salvo::integrate {
namespace {

constexpr long instruction = 3;       // multiply-adds for which an instruction of the interpreter counts
constexpr long runge_kutta_sums = 6;  // multiply-adds per number and stage

long jacobian_work(const compile::CompiledModel& model) { return instruction * model.jacobian.instruction_count(); }

long products_by_jacobian(const compile::CompiledModel& model, long scalars) {
  return jacobian_work(model) + scalars * model.columns.size();
}

long products_by_formulas(const compile::CompiledModel& model, long scalars) {
  return scalars * instruction * model.vjp.instruction_count();
}

}  // namespace

long tangent_work(const compile::CompiledModel& model) { return tangent_work(model, model.states + model.active); }

long tangent_work(const compile::CompiledModel& model, long columns) {
  return jacobian_work(model) + columns * (model.rows.size() + runge_kutta_sums * model.states) + model.f_p.size();
}

long adjoint_work(const compile::CompiledModel& model, long scalars) {
  const bool shares = adjoints_share_jacobian(model, scalars);
  return (shares ? products_by_jacobian(model, scalars) : products_by_formulas(model, scalars)) +
         scalars * runge_kutta_sums * model.states;
}

long products_work(const compile::CompiledModel& model, long products) {
  const long formulas = model.states * static_cast<long>(model.jvp_x.instruction_count()) +
                        products * static_cast<long>(model.jvp.instruction_count() + model.vjp.instruction_count());
  return instruction * formulas + (model.states + 2 * products) * runge_kutta_sums * model.states;
}

bool adjoints_share_jacobian(const compile::CompiledModel& model, long scalars) {
  constexpr long most_of_a_gradient = 2;
  return model.has_jacobian && std::min<long>(scalars, model.states) > most_of_a_gradient &&
         products_by_jacobian(model, model.states) < products_by_formulas(model, model.states);
}

}  // namespace salvo::integrate
