#pragma once

#include <string>
#include <vector>

#include "integrate/integrator.hpp"
#include "shooting/rows.hpp"
#include "shooting/shooting_problem.hpp"

namespace salvo::shooting {

// Buffers of one thread, kept between evaluations so that the hot path does not allocate.
struct Workspace {
  integrate::Record<1> record_1{};
  integrate::Record<4> record_4{};
  integrate::Record<8> record_8{};
  integrate::Scratch scratch{};
  std::vector<double> x0{}, p{}, by_x0{}, by_p{};
  std::vector<double> lane_p{};              // p of one lane
  std::vector<double> row_x{}, row_p{};      // one row by (x, p)
  std::vector<double> start_x{}, start_p{};  // the same row by (s_j, p)

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
struct ShootingProblem::Pass {
  const nlp::Point& q;
  nlp::Blocks* blocks = nullptr;        // values ...
  bool jacobians = false;               // ... and Jacobian blocks
  nlp::Gradients* gradients = nullptr;  // or gradients by one adjoint per interval
  const nlp::GapWeights* weights = nullptr;
  std::vector<Predicted>* predicted = nullptr;

  std::vector<ExperimentValues> experiments{};            // per chain
  std::vector<std::string> trouble{};                     // per interval, then per chain
  std::vector<int> steps{};                               // per interval: the steps it took
  std::vector<double> objective{};                        // per interval, then per chain, then the priors
  std::vector<std::vector<double>> objective_by_theta{};  // the same, for gradients

  bool wants_derivatives() const { return jacobians || gradients != nullptr; }
};

// Turns one measurement at state x into its rows: emit(row, r, d row / d x, d row / d p).
template <class Emit>
Observed make_rows(Observer& observer, const compile::CompiledModel& model, int observable,
                   const PlannedMeasurement& planned, const double* x, const double* p, bool with_derivatives,
                   Workspace& workspace, const Emit& emit) {
  const Observed observed = observer.observe(planned.measurement, x, p, with_derivatives);
  if (!observed.row.ok) return observed;
  const compile::ObservableKernel& kernel = model.observables[observable];
  const auto emit_row = [&](int which, int row, double r, double weight) {
    if (with_derivatives) {
      workspace.row_x.assign(model.states, 0.0);
      workspace.row_p.assign(model.active, 0.0);
      for (int z = 0; z < kernel.by_state.size(); ++z)
        if (kernel.by_state.row[z] == which) workspace.row_x[kernel.by_state.column[z]] = weight * observed.by_state[z];
      for (int z = 0; z < kernel.by_parameter.size(); ++z)
        if (kernel.by_parameter.row[z] == which)
          workspace.row_p[kernel.by_parameter.column[z]] = weight * observed.by_parameter[z];
    }
    emit(row, r, workspace.row_x, workspace.row_p);
  };
  emit_row(0, planned.row, observed.row.r_g, observed.row.weight_g);
  if (planned.sigma_row) emit_row(1, planned.row + 1, observed.row.r_sigma, observed.row.weight_sigma);
  return observed;
}

}  // namespace salvo::shooting
