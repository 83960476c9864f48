#include "compile/step_kernels.hpp"

#include <string>

#include "compile/lower.hpp"
#include "expression/gradients.hpp"

namespace salvo::compile {

using expression::NodeId;

namespace {

constexpr std::size_t most_nodes = 20'000;

class StepCompiler {
 public:
  StepCompiler(Formulas formulas, const Tableau& tableau)
      : from_(std::move(formulas)), tableau_(tableau), signature_(from_.signature) {
    h_ = from_.seed("length of the step", 0, signature_);
    f_ = lower_powers(from_.graph, from_.f);
    variables_ = from_.states;
    variables_.insert(variables_.end(), from_.active.begin(), from_.active.end());
  }

  StepKernels compile(const StepDerivatives& wanted) {
    StepKernels out;
    if (!write_step()) return out;
    out.step = step();
    if (out.step.output_count() == 0) return out;
    for (std::size_t n = 0; n < stages_.size(); ++n) read_from(Bank::kept, static_cast<int>(n), stages_[n]);
    if (wanted.push) out.push = push();
    if (wanted.pull) out.pull = pull();
    return out;
  }

 private:
  using Nodes = std::vector<NodeId>;
  static void append(Nodes& to, const Nodes& more) { to.insert(to.end(), more.begin(), more.end()); }

  // X_i = x + h sum_j a_ij k_j,  k_i = f(X_i, t + c_i h, p),  x+ = x + h sum_i b_i k_i
  bool write_step() {
    k_ = {f_};
    for (int i = 1; i < tableau_.stages(); ++i) {
      const Nodes stage = advanced(tableau_.a[i]);
      k_.push_back(f_at(stage, tableau_.c[i]));
      append(stages_, stage);
      if (static_cast<std::size_t>(from_.graph.size()) > most_nodes) return false;
    }
    end_ = advanced(tableau_.b);
    at_end_ = f_at(end_, 1);
    return true;
  }
  Nodes advanced(const std::vector<double>& weights) {
    Nodes out = weighted(weights);
    for (std::size_t n = 0; n < out.size(); ++n)
      out[n] = from_.graph.add(from_.states[n], from_.graph.multiply(h_, out[n]));
    return out;
  }
  Nodes weighted(const std::vector<double>& weights) {
    Nodes out(from_.states.size(), from_.graph.constant(0));
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0) continue;
      const Nodes& k = j < k_.size() ? k_[j] : at_end_;
      for (std::size_t n = 0; n < out.size(); ++n)
        out[n] = from_.graph.add(out[n], from_.graph.multiply(from_.graph.constant(weights[j]), k[n]));
    }
    return out;
  }
  Nodes f_at(const Nodes& stage, double c) {
    Nodes symbols = from_.states;
    Nodes values = stage;
    symbols.push_back(from_.time);
    values.push_back(from_.graph.add(from_.time, from_.graph.multiply(from_.graph.constant(c), h_)));
    return expression::substitute(from_.graph, f_, symbols, values);
  }

  Kernel step() {
    Signature signature = signature_;
    for (std::size_t n = 0; n < f_.size(); ++n)
      if (is_computed(f_[n])) signature[f_[n]] = {Bank::seed, static_cast<std::int32_t>(1 + n)};
    Nodes outputs = stages_;
    append(outputs, end_);
    append(outputs, at_end_);
    if (!tableau_.error.empty()) {
      append(outputs, k_.back());
      for (const NodeId sum : weighted(tableau_.error)) outputs.push_back(from_.graph.multiply(h_, sum));
    }
    return short_kernel(outputs, signature);
  }

  // Row by row backwards, and then forwards along the columns.
  Kernel push() {
    const int d = static_cast<int>(from_.states.size());
    const int columns = static_cast<int>(variables_.size());
    Signature signature = signature_;
    Nodes tangent;
    for (int n = 0; n < d * columns; ++n)
      tangent.push_back(from_.seed("tangent " + std::to_string(n), 1 + n, signature));
    Nodes outputs(tangent.size(), from_.graph.constant(0));
    const expression::Variables by(variables_);
    expression::Gradients gradients(from_.graph, end_, by);
    const NodeId one = from_.graph.constant(1);
    for (int i = 0; i < d; ++i) {
      if (static_cast<std::size_t>(from_.graph.size()) > most_nodes) return {};
      for (const expression::Partial& partial : gradients.sweep({&end_[i], 1}, {&one, 1})) {
        if (partial.column >= d) {
          NodeId& sum = outputs[i + partial.column * d];
          sum = from_.graph.add(sum, partial.node);
          continue;
        }
        for (int c = 0; c < columns; ++c) {
          NodeId& sum = outputs[i + c * d];
          sum = from_.graph.add(sum, from_.graph.multiply(partial.node, tangent[partial.column + c * d]));
        }
      }
    }
    return short_kernel(outputs, signature);
  }

  Kernel pull() {
    Signature signature = signature_;
    Nodes seeds;
    for (std::size_t n = 0; n < variables_.size(); ++n)
      seeds.push_back(from_.seed("adjoint " + std::to_string(n), static_cast<int>(1 + n), signature));
    const Nodes lambda(seeds.begin(), seeds.begin() + static_cast<long>(from_.states.size()));
    Nodes outputs = expression::reverse(from_.graph, end_, lambda, variables_);
    for (std::size_t n = lambda.size(); n < outputs.size(); ++n) outputs[n] = from_.graph.add(seeds[n], outputs[n]);
    return short_kernel(outputs, signature);
  }

  bool is_computed(NodeId node) const { return !from_.graph.is_symbol(node) && !from_.graph.is_constant(node); }
  void read_from(Bank bank, int place, NodeId node) {
    if (is_computed(node)) signature_[node] = {bank, place};
  }
  Kernel short_kernel(const Nodes& outputs, const Signature& signature) const {
    Kernel kernel(from_.graph, outputs, signature);
    return kernel.instruction_count() <= longest_step ? kernel : Kernel();
  }

  Formulas from_;
  const Tableau& tableau_;
  Signature signature_;
  NodeId h_ = expression::no_node;
  Nodes f_, variables_;
  std::vector<Nodes> k_;
  Nodes stages_, end_, at_end_;  // X_2 .. X_s, x+, f(x+)
};

}  // namespace

StepKernels step_kernels(Formulas formulas, const Tableau& tableau, const StepDerivatives& wanted) {
  return StepCompiler(std::move(formulas), tableau).compile(wanted);
}

int length_of_whole_step(int instructions_of_f, int states, const Tableau& tableau) {
  const int s = tableau.stages();
  return s * instructions_of_f + s * s * states;
}

}  // namespace salvo::compile
