#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "helpers/problems.hpp"
#include "model/on_cells.hpp"

// Problems with fields, written down by hand.
namespace salvo::test {

struct FieldText {
  std::string id{};
  std::string formula{};
  std::string initial{};
  std::pair<model::BoundaryKind, std::vector<std::string>> left{model::BoundaryKind::flux, {"0"}};
  std::pair<model::BoundaryKind, std::vector<std::string>> right{model::BoundaryKind::flux, {"0"}};
  std::pair<model::BoundaryKind, std::vector<std::string>> bottom{model::BoundaryKind::flux, {"0"}};
  std::pair<model::BoundaryKind, std::vector<std::string>> top{model::BoundaryKind::flux, {"0"}};
};

class FieldBuilder {
 public:
  explicit FieldBuilder(model::Space space, model::Scheme scheme = {}) {
    problem_.time = problem_.graph.symbol("t");
    space.id = "x";
    space.symbol = problem_.graph.symbol("x");
    problem_.space.push_back(space);
    problem_.scheme = scheme;
    problem_.experiments.push_back({.id = "default"});
  }
  // A rectangle.
  FieldBuilder(const model::Space& x, model::Space y, model::Scheme scheme = {}) : FieldBuilder(x, scheme) {
    y.id = "y";
    y.symbol = problem_.graph.symbol("y");
    problem_.space.push_back(y);
  }
  FieldBuilder& parameter(const std::string& id, std::variant<double, model::Estimated> value) {
    problem_.parameters.push_back({id, problem_.graph.symbol(id), std::move(value)});
    return *this;
  }
  FieldBuilder& field(const FieldText& text) {
    model::Field out{.id = text.id, .symbol = problem_.graph.symbol(text.id), .derivative = node(text.formula)};
    out.at(model::Side::left) = boundary(text.left);
    out.at(model::Side::right) = boundary(text.right);
    out.at(model::Side::bottom) = boundary(text.bottom);
    out.at(model::Side::top) = boundary(text.top);
    problem_.fields.push_back(out);
    problem_.experiments[0].initial_fields.emplace_back(node(text.initial));
    return *this;
  }
  FieldBuilder& state(const std::string& id, const std::string& formula, const std::string& initial) {
    problem_.states.push_back({id, problem_.graph.symbol(id), node(formula)});
    problem_.experiments[0].initial.emplace_back(node(initial));
    return *this;
  }
  FieldBuilder& observable(const std::string& id, const std::string& formula, const std::string& noise = "1") {
    problem_.observables.push_back({.id = id, .formula = node(formula), .noise = node(noise)});
    return *this;
  }
  FieldBuilder& measure(int observable, double time, double value, std::optional<double> place = {},
                        std::optional<double> y = {}) {
    model::Measurement out{.observable = observable, .time = time, .value = value};
    if (place) out.place[0] = *place;
    if (y) out.place[1] = *y;
    problem_.measurements.push_back(out);
    return *this;
  }
  model::Problem& problem() { return problem_; }
  // On cells.
  model::Problem build() {
    model::Problem out = problem_;
    for (const Issue& issue : model::put_on_cells(out)) ADD_FAILURE() << issue.message;
    return out;
  }

 private:
  model::NodeId node(const std::string& formula) {
    const auto parsed = expression::parse(problem_.graph, formula);
    EXPECT_TRUE(std::holds_alternative<expression::Formula>(parsed)) << formula;
    return std::get<expression::Formula>(parsed).node;
  }
  model::Boundary boundary(const std::pair<model::BoundaryKind, std::vector<std::string>>& text) {
    model::Boundary out{.kind = text.first};
    for (std::size_t i = 0; i < text.second.size(); ++i) out.terms[i] = node(text.second[i]);
    return out;
  }

  model::Problem problem_;
};

// The same equations with a formula of its own for every cell: what the loops over cells are compared with.
inline model::Problem unrolled(model::Problem problem) {
  expression::Graph& graph = problem.graph;
  for (const model::Stencil& stencil : problem.cells.stencils) {
    for (int cell = 0; cell < stencil.count(); ++cell) {
      const int column = cell % stencil.cells;
      const int row = cell / stencil.cells;
      std::vector<model::NodeId> from, to;
      const auto put = [&](model::NodeId symbol, model::NodeId value) {
        from.push_back(symbol);
        to.push_back(value);
      };
      for (const auto& neighbour : stencil.neighbours)
        put(neighbour.symbol,
            problem.states[neighbour.state + column * neighbour.stride + row * neighbour.row_stride].symbol);
      for (const auto& number : stencil.numbers) put(number.symbol, graph.constant(number.values[cell]));
      for (std::size_t f = 0; f < stencil.derivatives.size(); ++f)
        problem.states[stencil.state + column * stencil.stride + row * stencil.row_stride + static_cast<int>(f)]
            .derivative = expression::substitute(graph, {&stencil.derivatives[f], 1}, from, to)[0];
    }
  }
  std::vector<model::NodeId> symbols, sums;
  for (const model::Functional& functional : problem.cells.functionals) {
    model::NodeId sum = graph.constant(0);
    for (std::size_t i = 0; i < functional.weights.size(); ++i)
      sum = graph.add(sum,
                      graph.multiply(graph.constant(functional.weights[i]),
                                     problem.states[functional.state + static_cast<int>(i) * functional.step].symbol));
    symbols.push_back(functional.symbol);
    sums.push_back(sum);
  }
  std::vector<model::NodeId> operations, stand_for;
  for (const auto& [operation, formula] : problem.cells.in_place_of) {
    operations.push_back(operation);
    stand_for.push_back(formula);
  }
  const auto write = [&](model::NodeId& node) {
    node = expression::substitute(graph, {&node, 1}, operations, stand_for)[0];
    node = expression::substitute(graph, {&node, 1}, symbols, sums)[0];
  };
  for (model::State& state : problem.states) write(state.derivative);
  for (model::Observable& observable : problem.observables) write(observable.formula);
  problem.cells = {};
  problem.fields.clear();
  for (model::Experiment& experiment : problem.experiments) experiment.initial_fields.clear();
  return problem;
}

}  // namespace salvo::test
