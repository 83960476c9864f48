#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/result.hpp"
#include "base/run_context.hpp"
#include "fit/profile.hpp"
#include "fit/study.hpp"
#include "options/prepare.hpp"
#include "report/run_record.hpp"
#include "runs/run_words.hpp"

namespace salvo::runs {

// A run as it is to be computed.
struct PreparedRun {
  RunWords words{};
  model::Problem problem{};
  fit::Options options{};
  Issues warnings{};                              // about what was said
  std::optional<fit::StudyOptions> study{};       // for study
  std::optional<fit::ProfileOptions> profiles{};  // for profile, and fit --profiles
};

// Reads the problem, whose files are named as seen from `stood_in` (empty: from here).
Result<PreparedRun> prepare_run(RunWords words, const std::string& stood_in = {});
// The same for a problem that is at hand.
Result<PreparedRun> prepare_run(RunWords words, model::Problem problem, options::Door door);

// Its tasks are given out and kept by a board: all but one fit alone.
bool has_tasks(const PreparedRun& run);

using RunResult = std::variant<FitResult, fit::StudyResult>;
RunResult compute(const PreparedRun& run, const RunContext& context);

// Throws std::runtime_error if the disk refuses.
void write_results(const PreparedRun& run, const RunResult& result, const std::string& folder);

}  // namespace salvo::runs
