#include "fuzz/problem_around.hpp"

// Any bytes as the section `events` of a problem.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  fuzz::write_good_data(folder);
  fuzz::try_problem(folder, "events:\n" + std::string(fuzz::as_text(data, size)));
  return 0;
}
