#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/matrix.hpp"
#include "model/problem.hpp"
#include "solve/certificate.hpp"
#include "solve/gaps.hpp"

namespace salvo::fit {

enum class Status { converged, max_iterations, max_time, infeasible, stalled, interrupted, numerical_failure };
std::string_view to_string(Status status);  // "converged", "max_iterations", ...

// One estimated quantity: a parameter, or an initial value of one experiment.
struct Estimate {
  std::string id{};
  std::string experiment{};  // empty for parameters
  double estimate = 0;       // user units
  std::optional<double> standard_error{};
  std::optional<std::pair<double, double>> interval{};  // 95 %, formed on the scale, in user units
  model::Scale scale = model::Scale::lin;
  std::string at_bound{};  // "", "lower" or "upper"
  bool identifiable = true;
};

struct TracePoint {
  int iteration = 0;
  double objective = 0;
  double gap = 0;
  double step = 0;          // scaled length of the step that led here
  double multiplier = 0;    // largest multiplier of the gaps
  std::string phase{};      // of the search
  std::string rule{};       // that accepted the step
  std::vector<double> p{};  // estimated parameters, user units; without the weights of networks
};

struct Work {  // in units of one interval
  long trajectories = 0;
  long tangents = 0;  // directions
  long adjoints = 0;  // covectors
  long rhs = 0;       // evaluations of the right-hand side, forward sweeps only
  double seconds = 0;
};

struct NullDirection {
  std::vector<std::pair<std::string, double>> parts{};  // id (as in the covariance) and coefficient
};

// A constraint of the problem at the solution.
struct ConstraintResult {
  std::string text{};
  bool is_equality = false;
  bool active = false;       // holds with equality: the errors are conditional on it
  bool in_conflict = false;  // contradicts others, and the fit ended for that
  double multiplier =
      0;  // by how much the objective would fall per unit that the constraint gives way, where it is largest
  struct Place {
    std::string experiment{};
    std::optional<double> time{};  // missing where it does not speak of nodes
  };
  std::vector<Place> places{};  // where it is active; empty if it holds for the whole problem at once
};

struct StartResult {  // one of several starts
  int start = 0;
  Status status = Status::converged;
  double objective = 0;
  double gap = 0;
  int iterations = 0;
  int points = 0;  // that were tried within it
  double seconds = 0;
  std::string message{};
  std::vector<std::pair<std::string, double>> guess{};
  std::vector<std::pair<std::string, double>> parameters{};
};

// A measurement beside what the fit says about it.
struct Prediction {
  int row = 0;  // index in Problem::measurements (or ::validation)
  double simulation = 0;
  double sigma = 0;
  double llh = 0;
  double residual = 0;  // (value - simulation) / sigma, on the logarithmic scale where the distribution is
};

// The trajectory of one interval, sampled for drawing and export.
struct Arc {
  int experiment = 0;
  int interval = 0;
  std::vector<double> time{};
  Matrix states{};       // state x time
  Matrix observables{};  // observable x time
  Matrix deviation{};    // observable x time: standard deviation that the estimates leave; empty where it is not known
};

// The trajectories of all intervals on the way to the solution; of the states only what is observed.
struct Frame {
  int iteration = 0;
  std::vector<Arc> arcs{};
};

struct FitResult {
  std::string problem{};
  std::string method{};
  std::string derivatives{};
  std::string integrator{};
  int nodes = 0;
  Status status = Status::numerical_failure;
  std::string message{};
  double objective = 0;
  double llh = 0;
  double chi2 = 0;
  double log_prior = 0;
  int measurements = 0;
  int degrees_of_freedom = 0;
  std::optional<double> aic{};  // of joined trajectories
  std::optional<double> bic{};
  std::optional<double> p_value{};
  double gap = 0;
  std::vector<Estimate> parameters{};
  std::vector<Estimate> initial{};
  std::string no_errors{};  // why no errors were computed; empty if they were
  std::vector<NullDirection> null_directions{};
  std::vector<ConstraintResult> constraints{};
  std::vector<std::string> covariance_ids{};
  Matrix covariance{};           // user units; rows without a standard error are NaN; empty where `no_errors` says why
  Matrix covariance_on_scale{};  // of all of them on their scales, zero along what the data cannot see; may be empty
  int iterations = 0;
  Work work{};
  std::vector<TracePoint> trace{};
  std::vector<StartResult> starts{};
  solve::Certificate certificate{};
  std::vector<std::string> certificate_ids{};  // of the directions of its probes

  std::vector<Prediction> predictions{};  // one per measurement
  std::vector<Prediction> validation{};
  std::vector<Arc> start_arcs{};     // the trajectories of every interval at the start ...
  std::vector<Arc> solution_arcs{};  // ... and at the end
  std::vector<Frame> film{};         // some of those between, in the order of iterations
};

// Whether the trajectories are unbroken, as far as anything that is said of them can tell.
inline bool is_joined(const FitResult& result) { return result.gap <= solve::joined_gap; }

}  // namespace salvo::fit
