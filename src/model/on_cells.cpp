#include "model/on_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "expression/reach.hpp"
#include "model/cells/near_cell.hpp"
#include "model/cells/places.hpp"
#include "model/cells/take_apart.hpp"

namespace salvo::model {
namespace {

using cells::Algebra;
using cells::DividedFields;
using cells::NearCell;

class Division {
 public:
  explicit Division(Problem& problem)
      : problem_(problem),
        algebra_{problem.graph},
        divided_{.problem = problem, .grid = cells::Grid(problem.space[0]), .fields = problem.fields},
        first_(static_cast<int>(problem.states.size())),
        places_(divided_, first_) {}

  std::vector<std::string> run() {
    lower();
    if (!faults().empty()) return faults_;
    for (int f = 0; f < count(); ++f) divided_.equations.push_back(cells::take_apart(lowered_, algebra_, f, faults_));
    if (!faults_.empty()) return faults_;
    int reach = problem_.scheme.order < 4 ? 1 : 2;
    for (int f = 0; f < count(); ++f) {
      cells::FieldEquation& equation = divided_.equations[f];
      for (std::size_t k = 0; k < equation.transports.size(); ++k) {
        equation.carriages.push_back(cells::carriage_of(lowered_, algebra_, equation, f, k));
        const bool is_carried = algebra_.speaks_of(equation.parts[k].carried, divided_.fields[f].symbol);
        if (is_carried && equation.carriages.back().scheme == Advection::limited) reach = 2;
      }
    }
    write_stencils(reach);
    add_states();
    for (Experiment& experiment : problem_.experiments) begin(experiment);
    read_observables();
    return faults();
  }

 private:
  int count() const { return static_cast<int>(problem_.fields.size()); }
  const std::vector<std::string>& faults() {
    faults_.insert(faults_.end(), places_.faults().begin(), places_.faults().end());
    return faults_;
  }

  // Integrals, means and places in all formulas.
  void lower() {
    for (int i = 0; i < first_; ++i) places_.lower_operations(problem_.states[i].derivative);
    for (const Event& event : problem_.events) {
      if (const auto* when = std::get_if<When>(&event.trigger)) places_.lower_operations(when->condition);
      for (const Assignment& assignment : event.assignments) places_.lower_operations(assignment.value);
    }
    for (Field& field : divided_.fields) {
      refuse_far_values(field);
      lower(field.derivative);
      for (Boundary& boundary : field.boundary)
        for (NodeId& term : boundary.terms)
          if (term != expression::no_node) lower(term);
    }
    lowered_ = problem_;
    lowered_.fields = divided_.fields;
  }
  // Every cell would depend on every other one.
  void refuse_far_values(const Field& field) {
    std::vector<NodeId> formulas{field.derivative};
    for (const Boundary& boundary : field.boundary)
      for (const NodeId term : boundary.terms)
        if (term != expression::no_node) formulas.push_back(term);
    for (const NodeId id : expression::reached_from(problem_.graph, formulas, [](NodeId) { return false; })) {
      const expression::Op op = problem_.graph[id].op;
      if (op != expression::Op::integral && op != expression::Op::mean && op != expression::Op::at) continue;
      faults_.push_back(fmt::format(
          "the equation of the field {} and what holds at its boundaries can speak of the place itself only, "
          "not of integrals, means or other places",
          field.id));
      return;
    }
  }

  void lower(NodeId& formula) {
    places_.lower_operations(formula);
    std::vector<NodeId> from, to;
    for (const auto& [operation, stands_for] : problem_.cells.in_place_of) {
      from.push_back(operation);
      to.push_back(stands_for);
    }
    formula = algebra_.put(formula, from, to);
  }

  // Cells near the walls one by one, and all others together.
  void write_stencils(int reach) {
    const int n = divided_.grid.cells;
    for (int cell = 0; cell < reach; ++cell) write_stencil(cell, 1);
    if (n > 2 * reach) write_stencil(reach, n - 2 * reach);
    for (int cell = n - reach; cell < n; ++cell) write_stencil(cell, 1);
  }

