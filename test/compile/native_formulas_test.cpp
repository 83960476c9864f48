#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/words.hpp"
#include "compile/agreement.hpp"
#include "expression/parse.hpp"

namespace salvo::compile {
namespace {

// A formula without its numbers: each becomes a state, or there would be nothing left to compute.
struct Formula {
  std::string text{};
  std::vector<double> numbers{};
};

Formula without_numbers(const std::string& text) {
  static const std::regex number(R"(\b(\d+(\.\d+)?(e[+-]?\d+)?|true|false|inf)\b)");
  Formula out;
  std::size_t copied = 0;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), number); match != std::sregex_iterator(); ++match) {
    const std::string word = match->str();
    out.text += text.substr(copied, match->position() - copied) + fmt::format("s{}", out.numbers.size());
    copied = match->position() + word.size();
    out.numbers.push_back(word == "true" ? 1 : word == "false" ? 0 : *parse_number(word));
  }
  out.text += text.substr(copied);
  return out;
}

template <int W>
void expect_values(const std::vector<Kernel>& tapes, const std::vector<Formula>& formulas,
                   const std::vector<double>& expected) {
  std::vector<std::shared_ptr<const void>> memory;
  const std::vector<Kernel> natives = test::translated<W>(tapes, memory);
  for (std::size_t n = 0; n < tapes.size(); ++n) {
    std::vector<double> state;
    for (const double number : formulas[n].numbers) state.insert(state.end(), W, number);
    std::vector<double> work(std::max(1, tapes[n].work_size()) * W), on_tape(W), native(W);
    tapes[n].run<W>({.state = state.data()}, work.data(), on_tape.data());
    natives[n].run<W>({.state = state.data()}, work.data(), native.data());
    for (int l = 0; l < W; ++l) {
      SCOPED_TRACE(fmt::format("{} with {} lanes", formulas[n].text, W));
      if (std::isinf(expected[n])) {
        EXPECT_EQ(on_tape[l], expected[n]);
        EXPECT_EQ(native[l], expected[n]);
        continue;
      }
      EXPECT_NEAR(on_tape[l], expected[n], 1e-12 * std::abs(expected[n]));
      EXPECT_NEAR(native[l], on_tape[l], 1e-13 * std::max(1.0, std::abs(on_tape[l])));
    }
  }
}

TEST(MachineCode, GivesPetabsFormulasTheirValues) {
  SKIP_WITHOUT_TRANSLATOR();
  const auto path = std::filesystem::path(SALVO_SOURCE_DIR) / "../shared/cases/petab_math/math_tests.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "PEtab's formula cases are not beside the source folder";
  std::ifstream file(path);
  std::vector<Kernel> tapes;
  std::vector<Formula> formulas;
  std::vector<double> values;
  const auto cases = nlohmann::json::parse(file).at("cases");
  for (const auto& one : cases) {
    const auto text = one.at("expression").get<std::string>();
    const auto& expected = one.at("expected");
    const auto value = expected.is_string() ? parse_number(expected.get<std::string>()) : expected.get<double>();
    if (!value) continue;  // a formula of symbols
    formulas.push_back(without_numbers(text));
    values.push_back(*value);
    expression::Graph graph;
    Signature signature;
    for (std::size_t k = 0; k < formulas.back().numbers.size(); ++k)
      signature[graph.symbol(fmt::format("s{}", k))] = {Bank::state, static_cast<int>(k)};
    const auto parsed = expression::parse(graph, formulas.back().text);
    ASSERT_TRUE(std::holds_alternative<expression::Formula>(parsed)) << formulas.back().text;
    tapes.push_back(Kernel(graph, std::vector{std::get<expression::Formula>(parsed).node}, signature));
  }
  EXPECT_GE(tapes.size(), 60U);
  expect_values<1>(tapes, formulas, values);
  expect_values<4>(tapes, formulas, values);
  expect_values<8>(tapes, formulas, values);
}

}  // namespace
}  // namespace salvo::compile
