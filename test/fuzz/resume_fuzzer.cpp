#include "base/sha256.hpp"
#include "fuzz/folder.hpp"
#include "report/kept_sides.hpp"

// Any bytes as the record of a profile, once as they are and once with the digests that make every line a whole one.
// Whatever is taken up can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  std::string_view rest = fuzz::as_text(data, size);
  report::read_sides(rest, "run");
  std::string record;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    record += sha256(line) + " " + std::string(line) + "\n";
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  const report::KeptSides kept = report::read_sides(record, "run");
  std::string again;
  for (const fit::FinishedSide& side : kept.sides) again += report::side_line("run", side, kept.optimum);
  fuzz::require(report::read_sides(again, "run").sides.size() == kept.sides.size());
  return 0;
}
