#include "compile/stencil_kernels.hpp"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

#include "compile/loops.hpp"
#include "compile/lower.hpp"
#include "expression/differentiate.hpp"

namespace salvo::compile {
namespace {

using expression::Graph;
using expression::JacobianEntry;
using expression::NodeId;
using Nodes = std::vector<NodeId>;

// Formulas that stand for the rows of one kind of cells, and where their numbers are.
struct Block {
  int cells = 1;  // of a row
  int rows = 1;
  Nodes f{};
  std::vector<Reach> equations{};
  Nodes variables{};  // symbols of states and functionals ...
  std::vector<Reach> reads{};
  Nodes numbers{};
  std::vector<std::vector<double>> values{};
};

// Non-zeros of all blocks, with the place of each among them.
struct Entries {
  std::vector<std::vector<JacobianEntry>> of_block{};
  std::vector<std::vector<Reach>> places{};
  Pattern pattern{};
};

int number_of(const Reach& reach) { return reach.weights.empty() ? 1 : static_cast<int>(reach.weights.size()); }

// Where the i-th number of a reach stands for a cell.
int place_of(const Reach& reach, int row, int cell, int i) {
  return reach.first + reach.row_stride * row + reach.stride * cell + reach.step * i;
}

class FieldCompiler {
 public:
  explicit FieldCompiler(const FieldModel& from) : from_(from), graph_(from.graph) {}

  void compile(CompiledModel& to) {
    make_blocks();
    f_x_ = entries([](const Block& block) { return block.f; });
    f_p_ = entries_by_active([](const Block& block) { return block.f; });
    compile_products(to);
    compile_jacobian(to);
    to.stiff = std::make_shared<StiffSource>(stiff(to));
  }

  Kernel time_derivative() {
    make_blocks();
    std::vector<Nodes> f_t = by_time([](const Block& block) { return block.f; });
    return kernel([&](std::size_t b) { return Body{.outputs = f_t[b], .places = blocks_[b].equations}; }, from_.states);
  }

  ObservableKernel observable(std::span<const NodeId> both) {
    Block block = ordinary_block({both.begin(), both.end()});
    blocks_.push_back(std::move(block));
    const auto rows = [](const Block& each) { return each.f; };
    const Entries by_x = entries(rows);
    const Entries by_p = entries_by_active(rows);
    ObservableKernel out{.by_state = by_x.pattern, .by_parameter = by_p.pattern};
    const std::vector<Reach> values{{.first = 0}, {.first = 1}};
    out.value = kernel([&](std::size_t) { return Body{.outputs = blocks_[0].f, .places = values}; }, 2);
    out.derivative = kernel(
        [&](std::size_t b) {
          Body body{.outputs = blocks_[0].f, .places = values};
          append(by_x, b, 2, body);
          append(by_p, b, 2 + by_x.pattern.size(), body);
          return body;
        },
        2 + by_x.pattern.size() + by_p.pattern.size());
    return out;
  }

 private:
  // What a body computes, and besides the symbols of its block the seeds that it takes.
  struct Body {
    Nodes outputs{};
    std::vector<Reach> places{};
    Nodes sums{};  // by active parameters
    Nodes seeds{};
    std::vector<Reach> seed_places{};
    NodeId kept = expression::no_node;
  };

  // The first block has all ordinary states, which read each other and functionals.
  Block ordinary_block(Nodes f) const {
    Block block{.f = std::move(f)};
    for (std::size_t i = 0; i < block.f.size(); ++i) block.equations.push_back({.first = static_cast<int>(i)});
    add_shared_reads(block);
    return block;
  }

  // Ordinary states and functionals, as far as the formulas of a block speak of them.
  void add_shared_reads(Block& block) const {
    const Nodes symbols = expression::symbols_of(graph_, block.f);
    const auto speaks_of = [&](NodeId symbol) { return std::binary_search(symbols.begin(), symbols.end(), symbol); };
    for (const NodeId symbol : symbols) {
      const auto found = from_.signature.find(symbol);
      if (found == from_.signature.end() || found->second.bank != Bank::state) continue;
      block.variables.push_back(symbol);
      block.reads.push_back({.first = found->second.index});
    }
    for (const model::Functional& functional : from_.functionals) {
      if (!speaks_of(functional.symbol)) continue;
      block.variables.push_back(functional.symbol);
      block.reads.push_back({.first = functional.state, .step = functional.step, .weights = functional.weights});
    }
  }

