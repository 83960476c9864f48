#include "estimate/starts/starts.hpp"

#include <algorithm>
#include <limits>

#include "base/tasks.hpp"
#include "estimate/answer/write.hpp"
#include "estimate/starts/guesses.hpp"
#include "estimate/ways/found.hpp"
#include "estimate/ways/resume.hpp"

namespace salvo::estimate {

// What a start has come to, as far as it is written down: what follows from a point is found again for the best alone.
struct OneStart {
  std::vector<Answer> answers{};  // the best first, then others that are proved
  long operations = 0;
  bool is_whole = true;  // neither the time nor a signal has cut it
};

}  // namespace salvo::estimate

template <>
struct salvo::Parts<salvo::estimate::OneStart> {
  static auto of(auto& start) { return std::tie(start.answers, start.operations); }
};

namespace salvo::estimate {
namespace {

// The first is what a fit without others would be, so that no number of starts leads to less. The others are each
// other's remedy for doubt.
Options options_of_start(const Options& options, int start, const std::map<std::string, double>& guess) {
  Options one = options;
  one.threads = 1;
  one.expected_reuse = options.planned.value_or(options.starts) * options.rules.search.descents;
  one.seed = options.seed + static_cast<std::uint64_t>(start) * 0x9e3779b97f4a7c15U;
  if (start == 0) return one;
  one.is_one_of_many = true;
  set_guess_of_start(one, guess);
  return one;
}

OneStart solve_one(const model::Problem& problem, const Options& options, const RunContext& context,
                   const Reused& reused) {
  Estimation estimation =
      estimate(problem, options,
               {.interrupted = context.interrupted, .deadline = context.deadline, .stop = context.stop}, reused);
  OneStart out{.operations = static_cast<long>(estimation.workspace->ledger().spent())};
  out.answers.push_back(as_written(std::move(estimation.best.answer)));
  for (Answer& other : estimation.proved) out.answers.push_back(as_written(std::move(other)));
  out.is_whole = !context.should_stop();
  return out;
}

StartResult not_begun(int start, bool has_crashed, const RunContext& context) {
  StartResult out{
      .start = start,
      .status = context.is_past_deadline() && !context.is_interrupted() ? Status::max_time : Status::interrupted,
      .objective = std::numeric_limits<double>::infinity()};
  if (!has_crashed) return out;
  out.status = Status::numerical_failure;
  out.message = "the program crashed here again and again; the start was given up";
  return out;
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
  if (!best.shooting) best = found_again(workspace, std::move(best.answer));
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
  Tasks<OneStart> tasks{.list = {"start", all}, .board = context.board};
  tasks.run = [&](int n) { return solve_one(problem, options_of_start(options, n, guesses[n]), context, reused); };
  tasks.is_whole = [](const OneStart& start) { return start.is_whole; };
  tasks.watch.may_begin = [&] { return !context.should_stop(); };
  tasks.watch.finished = [&](int, const OneStart& start) {
    context.tell(StartDone{++count, all, is_proved(start.answers.front())});
  };
  std::vector<TaskOutcome<OneStart>> done = run_tasks(tasks, options.threads);

  StartsResult out;
  Estimation& whole = out.estimation;
  whole.workspace = std::make_unique<Workspace>(problem, options, reused.compiled, reused.memory, context.stop);
  // What follows may cost as much as it may after a fit without other starts.
  if (!done.empty() && done.front().result) whole.workspace->ledger().charge(done.front().result->operations);
  Candidates candidates(*whole.workspace);
  std::vector<Found> found;
  std::vector<std::optional<StartRun>> run_of;  // of those that are the best of their starts; empty: of others
  for (int n = 0; n < all; ++n) {
    if (!done[n].result) continue;
    for (Answer& answer : done[n].result->answers) {
      run_of.emplace_back();
      if (&answer == &done[n].result->answers.front()) run_of.back() = StartRun{n, guesses[n], done[n].seconds};
      found.push_back({.answer = std::move(answer)});
    }
  }
  candidates.add(std::move(found));
  if (candidates.empty()) {  // none was begun before the end
    whole = estimate(problem, options, context, reused);
  } else {
    const std::vector<int> minima = minima_of(candidates);
    for (const std::size_t i : candidates.ranked()) {
      if (!run_of[i]) continue;
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
    if (!done[n].result) out.starts.push_back(not_begun(n, done[n].has_crashed, context));
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
