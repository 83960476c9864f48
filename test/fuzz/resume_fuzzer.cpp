#include <fmt/format.h>

#include "base/crc32.hpp"
#include "base/exact_text.hpp"
#include "base/tasks/line.hpp"
#include "fuzz/folder.hpp"

namespace {
using Words = std::vector<std::optional<std::string>>;
}

// Any bytes as lines of a journal, once as they are and once with the sums that make every line a whole one. Whatever
// is taken up is written again as it was.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace salvo;
  std::string_view rest = fuzz::as_text(data, size);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    journal::line_of(std::string(line) + "\n");
    const std::string whole = fmt::format("{},\"crc\":\"{:08x}\"}}\n", line, crc32(line));
    if (const auto read = journal::line_of(whole)) {
      fuzz::require(journal::line_of(journal::text_of(*read)) == *read);
      journal::number_of(*read, "index");
      if (const auto value = read_exact_words<Words>(std::string(journal::value_of(*read, "value"))))
        fuzz::require(read_exact_words<Words>(exact_words(*value)).has_value());
    }
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return 0;
}
