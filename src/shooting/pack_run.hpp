#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "shooting/row_writer.hpp"

namespace salvo::shooting {

// W intervals at once: integrate, compare with the data, and sweep back or forth for the derivatives.
template <int W>
class ShootingProblem::PackRun {
 public:
  PackRun(const ShootingProblem& shooting, Pass& pass, Workspace& workspace, int first);
  void run();
  // The share of these intervals in products with the derivatives by theta. `dp` is what a direction of theta means for
  // p of each chain.
  struct Direction {
    const std::vector<double>& theta;
    std::vector<std::vector<double>> dp{};
  };
  void along(const Direction& direction, nlp::Blocks& change);
  void transposed(const nlp::Blocks& weights, std::vector<double>& by_theta);

 private:
  void prepare_launch();
  void limit_memory();
  void launch();
  bool values();
  std::string values_of_lane(int l);
  void gradients();
  void jacobians_by_tangents();
  integrate::Seeds<W> make_seeds();
  void make_seeds_of(int l);
  void jacobians_by_adjoints();

  int slot(int l) const {  // padding repeats the last one
    const int n = first_ + std::min(l, lanes_ - 1);
    return pass_.packing ? (*pass_.packing)[n] : n;
  }
  const PlannedInterval& interval(int l) const { return shooting_.plan_.intervals[slot(l)]; }
  RowWriter::Block block(int l) const { return {.chain = interval(l).chain, .j = interval(l).j, .slot = slot(l)}; }
  // The node in which the interval begins, in this pass and as it was stored with its derivatives by theta.
  NodeMap node(int l) const { return pass_.node(shooting_.layout_, interval(l).chain, interval(l).j); }
  NodeMap stored_node(int l) const {
    return node_map(pass_.stored->experiments[interval(l).chain], shooting_.layout_.chains[interval(l).chain],
                    interval(l).j, pass_.q);
  }
  // Whether a node follows the interval, and whether stop k is that node.
  bool has_link(int l) const { return interval(l).j < shooting_.layout_.chains[interval(l).chain].links(); }
  bool any_link() const;
  int gap_scalars() const { return any_link() ? d_ : 0; }
  bool is_node(int l, int k) const { return has_link(l) && k + 1 == static_cast<int>(interval(l).stops.size()); }
  int most_inner_rows() const;
  std::size_t all_inner_rows() const;

  // use(inner, row, slopes) for each row measured at stop k; `inner` counts the rows inside the interval.
  template <class Use>
  void each_inner_row(int l, int k, const Use& use);

  // The derivatives of X_j, by_state(i, c) = dX_i / ds_c and by_active(i, k) = dX_i / dp_k, become Jacobian blocks.
  template <class ByState, class ByActive>
  void write_gap_rows(int l, const ByState& by_state, const ByActive& by_active);
  // Tangents become them too: T holds the state at the end, or at stop k, by v_j and those thetas that act.
  void write_gap_columns(int l, const double* T);
  void add_inner_rows(int l, int k, const double* T);
  // What a sweep back found for one row, by (s_j, p), waits in the workspace; this takes it on to the Jacobian blocks.
  void add_inner_row(int l, int row);
  // And this one to the gradient of w_j' X_j.
  void write_gap_gradient(int l);

  void inject_gap_weights(int l, double* lambda) const;
  void sweep_back(int scalars, const integrate::Injection& inject);
  void take_scalar(int l, int c);

  const ShootingProblem& shooting_;
  const compile::CompiledModel& model_;
  Pass& pass_;
  Workspace& workspace_;
  RowWriter rows_;
  const int first_;
  const int lanes_;
  const int d_;  // states
  const int o_;  // what a stop shows: states, then delayed values
  const int a_;  // active parameters
  integrate::Launch<W> launch_{};
  std::array<std::size_t, W + 1> inner_begin_{};  // of each lane, in Workspace::inner
  integrate::Record<W>& record_;
};

}  // namespace salvo::shooting
