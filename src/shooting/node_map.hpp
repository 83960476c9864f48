#pragma once

#include <span>
#include <vector>

namespace salvo::shooting {

// One entry of a sparse Jacobian.
struct Slope {
  int row = 0;
  int column = 0;
  double value = 0;
};

// A node as the function of its unknowns that it is: s_j(v_j, theta), a consistent state, with its derivatives. Node 0
// begins in formulas, steady states and what is estimated of the initial state; at a later node the unknowns are the
// state itself. Whoever wants a state at a node, or derivatives by what is unknown of it, asks here.
class NodeMap {
 public:
  // The unknowns are the state.
  static NodeMap identity(std::span<const double> v) { return NodeMap(v.data(), static_cast<int>(v.size())); }
  // The state with its derivatives, by v (row: state, column: index in v) and by theta.
  NodeMap(const double* state, const std::vector<Slope>& by_block, const std::vector<Slope>& by_theta)
      : state_(state), by_block_(by_block), by_theta_(by_theta) {}

  const double* state() const { return state_; }

  // use(row, column, value) for each entry of ds/dv.
  template <class Use>
  void each_by_block(const Use& use) const {
    for (int i = 0; i < free_; ++i) use(i, i, 1.0);
    for (const Slope& slope : by_block_) use(slope.row, slope.column, slope.value);
  }
  // use(row, column, value) for each entry of ds/dtheta.
  template <class Use>
  void each_by_theta(const Use& use) const {
    for (const Slope& slope : by_theta_) use(slope.row, slope.column, slope.value);
  }

 private:
  NodeMap(const double* state, int free) : state_(state), free_(free) {}

  const double* state_;
  int free_ = 0;  // of the state, as they are
  std::span<const Slope> by_block_{};
  std::span<const Slope> by_theta_{};
};

}  // namespace salvo::shooting