  void make_blocks() {
    const std::size_t ordinary = from_.ordinary.size();
    if (ordinary > 0) blocks_.push_back(ordinary_block({from_.f.begin(), from_.f.begin() + ordinary}));
    std::size_t next = ordinary;
    for (const model::Stencil& stencil : from_.stencils) {
      const std::size_t count = stencil.derivatives.size();
      Block block{.cells = stencil.cells, .rows = stencil.rows};
      block.f.assign(from_.f.begin() + next, from_.f.begin() + next + count);
      next += count;
      for (std::size_t i = 0; i < count; ++i)
        block.equations.push_back(
            {.first = stencil.state + static_cast<int>(i), .stride = stencil.stride, .row_stride = stencil.row_stride});
      add_shared_reads(block);
      for (const model::Stencil::Neighbour& neighbour : stencil.neighbours) {
        block.variables.push_back(neighbour.symbol);
        block.reads.push_back(
            {.first = neighbour.state, .stride = neighbour.stride, .row_stride = neighbour.row_stride});
      }
      for (const model::Stencil::OfCell& number : stencil.numbers) {
        block.numbers.push_back(number.symbol);
        block.values.push_back(number.values);
      }
      blocks_.push_back(std::move(block));
    }
  }

  // Places are given block by block, cell by cell and row by row: in the order of rows, as sweeps expect.
  Entries placed(std::vector<std::vector<JacobianEntry>> of_block,
                 const std::vector<std::vector<Reach>>& columns_of_block) const {
    Entries out{.of_block = std::move(of_block)};
    int next = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const auto& columns = columns_of_block[b];
      int of_cell = 0;
      for (const JacobianEntry& entry : out.of_block[b]) of_cell += number_of(columns[entry.column]);
      std::vector<Reach>& places = out.places.emplace_back();
      for (const JacobianEntry& entry : out.of_block[b]) {
        const Reach& column = columns[entry.column];
        places.push_back({.first = next,
                          .stride = of_cell,
                          .row_stride = blocks_[b].cells * of_cell,
                          .step = 1,
                          .weights = column.weights});
        next += number_of(column);
      }
      next += (blocks_[b].cells * blocks_[b].rows - 1) * of_cell;
      for (int row = 0; row < blocks_[b].rows; ++row)
        for (int c = 0; c < blocks_[b].cells; ++c)
          for (const JacobianEntry& entry : out.of_block[b]) {
            const Reach& column = columns[entry.column];
            for (int i = 0; i < number_of(column); ++i) {
              out.pattern.row.push_back(place_of(blocks_[b].equations[entry.row], row, c, 0));
              out.pattern.column.push_back(place_of(column, row, c, i));
            }
          }
    }
    return out;
  }

  template <class Formulas>
  Entries entries(const Formulas& formulas) {
    std::vector<std::vector<JacobianEntry>> of_block;
    std::vector<std::vector<Reach>> columns;
    for (const Block& block : blocks_) {
      of_block.push_back(expression::jacobian(graph_, formulas(block), block.variables));
      columns.push_back(block.reads);
    }
    return placed(std::move(of_block), columns);
  }
  template <class Formulas>
  Entries entries_by_active(const Formulas& formulas) {
    std::vector<Reach> parameters;
    for (std::size_t k = 0; k < from_.active.size(); ++k) parameters.push_back({.first = static_cast<int>(k)});
    std::vector<std::vector<JacobianEntry>> of_block;
    for (const Block& block : blocks_) of_block.push_back(expression::jacobian(graph_, formulas(block), active_));
    return placed(std::move(of_block), std::vector(blocks_.size(), parameters));
  }
  template <class Formulas>
  std::vector<Nodes> by_time(const Formulas& formulas) {
    const Nodes one{graph_.constant(1)};
    std::vector<Nodes> out;
    for (const Block& block : blocks_)
      out.push_back(expression::forward(graph_, formulas(block), Nodes{from_.time}, one));
    return out;
  }

  static void append(const Entries& entries, std::size_t b, int offset, Body& body) {
    for (std::size_t k = 0; k < entries.of_block[b].size(); ++k) {
      body.outputs.push_back(entries.of_block[b][k].node);
      body.places.push_back(entries.places[b][k]);
      body.places.back().first += offset;
    }
  }
  static std::vector<Reach> moved(std::vector<Reach> reaches, int offset) {
    for (Reach& reach : reaches) reach.first += offset;
    return reaches;
  }

  Nodes symbols(const char* of, std::size_t count) {
    Nodes out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(graph_.symbol(std::string(of) + " " + std::to_string(i)));
    return out;
  }

  // A kernel of the bodies of all blocks.
  template <class BodyOf>
  Kernel kernel(const BodyOf& body_of, int outputs, bool adds = false) {
    auto loops = std::make_shared<Loops>(
        Loops{.outputs = outputs, .sums = adds ? static_cast<int>(active_.size()) : 0, .adds = adds});
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Body body = body_of(b);
      if (!body.outputs.empty() || !body.sums.empty()) loops->loops.push_back(loop(blocks_[b], std::move(body)));
    }
    return Kernel(std::move(loops));
  }

