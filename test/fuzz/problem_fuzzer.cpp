#include "formats/problem/read.hpp"
#include "fuzz/folder.hpp"
#include "model/faults.hpp"

// Any bytes as a problem file: it is refused with at least one Issue, or nothing is missing in the problem.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  static const std::string measurements =
      folder.write("measurements.csv", "time,predator,prey,x\n0,0.4,1,1\n1,0.7,1.2,\n2,NA,0.8,0.5\n");
  const auto problem = formats::read_problem(folder.write("problem.yaml", fuzz::as_text(data, size)));
  fuzz::require(problem ? model::faults(*problem).empty() : !problem.issues().empty());
  return 0;
}
