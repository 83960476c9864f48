#include "report/comparison.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/display_text.hpp"
#include "report/fit_file.hpp"
#include "report/helpers.hpp"
#include "report/json.hpp"
#include "report/predator_prey.hpp"

namespace salvo::report {
namespace {

namespace fs = std::filesystem;

class ComparedFolder : public testing::Test {
 protected:
  ComparedFolder() : path_(fs::temp_directory_path() / ("salvo_compared_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~ComparedFolder() override { fs::remove_all(path_); }
  void write(const std::string& text) const { std::ofstream(path_ / "fit.json") << text; }
  fs::path path_;
};

TEST_F(ComparedFolder, SaysWhatAFitHasWritten) {
  auto example = test::predator_prey();
  example.problem.parameters.push_back({.id = "mu", .value = 60.0});
  write(fit_json(example.problem, example.result));
  const auto fit = read_compared_fit(path_.string());
  ASSERT_TRUE(fit) << to_string(fit.issues().at(0));
  EXPECT_TRUE(fit->converged);
  EXPECT_EQ(fit->llh, example.result.llh);
  EXPECT_EQ(fit->data.size(), 64u);
  EXPECT_EQ(fit->estimated.size(), example.result.parameters.size() + example.result.initial.size());
  EXPECT_EQ(fit->fixed.at("mu"), 60);
}

TEST_F(ComparedFolder, RefusesFilesThatAreNoFits) {
  EXPECT_FALSE(read_compared_fit((path_ / "none").string()));
  for (const char* text : {"", "[1]", "{\"status\": 1}",
                           "{\"status\":1,\"llh\":\"nan\",\"measurements\":[],"
                           "\"parameters\":3,\"initial\":[7]}"}) {
    write(text);
    EXPECT_FALSE(read_compared_fit(path_.string())) << text;
  }
  EXPECT_FALSE(read_fit_file(path_, {}));  // a folder
}

fit::Comparison two() {
  fit::Comparison comparison{.sentence = "one has the smallest AICc."};
  comparison.rows.push_back(
      {.fit = {.name = "<one>", .measurements = 20, .llh = -10, .aic = 24, .aicc = 24.5, .bic = 26},
       .aicc = {.delta = 0, .weight = 0.75}});
  comparison.rows.push_back(
      {.fit = {.name = "two", .measurements = 20, .llh = -12, .aic = 26}, .aicc = {.delta = 2.2}});
  comparison.ratios.push_back(
      {.smaller = "two", .larger = "<one>", .statistic = 4, .degrees_of_freedom = 1, .p_value = 0.0462});
  return comparison;
}

TEST(Comparison, IsATableOnTheTerminal) {
  const std::string text = comparison_summary(two(), false, 80);
  EXPECT_NE(text.find("<one>  20  2          -10.00  24.00  24.50  26.00   0.00   0.750"), std::string::npos) << text;
  EXPECT_NE(text.find("two    20  1          -12.00  26.00      -      -   2.20       -"), std::string::npos) << text;
  EXPECT_NE(text.find("two           <one>         4.00        1  0.046"), std::string::npos) << text;
}

TEST(Comparison, IsJsonWithNullForWhatThereIsNot) {
  const auto json = nlohmann::json::parse(comparison_json(two()));
  EXPECT_EQ(json["fits"][0]["k"], 2);
  EXPECT_TRUE(json["fits"][1]["aicc"].is_null());
  EXPECT_TRUE(json["fits"][1]["by_aicc"]["weight"].is_null());
  EXPECT_EQ(json["likelihood_ratios"][0]["p_value"], 0.0462);
}

TEST(Comparison, IsAPageThatAsksForNothingElse) {
  const std::string page = comparison_page(two());
  EXPECT_NE(page.find("<td>&lt;one&gt;</td>"), std::string::npos);
  EXPECT_EQ(page.find("<one>"), std::string::npos);
  for (const char* asking : {" src=", "<link", "@import", "<script"}) EXPECT_EQ(count(page, asking), 0) << asking;
}

}  // namespace
}  // namespace salvo::report
