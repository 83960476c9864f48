#include "compile/compiled_model.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "base/contract.hpp"
#include "compile/accelerate.hpp"
#include "compile/delay_compiler.hpp"
#include "compile/discontinuity_compiler.hpp"
#include "compile/freeze.hpp"
#include "compile/keep.hpp"
#include "compile/lower.hpp"
#include "compile/stencil_kernels.hpp"
#include "expression/differentiate.hpp"
#include "expression/reach.hpp"
#include "model/delays.hpp"
#include "model/rest.hpp"

namespace salvo::compile {

using expression::Graph;
using expression::JacobianEntry;
using expression::NodeId;
using model::Problem;

namespace {

// The Jacobian is made row by row, so formulas that all rows share are differentiated for each of them. Beyond this
// many nodes derivatives come from products alone.
constexpr std::size_t most_jacobian_nodes = 400'000;

bool jacobian_is_affordable(const Graph& graph, const std::vector<NodeId>& f) {
  std::size_t nodes = 0;
  for (const NodeId row : f) {
    nodes += expression::reached_from(graph, {&row, 1}, [](NodeId) { return false; }).size();
    if (nodes > most_jacobian_nodes) return false;
  }
  return true;
}

int scratch_of(const CompiledModel& model) {
  int size = std::max({model.rhs.work_size(), model.jacobian.work_size(), model.vjp.work_size(),
                       model.jvp_x.work_size(), model.jvp.work_size()});
  for (const auto& observable : model.observables)
    size = std::max({size, observable.value.work_size(), observable.derivative.work_size()});
  for (const auto& [place, observable] : model.readings)
    size = std::max({size, observable.value.work_size(), observable.derivative.work_size()});
  for (const auto& experiment : model.experiments)
    size = std::max({size, experiment.value.work_size(), experiment.derivative.work_size()});
  for (const auto& constraint : model.constraints) size = std::max(size, constraint.derivative.work_size());
  if (model.discontinuities) size = std::max(size, model.discontinuities->largest_work());
  if (model.delays) size = std::max(size, model.delays->largest_work());
  return size;
}

// Works on a copy of the problem's graph; the problem itself stays as it was read.
class Compiler {
 public:
  // `earlier` says which symbols of the problem stand for what was before; null: none.
  Compiler(const Problem& problem, const StopFlag* stop, const EarlierValues* earlier = nullptr)
      : problem_(problem), earlier_(earlier), stop_(stop), graph_(problem.graph) {
    sort_parameters();
    write_inputs();
    fold_.emplace(graph_, folded_, folded_values_);
    write_cells();
    put_constants_.emplace(graph_, constants_, constant_values_);
    freeze();
    for (const auto& state : problem.states) states_.push_back(state.symbol);
    for (int i = 0; i < static_cast<int>(states_.size()); ++i) signature_[states_[i]] = {Bank::state, i};
    for (int i = 0; i < static_cast<int>(inputs_.size()); ++i) signature_[inputs_[i]] = {Bank::parameter, i};
    observed_ = states_;
    if (earlier_ != nullptr)
      for (const EarlierValues::State& each : earlier_->states) observed_.push_back(each.symbol);
    signature_[problem.time] = {Bank::time, 0};
    by_states_.emplace(states_);
    by_observed_.emplace(observed_);
    by_active_.emplace(active_inputs());
  }

