#include "fit/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "fit/optima.hpp"
#include "fit/run_solver.hpp"
#include "fit/status.hpp"

namespace salvo::fit {
namespace {

// The range to draw from, on the scale of the quantity.
std::pair<double, double> range_of(const model::Estimated& estimated) {
  if (estimated.size) return {-2 * *estimated.size, 2 * *estimated.size};  // a weight of a network
  const double guess = estimated.guess.value_or(1.0);
  const double far = guess == 0 ? 1.0 : std::abs(guess);
  double lower = std::isfinite(estimated.lower) ? estimated.lower : guess > 0 ? 0.1 * guess : guess - 10 * far;
  double upper = std::isfinite(estimated.upper) ? estimated.upper : guess < 0 ? 0.1 * guess : guess + 10 * far;
  if (estimated.scale != model::Scale::lin && !(lower > 0)) lower = 1e-3 * std::min(far, upper);
  return {model::to_scale(estimated.scale, lower), model::to_scale(estimated.scale, upper)};
}

std::vector<int> permutation(int count, Random& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i) std::swap(order[i], order[static_cast<int>(random.uniform() * (i + 1))]);
  return order;
}

}  // namespace

std::vector<std::map<std::string, double>> spread_guesses(const model::Problem& problem, int count,
                                                          std::uint64_t seed) {
  std::vector<std::map<std::string, double>> guesses(count);
  const int drawn = count - 1;
  int dimension = 0;
  for (const model::Parameter& parameter : problem.parameters) {
    const auto* estimated = std::get_if<model::Estimated>(&parameter.value);
    if (estimated == nullptr) continue;
    guesses[0][parameter.id] = estimated->guess.value_or(1.0);
    Random random = Random::stream(seed, ++dimension);
    const auto [lower, upper] = range_of(*estimated);
    const std::vector<int> stratum = permutation(std::max(drawn, 0), random);
    for (int n = 0; n < drawn; ++n) {
      const double share = (stratum[n] + random.uniform()) / drawn;
      guesses[n + 1][parameter.id] = model::from_scale(estimated->scale, lower + share * (upper - lower));
    }
  }
  return guesses;
}

void set_guess_of_start(Options& options, std::map<std::string, double> guess, int start) {
  if (options.guess.empty()) options.guess_from = start == 0 ? GuessFrom::file : GuessFrom::draw;
  guess.swap(options.guess);
  for (const auto& [name, value] : guess) options.guess[name] = value;
}

std::vector<StartResult> solve_all(const model::Problem& problem, const Options& options,
                                   const std::vector<std::map<std::string, double>>& guesses,
                                   const RunContext& context) {
  const auto compiled = compile::compile(problem);
  std::vector<StartResult> starts(guesses.size());
  std::mutex guard;
  int done = 0;
  parallel_for(static_cast<int>(guesses.size()), options.threads, [&](int n) {
    StartResult& start = starts[n];
    start = {.start = n, .status = Status::interrupted, .objective = std::numeric_limits<double>::infinity()};
    if (context.should_stop()) return;
    Options one = options;
    one.threads = 1;
    one.alike = static_cast<int>(guesses.size());
    set_guess_of_start(one, guesses[n], n);
    Setup setup = make_setup(problem, one, compiled);
    const solve::SolveResult solved =
        run_solver(setup, {.interrupted = context.interrupted, .deadline = context.deadline});
    start.status = to_status(solved.termination);
    start.objective = solved.trace.empty() ? start.objective : solved.objective;
    for (std::size_t k = 0; k < setup.shooting->names().parameter.size(); ++k) {
      const model::Parameter& parameter = problem.parameters[setup.shooting->names().parameter[k]];
      const model::Scale scale = std::get<model::Estimated>(parameter.value).scale;
      start.parameters.push_back({parameter.id, model::from_scale(scale, solved.q[k])});
    }
    const std::lock_guard lock(guard);
    context.tell(StartDone{++done, static_cast<int>(guesses.size()), start.status == Status::converged});
  });
  std::stable_sort(starts.begin(), starts.end(), [](const StartResult& a, const StartResult& b) {
    const bool a_converged = a.status == Status::converged;
    const bool b_converged = b.status == Status::converged;
    return a_converged != b_converged ? a_converged : a.objective < b.objective;
  });
  return starts;
}

std::string about_starts(const std::vector<StartResult>& starts) {
  const std::vector<Optimum> optima = distinct_optima(starts);
  if (optima.empty()) return fmt::format("None of {} starts converged.", starts.size());
  std::size_t converged = 0;
  for (const Optimum& optimum : optima) converged += optimum.starts.size();
  if (optima.size() == 1)
    return fmt::format("{} of {} starts converged, all of them to this optimum.", converged, starts.size());
  return fmt::format("{} of {} starts converged, {} of them to the best of {} optima.", converged, starts.size(),
                     optima.front().starts.size(), optima.size());
}

}  // namespace salvo::fit
