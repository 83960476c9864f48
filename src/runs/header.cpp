#include "runs/header.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/machine.hpp"
#include "base/sha256.hpp"
#include "base/words.hpp"
#include "fit/built_in.hpp"
#include "formats/problem/write.hpp"
#include "report/version.hpp"

namespace salvo::runs {
namespace {

// In any order, as they mean the same.
std::string sorted(std::vector<std::string> words) {
  words = options::OptionReader::list(words);
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, ","));
}

void add_files(const model::Problem& problem, journal::RunHeader& header) {
  for (const model::InputFile& file : problem.files_read) header.add_file(file.name, file.sha256);
  if (problem.petab)  // its tables are not all among them: what they say is
    for (const formats::Written::File& file : formats::write_problem(problem, "problem").files)
      header.add_file(file.name, sha256(file.text));
}

void add_options(const PreparedRun& run, journal::RunHeader& header) {
  const options::FitWords& words = run.words.fit;
  const auto word = [&](const char* name, const Word& text) { header.add(name, text.value_or("")); };
  word("--method", words.method);
  word("--derivatives", words.derivatives);
  word("--nodes", words.nodes);
  word("--cells", words.cells);
  word("--start", words.start);
  word("--integrator", words.integrator.integrator);
  word("--rtol", words.integrator.rtol);
  word("--atol", words.integrator.atol);
  word("--max-iterations", words.max_iterations);
  header.add("--tolerance", number_text(run.options.tolerance));
  header.add("--effort", number_text(run.options.effort));
  header.add("--seed", std::to_string(run.options.seed));
  header.add("--guess", exactly(run.options.guess));
  header.add("--fix", sorted(words.fix));
  header.add("--only", sorted(words.only));
  word("--until", words.until);
}

void add_fit(const PreparedRun& run, journal::RunHeader& header) {
  header.add("--profiles", run.profiles ? "yes" : "no");
  header.add(planned_for, std::to_string(run.options.starts));
  if (run.profiles) header.add("--starts", std::to_string(run.options.starts));  // they rest on all of them
}

void add_study(const PreparedRun& run, journal::RunHeader& header) {
  header.add(planned_for, std::to_string(run.study->replicates));
  header.add("--truth", exactly(run.study->truth));
  header.add("--intervals", run.words.fit.intervals.value_or("wald"));
}

void add_profile(const PreparedRun& run, journal::RunHeader& header) {
  header.add("--starts", std::to_string(run.options.starts));  // sides rest on all of them
  header.add("--parameters", sorted(run.words.profile.parameters));
  header.add("--predict", fmt::format("{}", fmt::join(run.words.profile.predict, " ")));
  header.add("--level", number_text(run.profiles->level));
}

}  // namespace

journal::RunHeader header_of(const PreparedRun& run, const std::string& changes) {
  journal::RunHeader header;
  header.add("command", run.words.command);
  header.add("version", std::string(report::version()));
  header.add("instruction set", instruction_set());
  header.add("lanes", std::to_string(fit::lanes));
  add_files(run.problem, header);
  if (!changes.empty()) header.add("the problem as it was changed", changes);
  add_options(run, header);
  if (run.study) {
    add_study(run, header);
  } else if (run.words.command == "profile") {
    add_profile(run, header);
  } else {
    add_fit(run, header);
  }
  return header;
}

void plan_as(const journal::RunHeader& header, PreparedRun& run) {
  run.options.planned = options::OptionReader().count(planned_for, std::string(header.value(planned_for)), 1);
  if (run.study) run.study->fit.planned = run.options.planned;
}

}  // namespace salvo::runs