  // Not finished if it was told to stop: then it is of no use.
  CompiledModel compile() {
    CompiledModel out;
    out.states = static_cast<int>(states_.size());
    out.parameters = static_cast<int>(inputs_.size());
    out.active = active_;
    out.thetas = static_cast<int>(thetas_.size());
    for (const auto& state : problem_.states) {
      if (state.is_algebraic) out.algebraic.push_back(static_cast<int>(out.state_names.size()));
      out.state_names.push_back(state.id);
    }
    compile_rhs(out);
    compile_inputs(out);
    compile_delays(out);
    for (const auto& observable : problem_.observables) {
      if (is_raised(stop_)) return out;
      out.observables.push_back(compile_observable(observable.formula, observable.noise));
    }
    for (const model::Reading& reading : problem_.cells.readings) {
      if (is_raised(stop_)) return out;
      const auto noise = reading.noise == expression::no_node ? std::nullopt : std::optional(reading.noise);
      out.readings.emplace(std::pair(reading.observable, reading.place), compile_observable(reading.formula, noise));
    }
    for (std::size_t e = 0; e < problem_.experiments.size(); ++e) {
      if (is_raised(stop_)) return out;
      out.experiments.push_back(compile_experiment(e));
    }
    for (const auto& constraint : problem_.constraints) out.constraints.push_back(compile_constraint(constraint));
    if (out.has_jacobian && !has_fields()) leave_formulas(out);
    out.scratch = scratch_of(out);
    return out;
  }

 private:
  void sort_parameters() {
    const int count = static_cast<int>(problem_.parameters.size());
    std::vector<bool> depends_on_theta(count, false);
    std::vector<bool> is_set(count, false);
    for (int k = 0; k < count; ++k) depends_on_theta[k] = problem_.parameters[k].is_estimated();
    for (int k = 0; k < count; ++k) {
      const auto& parameter = problem_.parameters[k];
      if (parameter.is_estimated()) {
        thetas_.push_back(parameter.symbol);
      } else {
        constants_.push_back(parameter.symbol);
        constant_values_.push_back(graph_.constant(std::get<double>(parameter.value)));
      }
    }
    const std::unordered_set<NodeId> is_theta(thetas_.begin(), thetas_.end());
    for (const auto& experiment : problem_.experiments) {
      for (const auto& [k, node] : experiment.overrides) {
        is_set[k] = true;
        set_.insert(problem_.parameters[k].symbol);
        for (const NodeId symbol : expression::symbols_of(graph_, std::vector<NodeId>{node}))
          if (is_theta.contains(symbol)) depends_on_theta[k] = true;
      }
    }
    for (int k = 0; k < count; ++k)
      if (depends_on_theta[k]) inputs_.push_back(problem_.parameters[k].symbol), input_index_.push_back(k);
    active_ = static_cast<int>(inputs_.size());
    for (int k = 0; k < count; ++k)
      if (is_set[k] && !depends_on_theta[k])
        inputs_.push_back(problem_.parameters[k].symbol), input_index_.push_back(k);
    // What an experiment may set stays a variable of the model's own formulas.
    for (int k = 0; k < count; ++k) {
      if (is_set[k] || problem_.parameters[k].is_estimated()) continue;
      folded_.push_back(problem_.parameters[k].symbol);
      folded_values_.push_back(graph_.constant(std::get<double>(problem_.parameters[k].value)));
    }
  }

  void write_cells() {
    std::vector<NodeId> from, to;
    for (const auto& [operation, formula] : problem_.cells.in_place_of) {
      from.push_back(operation);
      to.push_back(formula);
    }
    if (!from.empty()) put_cells_.emplace(graph_, from, to);
  }
  // With constants put in, and what stands for operations on fields.
  std::vector<NodeId> folded(std::span<const NodeId> formulas) {
    return (*fold_)(put_cells_ ? (*put_cells_)(formulas) : std::vector<NodeId>(formulas.begin(), formulas.end()));
  }

  // The formula of a piece stands in the place of each input, its numbers among the parameters.
  void write_inputs() {
    for (const model::Input& input : problem_.inputs) {
      std::vector<NodeId> numbers;
      for (int i = 0; i < piece_numbers(input.interpolation); ++i)
        numbers.push_back(graph_.symbol(input.id + " number " + std::to_string(i)));
      folded_.push_back(input.symbol);
      input_pieces_.push_back(piece_formula(graph_, time_of_input(input_pieces_.size()), numbers));
      folded_values_.push_back(input_pieces_.back());
      input_numbers_.push_back(std::move(numbers));
    }
  }

