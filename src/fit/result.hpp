#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/matrix.hpp"
#include "model/problem.hpp"
#include "solve/certificate/certificate.hpp"
#include "solve/gaps.hpp"

namespace salvo::fit {

enum class Status { converged, max_iterations, max_time, infeasible, stalled, interrupted, numerical_failure };
std::string_view to_string(Status status);  // "converged", "max_iterations", ...

enum class AtBound { none, lower, upper };
std::string_view to_string(AtBound at_bound);  // "", "lower", "upper"

// One estimated quantity: a parameter, or an initial value of one experiment.
struct Estimate {
  std::string id{};
  std::string experiment{};  // empty for parameters
  double estimate = 0;       // user units
  std::optional<double> standard_error{};
  // 95 %, formed on the scale, in user units, within the bounds
  std::optional<std::pair<double, double>> interval{};
  std::optional<double> student_degrees{};  // of the t that formed it; missing where the noise is known
  model::Scale scale = model::Scale::lin;
  AtBound at_bound = AtBound::none;
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
  bool is_resolved = true;  // the objective is not lost in errors of integration
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
  double sigma = 0;  // of counts their standard deviation
  double llh = 0;
  double residual = 0;  // (value - simulation) / sigma, on the logarithmic scale where the distribution is
  double score = 0;     // the normal number that is as improbable: the quantile residual
  double noise = 0;     // what the noise law takes: sigma, or the dispersion of counts
};

// The trajectory of one interval, sampled for drawing and export.
struct Arc {
  int experiment = 0;
  int interval = 0;
  std::vector<double> time{};
  Matrix states{};       // state x time
  Matrix observables{};  // observable x time
  // Observable x time, 95 %; NaN where there is no end to them, empty where they are not known.
  struct Band {
    Matrix deviation{};  // standard deviation that the estimates leave to the curve
    Matrix lower{}, upper{};
    Matrix lower_new{}, upper_new{};  // for an observation not yet made
  };
  Band band{};
};

// The trajectories of all intervals on the way to the solution; of the states only what is observed.
struct Frame {
  int iteration = 0;
  std::vector<Arc> arcs{};
};

// How the objective rises when one number is held at other values and everything else is fitted again.
enum class Verdict { identifiable, one_sided, flat, several_minima };
std::string_view to_string(Verdict verdict);  // "identifiable", "one-sided", "flat", "several minima"

// Of an observation not yet made; missing: there is no end, or none was found.
struct NewObservationInterval {
  std::optional<double> lower{};
  std::optional<double> upper{};
  bool is_followed = true;  // both sides to where they end
};
struct Profile {
  std::string id{};  // of a quantity, or "prey@12"
  bool is_prediction = false;
  double estimate = 0;            // user units
  std::optional<double> lower{};  // of the interval; missing: there is no end, or none was found
  std::optional<double> upper{};
  std::optional<NewObservationInterval> new_observation{};  // of a predicted observable
  bool is_followed = true;  // both sides to where they end; false: a missing limit may exist
  Verdict verdict = Verdict::identifiable;
  std::string sentence{};
  std::vector<std::string> combinations{};  // that are seen where this is not: "p2*x2 = 1.04"
  double rise = 0;                          // of the objective at the ends of the interval
  struct Point {
    double value = 0;  // user units
    double objective = 0;
    std::vector<double> others{};  // all quantities, user units, in the order of Profiles::ids
    std::vector<Arc> arcs{};       // the trajectories there, if they are to be drawn; without states
  };
  std::vector<Point> points{};  // by value, the optimum among them
};
struct Profiles {
  double level = 0.95;
  std::vector<std::string> ids{};
  std::vector<Profile> profiles{};
  std::string sentence{};  // that reads all of them together
  long fits = 0;           // how many were solved
  Work work{};
  bool complete = true;
};

// Which further measurement would tell most.
struct NextMeasurement {
  std::string observable{};
  std::string experiment{};
  double time = 0;
  std::string sentence{};
};

struct FitResult {
  std::string problem{};
  model::Method method = model::Method::automatic;
  model::Derivatives derivatives = model::Derivatives::automatic;
  std::string integrator{};
  int nodes = 0;
  Status status = Status::numerical_failure;
  std::string message{};
  double objective = 0;
  double llh = 0;
  double chi2 = 0;
  double log_prior = 0;
  int measurements = 0;
  double degrees_of_freedom = 0;  // measurements minus the trace of the hat matrix of their means
  std::optional<double> aic{};    // of joined trajectories
  std::optional<double> bic{};
  std::optional<double> aicc{};  // missing where there are too few measurements for it
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
  std::vector<std::vector<double>> unseen_on_scale{};  // a basis of that
  std::vector<double> noise_inflation{};  // of every observable: by how much its estimated variance is too small
  double band_degrees = std::numeric_limits<double>::infinity();  // Student's, of bands
  int iterations = 0;
  Work work{};
  std::vector<TracePoint> trace{};
  std::vector<StartResult> starts{};
  std::optional<Profiles> profiles{};  // if they were asked for
  std::optional<NextMeasurement> next_measurement{};
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
