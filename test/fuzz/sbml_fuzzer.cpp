#include "formats/sbml/suite.hpp"
#include "fuzz/folder.hpp"

// Any bytes as an SBML model: it is refused with at least one Issue, or becomes a problem.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  const auto problem = formats::sbml::suite_problem(folder.write("model.xml", fuzz::as_text(data, size)), {});
  fuzz::require(problem ? !problem->states.empty() : !problem.issues().empty());
  return 0;
}
