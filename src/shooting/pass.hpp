#pragma once

#include <string>
#include <vector>

#include "integrate/integrator.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {

// Buffers of one thread, kept between evaluations so that the hot path does not allocate.
struct Workspace {
  integrate::Record<1> record_1{};
  integrate::Record<4> record_4{};
  integrate::Record<8> record_8{};
  integrate::Scratch scratch{};
  std::vector<double> x0{}, p{};             // what a pack starts from, lane-last
  std::vector<double> by_x0{}, by_p{};       // what an adjoint sweep brings back, lane-last
  std::vector<double> row_x{}, row_p{};      // one row by (x, p)
  std::vector<double> start_x{}, start_p{};  // the same row by (s_j, p)
  Matrix by_block{}, by_theta{};             // the same row by (v_j, theta)

  template <int W>
  integrate::Record<W>& record() {
    if constexpr (W == 1)
      return record_1;
    else if constexpr (W == 4)
      return record_4;
    else
      return record_8;
  }
};

// One evaluation of a point. Every interval writes into its own slots; sums are taken afterwards, in order.
struct Pass {
  const nlp::Point& q;
  nlp::Blocks* blocks = nullptr;        // values ...
  bool jacobians = false;               // ... and Jacobian blocks
  nlp::Gradients* gradients = nullptr;  // or gradients by one adjoint per interval
  const nlp::GapWeights* weights = nullptr;
  std::vector<ShootingProblem::Predicted>* predicted = nullptr;

  std::vector<ExperimentValues> experiments{};            // per chain
  std::vector<std::string> trouble{};                     // per interval, then per chain
  std::vector<int> steps{};                               // per interval: the steps it took
  std::vector<double> objective{};                        // per interval, then per chain, then the priors
  std::vector<std::vector<double>> objective_by_theta{};  // the same, for gradients

  bool wants_derivatives() const { return jacobians || gradients != nullptr; }
  const double* node_state(const nlp::Layout& layout, int chain, int j) const {
    return j == 0 ? experiments[chain].s0.data() : q.data() + layout.chains[chain].offset[j];
  }
  std::vector<double>& gap(int chain, int j) const {
    return gradients != nullptr ? gradients->links[chain][j].gap : blocks->chains[chain].links[j].gap;
  }
};

}  // namespace salvo::shooting
