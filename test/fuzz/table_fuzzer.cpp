#include "formats/problem/read.hpp"
#include "formats/tables/parameter_table.hpp"
#include "fuzz/folder.hpp"
#include "model/faults.hpp"

// Any bytes as a table of measurements, separated by commas and by tabs, and as a table of parameters.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  static const auto problem_with = [](const std::string& name, const std::string& table) {
    return folder.write(name,
                        "equations: {x: -k*x, y: k*x}\n"
                        "parameters: {k: {guess: 1}}\n"
                        "observables:\n"
                        "  value: {formula: x, noise: 0.1}\n"
                        "  prey: {formula: y, noise: 0.1, distribution: log-normal}\n"
                        "  predator: {formula: y, noise: 0.1}\n"
                        "experiments: {low: {set: {k: 2}}, high: {start: 1}}\n"
                        "data: " +
                            table + "\n");
  };
  static const std::string of_commas = problem_with("commas.yaml", "data.csv");
  static const std::string of_tabs = problem_with("tabs.yaml", "data.tsv");
  const std::string_view text = fuzz::as_text(data, size);
  folder.write("data.csv", text);
  const std::string tsv = folder.write("data.tsv", text);
  for (const std::string& file : {of_commas, of_tabs}) {
    const auto problem = formats::read_problem(file);
    fuzz::require(problem ? model::faults(*problem).empty() && !problem->measurements.empty()
                          : !problem.issues().empty());
  }
  const auto values = formats::read_parameter_table(tsv);
  fuzz::require(values || !values.issues().empty());
  return 0;
}