  // An input of earlier is read at t - tau.
  NodeId time_of_input(std::size_t index) {
    const int delay = earlier_ == nullptr ? -1 : earlier_->delay_of_input[index];
    return delay < 0 ? problem_.time : graph_.subtract(problem_.time, earlier_->delays[delay]);
  }

  // What the right-hand side decides by states and time stands still within a step.
  void freeze() {
    f_ = folded(model::equations(problem_));
    std::vector<NodeId> variables{problem_.time};
    for (const auto& state : problem_.states) variables.push_back(state.symbol);
    if (earlier_ != nullptr)
      for (const EarlierValues::State& each : earlier_->states) variables.push_back(each.symbol);
    Freezer freezer(graph_, variables);
    f_ = freezer.frozen(f_);
    for (const model::Event& event : problem_.events) events_.push_back(formulas_of(event, freezer));
    watch_divisors(freezer, variables);
    switches_ = freezer.switches();
    first_frozen_ = static_cast<int>(inputs_.size());
    for (const auto& each : switches_) inputs_.push_back(each.truth), input_index_.push_back(frozen);
    frozen_ = static_cast<int>(switches_.size());
    for (const std::vector<NodeId>& numbers : input_numbers_) {
      inputs_.insert(inputs_.end(), numbers.begin(), numbers.end());
      input_index_.insert(input_index_.end(), numbers.size(), frozen);
      frozen_ += static_cast<int>(numbers.size());
    }
    if (earlier_ != nullptr)
      for (const EarlierValues::State& each : earlier_->states)
        inputs_.push_back(each.symbol), input_index_.push_back(frozen);
    note_driving_inputs();
  }

  // What formulas of algebraic variables divide by may not change its sign on the way.
  void watch_divisors(Freezer& freezer, const std::vector<NodeId>& variables) {
    for (const model::AlgebraicEquation& equation : problem_.algebraic) {
      if (equation.divisor == expression::no_node) continue;
      const NodeId divisor = folded(std::vector{equation.divisor}).front();
      const std::vector<NodeId> symbols = expression::symbols_of(graph_, std::vector{divisor});
      if (std::find_first_of(symbols.begin(), symbols.end(), variables.begin(), variables.end()) == symbols.end())
        continue;
      const NodeId is_positive = graph_.make(expression::Op::less, graph_.constant(0), divisor);
      NodeId truth = freezer.frozen(std::vector{is_positive}).front();
      if (graph_[truth].op == expression::Op::logical_not) truth = graph_[truth].arguments[0];
      const auto& switches = freezer.switches();
      for (std::size_t i = 0; i < switches.size(); ++i)
        if (switches[i].truth == truth) divided_.push_back({static_cast<int>(i), equation.text});
    }
  }

  void note_driving_inputs() {
    std::vector<NodeId> roots = f_;
    for (const EventFormulas& event : events_) {
      roots.insert(roots.end(), event.values.begin(), event.values.end());
      if (event.condition != expression::no_node) roots.push_back(event.condition);
      if (event.priority != expression::no_node) roots.push_back(event.priority);
    }
    for (const Freezer::Switch& each : switches_) roots.push_back(each.z);
    const std::vector<NodeId> symbols = expression::symbols_of(graph_, roots);
    for (std::size_t i = 0; i < input_numbers_.size(); ++i)
      if (std::binary_search(symbols.begin(), symbols.end(), input_numbers_[i][0]))
        driving_.push_back({static_cast<int>(i), problem_.inputs[i].id, time_of_input(i)});
  }

  void compile_inputs(CompiledModel& out) {
    int first = first_frozen_ + static_cast<int>(switches_.size());
    for (std::size_t i = 0; i < input_numbers_.size(); ++i) {
      const int numbers = static_cast<int>(input_numbers_[i].size());
      out.inputs.push_back({.name = problem_.inputs[i].id,
                            .first = first,
                            .delay = earlier_ == nullptr ? -1 : earlier_->delay_of_input[i],
                            .numbers = numbers,
                            .of_experiment = problem_.inputs[i].of_experiment});
      first += numbers;
    }
  }

