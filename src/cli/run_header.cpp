#include "cli/run_header.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/machine.hpp"
#include "base/sha256.hpp"
#include "base/words.hpp"
#include "fit/built_in.hpp"
#include "formats/problem/write.hpp"
#include "report/version.hpp"

namespace salvo::cli {
namespace {

// "p1=0.5,x1=0.4", to the last bit.
std::string exactly(const std::map<std::string, double>& values) {
  std::string text;
  for (const auto& [name, value] : values) text += fmt::format("{}{}={:.17g}", text.empty() ? "" : ",", name, value);
  return text;
}

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

void add_options(const FitArguments& arguments, const fit::Options& options, journal::RunHeader& header) {
  const auto word = [&](const char* name, const Word& text) { header.add(name, text.value_or("")); };
  word("--method", arguments.method);
  word("--derivatives", arguments.derivatives);
  word("--nodes", arguments.nodes);
  word("--start", arguments.start);
  word("--integrator", arguments.integrator.integrator);
  word("--rtol", arguments.integrator.rtol);
  word("--atol", arguments.integrator.atol);
  word("--max-iterations", arguments.max_iterations);
  header.add("--tolerance", number_text(options.tolerance));
  header.add("--effort", number_text(options.effort));
  header.add("--seed", std::to_string(options.seed));
  header.add("--guess", exactly(options.guess));
  header.add("--fix", sorted(arguments.fix));
  header.add("--only", sorted(arguments.only));
  word("--until", arguments.until);
}

journal::RunHeader header_of(const char* command, const FitArguments& arguments, const PreparedFit& prepared) {
  journal::RunHeader header;
  header.add("command", command);
  header.add("version", std::string(report::version()));
  header.add("instruction set", instruction_set());
  header.add("lanes", std::to_string(fit::lanes));
  add_files(prepared.problem, header);
  add_options(arguments, prepared.options, header);
  return header;
}

}  // namespace

std::optional<int> planned_of(const journal::RunHeader& header) {
  return options::OptionReader().count(planned_for, std::string(header.value(planned_for)), 1);
}

journal::RunHeader header_of_fit(const FitArguments& arguments, const PreparedFit& prepared) {
  journal::RunHeader header = header_of("fit", arguments, prepared);
  header.add("--profiles", arguments.profiles ? "yes" : "no");
  header.add(planned_for, std::to_string(prepared.options.starts));
  if (arguments.profiles) header.add("--starts", std::to_string(prepared.options.starts));  // they rest on all of them
  return header;
}

journal::RunHeader header_of_study(const StudyArguments& arguments, const PreparedFit& prepared,
                                   const fit::StudyOptions& options) {
  journal::RunHeader header = header_of("study", arguments.fit, prepared);
  header.add(planned_for, std::to_string(options.replicates));
  header.add("--truth", exactly(options.truth));
  header.add("--intervals", arguments.fit.intervals.value_or("wald"));
  return header;
}

journal::RunHeader header_of_profile(const ProfileArguments& arguments, const PreparedFit& prepared,
                                     const fit::ProfileOptions& options) {
  journal::RunHeader header = header_of("profile", arguments.fit, prepared);
  header.add("--starts", std::to_string(prepared.options.starts));  // sides rest on all of them
  header.add("--parameters", sorted(arguments.parameters));
  header.add("--predict", fmt::format("{}", fmt::join(arguments.predict, " ")));
  header.add("--level", number_text(options.level));
  return header;
}

}  // namespace salvo::cli
