#include "start/affine.hpp"

#include <algorithm>

namespace salvo::start {
namespace {

using compile::Bank;
using compile::Instruction;
using expression::Op;

enum Degree : int { constant, linear, not_affine };

// The degree of what an instruction computes, from those of its operands.
template <class DegreeOf>
int degree_of_result(const Instruction& i, const DegreeOf& of) {
  switch (i.op) {
    case Op::add:
    case Op::subtract: return std::max(of(i.a), of(i.b));
    case Op::multiply: return std::max(std::min<int>(of(i.a) + of(i.b), not_affine), i.adds ? of(i.c) : 0);
    case Op::divide: return of(i.b) > 0 ? not_affine : of(i.a);
    case Op::negate: return of(i.a);
    case Op::select: return of(i.a) > 0 ? not_affine : std::max(of(i.b), of(i.c));
    default: {
      const int count = expression::argument_count(i.op);
      const bool is_constant = of(i.a) == 0 && (count < 2 || of(i.b) == 0);
      return is_constant ? 0 : not_affine;
    }
  }
}

}  // namespace

bool is_affine(const compile::Listing& listing, int outputs, int parameters) {
  std::vector<int> degree(listing.work_size, 0);
  const auto of = [&](compile::Operand operand) {
    if (operand.bank == Bank::work) return degree[operand.index];
    return operand.bank == Bank::parameter && operand.index < parameters ? 1 : 0;
  };
  for (const Instruction& i : listing.instructions) degree[i.target] = degree_of_result(i, of);
  return std::all_of(listing.outputs.begin(), listing.outputs.begin() + outputs,
                     [&](compile::Operand output) { return of(output) < not_affine; });
}

bool has_affine_rhs(const compile::CompiledModel& model) {
  if (model.discontinuities)
    for (const compile::SwitchingFunction& function : model.discontinuities->functions)
      if (!function.by_parameter.empty()) return false;
  return is_affine(model.rhs.tape().listing(), model.states, model.active);
}

}  // namespace salvo::start
