#include "compile/delay_compiler.hpp"

#include <algorithm>

#include "compile/lower.hpp"

namespace salvo::compile {
namespace {

using expression::no_node;
using expression::NodeId;
using Nodes = std::vector<NodeId>;

Kernel kernel(const DelayedModel& model, const Nodes& outputs) {
  return {model.graph, lower_powers(model.graph, outputs), model.signature};
}

Nodes by_time(const DelayedModel& model, std::span<const NodeId> of) {
  return expression::forward(model.graph, of, Nodes{model.time}, Nodes{model.graph.constant(1)});
}

void append(const std::vector<expression::JacobianEntry>& entries, Pattern& pattern, Nodes& outputs) {
  for (const auto& entry : entries) {
    pattern.row.push_back(entry.row);
    pattern.column.push_back(entry.column);
    outputs.push_back(entry.node);
  }
}

HistoryKernel compile_history(const DelayedModel& model, NodeId formula) {
  HistoryKernel out{.is_initial = formula == no_node};
  if (out.is_initial) return out;
  out.value = kernel(model, {formula});
  Nodes outputs;
  for (const auto& entry : expression::jacobian(model.graph, Nodes{formula}, model.active)) {
    out.by_parameter.push_back(entry.column);
    outputs.push_back(entry.node);
  }
  outputs.push_back(by_time(model, {&formula, 1}).front());
  out.derivative = kernel(model, outputs);
  out.by_time = kernel(model, by_time(model, outputs));
  return out;
}

// f_x, f_p, f_z, f_t
void compile_jacobian(const DelayedModel& model, Delays& out) {
  Nodes outputs;
  Pattern known;  // that of the model
  append(expression::jacobian(model.graph, model.f, model.states), known, outputs);
  append(expression::jacobian(model.graph, model.f, model.active), known, outputs);
  Nodes delayed;
  for (const EarlierValues::State& each : model.earlier.states) delayed.push_back(each.symbol);
  append(expression::jacobian(model.graph, model.f, delayed), out.f_z, outputs);
  const Nodes f_t = by_time(model, model.f);
  for (std::size_t row = 0; row < f_t.size(); ++row) {
    if (model.graph.is_constant(f_t[row], 0)) continue;
    out.f_t.push_back(static_cast<int>(row));
    outputs.push_back(f_t[row]);
  }
  out.jacobian = kernel(model, outputs);
}

}  // namespace

std::shared_ptr<const Delays> compile_delays(const DelayedModel& model) {
  auto out = std::make_shared<Delays>();
  out->first = model.first;
  out->texts = model.earlier.texts;
  out->begins_at_rest = model.begins_at_rest;
  for (const EarlierValues::State& each : model.earlier.states) out->looks.push_back({each.state, each.delay});
  out->tau = kernel(model, model.earlier.delays);
  Nodes slopes;
  append(expression::jacobian(model.graph, model.earlier.delays, model.active), out->tau_by_p, slopes);
  out->tau_derivative = kernel(model, slopes);
  for (const NodeId formula : model.history) out->history.push_back(compile_history(model, formula));
  compile_jacobian(model, *out);
  return out;
}

int Delays::largest_work() const {
  int size = std::max({tau.work_size(), tau_derivative.work_size(), jacobian.work_size()});
  for (const HistoryKernel& of : history)
    size = std::max({size, of.value.work_size(), of.derivative.work_size(), of.by_time.work_size()});
  return size;
}

}  // namespace salvo::compile
