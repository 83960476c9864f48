#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/words.hpp"
#include "expression/formula_tools.hpp"

namespace salvo::expression {
namespace {

// The test cases that PEtab publishes for its formula language. A text that is expected is a formula itself.
TEST(OfficialPetabFormulas, HaveTheirValues) {
  const auto path = std::filesystem::path(SALVO_SOURCE_DIR) / "../shared/cases/petab_math/math_tests.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "PEtab's formula cases are not beside the source folder";
  std::ifstream file(path);
  const auto cases = nlohmann::json::parse(file).at("cases");
  for (const auto& one : cases) {
    const auto text = one.at("expression").get<std::string>();
    Graph graph;
    const NodeId node = parsed(graph, text);
    if (!symbols_of(graph, std::array{node}).empty()) {
      EXPECT_EQ(node, parsed(graph, one.at("expected").get<std::string>())) << text;
      continue;
    }
    const auto& expected = one.at("expected");
    const double value = expected.is_string() ? *parse_number(expected.get<std::string>()) : expected.get<double>();
    if (std::isinf(value)) {
      EXPECT_EQ(evaluate(graph, node, {}), value) << text;
    } else {
      EXPECT_NEAR(evaluate(graph, node, {}), value, 1e-12 * std::abs(value)) << text;
    }
  }
  EXPECT_GE(cases.size(), 60U);
}

}  // namespace
}  // namespace salvo::expression