  void compile_delays(CompiledModel& out) {
    if (earlier_ == nullptr || earlier_->delays.empty() || is_raised(stop_)) return;
    std::vector<NodeId> history;
    for (const auto& state : problem_.states) {
      history.push_back(state.history);
      if (state.history != expression::no_node) history.back() = (*fold_)({&state.history, 1}).front();
    }
    out.delays = salvo::compile::compile_delays({.graph = graph_,
                                                 .signature = signature_,
                                                 .earlier = *earlier_,
                                                 .f = f_,
                                                 .history = history,
                                                 .states = *by_states_,
                                                 .active = *by_active_,
                                                 .time = problem_.time,
                                                 .first = first_frozen_ + frozen_,
                                                 .begins_at_rest = begins_at_rest()});
    for (const int k : out.delays->tau_by_p.column) out.rhs_uses[k] = true;
    for (const HistoryKernel& of : out.delays->history)
      for (const int k : of.by_parameter) out.rhs_uses[k] = true;
  }

  EventFormulas formulas_of(const model::Event& event, Freezer& freezer) {
    EventFormulas out{.text = event.text, .experiments = event.experiments};
    if (const auto* at = std::get_if<model::AtTimes>(&event.trigger)) out.times = folded(at->times);
    if (const auto* when = std::get_if<model::When>(&event.trigger)) {
      out.condition = freezer.frozen(folded(std::vector{when->condition})).front();
      out.false_before_start = when->false_before_start;
      out.is_persistent = when->is_persistent;
    }
    if (event.priority != expression::no_node) out.priority = folded(std::vector{event.priority}).front();
    for (const auto& [state, value] : event.assignments) {
      out.states.push_back(state);
      out.values.push_back(value);
    }
    out.values = folded(out.values);
    return out;
  }

  void compile_switches(CompiledModel& out) {
    if (!is_discontinuous()) return;
    out.discontinuities =
        compile_discontinuities({.graph = graph_,
                                 .signature = signature_,
                                 .f = std::span(f_).first(model::ordinary_states(problem_)),
                                 .states = *by_states_,
                                 .active = *by_active_,
                                 .time = problem_.time,
                                 .first_truth = first_frozen_,
                                 .frozen = frozen_,
                                 .pieces = input_pieces_,
                                 .inputs = input_symbols(),
                                 .begins_at_rest = begins_at_rest(),
                                 .divided = divided_,
                                 .delayed = std::span(observed_).subspan(states_.size()),
                                 .f_t = has_fields() ? field_time_derivative(field_model()) : Kernel{},
                                 .stop = stop_},
                                switches_, events_, driving_);
    for (const SwitchingFunction& function : out.discontinuities->functions)
      for (const int k : function.by_parameter) out.rhs_uses[k] = true;
    for (const EventKernel& event : out.discontinuities->events)
      for (const int k : event.by_parameter.column) out.rhs_uses[k] = true;
  }
  std::vector<bool> begins_at_rest() const {
    std::vector<bool> all;
    for (const model::Experiment& experiment : problem_.experiments) all.push_back(experiment.equilibrate.has_value());
    return all;
  }
  bool is_discontinuous() const {
    const auto is_algebraic = [](const model::State& state) { return state.is_algebraic; };
    return !switches_.empty() || !events_.empty() || !driving_.empty() ||
           std::any_of(problem_.states.begin(), problem_.states.end(), is_algebraic);
  }

  Kernel tape(std::vector<NodeId> outputs) {
    const std::vector<NodeId> lowered = lower_powers(graph_, outputs);
    return Kernel(graph_, lowered, signature_);
  }

  std::span<const NodeId> active_inputs() const { return std::span(inputs_).first(active_); }

  static void append(const std::vector<JacobianEntry>& entries, Pattern& pattern, std::vector<NodeId>& outputs) {
    for (const JacobianEntry& entry : entries) {
      pattern.row.push_back(entry.row);
      pattern.column.push_back(entry.column);
      outputs.push_back(entry.node);
    }
  }