  void write_stencil(int first, int number) {
    const int n = divided_.grid.cells;
    const bool is_inside = number > 1;
    NearCell near(divided_, is_inside ? NearCell::far : first, is_inside ? NearCell::far : n - 1 - first);
    Stencil out{.state = state(first, 0), .stride = count(), .cells = number};
    for (int f = 0; f < count(); ++f) out.derivatives.push_back(near.derivative(f));
    for (const NearCell::Symbol& each : near.neighbours()) {
      const int cell = ((first + each.offset) % n + n) % n;  // beyond a wall only where space is periodic
      out.neighbours.push_back({each.symbol, state(cell, each.field), number > 1 ? count() : 0});
    }
    const cells::Grid& grid = divided_.grid;
    const auto add = [&](NodeId symbol, const auto& of_cell) {
      std::vector<double> values;
      for (int i = first; i < first + number; ++i) values.push_back(of_cell(i));
      out.numbers.push_back({symbol, std::move(values)});
    };
    add(near.position(), [&](int i) { return grid.centre(i); });
    add(near.left_share(), [&](int i) { return grid.area(i) / grid.volume(i); });
    add(near.right_share(), [&](int i) { return grid.area(i + 1) / grid.volume(i); });
    problem_.cells.stencils.push_back(std::move(out));
  }
  int state(int cell, int field) const { return first_ + cell * count() + field; }

  void add_states() {
    for (int cell = 0; cell < divided_.grid.cells; ++cell) {
      for (const Field& field : problem_.fields) {
        std::string id = fmt::format("{}[{}]", field.id, cell + 1);
        const NodeId symbol = problem_.graph.symbol(id);
        problem_.states.push_back({.id = std::move(id), .symbol = symbol});
      }
    }
  }

  void begin(Experiment& experiment) {
    const cells::Grid& grid = divided_.grid;
    std::vector<std::vector<NodeId>> jumps;
    for (const InitialField& initial : experiment.initial_fields)
      jumps.push_back(std::holds_alternative<NodeId>(initial) ? jumps_of(std::get<NodeId>(initial))
                                                              : std::vector<NodeId>());
    for (int cell = 0; cell < grid.cells; ++cell) {
      for (std::size_t f = 0; f < experiment.initial_fields.size(); ++f) {
        const InitialField& initial = experiment.initial_fields[f];
        if (const auto* formula = std::get_if<NodeId>(&initial))
          experiment.initial.push_back(mean_of(*formula, jumps[f], cell));
        else
          experiment.initial.push_back(
              algebra_.number(std::get<1>(initial)->mean(grid.face(cell), grid.face(cell + 1))));
      }
    }
  }

  NodeId formula_at(NodeId formula, double position) {
    return algebra_.put(formula, std::vector{problem_.space[0].symbol}, std::vector{algebra_.number(position)});
  }
  // Parts of a formula whose values change by jumps.
  std::vector<NodeId> jumps_of(NodeId formula) const {
    std::vector<NodeId> out;
    for (const NodeId id : expression::reached_from(problem_.graph, {&formula, 1}, [](NodeId) { return false; })) {
      const expression::Op op = problem_.graph[id].op;
      if (expression::is_truth_value(op) || op == expression::Op::sign) out.push_back(id);
    }
    return out;
  }
  // What a cell begins with: the formula in its middle, which is its mean to second order. A cell with a jump in it has
  // the means of both sides, or an edge would stand wherever the cells let it.
  NodeId mean_of(NodeId formula, const std::vector<NodeId>& jumps, int cell) {
    const cells::Grid& grid = divided_.grid;
    if (!is_cut(jumps, grid.face(cell), grid.face(cell + 1))) return formula_at(formula, grid.centre(cell));
    return algebra_.times(1 / grid.volume(cell), amount(formula, jumps, grid.face(cell), grid.face(cell + 1), 0));
  }
  bool is_cut(const std::vector<NodeId>& jumps, double from, double to) {
    return std::any_of(jumps.begin(), jumps.end(), [&](NodeId jump) {
      const NodeId left = formula_at(jump, from);
      const NodeId right = formula_at(jump, to);
      return left != right && problem_.graph.is_constant(left) && problem_.graph.is_constant(right);
    });
  }
  NodeId amount(NodeId formula, const std::vector<NodeId>& jumps, double from, double to, int halved) {
    constexpr int often_enough = 30;
    const double middle = (from + to) / 2;
    if (halved == often_enough || !is_cut(jumps, from, to))
      return algebra_.times(divided_.grid.volume(from, to), formula_at(formula, middle));
    return algebra_.sum(amount(formula, jumps, from, middle, halved + 1),
                        amount(formula, jumps, middle, to, halved + 1));
  }

