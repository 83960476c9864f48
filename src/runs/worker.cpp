#include "runs/worker.hpp"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <utility>

#include "base/watch.hpp"
#include "fit/part_of_fit.hpp"
#include "runs/header.hpp"
#include "runs/run_file.hpp"

namespace salvo::runs {
namespace {

using options::usage_issue;

// Of the tasks that are shared, the list that comes last: what follows from it is none of a worker's business. Nothing:
// how many lists there are is known when they are done.
std::string last_list(const PreparedRun& run) {
  if (run.study) return "replicate";
  return run.profiles ? "" : "start";
}
std::string shared_list(const PreparedRun& run) { return run.profiles ? "side" : last_list(run); }

// Passes tasks on, and ends the run once nothing is left for a worker to do.
class WorkerBoard final : public TaskBoard {
 public:
  WorkerBoard(TaskBoard& tasks, journal::JournalBoard& own, std::string last)
      : tasks_(tasks), own_(own), last_(std::move(last)) {}

  int open(const TaskList& list) override {
    is_read_ = false;
    return tasks_.open(list);
  }
  std::optional<int> next() override { return tasks_.next(); }
  void keep(int task, const std::string& result, double seconds) override {
    tasks_.keep(task, result, seconds);
    ++count_;
  }
  std::optional<Kept> kept(int task) override {
    if (own_.list().kind == last_) is_over_ = true;
    std::optional<Kept> kept = is_over_ ? std::nullopt : tasks_.kept(task);
    if (!std::exchange(is_read_, true) && !own_.is_all_done()) is_over_ = true;
    return is_over_ ? std::nullopt : std::move(kept);
  }
  bool is_over() const { return is_over_; }
  long count() const { return count_; }

 private:
  TaskBoard& tasks_;
  journal::JournalBoard& own_;
  std::string last_;
  bool is_read_ = false;
  std::atomic<bool> is_over_{false};
  std::atomic<long> count_{0};
};

Issues no_such_task(const journal::JournalBoard& board, const WorkWish& wish) {
  if (!wish.task || *wish.task < board.list().count) return {};
  return {
      usage_issue(fmt::format("--task {}: the run has {} tasks, which count from 0", *wish.task, board.list().count))};
}

Result<JoinedRun> joined(RunFile file, const std::string& folder, const Word& threads, const Word& max_time) {
  if (file.words.problem.empty())
    return usage_issue(fmt::format("the problem of the run in '{}' stands in no file", folder),
                       "go on with it where it was begun");
  file.words.fit.threads = threads;
  file.words.fit.max_time = max_time;
  auto prepared = prepare_run(std::move(file.words), file.stood_in);
  if (!prepared) return prepared.issues();
  journal::RunHeader header = header_of(*prepared);
  header.adopt(planned_for, file.header);
  if (header != file.header)
    return usage_issue(fmt::format("'{}' holds another run: {}", folder, header.difference_to(file.header)),
                       "undo the change, or work on a machine like that on which it was begun");
  plan_as(header, *prepared);
  return JoinedRun{std::move(*prepared), std::move(header)};
}

Word threads_of(const Team::Call& call) { return call.threads.empty() ? Word{} : Word{call.threads}; }

}  // namespace

Result<JoinedRun> join_run(const std::string& folder, const Word& threads, const Word& max_time) {
  auto file = read_run_file(folder);
  if (!file) return file.issues();
  return joined(std::move(*file), folder, threads, max_time);
}

Result<WorkDone> work(const std::string& folder, const WorkWish& wish, const RunContext& caller, Team* team) {
  const auto joined = join_run(folder, wish.threads, wish.max_time);
  if (!joined) return joined.issues();
  RunContext context = caller;
  if (joined->run.options.max_seconds) context.stop_after(*joined->run.options.max_seconds);
  journal::JournalBoard own(folder, joined->header, {wish.share, wish.of, wish.task, shared_list(joined->run)});
  const std::unique_ptr<TaskBoard> given =
      team != nullptr ? team->share(own, [&] { return context.should_stop(); }) : nullptr;
  const std::string last = last_list(joined->run);
  WorkerBoard board(given ? *given : own, own, last);
  RunContext watched = context;
  watched.board = &board;
  watched.interrupted = [&] { return board.is_over() || context.is_interrupted(); };
  compute(joined->run, watched);

  if (Issues trouble = no_such_task(own, wish); !trouble.empty()) return trouble;
  WorkDone done{.tasks = board.count()};
  const bool has_seen_all = last.empty() ? !context.should_stop() : own.list().kind == last;
  done.is_done = wish.task ? own.is_done(*wish.task) : has_seen_all && own.is_all_done();
  return done;
}

Issues help(const Team::Call& call, const RunContext& caller, Team& team) {
  auto file = read_run_text(call.folder, call.run);
  if (!file) return file.issues();
  const auto run = joined(std::move(*file), call.folder, threads_of(call), {});
  if (!run) return run.issues();
  RunContext context = caller;
  const Watch watch(context);
  team.help(fit::part_of_fit(run->run.problem, run->run.options, context));
  return {};
}

Result<Gathered> gather(const std::string& folder, const RunContext& context) {
  auto joined = join_run(folder);
  if (!joined) return joined.issues();
  const auto board = journal::JournalBoard::to_look_at(folder, joined->header);
  if (board->reader().count_all() == 0)
    return usage_issue(fmt::format("nothing is finished in '{}' yet", folder), "salvo status tells how far it is");
  RunContext reading = context;
  reading.board = board.get();
  Gathered gathered{.result = compute(joined->run, reading)};
  gathered.is_complete = board->is_all_done();
  gathered.run = std::move(joined->run);
  write_results(gathered.run, gathered.result, folder);
  board->tell_written();
  return gathered;
}

}  // namespace salvo::runs
