#include "formats/sbml/libsbml/math.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "base/words.hpp"
#include "expression/functions.hpp"

namespace salvo::formats::sbml {

// Functions that jump or exist for whole numbers only.
struct NumberFunction {
  ASTNodeType_t type;
  const char* name;
  double (*value)(double, double);
  std::optional<Staircase::Function> staircase;  // of what is not a number
};

namespace {

using expression::no_node;
using expression::Op;

constexpr double avogadro = 6.02214179e23;  // as SBML Level 3 fixes it
constexpr int deepest_call = 100;           // of functions within functions
constexpr long most_parts = 20'000'000;     // of all formulas together

// The function of the formula language that means the same; null where there is none.
const char* function_name(ASTNodeType_t type) {
  switch (type) {
    case AST_FUNCTION_ABS: return "abs";
    case AST_FUNCTION_ARCCOS: return "arccos";
    case AST_FUNCTION_ARCCOSH: return "arccosh";
    case AST_FUNCTION_ARCCOT: return "arccot";
    case AST_FUNCTION_ARCCOTH: return "arccoth";
    case AST_FUNCTION_ARCCSC: return "arccsc";
    case AST_FUNCTION_ARCCSCH: return "arccsch";
    case AST_FUNCTION_ARCSEC: return "arcsec";
    case AST_FUNCTION_ARCSECH: return "arcsech";
    case AST_FUNCTION_ARCSIN: return "arcsin";
    case AST_FUNCTION_ARCSINH: return "arcsinh";
    case AST_FUNCTION_ARCTAN: return "arctan";
    case AST_FUNCTION_ARCTANH: return "arctanh";
    case AST_FUNCTION_COS: return "cos";
    case AST_FUNCTION_COSH: return "cosh";
    case AST_FUNCTION_COT: return "cot";
    case AST_FUNCTION_COTH: return "coth";
    case AST_FUNCTION_CSC: return "csc";
    case AST_FUNCTION_CSCH: return "csch";
    case AST_FUNCTION_EXP: return "exp";
    case AST_FUNCTION_LN: return "ln";
    case AST_FUNCTION_MAX: return "max";
    case AST_FUNCTION_MIN: return "min";
    case AST_FUNCTION_POWER:
    case AST_POWER: return "pow";
    case AST_FUNCTION_SEC: return "sec";
    case AST_FUNCTION_SECH: return "sech";
    case AST_FUNCTION_SIN: return "sin";
    case AST_FUNCTION_SINH: return "sinh";
    case AST_FUNCTION_TAN: return "tan";
    case AST_FUNCTION_TANH: return "tanh";
    default: return nullptr;
  }
}

double factorial(double n) { return n < 0 || n != std::floor(n) ? std::nan("") : std::round(std::tgamma(n + 1)); }

constexpr NumberFunction number_functions[] = {
    {AST_FUNCTION_FLOOR, "floor", [](double a, double) { return std::floor(a); }, Staircase::Function::floor},
    {AST_FUNCTION_CEILING, "ceiling", [](double a, double) { return std::ceil(a); }, Staircase::Function::ceiling},
    {AST_FUNCTION_FACTORIAL, "factorial", [](double a, double) { return factorial(a); }, std::nullopt},
    {AST_FUNCTION_QUOTIENT, "quotient", [](double a, double b) { return std::trunc(a / b); },
     Staircase::Function::quotient},
    {AST_FUNCTION_REM, "rem", [](double a, double b) { return a - b * std::trunc(a / b); }, Staircase::Function::rem},
};

bool is_comparison(ASTNodeType_t type) {
  return type == AST_RELATIONAL_EQ || type == AST_RELATIONAL_GEQ || type == AST_RELATIONAL_GT ||
         type == AST_RELATIONAL_LEQ || type == AST_RELATIONAL_LT || type == AST_RELATIONAL_NEQ;
}

}  // namespace

NodeId MathReader::fail(Issue::Kind kind, const std::string& message) {
  for (const MathTrouble& known : *trouble_)
    if (known.message == message) return no_node;
  trouble_->push_back({kind, message});
  return no_node;
}

NodeId MathReader::read(const ASTNode* math, const Scope& local, std::vector<MathTrouble>& trouble) {
  trouble_ = &trouble;
  depth_ = 0;
  const std::size_t before = trouble.size();
  const NodeId result = node(*math, local);
  return trouble.size() == before ? result : no_node;
}

NodeId MathReader::argument(const ASTNode& math, unsigned index, const Scope& scope) {
  if (index >= math.getNumChildren()) return fail(Issue::Kind::invalid, "an operator has too few arguments");
  return node(*math.getChild(index), scope);
}

NodeId MathReader::node(const ASTNode& math, const Scope& scope) {
  if (++visited_ > most_parts) return fail(Issue::Kind::invalid, "the formulas of the model are too long to be read");
  expression::Graph& graph = model_.graph;
  const ASTNodeType_t type = math.getType();
  if (const char* name = function_name(type)) return function_named(name, math, scope);
  if (is_comparison(type)) return compared(math, scope);
  switch (type) {
    case AST_INTEGER:
    case AST_REAL:
    case AST_REAL_E:
    case AST_RATIONAL: return graph.constant(math.getValue());
    case AST_CONSTANT_E: return graph.constant(std::numbers::e);
    case AST_CONSTANT_PI: return graph.constant(std::numbers::pi);
    case AST_CONSTANT_TRUE: return graph.constant(1);
    case AST_CONSTANT_FALSE: return graph.constant(0);
    case AST_NAME_AVOGADRO: return graph.constant(avogadro);
    case AST_NAME_TIME: return model_.time;
    case AST_NAME: return named(math, scope);
    case AST_FUNCTION: return call(math, scope);
    case AST_PLUS: return folded(math, scope, Op::add, 0);
    case AST_TIMES: return folded(math, scope, Op::multiply, 1);
    case AST_LOGICAL_AND: return folded(math, scope, Op::logical_and, 1);
    case AST_LOGICAL_OR: return folded(math, scope, Op::logical_or, 0);
    case AST_LOGICAL_XOR: return exclusive_or(math, scope);
    case AST_FUNCTION_PIECEWISE: return piecewise(math, scope);
    case AST_FUNCTION_RATE_OF: return rate_of(math, scope);
    case AST_FUNCTION_DELAY: return delayed(math, scope);
    default: return special(math, scope);
  }
}

// Functions have their arguments put in, so that what is delayed is a formula, and not the number that it has now.
NodeId MathReader::delayed(const ASTNode& math, const Scope& scope) {
  const NodeId of = argument(math, 0, scope);
  const NodeId by = argument(math, 1, scope);
  if (of == no_node || by == no_node) return no_node;
  return model_.graph.is_constant(by, 0) ? of : model_.graph.make(Op::delay, of, by);
}

// Operators that are written in a way of their own.
NodeId MathReader::special(const ASTNode& math, const Scope& scope) {
  expression::Graph& graph = model_.graph;
  const unsigned count = math.getNumChildren();
  const auto at = [&](unsigned index) { return argument(math, index, scope); };
  const auto made = [&](Op op, NodeId a, NodeId b = no_node) {
    const bool lacks = a == no_node || (expression::argument_count(op) == 2 && b == no_node);
    return lacks ? no_node : graph.make(op, a, b);
  };
  switch (math.getType()) {
    case AST_MINUS: return count == 1 ? made(Op::negate, at(0)) : made(Op::subtract, at(0), at(1));
    case AST_DIVIDE: return made(Op::divide, at(0), at(1));
    case AST_LOGICAL_NOT: return made(Op::logical_not, at(0));
    case AST_LOGICAL_IMPLIES: return made(Op::logical_or, made(Op::logical_not, at(0)), at(1));
    case AST_FUNCTION_LOG:
      if (count == 1) return made(Op::log10, at(0));
      if (const NodeId base = at(0); graph.is_constant(base, 10)) return made(Op::log10, at(1));
      return made(Op::divide, made(Op::log, at(1)), made(Op::log, at(0)));
    case AST_FUNCTION_ROOT: {
      if (count == 1) return made(Op::sqrt, at(0));
      const NodeId degree = at(0);
      if (degree != no_node && graph.is_constant(degree, 2)) return made(Op::sqrt, at(1));
      return made(Op::power, at(1), made(Op::divide, graph.constant(1), degree));
    }
    default: return of_numbers(math, scope);
  }
}

NodeId MathReader::of_numbers(const ASTNode& math, const Scope& scope) {
  for (const NumberFunction& function : number_functions) {
    if (function.type != math.getType()) continue;
    const NodeId a = argument(math, 0, scope);
    const NodeId b = math.getNumChildren() > 1 ? argument(math, 1, scope) : a;
    if (a == no_node || b == no_node) return no_node;
    if (!model_.graph.is_constant(a) || !model_.graph.is_constant(b)) return staircase(function, a, b);
    return model_.graph.constant(function.value(model_.graph[a].value, model_.graph[b].value));
  }
  const char* name = math.getName();
  return fail(Issue::Kind::unsupported, fmt::format("the operator {} of MathML", name != nullptr ? name : "?"));
}

// What it is of may still turn out to be a number, or to change evenly with time.
NodeId MathReader::staircase(const NumberFunction& function, NodeId a, NodeId b) {
  if (!function.staircase)
    return fail(Issue::Kind::unsupported, fmt::format("{}() of what is not a number", function.name));
  const bool divides =
      *function.staircase == Staircase::Function::quotient || *function.staircase == Staircase::Function::rem;
  const NodeId symbol = model_.graph.symbol(fmt::format("{} {}", function.name, model_.staircases.size() + 1));
  model_.staircases.push_back(
      {.function = *function.staircase, .symbol = symbol, .of = a, .by = divides ? b : model_.graph.constant(1)});
  return symbol;
}

NodeId MathReader::named(const ASTNode& math, const Scope& scope) {
  const std::string name = math.getName() != nullptr ? math.getName() : "";
  if (const auto found = scope.find(name); found != scope.end()) return found->second;
  if (const auto found = known_.find(name); found != known_.end()) return found->second;
  return fail(Issue::Kind::invalid, fmt::format("unknown name '{}'", name.substr(0, 60)));
}

NodeId MathReader::function_named(const char* name, const ASTNode& math, const Scope& scope) {
  std::vector<NodeId> arguments;
  for (unsigned i = 0; i < math.getNumChildren(); ++i) {
    arguments.push_back(argument(math, i, scope));
    if (arguments.back() == no_node) return no_node;
  }
  const expression::Function& function = *expression::find_function(name);
  const std::string complaint = expression::complaint_about_count(function, arguments.size());
  if (!complaint.empty()) return fail(Issue::Kind::invalid, complaint);
  return expression::build_call(model_.graph, function, arguments);
}

NodeId MathReader::call(const ASTNode& math, const Scope& scope) {
  const std::string name = math.getName() != nullptr ? math.getName() : "";
  const FunctionDefinition* function = source_.getFunctionDefinition(name);
  if (function == nullptr) return fail(Issue::Kind::invalid, fmt::format("unknown function '{}'", name.substr(0, 60)));
  if (function->getBody() == nullptr) return model_.graph.constant(std::numeric_limits<double>::quiet_NaN());
  if (function->getNumArguments() != math.getNumChildren())
    return fail(Issue::Kind::invalid,
                fmt::format("the function '{}' takes {}, here it gets {}", name,
                            counted(function->getNumArguments(), "argument"), math.getNumChildren()));
  if (depth_ >= deepest_call) return fail(Issue::Kind::invalid, fmt::format("the function '{}' calls itself", name));
  Scope inside;
  for (unsigned i = 0; i < function->getNumArguments(); ++i) {
    const NodeId value = argument(math, i, scope);
    if (value == no_node) return no_node;
    const char* argument_name = function->getArgument(i)->getName();
    inside[argument_name != nullptr ? argument_name : ""] = value;
  }
  ++depth_;
  const NodeId result = node(*function->getBody(), inside);
  --depth_;
  return result;
}

// rateOf of a name is a symbol of its own until it is known what changes what the name stands for.
NodeId MathReader::rate_of(const ASTNode& math, const Scope& scope) {
  const NodeId of = argument(math, 0, scope);
  if (of == no_node) return no_node;
  if (model_.graph.is_constant(of)) return model_.graph.constant(0);  // a local parameter
  if (!model_.graph.is_symbol(of))
    return fail(Issue::Kind::invalid, "rateOf() wants the name of something that changes");
  const NodeId symbol = model_.graph.symbol("rate of " + model_.graph.symbol_name(of));
  for (const auto& known : model_.rates_of)
    if (known.first == symbol) return symbol;
  model_.rates_of.push_back({symbol, of});
  return symbol;
}

NodeId MathReader::folded(const ASTNode& math, const Scope& scope, Op op, double neutral) {
  if (math.getNumChildren() == 0) return model_.graph.constant(neutral);
  // libsbml makes ((a + b) + c) + ... of a sum: one level for each argument, of which there may be a hundred thousand.
  std::vector<const ASTNode*> inwards{&math};
  while (inwards.back()->getChild(0)->getType() == math.getType() && inwards.back()->getChild(0)->getNumChildren() > 0)
    inwards.push_back(inwards.back()->getChild(0));
  NodeId result = argument(*inwards.back(), 0, scope);
  for (auto level = inwards.rbegin(); level != inwards.rend(); ++level)
    for (unsigned i = 1; i < (*level)->getNumChildren(); ++i) {
      const NodeId next = argument(**level, i, scope);
      if (result == no_node || next == no_node) return no_node;
      result = model_.graph.make(op, result, next);
    }
  return result;
}

// a < b < c means that each pair is in order.
NodeId MathReader::compared(const ASTNode& math, const Scope& scope) {
  expression::Graph& graph = model_.graph;
  const auto pair = [&](NodeId a, NodeId b) {
    switch (math.getType()) {
      case AST_RELATIONAL_EQ: return graph.make(Op::equal, a, b);
      case AST_RELATIONAL_NEQ: return graph.make(Op::not_equal, a, b);
      case AST_RELATIONAL_LT: return graph.make(Op::less, a, b);
      case AST_RELATIONAL_LEQ: return graph.make(Op::less_equal, a, b);
      case AST_RELATIONAL_GT: return graph.make(Op::less, b, a);
      default: return graph.make(Op::less_equal, b, a);
    }
  };
  NodeId result = graph.constant(1);
  for (unsigned i = 0; i + 1 < math.getNumChildren(); ++i) {
    const NodeId a = argument(math, i, scope);
    const NodeId b = argument(math, i + 1, scope);
    if (a == no_node || b == no_node) return no_node;
    result = i == 0 ? pair(a, b) : graph.make(Op::logical_and, result, pair(a, b));
  }
  return result;
}

NodeId MathReader::exclusive_or(const ASTNode& math, const Scope& scope) {
  expression::Graph& graph = model_.graph;
  NodeId result = graph.constant(0);
  for (unsigned i = 0; i < math.getNumChildren(); ++i) {
    const NodeId next = argument(math, i, scope);
    if (next == no_node) return no_node;
    result = graph.make(Op::not_equal, result, graph.make(Op::not_equal, next, graph.constant(0)));
  }
  return result;
}

// Pairs of a value and its condition, then what holds otherwise: nothing that has a value, if it is not stated.
NodeId MathReader::piecewise(const ASTNode& math, const Scope& scope) {
  expression::Graph& graph = model_.graph;
  const unsigned count = math.getNumChildren();
  NodeId result =
      count % 2 == 1 ? argument(math, count - 1, scope) : graph.constant(std::numeric_limits<double>::quiet_NaN());
  for (unsigned pair = count / 2; pair > 0; --pair) {
    const NodeId value = argument(math, 2 * pair - 2, scope);
    const NodeId condition = argument(math, 2 * pair - 1, scope);
    if (result == no_node || value == no_node || condition == no_node) return no_node;
    result = graph.make(Op::select, condition, value, result);
  }
  return result;
}

}  // namespace salvo::formats::sbml
