#include "estimate/starts/starts.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/tasks.hpp"
#include "estimate/starts/guesses.hpp"
#include "estimate/ways/found.hpp"

namespace salvo::estimate {
namespace {

// What a start has come to.
struct OneStart {
  std::vector<Answer> answers{};  // the best first, then others that are proved
  StartRun run{};
  long operations = 0;
};

// The first is what a fit without others would be, so that no number of starts leads to less. The others are each
// other's remedy for doubt.
Options options_of_start(const Options& options, const StartRun& run) {
  Options one = options;
  one.threads = 1;
  one.expected_reuse = options.starts * options.rules.search.descents;
  one.seed = options.seed + static_cast<std::uint64_t>(run.start) * 0x9e3779b97f4a7c15U;
  if (run.start == 0) return one;
  one.is_one_of_many = true;
  set_guess_of_start(one, run.guess);
  return one;
}

OneStart solve_one(const model::Problem& problem, const Options& options, const StartRun& run,
                   const RunContext& context, const Reused& reused) {
  const auto begin = std::chrono::steady_clock::now();
  Estimation estimation =
      estimate(problem, options_of_start(options, run),
               {.interrupted = context.interrupted, .deadline = context.deadline, .stop = context.stop}, reused);
  OneStart out{.run = run, .operations = static_cast<long>(estimation.workspace->ledger().spent())};
  out.answers.push_back(std::move(estimation.best.answer));
  for (Answer& other : estimation.proved) out.answers.push_back(std::move(other));
  out.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

StartResult not_begun(int start, const RunContext& context) {
  return {.start = start,
          .status = context.is_interrupted() ? Status::interrupted : Status::max_time,
          .objective = std::numeric_limits<double>::infinity()};
}

// Which of the distinct minima each of the answers has found; -1: none.
std::vector<int> minima_of(const Candidates& candidates) {
  std::vector<std::size_t> minima;
  std::vector<int> out(candidates.all().size(), -1);
  for (const std::size_t i : candidates.ranked()) {
    const Answer& answer = candidates.all()[i].answer;
    if (!is_proved(answer)) continue;
    const auto same = std::find_if(minima.begin(), minima.end(), [&](std::size_t m) {
      return candidates.are_same(candidates.all()[m].answer, answer);
    });
    out[i] = static_cast<int>(same - minima.begin());
    if (same == minima.end()) minima.push_back(i);
  }
  return out;
}

// A start that lies lower than all converged ones is worth more iterations than its share.
Found finished(const Workspace& workspace, Found best, const RunContext& context) {
  if (!best.shooting) best.shooting = workspace.on(best.answer.grids);
  const shooting::WorkCount before = workspace.work();
  best = gone_on_until_proved(workspace, std::move(best), context);
  best.answer.work += workspace.work() - before;
  return best;
}

}  // namespace

StartsResult solve_all(const model::Problem& problem, const Options& options,
                       const std::vector<std::map<std::string, double>>& guesses, const RunContext& context,
                       std::shared_ptr<const compile::CompiledModel> compiled) {
  const Reused reused{compiled ? std::move(compiled) : compile::compile(problem)};
  const int all = static_cast<int>(guesses.size());
  int count = 0;
  const TaskWatch<OneStart> watch{.may_begin = [&] { return !context.should_stop(); },
                                  .finished =
                                      [&](int, const OneStart& start) {
                                        context.tell(StartDone{++count, all, is_proved(start.answers.front())});
                                      }};
  const auto body = [&](int n) {
    return solve_one(problem, options, {.start = n, .guess = guesses[n]}, context, reused);
  };
  std::vector<std::optional<OneStart>> done = run_tasks<OneStart>(all, options.threads, body, watch);

  StartsResult out;
  Estimation& whole = out.estimation;
  whole.workspace = std::make_unique<Workspace>(problem, options, reused.compiled, reused.memory, context.stop);
  // What follows may cost as much as it may after a fit without other starts.
  if (!done.empty() && done.front()) whole.workspace->ledger().charge(done.front()->operations);
  Candidates candidates(*whole.workspace);
  std::vector<Found> found;
  std::vector<const StartRun*> run_of;  // of those that are the best of their starts; null: of others
  for (std::optional<OneStart>& start : done) {
    if (!start) continue;
    for (Answer& answer : start->answers) {
      run_of.push_back(&answer == &start->answers.front() ? &start->run : nullptr);
      found.push_back({.answer = std::move(answer)});
    }
  }
  candidates.add(std::move(found));
  if (candidates.empty()) {  // none was begun before the end
    whole = estimate(problem, options, context, reused);
  } else {
    const std::vector<int> minima = minima_of(candidates);
    for (const std::size_t i : candidates.ranked()) {
      if (run_of[i] == nullptr) continue;
      out.starts.push_back(describe_start(problem, candidates.all()[i].answer, *run_of[i]));
      out.starts.back().minimum = minima[i];
    }
    whole.rule = candidates.rule();
    whole.others = candidates.others();
    whole.best = finished(*whole.workspace, candidates.take_best(), context);
    if (!out.starts.empty() && is_proved(whole.best.answer) && out.starts.front().status != Status::converged) {
      const StartResult& first = out.starts.front();
      out.starts.front() = describe_start(problem, whole.best.answer,
                                          {first.start, {first.guess.begin(), first.guess.end()}, first.seconds});
      out.starts.front().minimum = 0;
    }
  }
  for (int n = 0; n < all; ++n)
    if (!done[n]) out.starts.push_back(not_begun(n, context));
  return out;
}

StartResult describe_start(const model::Problem& problem, const Answer& answer, const StartRun& run) {
  StartResult start{.start = run.start, .status = status_of(answer.standing, answer.run.ended)};
  start.objective = is_known(answer) ? answer.run.objective : std::numeric_limits<double>::infinity();
  start.gap = answer.run.gap;
  start.is_resolved = answer.certificate.is_resolved;
  start.iterations = answer.run.iterations;
  start.points = answer.points;
  start.seconds = run.seconds;
  if (start.status != Status::converged) start.message = answer.trouble;
  start.guess.assign(run.guess.begin(), run.guess.end());
  const shooting::UnknownNames names = shooting::unknown_names(problem);
  for (std::size_t k = 0; k < names.parameter.size() && k < answer.estimates.size(); ++k) {
    const model::Parameter& parameter = problem.parameters[names.parameter[k]];
    const model::Scale scale = std::get<model::Estimated>(parameter.value).scale;
    start.parameters.push_back({parameter.id, model::from_scale(scale, answer.estimates[k])});
  }
  return start;
}

}  // namespace salvo::estimate
