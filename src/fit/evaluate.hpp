#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/matrix.hpp"
#include "base/run_context.hpp"
#include "model/problem.hpp"
#include "results/predictions.hpp"

namespace salvo::fit {

struct EvaluateOptions {
  bool gradient = false;
  bool jacobian = false;
  bool prediction_jacobian = false;
  bool simulations = true;         // false: their sums alone, since every one of long data takes more than its datum
  int repeat = 0;                  // values, gradient and Jacobian are computed so often, to see how long each takes
  std::optional<double> memory{};  // as above
  std::optional<model::Integrator> integrator{};
  std::map<std::string, double> values{};  // user units; others stand at their guesses
};
struct EvaluateResult {
  bool ok = true;
  std::string message{};
  double llh = 0;
  double chi2 = 0;
  std::vector<std::pair<std::string, double>> log_prior{};  // by parameter, only those with a prior
  struct Value {
    std::string id{};
    model::Scale scale = model::Scale::lin;
    double value = 0;
    bool estimated = false;
  };
  std::vector<Value> parameters{};
  std::vector<Prediction> simulations{};  // one per measurement, where they are wanted
  struct Score {
    long values = 0;
    double chi2 = 0, llh = 0;
  };
  std::vector<Score> by_observable{};
  std::vector<std::pair<std::string, double>> gradient{};  // d llh / d theta on each scale
  // Rows r of the objective, made so that J'r is the gradient of -(llh + log_prior of initial values), with J = dr by
  // the estimated quantities in the order of `parameters`.
  std::vector<double> rows{};
  Matrix jacobian{};
  // Derivatives of the predictions by the estimated quantities, each on its scale: a row for each measurement.
  Matrix prediction_jacobian{};
  struct Seconds {  // the least that one computation took, where there was any
    double values = 0;
    std::optional<double> gradient{};
    std::optional<double> jacobian{};
  };
  Seconds seconds{};
};
// The likelihood of the data along single, unbroken trajectories; of the context only `stop` is heeded.
EvaluateResult evaluate(const model::Problem& problem, const EvaluateOptions& options, const RunContext& context = {});

}  // namespace salvo::fit
