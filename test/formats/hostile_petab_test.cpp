#include <gtest/gtest.h>

#include "base/random.hpp"
#include "formats/folder.hpp"
#include "formats/petab_files.hpp"
#include "formats/problem/read.hpp"
#include "model/faults.hpp"

namespace salvo::formats::hostile_petab_test {
namespace {

constexpr int mutations = 200;

int below(Random& random, std::size_t count) { return static_cast<int>(random.uniform() * static_cast<double>(count)); }

// A few bytes changed, taken out, or repeated.
std::string mutated(std::string text, Random& random) {
  const std::string bytes = "\t\n;<>\"'&-+.0123456789eEnaNif\xC3\x01/\\";
  for (int n = 1 + below(random, 4); n > 0 && !text.empty(); --n) {
    const int at = below(random, text.size());
    const int length = std::min<int>(1 + below(random, 40), static_cast<int>(text.size()) - at);
    switch (below(random, 4)) {
      case 0: text[at] = bytes[below(random, bytes.size())]; break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, text.substr(at, length)); break;
      default: text.insert(at, 1, bytes[below(random, bytes.size())]);
    }
  }
  return text;
}

class HostilePetab : public ::testing::TestWithParam<bool> {};

// Whatever is done to a file: either nothing is missing in the problem, or there is something to be told.
TEST_P(HostilePetab, IsReadOrRefused) {
  const Texts good = GetParam() ? petab_files_of_version_two() : petab_files();
  for (const auto& [file, text] : good) {
    Random random = Random::stream(1, static_cast<std::uint64_t>(text.size()));
    for (int n = 0; n < mutations; ++n) {
      Texts files = good;
      files[file] = mutated(text, random);
      const Folder folder(files);
      const auto problem = read_problem(folder / "problem.yaml");
      if (problem)
        EXPECT_TRUE(model::faults(*problem).empty()) << file << ":\n" << files[file];
      else
        EXPECT_FALSE(problem.issues().empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothVersions, HostilePetab, ::testing::Bool());

}  // namespace
}  // namespace salvo::formats::hostile_petab_test
