#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/stop_flag.hpp"
#include "compile/delays.hpp"
#include "compile/discontinuities.hpp"
#include "compile/earlier_values.hpp"
#include "compile/input_kernel.hpp"
#include "compile/kernel.hpp"
#include "compile/pattern.hpp"
#include "compile/step_kernels.hpp"
#include "compile/stiff_kernels.hpp"
#include "model/problem.hpp"

namespace salvo::compile {

// g(x, t, p) and sigma(x, t, p) of one observable.
struct ObservableKernel {
  Kernel value{};          // [g, sigma]
  Kernel derivative{};     // [g, sigma, non-zeros of d(g, sigma)/dx, non-zeros of d(g, sigma)/dp]
  Pattern by_state{};      // row 0: g, row 1: sigma
  Pattern by_parameter{};  // columns: active parameters
};

// theta and estimated initial values (user units, the latter in the place of the seed) -> the parameters p and the
// known initial values of one experiment.
struct ExperimentKernel {
  Kernel value{};        // [p_0 .. , x0 of every state (0 where it is estimated)]
  Kernel derivative{};   // non-zeros of d[p active, x0]/d theta, then of dx0/d(estimated x0)
  Pattern pattern{};     // rows: active parameters, then states
  Pattern by_initial{};  // rows and columns: states
};

// c(x, p, x0) of one constraint, x0 in the place of the seed.
struct ConstraintKernel {
  Kernel derivative{};              // [c, non-zeros of dc/dx, of dc/dp, of dc/dx0]
  Pattern by_state{};               // row 0
  Pattern by_parameter{};           // columns: active parameters
  Pattern by_initial{};             // columns: states
  bool at_nodes = false;            // speaks of states
  bool in_each_experiment = false;  // speaks of what differs between experiments
};

class Accelerator;
struct RestingModel;

// The cells of one field among the states.
struct FieldCells {
  int first = 0;
  int stride = 1;
  int count = 0;
};

// One problem as functions. The parameters p of a kernel are those that can differ between evaluations: the *active*
// ones, which depend on theta in some experiment, come first, then those that experiments merely set, then what stands
// still within a step: truth values (discontinuities.hpp) and the pieces of inputs. Plain constants are folded into the
// formulas.
struct CompiledModel {
  int states = 0;
  int parameters = 0;  // length of p
  int active = 0;      // how many of them have derivatives
  int thetas = 0;      // estimated parameters, in the order of Problem::parameters
  bool uses_time = false;
  std::vector<FieldCells> fields{};
  std::vector<int> algebraic{};  // states whose row of f is 0 = g; its diagonal is among the non-zeros of f_x

  Kernel rhs{};                  // f, then what its pullback wants kept
  int kept = 0;                  // how many numbers those are: the units of a network, not what leads to them
  bool has_jacobian = true;      // false: too large to write down; f_x, f_p and `jacobian` are empty
  Kernel jacobian{};             // non-zeros of f_x, then of f_p
  Kernel vjp{};                  // seed lambda, and what rhs kept: lambda' f_x; sums: lambda' f_p
  Kernel jvp_x{};                // seed dx, and what rhs kept: f_x dx
  Kernel jvp{};                  // seed [dx, dp active], and what rhs kept: f_x dx + f_p dp
  std::vector<bool> rhs_uses{};  // of every active parameter: f depends on it, or where f switches
  Pattern f_x{};
  Pattern f_p{};
  Lines rows{};                                              // of f_x
  Lines parameter_rows{};                                    // of f_p
  Lines columns{};                                           // of [f_x f_p]
  std::shared_ptr<const Discontinuities> discontinuities{};  // none where f is smooth
  std::shared_ptr<const Delays> delays{};                    // none where nothing looks into the past
  std::vector<InputKernel> inputs{};
  std::vector<ObservableKernel> observables{};
  std::map<std::pair<int, std::array<double, 2>>, ObservableKernel> readings{};  // of observables at places
  std::vector<ExperimentKernel> experiments{};
  std::vector<ConstraintKernel> constraints{};
  int scratch = 0;  // packs that serve all of these: of many experiments too many to look at for each interval

  std::shared_ptr<const RestingModel> resting{};  // none where no experiment comes to rest before its start
  // Of a model that looks into its own past and comes to rest: the same where everything has always been what it is.
  std::shared_ptr<const CompiledModel> still{};

  std::vector<std::string> state_names{};
  std::shared_ptr<Accelerator> accelerator{};  // makes machine code of this model; none if it is machine code
  std::shared_ptr<const void> code{};          // that the kernels call
  std::shared_ptr<const Formulas> formulas{};  // none without Jacobian
  std::shared_ptr<StiffSource> stiff{};        // what linearly implicit steps need, made when it is asked for
  StepKernels whole{};                         // steps of `whole_by`, as machine code alone
  const Tableau* whole_by = nullptr;
  // Pieces of inputs, and truth values as the relations at this point have them, among the parameters of W lanes.
  // `work` holds largest_work() packs.
  template <int W>
  void set_frozen(int experiment, const Arguments& at, double* work, double* p) const {
    for (int l = 0; l < W && !inputs.empty(); ++l) {
      const std::vector<double> tau = delays_at(p + l, W);
      for (const InputKernel& input : inputs)
        input.set_time(experiment, input.delay < 0 ? at.time[l] : at.time[l] - tau[input.delay], p + l, W);
    }
    if (discontinuities && discontinuities->truths > 0)
      discontinuities->as_written.run<W>(at, work, p + static_cast<std::size_t>(discontinuities->first) * W);
  }
  // The kernel that reads a measurement, at its place if it has one.
  const ObservableKernel& observable_of(const model::Measurement& measurement) const;
  // p itself, or a copy of it in `room` with the pieces of inputs that hold at this time: for observables.
  const double* parameters_at(int experiment, double t, const double* p, std::vector<double>& room) const;
  std::vector<double> delays_at(const double* p, int stride) const;   // every delay; numbers of p stand so far apart
  int knots_between(int experiment, double begin, double end) const;  // of all inputs
  int largest_work() const;                                           // packs of scratch that serve every kernel
  // Of equations that look into their own past; inputs may be read earlier without that.
  bool looks_back() const { return delays && delays->count() > 0; }
  // What a stop of the integrator shows and observables read: states, then delayed values.
  int observed() const { return states + (delays ? delays->count() : 0); }
};

// What holds before the start of experiments that begin at rest.
struct RestingModel {
  model::Problem problem{};
  std::shared_ptr<const CompiledModel> model{};
  mutable std::atomic<long> evaluations = 0;  // of its equations, so far
};

// Null once `stop` is raised: a large file takes some time. What is `known` of the past takes the place of what states
// themselves were: where that leaves no delayed state, intervals need to know of no other.
std::shared_ptr<const CompiledModel> compile(const model::Problem& problem, const StopFlag* stop = nullptr,
                                             std::span<const KnownPast> known = {});

}  // namespace salvo::compile
