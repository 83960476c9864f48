#include "fuzz/problem_around.hpp"

// Any bytes as a table of counts and of values below or above a limit; the first byte says of which law they are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  if (size == 0) return 0;
  folder.write("data.csv", fuzz::as_text(data + 1, size - 1));
  constexpr const char* laws[] = {"poisson", "negative-binomial(F)", "log-normal", "student-t(4)"};
  fuzz::try_problem(folder, "", laws[data[0] % 4]);
  return 0;
}