  void read_observables() {
    std::set<std::pair<int, double>> places;
    for (const auto* list : {&problem_.measurements, &problem_.validation})
      for (const Measurement& m : *list)
        if (m.place[0]) places.insert({m.observable, *m.place[0]});
    for (const auto& [index, position] : places) {
      const Observable& observable = problem_.observables[index];
      Reading reading{index, {position, 0}, places_.at(observable.formula, position)};
      if (observable.noise) reading.noise = places_.at(*observable.noise, position);
      problem_.cells.readings.push_back(reading);
    }
    // Where nothing says at which place, it is the middle. None stands for its formula before all are written: one may
    // be a part of another.
    const double middle = (divided_.grid.from + divided_.grid.to()) / 2;
    std::vector<std::pair<NodeId, NodeId>> at_middle;
    const auto put_middle = [&](NodeId formula) {
      const NodeId there = places_.at(formula, middle);
      if (there != formula) at_middle.emplace_back(formula, there);
    };
    for (const Observable& observable : problem_.observables) {
      put_middle(observable.formula);
      if (observable.noise) put_middle(*observable.noise);
    }
    problem_.cells.in_place_of.insert(problem_.cells.in_place_of.end(), at_middle.begin(), at_middle.end());
  }

  Problem& problem_;
  Problem lowered_{};
  Algebra algebra_;
  DividedFields divided_;
  int first_;
  cells::Places places_;
  std::vector<std::string> faults_{};
};

// As it was before it stood on cells.
void take_off_cells(Problem& problem) {
  const std::size_t ordinary = ordinary_states(problem);
  problem.states.resize(ordinary);
  for (Experiment& experiment : problem.experiments)
    experiment.initial.resize(std::min(experiment.initial.size(), ordinary));
  problem.cells = {};
}

}  // namespace

Issues put_on_cells(Problem& problem) {
  if (problem.fields.empty()) return {};
  const auto issue = [&](std::string message) {
    return Issue{.kind = Issue::Kind::unsupported, .file = problem.file, .message = std::move(message)};
  };
  if (problem.space.size() != 1) return {issue("fields in two dimensions are not computed yet")};
  int periodic = 0;
  for (const Field& field : problem.fields)
    for (const Side side : {Side::left, Side::right}) periodic += field.at(side).kind == BoundaryKind::periodic;
  if (periodic != 0 && periodic != 2 * std::ssize(problem.fields))
    return {issue("space is periodic at both ends and for all fields, or not at all")};
  for (const Experiment& experiment : problem.experiments)
    if (experiment.equilibrate) return {issue("experiments with fields cannot begin at rest yet")};
  take_off_cells(problem);
  Problem divided = problem;
  Issues out;
  for (const std::string& fault : Division(divided).run()) out.push_back(issue(fault));
  if (out.empty()) problem = std::move(divided);
  return out;
}

double largest_peclet(const Problem& problem) {
  if (problem.space.size() != 1) return 0;
  Problem copy = problem;
  Algebra algebra{copy.graph};
  std::vector<std::string> faults;
  double largest = 0;
  for (int f = 0; f < static_cast<int>(copy.fields.size()); ++f) {
    const cells::FieldEquation equation = cells::take_apart(copy, algebra, f, faults);
    for (std::size_t k = 0; k < equation.transports.size() && faults.empty(); ++k)
      largest = std::max(largest, cells::peclet(copy, algebra, equation, f, k));
  }
  return largest;
}

bool is_central(const Problem& problem) {
  if (problem.scheme.advection != Advection::limited) return problem.scheme.advection == Advection::central;
  return largest_peclet(problem) < cells::small_enough;
}

int bandwidth(const Problem& problem) {
  int below = 0;
  int above = 0;
  for (const Stencil& stencil : problem.cells.stencils) {
    if (stencil.cells == 1) continue;
    for (const Stencil::Neighbour& neighbour : stencil.neighbours) {
      const int last = stencil.state + static_cast<int>(stencil.derivatives.size()) - 1;
      below = std::max(below, last - neighbour.state);
      above = std::max(above, neighbour.state - stencil.state);
    }
  }
  return below + above + 1;
}

Problem with_cells(Problem problem, int cells) {
  problem.space[0].cells = cells;
  put_on_cells(problem);
  return problem;
}

}  // namespace salvo::model
