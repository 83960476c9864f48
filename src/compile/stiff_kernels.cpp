#include "compile/stiff_kernels.hpp"

#include <algorithm>
#include <string>

#include "compile/compiled_model.hpp"
#include "compile/lower.hpp"

namespace salvo::compile {

using expression::Graph;
using expression::NodeId;

namespace {

// Beyond these the elimination is left to a library: its list of formulas would be longer than its loops are slow.
constexpr int most_states = 600;
constexpr double most_products = 40'000;

class StiffCompiler {
 public:
  explicit StiffCompiler(Formulas formulas) : from_(std::move(formulas)) {}

  StiffKernels compile() {
    StiffKernels out;
    out.uses_time = from_.uses_time;
    for (const auto& entry : from_.f_x) linear_.push_back(entry.node);
    if (from_.uses_time) {
      const std::vector<NodeId> one{from_.graph.constant(1)};
      const auto f_t = expression::forward(from_.graph, from_.f, std::vector<NodeId>{from_.time}, one);
      linear_.insert(linear_.end(), f_t.begin(), f_t.end());
    }
    out.linearization = linearization();
    if (from_.delayed.empty()) {
      compile_curvature(out);
      compile_pull(out);
    } else {
      compile_curvature_of_past(out.curvature_of_past);
    }
    compile_elimination(out);
    return out;
  }

 private:
  Kernel linearization() {
    std::vector<NodeId> outputs = from_.f;
    outputs.insert(outputs.end(), linear_.begin(), linear_.end());
    return Kernel(from_.graph, lower_powers(from_.graph, outputs), from_.signature);
  }

  std::vector<NodeId> seeds(const char* of, std::size_t count, std::size_t first, Signature& signature) {
    std::vector<NodeId> out;
    for (std::size_t i = 0; i < count; ++i)
      out.push_back(from_.seed(std::string(of) + " " + std::to_string(i), static_cast<int>(first + i), signature));
    return out;
  }

  void compile_curvature(StiffKernels& out) {
    Graph& graph = from_.graph;
    Signature signature = from_.signature;
    const std::vector<NodeId> u = seeds("direction of state", from_.states.size(), 0, signature);
    const NodeId w = graph.symbol("weight of time");
    signature[w] = {Bank::kept, 0};
    std::vector<NodeId> product(from_.states.size(), graph.constant(0));
    const auto add = [&](int row, NodeId factor, NodeId entry) {
      product[row] = graph.add(product[row], graph.multiply(factor, entry));
    };
    for (const auto& entry : from_.f_x) add(entry.row, u[entry.column], entry.node);
    for (std::size_t i = from_.f_x.size(); i < linear_.size(); ++i)
      add(static_cast<int>(i - from_.f_x.size()), w, linear_[i]);

    std::vector<NodeId> outputs;
    const auto differentiate = [&](const std::vector<NodeId>& by) { return derivatives(product, by, outputs); };
    const Pattern by_x = differentiate(from_.states);
    const Pattern by_p = differentiate(from_.active);
    const int states = static_cast<int>(from_.states.size());
    out.curvature = Kernel(graph, lower_powers(graph, outputs), signature);
    if (from_.switches) {
      const std::vector<NodeId> one{graph.constant(1)};
      const auto by_time = expression::forward(graph, product, std::vector<NodeId>{from_.time}, one);
      out.curvature_by_time = Kernel(graph, lower_powers(graph, by_time), signature);
    }
    out.curvature_rows = make_lines(by_x.row, by_x.column, states);
    out.curvature_columns = make_columns(by_x, by_p, states, static_cast<int>(from_.active.size()));
  }

  void compile_curvature_of_past(CurvatureOfPast& out) {
    Graph& graph = from_.graph;
    Signature signature = from_.signature;
    std::vector<NodeId> along = seeds("direction of state", from_.states.size(), 0, signature);
    std::vector<NodeId> variables = from_.states;
    for (std::size_t i = 0; i <= from_.delayed.size(); ++i) {
      along.push_back(graph.symbol("weight of the past " + std::to_string(i)));
      signature[along.back()] = {Bank::kept, static_cast<int>(i)};
      variables.push_back(i == 0 ? from_.time : from_.delayed[i - 1]);
    }
    const std::vector<NodeId> product = expression::forward(graph, from_.f, variables, along);
    std::vector<NodeId> outputs;
    const auto differentiate = [&](const std::vector<NodeId>& by) { return derivatives(product, by, outputs); };
    out.by_x = differentiate(from_.states);
    out.by_p = differentiate(from_.active);
    out.by_z = differentiate(from_.delayed);
    out.by_time = differentiate({from_.time}).row;
    out.kernel = Kernel(graph, lower_powers(graph, outputs), signature);
  }

  // Where `of` depends on `by`; how it does is added to the outputs.
  Pattern derivatives(const std::vector<NodeId>& of, const std::vector<NodeId>& by, std::vector<NodeId>& outputs) {
    Pattern pattern;
    for (const auto& entry : expression::jacobian(from_.graph, of, by)) {
      pattern.row.push_back(entry.row);
      pattern.column.push_back(entry.column);
      outputs.push_back(entry.node);
    }
    return pattern;
  }

  void compile_pull(StiffKernels& out) {
    Signature signature = from_.signature;
    const std::vector<NodeId> weights = seeds("weight", linear_.size(), 0, signature);
    std::vector<NodeId> variables = from_.states;
    variables.insert(variables.end(), from_.active.begin(), from_.active.end());
    const auto pulled = lower_powers(from_.graph, expression::reverse(from_.graph, linear_, weights, variables));
    const std::span<const NodeId> all(pulled);
    out.second_pull = Kernel(from_.graph, all.first(from_.states.size()), signature, all.subspan(from_.states.size()));
  }

  void compile_elimination(StiffKernels& out) const {
    const int states = static_cast<int>(from_.states.size());
    if (states > most_states) return;
    Pattern f_x;
    for (const auto& entry : from_.f_x) {
      f_x.row.push_back(entry.row);
      f_x.column.push_back(entry.column);
    }
    EliminationPlan plan = plan_elimination(f_x, states, from_.algebraic);
    if (plan.products > most_products) return;
    out.elimination = elimination_kernels(plan, f_x.size());
    out.plan = std::move(plan);
  }

  Formulas from_;
  std::vector<NodeId> linear_;  // the non-zeros of f_x, f_t
};

}  // namespace

int StiffKernels::largest_work() const {
  return std::max({linearization.work_size(), curvature.work_size(), curvature_by_time.work_size(),
                   curvature_of_past.kernel.work_size(), second_pull.work_size(), elimination.factorize.work_size(),
                   elimination.solve.work_size(), elimination.solve_transposed.work_size()});
}

const StiffKernels& StiffSource::kernels() {
  const std::lock_guard lock(mutex_);
  if (!made_) made_ = StiffCompiler(*formulas_).compile();
  return *made_;
}

}  // namespace salvo::compile