  void compile_rhs(CompiledModel& out) {
    const std::vector<NodeId>& f = f_;
    for (const NodeId symbol : expression::symbols_of(graph_, f)) out.uses_time |= symbol == problem_.time;
    if (has_fields()) return compile_rhs_with_fields(out);
    compile_products(f, out);
    if (!is_raised(stop_)) compile_switches(out);
    if (is_raised(stop_)) return;

    out.has_jacobian = jacobian_is_affordable(graph_, f);
    if (!out.has_jacobian) return;
    std::vector<NodeId> nonzeros;
    f_x_ = expression::jacobian(graph_, f, *by_states_);
    append(f_x_, out.f_x, nonzeros);
    append(expression::jacobian(graph_, f, *by_active_), out.f_p, nonzeros);
    out.jacobian = tape(nonzeros);
    out.rows = make_lines(out.f_x.row, out.f_x.column, out.states);
    out.parameter_rows = make_lines(out.f_p.row, out.f_p.column, out.states);
    out.columns = make_columns(out.f_x, out.f_p, out.states, out.active);
  }

  bool has_fields() const { return !problem_.cells.stencils.empty(); }
  FieldModel field_model() {
    const std::size_t ordinary = model::ordinary_states(problem_);
    return {.graph = graph_,
            .signature = signature_,
            .stencils = problem_.cells.stencils,
            .functionals = problem_.cells.functionals,
            .ordinary = std::span(states_).first(ordinary),
            .f = f_,
            .active = active_inputs(),
            .time = problem_.time,
            .states = static_cast<int>(states_.size()),
            .switches = is_discontinuous()};
  }
  void compile_rhs_with_fields(CompiledModel& out) {
    compile_fields(field_model(), out);
    const int count = static_cast<int>(problem_.fields.size());
    const int first = static_cast<int>(model::ordinary_states(problem_));
    for (int f = 0; f < count; ++f) out.fields.push_back({first + f, count, (out.states - first) / count});
    if (!is_raised(stop_)) compile_switches(out);
  }

  // The last thing: nothing else needs the graph any more.
  void leave_formulas(CompiledModel& out) {
    const auto active = active_inputs();
    out.formulas = std::make_shared<Formulas>(Formulas{.graph = std::move(graph_),
                                                       .f = std::move(f_),
                                                       .f_x = std::move(f_x_),
                                                       .states = states_,
                                                       .algebraic = out.algebraic,
                                                       .active = {active.begin(), active.end()},
                                                       .delayed = {observed_.begin() + out.states, observed_.end()},
                                                       .time = problem_.time,
                                                       .uses_time = out.uses_time,
                                                       .switches = is_discontinuous(),
                                                       .signature = std::move(signature_)});
    out.stiff = std::make_shared<StiffSource>(out.formulas);
  }

  // Formulas that are made together, so that they share nodes.
  struct Batch {
    std::vector<NodeId> roots{};
    std::vector<std::size_t> end{};
    void add(const std::vector<NodeId>& more) {
      roots.insert(roots.end(), more.begin(), more.end());
      end.push_back(roots.size());
    }
    std::span<const NodeId> part(int n) const {
      const std::size_t begin = n == 0 ? 0 : end[n - 1];
      return std::span(roots).subspan(begin, end[n] - begin);
    }
  };

  // Symbols for the numbers that a product takes, which no user can name.
  std::vector<NodeId> seeds(const char* of, int count, int first, Signature& signature) {
    std::vector<NodeId> out;
    for (int i = 0; i < count; ++i) {
      out.push_back(graph_.symbol(std::string(of) + " " + std::to_string(i)));
      signature[out.back()] = {Bank::seed, first + i};
    }
    return out;
  }

