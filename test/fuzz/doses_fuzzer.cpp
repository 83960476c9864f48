#include "fuzz/problem_around.hpp"

// Any bytes as a table of doses; those that begin with N as doses and measurements in one table of the kind that NONMEM
// reads.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  fuzz::write_good_data(folder);
  const std::string_view text = fuzz::as_text(data, size);
  if (text.starts_with('N')) {
    folder.write("nonmem.csv", text.substr(1));
    folder.write(
        "problem.yaml",
        "equations: {x: -k*x, y: k*x}\nparameters: {k: {guess: 1}}\nobservables: {seen: {formula: x, noise: 0.1}}\n"
        "data: {file: nonmem.csv, format: nonmem}\n");
    const auto problem = formats::read_problem(folder.path() + "/problem.yaml");
    fuzz::require(problem ? model::faults(*problem).empty() : !problem.issues().empty());
    return 0;
  }
  folder.write("doses.csv", text);
  fuzz::try_problem(folder, "doses: doses.csv\n");
  return 0;
}