  Loop loop(const Block& block, Body body) {
    Loop out{.cells = block.cells,
             .rows = block.rows,
             .states = block.reads,
             .numbers = block.values,
             .seeds = body.seed_places};
    Signature signature;
    const auto name = [&](std::span<const NodeId> nodes, Bank bank, std::size_t first) {
      for (std::size_t i = 0; i < nodes.size(); ++i) signature[nodes[i]] = {bank, static_cast<std::int32_t>(first + i)};
    };
    name(block.variables, Bank::state, 0);
    name(block.numbers, Bank::state, block.variables.size());
    name(body.seeds, Bank::seed, 0);
    signature[from_.time] = {Bank::time, 0};
    out.takes_kept = body.kept != expression::no_node;
    if (out.takes_kept) signature[body.kept] = {Bank::kept, 0};

    // Outputs that are always zero are left out where numbers are added.
    for (std::size_t k = 0; k < body.sums.size(); ++k) {
      if (graph_.is_constant(body.sums[k], 0)) continue;
      body.outputs.push_back(body.sums[k]);
      out.sums.push_back(static_cast<int>(k));
    }
    out.outputs = std::move(body.places);
    const Nodes outputs = lower_powers(graph_, body.outputs);
    for (const NodeId symbol : expression::symbols_of(graph_, outputs)) {
      const auto found = from_.signature.find(symbol);
      if (found == from_.signature.end() || found->second.bank != Bank::parameter) continue;
      signature[symbol] = {Bank::parameter, static_cast<std::int32_t>(out.parameters.size())};
      out.parameters.push_back(found->second.index);
    }
    out.body = Kernel(graph_, outputs, signature);
    return out;
  }

  void compile_products(CompiledModel& to) {
    const auto values = [&](std::size_t b) { return Body{.outputs = blocks_[b].f, .places = blocks_[b].equations}; };
    to.rhs = kernel(values, to.states);
    to.vjp = kernel(
        [&](std::size_t b) {
          const Block& block = blocks_[b];
          const Nodes lambda = symbols("adjoint of row", block.f.size());
          return pulled(block, block.f, {.seeds = lambda, .seed_places = block.equations});
        },
        to.states, true);
    const auto pushed = [&](std::size_t b, bool by_parameters) {
      const Block& block = blocks_[b];
      Nodes variables = block.variables;
      Nodes directions = symbols("direction of state", variables.size());
      Body body{.places = block.equations, .seed_places = block.reads};
      if (by_parameters) {
        const Nodes dp = symbols("direction of parameter", active_.size());
        variables.insert(variables.end(), active_.begin(), active_.end());
        directions.insert(directions.end(), dp.begin(), dp.end());
        for (std::size_t k = 0; k < active_.size(); ++k)
          body.seed_places.push_back({.first = to.states + static_cast<int>(k)});
      }
      body.outputs = expression::forward(graph_, block.f, variables, directions);
      body.seeds = std::move(directions);
      return body;
    };
    to.jvp_x = kernel([&](std::size_t b) { return pushed(b, false); }, to.states);
    to.jvp = kernel([&](std::size_t b) { return pushed(b, true); }, to.states);
  }

  // The derivative of a sum of outputs with the seeds as weights: by states it is put where they stand, by parameters
  // it is added up.
  Body pulled(const Block& block, std::span<const NodeId> outputs, Body body) {
    Nodes variables = block.variables;
    variables.insert(variables.end(), active_.begin(), active_.end());
    const Nodes all = expression::reverse(graph_, outputs, body.seeds, variables);
    for (std::size_t k = 0; k < block.variables.size(); ++k) {
      if (graph_.is_constant(all[k], 0)) continue;
      body.outputs.push_back(all[k]);
      body.places.push_back(block.reads[k]);
    }
    body.sums.assign(all.begin() + static_cast<std::ptrdiff_t>(block.variables.size()), all.end());
    return body;
  }

  void compile_jacobian(CompiledModel& to) {
    to.f_x = f_x_.pattern;
    to.f_p = f_p_.pattern;
    to.jacobian = kernel(
        [&](std::size_t b) {
          Body body;
          append(f_x_, b, 0, body);
          append(f_p_, b, to.f_x.size(), body);
          return body;
        },
        to.f_x.size() + to.f_p.size());
    to.rows = make_lines(to.f_x.row, to.f_x.column, to.states);
    to.parameter_rows = make_lines(to.f_p.row, to.f_p.column, to.states);
    to.columns = make_columns(to.f_x, to.f_p, to.states, to.active);
    to.rhs_uses.assign(active_.size(), false);
    for (const int k : to.f_p.column) to.rhs_uses[k] = true;
  }