  // f and its products with covectors and directions are made together: what f computes on the way and its pullback
  // needs is kept, and not computed again.
  void compile_products(const std::vector<NodeId>& f, CompiledModel& out) {
    Signature signature = signature_;
    const std::vector<NodeId> lambda = seeds("adjoint of state", out.states, 0, signature);
    const std::vector<NodeId> dx = seeds("direction of state", out.states, 0, signature);
    const std::vector<NodeId> dp = seeds("direction of parameter", active_, out.states, signature);
    std::vector<NodeId> variables = states_;
    variables.insert(variables.end(), inputs_.begin(), inputs_.begin() + active_);
    std::vector<NodeId> directions = dx;
    directions.insert(directions.end(), dp.begin(), dp.end());

    Batch batch;
    batch.add(f);
    std::vector<NodeId> pulled = expression::reverse(graph_, f, lambda, variables);
    if (is_raised(stop_)) return;
    batch.add({pulled.begin(), pulled.begin() + out.states});
    batch.add({pulled.begin() + out.states, pulled.end()});
    batch.add(expression::forward(graph_, f, states_, dx));
    batch.add(expression::forward(graph_, f, variables, directions));
    batch.roots = lower_powers(graph_, batch.roots);
    if (is_raised(stop_)) return;

    const std::span<const NodeId> values = batch.part(0);
    const std::span<const NodeId> by_x = batch.part(1);
    const std::span<const NodeId> by_p = batch.part(2);
    for (const NodeId node : by_p) out.rhs_uses.push_back(!graph_.is_constant(node, 0));
    const std::vector<NodeId> kept =
        worth_keeping(graph_, values, std::span(batch.roots).subspan(values.size(), by_x.size() + by_p.size()));
    out.kept = static_cast<int>(kept.size());
    for (int i = 0; i < out.kept; ++i) signature[kept[i]] = {Bank::kept, i};
    std::vector<NodeId> outputs(values.begin(), values.end());
    outputs.insert(outputs.end(), kept.begin(), kept.end());
    out.rhs = Kernel(graph_, outputs, signature_);
    if (is_raised(stop_)) return;
    out.vjp = Kernel(graph_, by_x, signature, by_p);
    out.jvp_x = Kernel(graph_, batch.part(3), signature);
    out.jvp = Kernel(graph_, batch.part(4), signature);
  }

  // Where the noise is stated per measurement, sigma is not used; 1 keeps the shape.
  ObservableKernel compile_observable(NodeId formula, std::optional<NodeId> noise) {
    const std::vector<NodeId> both = folded(std::vector{formula, noise.value_or(graph_.constant(1))});
    if (has_fields()) return compile_field_observable(field_model(), both);
    Signature signature = signature_;
    for (int i = 0; i < static_cast<int>(observed_.size()); ++i) signature[observed_[i]] = {Bank::state, i};
    ObservableKernel out;
    out.value = Kernel(graph_, lower_powers(graph_, both), signature);
    std::vector<NodeId> outputs = both;
    append(expression::jacobian(graph_, both, *by_observed_), out.by_state, outputs);
    append(expression::jacobian(graph_, both, *by_active_), out.by_parameter, outputs);
    out.derivative = Kernel(graph_, lower_powers(graph_, outputs), signature);
    return out;
  }

  ExperimentKernel compile_experiment(std::size_t index) {
    const model::Experiment& experiment = problem_.experiments[index];
    // p of this experiment: its own settings first, then constants; what is left is theta.
    std::vector<NodeId> p = inputs_;
    std::unordered_map<int, NodeId> set;
    for (const auto& [k, node] : experiment.overrides) set.insert_or_assign(k, node);
    for (std::size_t i = 0; i < p.size(); ++i) {
      if (input_index_[i] == frozen) p[i] = graph_.constant(0);
      if (const auto own = set.find(input_index_[i]); own != set.end()) p[i] = own->second;
    }
    p = (*put_constants_)(p);

    std::vector<NodeId> x0 = initial_values(experiment);
    x0 = expression::substitute(graph_, x0, input_symbols(), input_values_at_start(index));
    x0 = expression::substitute(graph_, x0, inputs_, p);
    x0 = (*put_constants_)(x0);

    Signature signature;
    for (int i = 0; i < static_cast<int>(thetas_.size()); ++i) signature[thetas_[i]] = {Bank::parameter, i};
    const std::vector<NodeId> initial = initial_symbols();
    for (int i = 0; i < static_cast<int>(initial.size()); ++i) signature[initial[i]] = {Bank::seed, i};
    std::vector<NodeId> values = p;
    values.insert(values.end(), x0.begin(), x0.end());
    std::vector<NodeId> differentiated(p.begin(), p.begin() + active_);
    differentiated.insert(differentiated.end(), x0.begin(), x0.end());
    ExperimentKernel out;
    out.value = Kernel(graph_, lower_powers(graph_, values), signature);
    std::vector<NodeId> nonzeros;
    append(expression::jacobian(graph_, differentiated, thetas_), out.pattern, nonzeros);
    if (names_initial_values()) append(expression::jacobian(graph_, x0, initial), out.by_initial, nonzeros);
    out.derivative = Kernel(graph_, lower_powers(graph_, nonzeros), signature);
    return out;
  }

