#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/matrix.hpp"
#include "base/result.hpp"
#include "base/run_context.hpp"
#include "fit/result.hpp"
#include "model/problem.hpp"

namespace salvo::fit {

// Whose word a guess in the options is: the user's is obeyed to the letter; one that repeats the file may be improved;
// one that the program drew, one of many, may be repaired.
enum class GuessFrom { user, file, draw };

// A side of a profile as it was followed, on the scale of its quantity: what a run that is taken up again starts from.
struct FinishedSide {
  std::string id{};
  int direction = 1;
  std::string end{};  // in words
  double level = 0;   // of the interval at which it was to end
  std::string trouble{};
  struct Point {
    double value = 0;
    double objective = 0;
    double slope = 0;
    std::vector<double> q{};
  };
  std::vector<Point> points{};
};
struct PredictionWanted {
  std::string formula{};         // an observable, or a formula of whatever the problem names
  std::string experiment{};      // empty: the only one
  std::optional<double> time{};  // missing only where it is one of parameters alone
};
struct ProfileOptions {
  std::vector<std::string> ids{};  // quantities; empty: all, unless predictions are asked for
  std::vector<PredictionWanted> predictions{};
  double level = 0.95;
  bool trajectories = false;             // along every path, to be drawn
  std::vector<FinishedSide> finished{};  // of an earlier run from the same optimum ...
  std::vector<double> optimum{};         // ... which stood here
  std::function<void(const FinishedSide&, const std::vector<double>& optimum)>
      keep{};  // called by one thread at a time
};

// What the command line can say beyond the problem file. What is missing follows the file.
struct Options {
  std::optional<model::Method> method{};
  std::optional<model::Derivatives> derivatives{};
  std::optional<model::Nodes> nodes{};
  std::optional<model::StartValues> start{};
  std::optional<model::Integrator> integrator{};
  std::optional<int> max_iterations{};  // default 200, scalar 500
  double tolerance = 1e-8;
  std::optional<double> max_seconds{};
  std::optional<double> memory{};  // bytes for the steps of trajectories; beyond them steps are taken again
  int threads = 1;
  int starts = 1;
  std::uint64_t seed = 1;
  std::map<std::string, double> guess{};  // by id: parameters, initial values ("x1" or "experiment:x1")
  GuessFrom guess_from = GuessFrom::user;
  std::optional<ProfileOptions> profiles{};  // of the answer, if it converged
  int alike = 1;  // fits of this model, this one included: together they may be worth machine code
};

// Makes parameters or initial values constants ("x1": in every experiment, "experiment:x1": in one).
// An Issue for each name that the problem does not have.
Issues fix_values(model::Problem& problem, const std::vector<std::pair<std::string, double>>& values);

// Those of the names that stand for nothing in the problem.
std::set<std::string> unknown_names(const model::Problem& problem, const std::map<std::string, double>& values);

// Checks that every name in a list of guesses exists; Issues if not.
Issues check_names(const model::Problem& problem, const std::map<std::string, double>& values);

FitResult fit(const model::Problem& problem, const Options& options, const RunContext& context);

struct EvaluateOptions {
  bool gradient = false;
  bool jacobian = false;
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
  struct Seconds {  // the least that one computation took, where there was any
    double values = 0;
    std::optional<double> gradient{};
    std::optional<double> jacobian{};
  };
  Seconds seconds{};
};
// The likelihood of the data along single, unbroken trajectories; of the context only `stop` is heeded.
EvaluateResult evaluate(const model::Problem& problem, const EvaluateOptions& options, const RunContext& context = {});

struct SimulateOptions {
  std::vector<double> at{};       // times; empty: 201 points from start to `until`
  std::optional<double> until{};  // default: last measurement
  std::optional<model::Integrator> integrator{};
  std::map<std::string, double> values{};
};
struct SimulateResult {
  bool ok = true;
  std::string message{};
  std::vector<Arc> experiments{};  // one per experiment; where a trajectory failed, what was reached
};
SimulateResult simulate(const model::Problem& problem, const SimulateOptions& options);

struct StudyOptions {
  Options fit{};
  int replicates = 100;
  std::map<std::string, double> truth{};  // default: the guesses
  bool by_profile = false;                // intervals whose coverage is counted: by profile, or from standard errors
};
struct StudyQuantity {
  std::string id{};
  double truth = 0;
  double mean = 0;
  double sd = 0;
  double expected_sd = 0;  // Cramer-Rao bound at the truth
  double coverage95 = 0;
};
struct StudyResult {
  bool ok = true;  // false: no data could be drawn at the truth
  std::string message{};
  int replicates = 0;
  int converged = 0;
  bool interrupted = false;  // or out of time: only the replicates that were done count
  std::vector<StudyQuantity> quantities{};
  double mean_iterations = 0;
};
StudyResult study(const model::Problem& problem, const StudyOptions& options, const RunContext& context);

// What `salvo check` tells: sizes, derivative check, what can be identified, what will be hard.
struct Finding {
  enum class Level { good, note, trouble };
  Level level = Level::good;
  std::string text{};
};
std::vector<Finding> check(const model::Problem& problem, const Options& options);

}  // namespace salvo::fit
