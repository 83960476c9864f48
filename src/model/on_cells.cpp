#include "model/on_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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
        divided_{.problem = problem, .grids = grids_of(problem), .fields = problem.fields},
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
  static std::vector<cells::Grid> grids_of(const Problem& problem) {
    std::vector<cells::Grid> out;
    for (const Space& space : problem.space) out.emplace_back(space);
    return out;
  }
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

  // Cells of one coordinate that have the same equations: those near the walls one by one, and all others together.
  struct Stretch {
    int first = 0;
    int number = 1;
    bool is_inside = false;
  };
  std::vector<Stretch> stretches(int direction, int reach) const {
    if (direction >= divided_.directions()) return {{}};
    const int n = divided_.grids[direction].cells;
    std::vector<Stretch> out;
    for (int cell = 0; cell < reach; ++cell) out.push_back({cell});
    if (n > 2 * reach) out.push_back({reach, n - 2 * reach, true});
    for (int cell = std::max(n - reach, reach); cell < n; ++cell) out.push_back({cell});
    return out;
  }
  void write_stencils(int reach) {
    for (const Stretch& y : stretches(1, reach))
      for (const Stretch& x : stretches(0, reach)) write_stencil(x, y);
  }

  void write_stencil(const Stretch& x, const Stretch& y) {
    const std::array<int, 2> n{divided_.grids[0].cells, divided_.directions() > 1 ? divided_.grids[1].cells : 1};
    const auto low = [](const Stretch& its) { return its.is_inside ? NearCell::far : its.first; };
    const auto high = [](const Stretch& its, int all) { return its.is_inside ? NearCell::far : all - 1 - its.first; };
    NearCell near(divided_, {low(x), high(x, n[0]), low(y), high(y, n[1])});
    Stencil out{.state = state(x.first, y.first, 0),
                .stride = count(),
                .cells = x.number,
                .rows = y.number,
                .row_stride = count() * n[0]};
    for (int f = 0; f < count(); ++f) out.derivatives.push_back(near.derivative(f));
    for (const NearCell::Symbol& each : near.neighbours()) {
      // Beyond a wall only where space is periodic.
      const int column = ((x.first + each.offset[0]) % n[0] + n[0]) % n[0];
      const int row = ((y.first + each.offset[1]) % n[1] + n[1]) % n[1];
      out.neighbours.push_back(
          {each.symbol, state(column, row, each.field), x.number > 1 ? count() : 0, y.number > 1 ? count() * n[0] : 0});
    }
    const cells::Grid& grid = divided_.grids[0];
    const auto add = [&](NodeId symbol, const auto& of_cell) {
      std::vector<double> values;
      for (int j = y.first; j < y.first + y.number; ++j)
        for (int i = x.first; i < x.first + x.number; ++i) values.push_back(of_cell(i, j));
      out.numbers.push_back({symbol, std::move(values)});
    };
    add(near.position(), [&](int i, int) { return grid.centre(i); });
    if (divided_.directions() > 1) {
      add(near.position(1), [&](int, int j) { return divided_.grids[1].centre(j); });
    } else {
      add(near.left_share(), [&](int i, int) { return grid.area(i) / grid.volume(i); });
      add(near.right_share(), [&](int i, int) { return grid.area(i + 1) / grid.volume(i); });
    }
    problem_.cells.stencils.push_back(std::move(out));
  }
  int state(int column, int row, int field) const {
    return first_ + (row * divided_.grids[0].cells + column) * count() + field;
  }

  void add_states() {
    const int columns = divided_.grids[0].cells;
    for (int cell = 0; cell < divided_.cells(); ++cell) {
      for (const Field& field : problem_.fields) {
        std::string id = divided_.directions() == 1
                             ? fmt::format("{}[{}]", field.id, cell + 1)
                             : fmt::format("{}[{},{}]", field.id, cell % columns + 1, cell / columns + 1);
        const NodeId symbol = problem_.graph.symbol(id);
        problem_.states.push_back({.id = std::move(id), .symbol = symbol});
      }
    }
  }

  void begin(Experiment& experiment) {
    std::vector<std::vector<NodeId>> jumps;
    for (const InitialField& initial : experiment.initial_fields)
      jumps.push_back(std::holds_alternative<NodeId>(initial) ? jumps_of(std::get<NodeId>(initial))
                                                              : std::vector<NodeId>());
    for (int cell = 0; cell < divided_.cells(); ++cell) {
      const Box box = box_of(cell);
      for (std::size_t f = 0; f < experiment.initial_fields.size(); ++f) {
        const InitialField& initial = experiment.initial_fields[f];
        if (const auto* formula = std::get_if<NodeId>(&initial))
          experiment.initial.push_back(mean_of(*formula, jumps[f], box));
        else
          experiment.initial.push_back(algebra_.number(std::get<1>(initial)->mean(box.from[0], box.to[0])));
      }
    }
  }

  struct Box {
    std::array<double, 2> from{}, to{};
  };
  Box box_of(int cell) const {
    const int columns = divided_.grids[0].cells;
    const std::array<int, 2> at{cell % columns, cell / columns};
    Box box;
    for (std::size_t d = 0; d < divided_.grids.size(); ++d) {
      box.from[d] = divided_.grids[d].face(at[d]);
      box.to[d] = divided_.grids[d].face(at[d] + 1);
    }
    return box;
  }
  NodeId formula_at(NodeId formula, const std::array<double, 2>& position) {
    std::vector<NodeId> from, to;
    for (std::size_t d = 0; d < divided_.grids.size(); ++d) {
      from.push_back(problem_.space[d].symbol);
      to.push_back(algebra_.number(position[d]));
    }
    return algebra_.put(formula, from, to);
  }
  NodeId in_middle(NodeId formula, const Box& box) {
    return formula_at(formula, {(box.from[0] + box.to[0]) / 2, (box.from[1] + box.to[1]) / 2});
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
  NodeId mean_of(NodeId formula, const std::vector<NodeId>& jumps, const Box& box) {
    if (!is_cut(jumps, box)) return in_middle(formula, box);
    return algebra_.times(1 / volume(box), amount(formula, jumps, box, 0));
  }
  double volume(const Box& box) const {
    double out = 1;
    for (std::size_t d = 0; d < divided_.grids.size(); ++d) out *= divided_.grids[d].volume(box.from[d], box.to[d]);
    return out;
  }
  // Seen from the corners.
  bool is_cut(const std::vector<NodeId>& jumps, const Box& box) {
    return std::any_of(jumps.begin(), jumps.end(), [&](NodeId jump) {
      const NodeId one = formula_at(jump, box.from);
      if (!problem_.graph.is_constant(one)) return false;
      for (const auto& corner : {box.to, std::array{box.from[0], box.to[1]}, std::array{box.to[0], box.from[1]}}) {
        const NodeId other = formula_at(jump, corner);
        if (other != one && problem_.graph.is_constant(other)) return true;
      }
      return false;
    });
  }
  NodeId amount(NodeId formula, const std::vector<NodeId>& jumps, const Box& box, int halved) {
    // An edge is a point of a line, found at the cost of a few halves, and a curve on a rectangle.
    const int often_enough = divided_.directions() == 1 ? 30 : 8;
    if (halved == often_enough || !is_cut(jumps, box)) return algebra_.times(volume(box), in_middle(formula, box));
    const std::size_t d = divided_.directions() == 1 ? 0 : halved % 2;
    Box low = box;
    Box high = box;
    low.to[d] = high.from[d] = (box.from[d] + box.to[d]) / 2;
    return algebra_.sum(amount(formula, jumps, low, halved + 1), amount(formula, jumps, high, halved + 1));
  }

  void read_observables() {
    std::set<std::pair<int, std::array<double, 2>>> places;
    for (const auto* list : {&problem_.measurements, &problem_.validation})
      for (const Measurement& m : *list)
        if (m.place[0]) places.insert({m.observable, {*m.place[0], m.place[1].value_or(0)}});
    for (const auto& [index, position] : places) {
      const Observable& observable = problem_.observables[index];
      Reading reading{index, position, places_.at(observable.formula, position)};
      if (observable.noise) reading.noise = places_.at(*observable.noise, position);
      problem_.cells.readings.push_back(reading);
    }
    // Where nothing says at which place, it is the middle. None stands for its formula before all are written: one may
    // be a part of another.
    std::array<double, 2> middle{};
    for (std::size_t d = 0; d < divided_.grids.size(); ++d)
      middle[d] = (divided_.grids[d].from + divided_.grids[d].to()) / 2;
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
  for (std::size_t d = 0; d < problem.space.size(); ++d) {
    int periodic = 0;
    for (const Field& field : problem.fields)
      for (const std::size_t side : {2 * d, 2 * d + 1}) periodic += field.boundary[side].kind == BoundaryKind::periodic;
    if (periodic != 0 && periodic != 2 * std::ssize(problem.fields))
      return {issue("space is periodic at both ends and for all fields, or not at all")};
  }
  if (problem.space.size() > 1 && cells_of(problem) > most_cells_of_a_rectangle)
    return {
        issue(fmt::format("a rectangle has at most {} cells, and this one has {}: what is eliminated would not fit "
                          "into memory",
                          most_cells_of_a_rectangle, cells_of(problem)))};
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
  if (problem.space.size() != 1) return 0;
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
  const double ratio = static_cast<double>(cells) / problem.space[0].cells;
  for (Space& space : problem.space)
    space.cells = std::max(fewest_cells, static_cast<int>(std::lround(space.cells * ratio)));
  put_on_cells(problem);
  return problem;
}

int cells_of(const Problem& problem) {
  int out = 1;
  for (const Space& space : problem.space) out *= space.cells;
  return out;
}

}  // namespace salvo::model
