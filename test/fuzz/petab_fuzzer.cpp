#include "formats/petab_files.hpp"
#include "formats/problem/read.hpp"
#include "fuzz/folder.hpp"
#include "model/faults.hpp"

// Any bytes as the tables of a PEtab problem, one after the other with a line === between them; those that are missing
// are good ones. The problem is refused with at least one Issue, or nothing is missing in it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  std::string_view rest = fuzz::as_text(data, size);
  const bool is_version_two = rest.starts_with("2");
  formats::Texts files = is_version_two ? formats::petab_files_of_version_two() : formats::petab_files();
  for (const char* name :
       {"measurements.tsv", "observables.tsv", "parameters.tsv", "conditions.tsv", "experiments.tsv"}) {
    if (rest.empty()) break;
    const std::size_t end = std::min(rest.find("\n===\n"), rest.size());
    files[name] = std::string(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 5, rest.size()));
  }
  for (const auto& [name, text] : files) folder.write(name, text);
  const auto problem = formats::read_problem(folder.path() + "/problem.yaml");
  fuzz::require(problem ? model::faults(*problem).empty() : !problem.issues().empty());
  return 0;
}
