#include "formats/sbml/libsbml/math_writer.hpp"

namespace salvo::formats::sbml {
namespace {

using expression::Op;

ASTNodeType_t type_of(Op op) {
  switch (op) {
    case Op::add: return AST_PLUS;
    case Op::subtract:
    case Op::negate: return AST_MINUS;
    case Op::multiply: return AST_TIMES;
    case Op::divide: return AST_DIVIDE;
    case Op::power: return AST_POWER;
    case Op::minimum: return AST_FUNCTION_MIN;
    case Op::maximum: return AST_FUNCTION_MAX;
    case Op::less: return AST_RELATIONAL_LT;
    case Op::less_equal: return AST_RELATIONAL_LEQ;
    case Op::equal: return AST_RELATIONAL_EQ;
    case Op::not_equal: return AST_RELATIONAL_NEQ;
    case Op::logical_and: return AST_LOGICAL_AND;
    case Op::logical_or: return AST_LOGICAL_OR;
    case Op::logical_not: return AST_LOGICAL_NOT;
    case Op::exp: return AST_FUNCTION_EXP;
    case Op::log: return AST_FUNCTION_LN;
    case Op::log2:
    case Op::log10: return AST_FUNCTION_LOG;
    case Op::sqrt: return AST_FUNCTION_ROOT;
    case Op::abs: return AST_FUNCTION_ABS;
    case Op::sin: return AST_FUNCTION_SIN;
    case Op::cos: return AST_FUNCTION_COS;
    case Op::tan: return AST_FUNCTION_TAN;
    case Op::asin: return AST_FUNCTION_ARCSIN;
    case Op::acos: return AST_FUNCTION_ARCCOS;
    case Op::atan: return AST_FUNCTION_ARCTAN;
    case Op::sinh: return AST_FUNCTION_SINH;
    case Op::cosh: return AST_FUNCTION_COSH;
    case Op::tanh: return AST_FUNCTION_TANH;
    case Op::asinh: return AST_FUNCTION_ARCSINH;
    case Op::acosh: return AST_FUNCTION_ARCCOSH;
    case Op::atanh: return AST_FUNCTION_ARCTANH;
    case Op::select: return AST_FUNCTION_PIECEWISE;
    case Op::delay: return AST_FUNCTION_DELAY;
    case Op::constant:
    case Op::symbol:
    case Op::sign: break;  // written in other ways
    default: break;        // SBML has no fields
  }
  return AST_UNKNOWN;
}

using Math = std::unique_ptr<ASTNode>;

Math number(double value) {
  auto out = std::make_unique<ASTNode>(AST_REAL);
  out->setValue(value);
  return out;
}

// libsbml owns what a formula is made of.
void add(ASTNode& to, Math part) { to.addChild(part.release()); }

}  // namespace

MathWriter::MathWriter(const Model& model) : model_(model) {
  for (const Quantity& quantity : model.quantities) names_.emplace(quantity.symbol, quantity.id);
}

Math MathWriter::write(NodeId id, const Quantity* own) const {
  return own != nullptr && own->symbol == id ? operation(id) : node(id);
}

Math MathWriter::node(NodeId id) const {
  Math name = named(id);
  return name != nullptr ? std::move(name) : operation(id);
}

Math MathWriter::named(NodeId id) const {
  const auto found = names_.find(id);
  if (id != model_.time && found == names_.end()) return nullptr;
  auto out = std::make_unique<ASTNode>(id == model_.time ? AST_NAME_TIME : AST_NAME);
  out->setName(id == model_.time ? "time" : found->second.c_str());
  return out;
}

Math MathWriter::operation(NodeId id) const {
  const expression::Node& its = model_.graph[id];
  if (its.op == Op::constant) return number(its.value);
  if (its.op == Op::sign) return sign_of(its.arguments[0]);
  auto out = std::make_unique<ASTNode>(type_of(its.op));
  if (its.op == Op::log2 || its.op == Op::log10) add(*out, number(its.op == Op::log2 ? 2 : 10));
  if (its.op == Op::sqrt) add(*out, number(2));
  if (its.op == Op::select) {  // the value stands before its condition
    for (const int argument : {1, 0, 2}) add(*out, node(its.arguments[argument]));
    return out;
  }
  add_arguments(*out, id);
  return out;
}

// A sum or a product of many is one list, which keeps formulas flat.
void MathWriter::add_arguments(ASTNode& to, NodeId id) const {
  const expression::Node& its = model_.graph[id];
  const bool is_list = its.op == Op::add || its.op == Op::multiply;
  for (int i = 0; i < expression::argument_count(its.op); ++i) {
    const NodeId argument = its.arguments[i];
    if (i == 0 && is_list && model_.graph[argument].op == its.op && !names_.contains(argument))
      add_arguments(to, argument);
    else
      add(to, node(argument));
  }
}

// MathML has no sign: 1 above zero, -1 below it, otherwise 0.
Math MathWriter::sign_of(NodeId id) const {
  auto out = std::make_unique<ASTNode>(AST_FUNCTION_PIECEWISE);
  for (const double sign : {1.0, -1.0}) {
    auto condition = std::make_unique<ASTNode>(sign > 0 ? AST_RELATIONAL_GT : AST_RELATIONAL_LT);
    add(*condition, node(id));
    add(*condition, number(0));
    add(*out, number(sign));
    add(*out, std::move(condition));
  }
  add(*out, number(0));
  return out;
}

}  // namespace salvo::formats::sbml
