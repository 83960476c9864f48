#include "fuzz/problem_around.hpp"

// Any bytes as the table of an input; the first byte says how it is interpolated.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  static const fuzz::Folder folder;
  if (size == 0) return 0;
  fuzz::write_good_data(folder);
  folder.write("input.csv", fuzz::as_text(data + 1, size - 1));
  constexpr const char* ways[] = {"constant", "linear", "cubic"};
  fuzz::try_problem(
      folder, "inputs: {u: {data: input.csv, column: temp, interpolation: " + std::string(ways[data[0] % 3]) + "}}\n");
  return 0;
}
