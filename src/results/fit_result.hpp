#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/matrix.hpp"
#include "model/problem.hpp"
#include "results/arcs.hpp"
#include "results/estimates.hpp"
#include "results/field_picture.hpp"
#include "results/grid_error.hpp"
#include "results/next_measurement.hpp"
#include "results/predictions.hpp"
#include "results/profiles.hpp"
#include "results/starts.hpp"
#include "results/status.hpp"
#include "results/trace.hpp"
#include "solve/certificate/certificate.hpp"

namespace salvo {

struct FitResult {
  std::string problem{};
  model::Method method = model::Method::automatic;
  model::Derivatives derivatives = model::Derivatives::automatic;
  std::string integrator{};
  int nodes = 0;
  Status status = Status::numerical_failure;  // what the point is
  std::string ended{};                        // why the run ended there: "tolerance", "budget", "deadline", ...
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
  bool is_torn = false;  // the gap is so wide that nothing can be said of unbroken trajectories
  std::vector<Estimate> parameters{};
  std::vector<Estimate> initial{};
  std::vector<Estimate> derived{};  // from these, by the formulas of the problem
  std::string no_errors{};          // why no errors were computed; empty if they were
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
  std::vector<Alternative> alternatives{};  // answers that fit as well, or nearly
  std::optional<Profiles> profiles{};       // if they were asked for
  std::optional<GridError> grid_error{};    // of a problem with fields
  std::optional<NextMeasurement> next_measurement{};
  solve::Certificate certificate{};
  std::vector<std::string> certificate_ids{};  // of the directions of its probes

  std::vector<Prediction> predictions{};  // one per measurement
  std::vector<Prediction> validation{};
  std::vector<Arc> start_arcs{};     // the trajectories of every interval at the start ...
  std::vector<Arc> solution_arcs{};  // ... and at the end
  std::vector<Frame> film{};         // some of those between, in the order of iterations
  std::vector<FieldPicture> field_pictures{};
};

}  // namespace salvo