  std::vector<NodeId> input_symbols() const {
    std::vector<NodeId> symbols;
    for (const model::Input& input : problem_.inputs) symbols.push_back(input.symbol);
    return symbols;
  }
  std::vector<NodeId> input_values_at_start(std::size_t experiment) {
    std::vector<NodeId> values;
    for (const model::Input& input : problem_.inputs)
      values.push_back(graph_.constant(input.of_experiment[experiment]->at(problem_.experiments[experiment].start)));
    return values;
  }

  bool names_initial_values() const {
    return std::any_of(problem_.states.begin(), problem_.states.end(),
                       [](const model::State& state) { return state.initial != expression::no_node; });
  }

  // The initial value of every state, 0 where it is estimated; known ones that name known ones have them put in.
  std::vector<NodeId> initial_values(const model::Experiment& experiment) {
    std::vector<NodeId> x0, named, known;
    for (std::size_t i = 0; i < experiment.initial.size(); ++i) {
      const auto* formula = std::get_if<NodeId>(&experiment.initial[i]);
      x0.push_back(formula != nullptr ? *formula : graph_.constant(0));
      if (formula == nullptr || problem_.states[i].initial == expression::no_node) continue;
      named.push_back(problem_.states[i].initial);
      known.push_back(*formula);
    }
    // There are no cycles, and each time chains of names become half as long.
    for (std::size_t length = 1; length < named.size(); length *= 2)
      known = expression::substitute(graph_, known, named, known);
    return expression::substitute(graph_, x0, named, known);
  }

  // The symbol of each state's initial value; one that nothing names keeps its place by a symbol of its own.
  std::vector<NodeId> initial_symbols() {
    std::vector<NodeId> symbols;
    for (const model::State& state : problem_.states)
      symbols.push_back(state.initial != expression::no_node ? state.initial
                                                             : graph_.symbol("no initial value of " + state.id));
    return symbols;
  }

  ConstraintKernel compile_constraint(const model::Constraint& constraint) {
    const std::vector<NodeId> initial = initial_symbols();
    for (int i = 0; i < static_cast<int>(initial.size()); ++i) signature_[initial[i]] = {Bank::seed, i};
    const std::vector<NodeId> c = folded({&constraint.formula, 1});
    ConstraintKernel out;
    std::vector<NodeId> outputs = c;
    append(expression::jacobian(graph_, c, *by_states_), out.by_state, outputs);
    append(expression::jacobian(graph_, c, *by_active_), out.by_parameter, outputs);
    append(expression::jacobian(graph_, c, initial), out.by_initial, outputs);
    out.derivative = tape(outputs);
    for (const NodeId symbol : expression::symbols_of(graph_, c)) {
      const Bank bank = signature_.at(symbol).bank;
      out.at_nodes |= bank == Bank::state;
      out.in_each_experiment |= bank == Bank::seed || (bank == Bank::parameter && set_.contains(symbol));
    }
    return out;
  }

