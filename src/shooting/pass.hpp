#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/pool.hpp"
#include "integrate/integrator.hpp"
#include "shooting/rows.hpp"
#include "shooting/shared_pass.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {

// Rows that are measured inside intervals, with their derivatives by the state there, non-zeros only.
struct InnerRows {
  struct Slope {
    int state = 0;
    double value = 0;
  };
  struct Row {
    int stop = 0;
    int row = 0;
    double r = 0;
    std::size_t slopes_end = 0;
  };
  std::vector<Row> rows{};      // of each lane in the order of their stops, as the plan has them
  std::vector<Slope> slopes{};  // row by row

  void clear() {
    rows.clear();
    slopes.clear();
  }
  void reserve(std::size_t count) {
    rows.reserve(count);
    slopes.reserve(count);  // most observables read one state
  }
  std::span<const Slope> slopes_of(std::size_t n) const {
    const std::size_t begin = n == 0 ? 0 : rows[n - 1].slopes_end;
    return std::span(slopes).subspan(begin, rows[n].slopes_end - begin);
  }
};

// What the columns of a sweep forwards stand for: v_j, then thetas; and where each begins.
struct TangentColumns {
  int of_block = 0;
  std::vector<int> theta{};
  std::vector<integrate::Seed> seeds{};
};

// Buffers of one thread, used again by the next evaluation so that the hot path does not allocate.
struct Workspace {
  integrate::Record<1> record_1{};
  integrate::Record<4> record_4{};
  integrate::Scratch scratch{};
  std::vector<double> x0{}, p{};        // what a pack starts from, lane-last
  std::vector<double> by_x0{}, by_p{};  // what an adjoint sweep brings back, lane-last
  Observer::Room observer{};
  InnerRows inner{};                         // of one pack
  std::vector<TangentColumns> columns{};     // of each of its lanes
  std::vector<int> column_of{};              // of every theta; -1: none
  std::vector<double> row_x{}, row_p{};      // one row by (x, p)
  std::vector<double> start_x{}, start_p{};  // the same row by (s_j, p)
  Matrix by_block{}, by_theta{};             // the same row by (v_j, theta)

  template <int W>
  integrate::Record<W>& record() {
    if constexpr (W == 1)
      return record_1;
    else
      return record_4;
  }
};

// The steps of every pack, beyond one evaluation.
struct StoredRecords {
  std::vector<integrate::Record<1>> of_1{};
  std::vector<integrate::Record<4>> of_4{};

  template <int W>
  std::vector<integrate::Record<W>>& of() {
    if constexpr (W == 1)
      return of_1;
    else
      return of_4;
  }
};

// One row's derivatives by (x, p) where it is measured, non-zeros only.
struct RowSlopes {
  int stop = -1;  // inside the interval: index of its stop; -1: at the node itself
  int row = 0;
  std::vector<std::pair<int, double>> by_x{};
  std::vector<std::pair<int, double>> by_p{};
};

// A linearisation as products with the derivatives by theta need it: stored, not written down.
struct StoredLinearisation {
  std::vector<ExperimentValues> experiments{};  // per chain, with derivatives
  StoredRecords records{};
  std::vector<std::vector<RowSlopes>> slopes{};  // per interval, then per chain at its last node
};

// What an evaluation fills besides its blocks, used again by the next so that the hot path does not allocate.
struct PassRoom {
  std::vector<char> turned_out_stiff{};
  ExperimentRoom experiment{};
  std::vector<ExperimentValues> experiments{};
  std::vector<std::string> trouble{};
  std::vector<int> steps{};
  std::vector<double> objective{};
  std::vector<std::vector<double>> objective_by_theta{};
  std::vector<double> sizes{};        // of every unknown
  std::vector<double> state_sizes{};  // of every state of every chain
  std::vector<double> reached{};      // by every state of one chain, up to some node
};

struct Buffers {
  Pool<Workspace> workspaces{};
  Pool<PassRoom> rooms{};
  Pool<nlp::Blocks> blocks{};
};

// One evaluation of a point. Every interval writes into its own slots; sums are taken afterwards, in order.
struct Pass {
  const nlp::Point& q;
  nlp::Request request;
  PassRoom& room;
  nlp::Blocks* blocks = nullptr;          // values (of predictions none) ...
  bool jacobians = false;                 // ... and Jacobian blocks
  StoredLinearisation* stored = nullptr;  // ... by nodes alone, and what products by theta need
  nlp::Gradients* gradients = nullptr;    // or gradients by one adjoint per interval
  const nlp::GapWeights* weights = nullptr;
  std::vector<ShootingProblem::Predicted>* predicted = nullptr;

  const compile::CompiledModel* model = nullptr;  // interpreted or machine code, the same for all intervals
  model::Integrator integrator{};                 // likewise
  std::shared_ptr<const Packing> packing{};       // none: intervals fly as they are planned
  PassPart part{};                                // of its packs, to be run here
  std::vector<char>& turned_out_stiff = room.turned_out_stiff;    // per interval
  std::vector<ExperimentValues>& experiments = room.experiments;  // per chain
  std::vector<std::string>& trouble = room.trouble;               // per interval, then per chain
  std::vector<int>& steps = room.steps;                           // per interval: the steps it took
  std::vector<double>& objective = room.objective;                // per interval, chain, and the priors
  std::vector<std::vector<double>>& objective_by_theta = room.objective_by_theta;  // the same, for gradients

  int theta_columns(const nlp::Layout& layout) const { return stored == nullptr ? layout.thetas : 0; }
  bool wants_derivatives() const { return jacobians || gradients != nullptr; }
  NodeMap node(const nlp::Layout& layout, int chain, int j) const {
    return node_map(experiments[chain], layout.chains[chain], j, q);
  }
  const double* node_state(const nlp::Layout& layout, int chain, int j) const { return node(layout, chain, j).state(); }
  std::vector<double>& gap(int chain, int j) const {
    return gradients != nullptr ? gradients->links[chain][j].gap : blocks->chains[chain].links[j].gap;
  }
};

}  // namespace salvo::shooting