  // The non-zeros of f_x, and behind them f_t.
  Nodes linear(std::size_t b, bool uses_time) const {
    Nodes out;
    for (const JacobianEntry& entry : f_x_.of_block[b]) out.push_back(entry.node);
    if (uses_time) out.insert(out.end(), f_t_[b].begin(), f_t_[b].end());
    return out;
  }

  StiffKernels stiff(const CompiledModel& model) {
    StiffKernels out{.uses_time = model.uses_time};
    f_t_ = by_time([](const Block& block) { return block.f; });
    const int behind = model.f_x.size();
    out.linearization = kernel(
        [&](std::size_t b) {
          Body body{.outputs = blocks_[b].f, .places = blocks_[b].equations};
          append(f_x_, b, model.states, body);
          if (!model.uses_time) return body;
          body.outputs.insert(body.outputs.end(), f_t_[b].begin(), f_t_[b].end());
          const auto places = moved(blocks_[b].equations, model.states + behind);
          body.places.insert(body.places.end(), places.begin(), places.end());
          return body;
        },
        model.states + behind + (model.uses_time ? model.states : 0));
    compile_curvature(model, out);
    out.second_pull = kernel(
        [&](std::size_t b) {
          const Nodes rows = linear(b, model.uses_time);
          Body body{.seeds = symbols("weight", rows.size()), .seed_places = f_x_.places[b]};
          if (model.uses_time) {
            const auto places = moved(blocks_[b].equations, behind);
            body.seed_places.insert(body.seed_places.end(), places.begin(), places.end());
          }
          return pulled(blocks_[b], rows, std::move(body));
        },
        model.states, true);
    return out;
  }

  void compile_curvature(const CompiledModel& model, StiffKernels& out) {
    const NodeId w = graph_.symbol("weight of time");
    std::vector<Nodes> product;  // f_x u + w f_t
    std::vector<Nodes> u;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      u.push_back(symbols("direction of state", blocks_[b].variables.size()));
      Nodes& rows = product.emplace_back(blocks_[b].f.size(), graph_.constant(0));
      const auto add = [&](int row, NodeId factor, NodeId node) {
        rows[row] = graph_.add(rows[row], graph_.multiply(factor, node));
      };
      for (const JacobianEntry& entry : f_x_.of_block[b]) add(entry.row, u[b][entry.column], entry.node);
      for (std::size_t i = 0; i < f_t_[b].size() && model.uses_time; ++i) add(static_cast<int>(i), w, f_t_[b][i]);
    }
    std::size_t next = 0;
    const auto rows_in_turn = [&](const Block&) { return product[next++]; };
    const Entries by_x = entries(rows_in_turn);
    next = 0;
    const Entries by_p = entries_by_active(rows_in_turn);
    next = 0;
    const std::vector<Nodes> product_t = by_time(rows_in_turn);
    const auto with_seeds = [&](std::size_t b) {
      return Body{.seeds = u[b], .seed_places = blocks_[b].reads, .kept = w};
    };
    out.curvature = kernel(
        [&](std::size_t b) {
          Body body = with_seeds(b);
          append(by_x, b, 0, body);
          append(by_p, b, by_x.pattern.size(), body);
          return body;
        },
        by_x.pattern.size() + by_p.pattern.size());
    out.curvature_rows = make_lines(by_x.pattern.row, by_x.pattern.column, model.states);
    out.curvature_columns = make_columns(by_x.pattern, by_p.pattern, model.states, model.active);
    if (!from_.switches) return;
    out.curvature_by_time = kernel(
        [&](std::size_t b) {
          Body body = with_seeds(b);
          body.outputs = product_t[b];
          body.places = blocks_[b].equations;
          return body;
        },
        model.states);
  }

  const FieldModel& from_;
  Graph& graph_;
  Nodes active_{from_.active.begin(), from_.active.end()};
  std::vector<Block> blocks_{};
  Entries f_x_{}, f_p_{};
  std::vector<Nodes> f_t_{};
};

}  // namespace

void compile_fields(const FieldModel& from, CompiledModel& to) { FieldCompiler(from).compile(to); }

Kernel field_time_derivative(const FieldModel& from) { return FieldCompiler(from).time_derivative(); }

ObservableKernel compile_field_observable(const FieldModel& from, std::span<const NodeId> both) {
  return FieldCompiler(from).observable(both);
}

}  // namespace salvo::compile