  const Problem& problem_;
  const EarlierValues* earlier_;
  const StopFlag* stop_;
  Graph graph_;
  std::vector<NodeId> states_, thetas_, inputs_;
  std::vector<NodeId> observed_;  // what observables read: states, then delayed values
  std::vector<int> input_index_;  // index in Problem::parameters
  static constexpr int frozen = -1;
  std::vector<Freezer::Switch> switches_;
  std::vector<std::pair<int, std::string>> divided_;  // switches at whose zero an equation has no solution
  std::vector<EventFormulas> events_;
  std::vector<std::vector<NodeId>> input_numbers_;
  std::vector<NodeId> input_pieces_;
  std::vector<DrivingInput> driving_;
  int frozen_ = 0;        // how many of the parameters stand still within a step ...
  int first_frozen_ = 0;  // ... from here on; delayed values follow
  int active_ = 0;
  std::vector<NodeId> constants_, constant_values_;  // every fixed parameter
  std::vector<NodeId> folded_, folded_values_;       // those that no experiment sets
  std::unordered_set<NodeId> set_;                   // those that some experiment sets
  std::optional<expression::Substitution> put_cells_, fold_, put_constants_;
  std::optional<expression::Variables> by_states_, by_observed_, by_active_;
  Signature signature_;
  std::vector<NodeId> f_;  // with constants folded and truth values frozen
  std::vector<JacobianEntry> f_x_;
};

}  // namespace

const ObservableKernel& CompiledModel::observable_of(const model::Measurement& measurement) const {
  if (!readings.empty() && measurement.place[0]) {
    const std::array<double, 2> place{*measurement.place[0], measurement.place[1].value_or(0)};
    const auto found = readings.find({measurement.observable, place});
    SALVO_EXPECTS(found != readings.end());  // whoever measures at another place divides space again
    return found->second;
  }
  return observables[measurement.observable];
}

int CompiledModel::largest_work() const {
  return std::max({scratch, whole.step.work_size(), whole.push.work_size(), whole.pull.work_size()});
}

const double* CompiledModel::parameters_at(int experiment, double t, const double* p, std::vector<double>& room) const {
  if (inputs.empty()) return p;
  room.assign(p, p + parameters);
  const std::vector<double> tau = delays_at(p, 1);
  for (const InputKernel& input : inputs)
    input.set_time(experiment, input.delay < 0 ? t : t - tau[input.delay], room.data(), 1);
  return room.data();
}

std::vector<double> CompiledModel::delays_at(const double* p, int stride) const {
  if (!delays) return {};
  std::vector<double> own(parameters), work(delays->tau.work_size()), tau(delays->texts.size());
  for (int k = 0; k < parameters; ++k) own[k] = p[static_cast<std::size_t>(k) * stride];
  delays->tau.run<1>({.parameter = own.data()}, work.data(), tau.data());
  return tau;
}

int CompiledModel::knots_between(int experiment, double begin, double end) const {
  int count = 0;
  for (const InputKernel& input : inputs) count += input.knots_between(experiment, begin, end);
  return count;
}

namespace {

CompiledModel compile_formulas(const Problem& problem, const StopFlag* stop, std::span<const KnownPast> known) {
  if (!model::has_delays(problem)) return Compiler(problem, stop).compile();
  const EarlierValues earlier = with_earlier_values(problem, known);
  return Compiler(earlier.problem, stop, &earlier).compile();
}

}  // namespace

std::shared_ptr<const CompiledModel> compile(const Problem& problem, const StopFlag* stop,
                                             std::span<const KnownPast> known) {
  auto model = std::make_shared<CompiledModel>(compile_formulas(problem, stop, known));
  if (is_raised(stop)) return nullptr;
  model->accelerator = std::make_shared<Accelerator>();
  if (model::has_rest(problem)) {
    model::Problem resting = model::resting_problem(problem);
    auto compiled = std::make_shared<CompiledModel>(compile_formulas(resting, stop, {}));
    if (is_raised(stop)) return nullptr;
    compiled->accelerator = std::make_shared<Accelerator>();
    if (compiled->looks_back()) compiled->still = compile(without_past(resting), stop);
    if (is_raised(stop)) return nullptr;
    model->resting = std::make_shared<RestingModel>(std::move(resting), std::move(compiled));
  }
  return model;
}

}  // namespace salvo::compile
