#include "fit/starts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "fit/optima.hpp"
#include "fit/status.hpp"

namespace salvo::fit {
namespace {

constexpr double spread = 10;            // times the guess, where a bound is missing
constexpr double nearest_to_zero = 0.1;  // of the guess
constexpr double other_sign_share =
    0.25;  // of the values without bounds: the sign of a guess is right more often than not
// Points around a guess without bounds, by the spread of their logarithm: a guess may be a thousand times off.
constexpr double usual_spread = 1;
constexpr double wide_spread = 4;
constexpr double wide_share = 0.3;

bool is_logarithmic(const model::Estimated& estimated) { return estimated.scale != model::Scale::lin; }

// The range to draw from, on the scale of the quantity. Where a bound is missing, nothing says that the sign of the
// guess is right.
std::pair<double, double> range_of(const model::Estimated& estimated) {
  if (estimated.size) return {-2 * *estimated.size, 2 * *estimated.size};  // a weight of a network
  const double guess = estimated.guess.value_or(1.0);
  const double far = guess == 0 ? 1.0 : std::abs(guess);
  const double lowest = is_logarithmic(estimated) ? nearest_to_zero * far : std::min(guess, 0.0) - spread * far;
  double lower = std::isfinite(estimated.lower) ? estimated.lower : lowest;
  const double upper = std::isfinite(estimated.upper) ? estimated.upper : std::max(guess, 0.0) + spread * far;
  if (is_logarithmic(estimated) && !(lower > 0)) lower = 1e-3 * std::min(far, upper);
  return {model::to_scale(estimated.scale, lower), model::to_scale(estimated.scale, upper)};
}

// What lies at this share (0 to 1) of the values to draw from, on the scale of the quantity.
double at_share(const model::Estimated& estimated, double share) {
  const bool is_bounded = std::isfinite(estimated.lower) || std::isfinite(estimated.upper);
  const double guess = estimated.guess.value_or(1.0);
  if (is_bounded || is_logarithmic(estimated) || estimated.size || guess == 0) {
    const auto [lower, upper] = range_of(estimated);
    return lower + share * (upper - lower);
  }
  if (share < other_sign_share) return -guess * spread * share / other_sign_share;
  const double on_this_side = (share - other_sign_share) / (1 - other_sign_share);
  return guess * (nearest_to_zero + on_this_side * (spread + 1 - nearest_to_zero));
}

// One draw of a quantity, on its scale. Without a law of its own, `share` of all draws between its ends are lower.
double drawn(const model::Estimated& estimated, double share, Random& random) {
  if (!estimated.start) return at_share(estimated, share);
  const model::StartLaw& law = *estimated.start;
  double draw = law.a + share * (law.b - law.a);
  if (law.shape == model::StartLaw::Shape::normal) draw = law.a + law.b * random.normal();
  if (law.shape == model::StartLaw::Shape::laplace)
    draw = law.a + law.b * (share < 0.5 ? std::log(2 * share) : -std::log(2 - 2 * share));
  double value = law.on_scale ? model::from_scale(estimated.scale, draw) : draw;
  if (law.of_logarithm) value = std::exp(draw);
  value = std::clamp(value, estimated.lower, estimated.upper);
  const bool has_place = estimated.scale == model::Scale::lin || value > 0;
  return has_place ? model::to_scale(estimated.scale, value) : range_of(estimated).first;
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
  const int count_drawn = count - 1;
  int dimension = 0;
  for (const model::Parameter& parameter : problem.parameters) {
    const auto* estimated = std::get_if<model::Estimated>(&parameter.value);
    if (estimated == nullptr) continue;
    guesses[0][parameter.id] = estimated->guess.value_or(1.0);
    Random random = Random::stream(seed, ++dimension);
    const std::vector<int> stratum = permutation(std::max(count_drawn, 0), random);
    for (int n = 0; n < count_drawn; ++n) {
      const double share = (stratum[n] + random.uniform()) / count_drawn;
      guesses[n + 1][parameter.id] = model::from_scale(estimated->scale, drawn(*estimated, share, random));
    }
  }
  return guesses;
}

void set_guess_of_start(Options& options, std::map<std::string, double> guess) {
  if (options.guess.empty()) options.guess_from = GuessFrom::draw;
  guess.swap(options.guess);
  for (const auto& [name, value] : guess) options.guess[name] = value;
}

nlp::Point draw_point(const Setup& setup, Random& random, bool within_range) {
  nlp::Point q = setup.start;
  const shooting::UnknownNames& names = setup.shooting->names();
  std::optional<double> spread_of_log;
  for (std::size_t k = 0; k < names.parameter.size(); ++k) {
    const model::Estimated& estimated = shooting::estimated_theta(*setup.problem, names, static_cast<int>(k));
    const bool is_bounded = std::isfinite(estimated.lower) && std::isfinite(estimated.upper);
    if (within_range || is_bounded || estimated.start) {
      q[k] = drawn(estimated, random.uniform(), random);
      continue;
    }
    if (!spread_of_log) spread_of_log = random.uniform() < wide_share ? wide_spread : usual_spread;
    const double guess = estimated.guess.value_or(1.0);
    double value = (guess == 0 ? 1 : std::abs(guess)) * std::exp(*spread_of_log * random.normal());
    if (estimated.lower < 0 && estimated.scale == model::Scale::lin && random.uniform() < (guess < 0 ? 0.5 : 0.1))
      value = -value;
    q[k] = model::to_scale(estimated.scale, std::clamp(value, estimated.lower, estimated.upper));
  }
  return q;
}

StartResult describe_start(const Solved& solved, const std::map<std::string, double>& guess, int n, double seconds) {
  StartResult start{.start = n, .status = to_status(solved.result)};
  start.objective = solved.result.trace.empty() ? std::numeric_limits<double>::infinity() : solved.result.objective;
  start.gap = solved.result.gap;
  start.is_resolved = solved.certificate.is_resolved;
  start.iterations = solved.result.iterations;
  start.points = solved.points;
  start.seconds = seconds;
  start.message = solved.result.trouble;
  start.guess.assign(guess.begin(), guess.end());
  const shooting::ShootingProblem& shooting = *solved.setup.shooting;
  for (std::size_t k = 0; k < shooting.names().parameter.size() && !solved.result.q.empty(); ++k) {
    const model::Parameter& parameter = shooting.problem().parameters[shooting.names().parameter[k]];
    const model::Scale scale = std::get<model::Estimated>(parameter.value).scale;
    start.parameters.push_back({parameter.id, model::from_scale(scale, solved.result.q[k])});
  }
  return start;
}

namespace {

// Neither the time nor an interruption has ended it.
bool is_finished(const StartResult& start) {
  return start.status != Status::max_time && start.status != Status::interrupted;
}

// The best first: what is lower, if it is finished, joined and known; it need not be converged.
bool comes_first(const StartResult& a, const StartResult& b) {
  const auto rank = [](const StartResult& start) {
    if (!std::isfinite(start.objective) || !(start.gap <= solve::joined_gap)) return 0;
    return is_finished(start) && start.is_resolved ? 2 : 1;
  };
  return rank(a) != rank(b) ? rank(a) > rank(b) : a.objective < b.objective;
}

}  // namespace

StartsResult solve_all(const model::Problem& problem, const Options& options,
                       const std::vector<std::map<std::string, double>>& guesses, const RunContext& context) {
  const auto compiled = compile::compile(problem);
  StartsResult out;
  out.starts.resize(guesses.size());
  std::mutex guard;
  int done = 0;
  std::optional<StartResult> first;
  parallel_for(static_cast<int>(guesses.size()), options.threads, [&](int n) {
    StartResult& start = out.starts[n];
    if (context.should_stop()) {
      start = {.start = n,
               .status = context.is_interrupted() ? Status::interrupted : Status::max_time,
               .objective = std::numeric_limits<double>::infinity()};
      return;
    }
    const auto begin = std::chrono::steady_clock::now();
    Options one = options;
    one.threads = 1;
    one.alike = static_cast<int>(guesses.size());
    one.seed = options.seed + static_cast<std::uint64_t>(n) * 0x9e3779b97f4a7c15U;
    set_guess_of_start(one, guesses[n]);
    Solved solved =
        solve_from_guess(problem, one, compiled,
                         {.interrupted = context.interrupted, .deadline = context.deadline, .stop = context.stop});
    start = describe_start(solved, guesses[n], n,
                           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    const std::lock_guard lock(guard);
    // Whatever the order in which starts end, the same one is kept.
    if (!first || comes_first(start, *first) || (!comes_first(*first, start) && n < first->start)) {
      first = start;
      out.best = std::move(solved);
    }
    context.tell(StartDone{++done, static_cast<int>(guesses.size()), start.status == Status::converged});
  });
  std::stable_sort(out.starts.begin(), out.starts.end(), comes_first);
  return out;
}

std::string about_starts(const std::vector<StartResult>& starts) {
  const auto finished = std::count_if(starts.begin(), starts.end(), is_finished);
  const std::string cut = finished == std::ssize(starts) ? "" : fmt::format(" Only {} were finished.", finished);
  const std::vector<Optimum> optima = distinct_optima(starts);
  if (optima.empty()) return fmt::format("None of {} starts converged.{}", starts.size(), cut);
  std::size_t converged = 0;
  for (const Optimum& optimum : optima) converged += optimum.starts.size();
  if (optima.size() == 1)
    return fmt::format("{} of {} starts converged, all of them to this optimum.{}", converged, starts.size(), cut);
  return fmt::format("{} of {} starts converged, {} of them to the best of {} optima.{}", converged, starts.size(),
                     optima.front().starts.size(), optima.size(), cut);
}

}  // namespace salvo::fit
