#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/run_context.hpp"
#include "base/tasks/journal_board.hpp"
#include "runs/prepared_run.hpp"
#include "runs/team.hpp"

namespace salvo::runs {

// A run that another process has begun.
struct JoinedRun {
  PreparedRun run{};
  journal::RunHeader header{};
};
// Issues: there is none, its problem is not here, or what it depends on has changed. How many threads work on it, and
// for how long, is this process's own matter.
Result<JoinedRun> join_run(const std::string& folder, const Word& threads = {}, const Word& max_time = {});

struct WorkWish {
  int share = 0;  // part `share` of `of`, from 0, comes first; none where `of` is 0
  int of = 0;
  std::optional<int> task{};  // this one alone
  Word threads{};
  Word max_time{};
};
struct WorkDone {
  long tasks = 0;        // that this process has finished
  bool is_done = false;  // nothing is left of what was asked for
};
// Does tasks of a run until there is none left, or it is time to stop; their results are in its journals.
Result<WorkDone> work(const std::string& folder, const WorkWish& wish, const RunContext& context, Team* team = nullptr);

// Takes part in a run without tasks of which the first process of the team has told, until that is over. Issues: what
// it depends on is not the same here.
Issues help(const Team::Call& call, const RunContext& context, Team& team);

// The results of what is finished, whoever did it, written into the folder.
struct Gathered {
  PreparedRun run{};
  RunResult result{};
  bool is_complete = false;
};
Result<Gathered> gather(const std::string& folder, const RunContext& context);

}  // namespace salvo::runs
