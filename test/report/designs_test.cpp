#include "report/designs/designs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/designs/curve.hpp"

namespace salvo::report::designs {
namespace {

using nlohmann::json;

design::Result some_design() {
  design::Result result{.status = design::Status::found, .message = "Two samples <here>.", .remarks = {"A remark."}};
  result.budget = 2;
  result.taken = {{.observables = {"y"}, .experiment = "default", .time = 1.5, .count = 2},
                  {.observables = {"y", "z"}, .experiment = "dose=3", .time = 4}};
  result.value = 3.5;
  result.continuous_value = 3.6;
  result.efficiency = 0.97;
  result.level = 1;
  result.largest = 1;
  for (int i = 0; i < 5; ++i)
    result.candidates.push_back({.observables = {"y"},
                                 .experiment = "default",
                                 .time = 0.5 * i,
                                 .weight = i == 3 ? 2.0 : 0.0,
                                 .sensitivity = 1 - 0.1 * (i - 3) * (i - 3),
                                 .chosen = i == 3 ? 2 : 0});
  result.errors = {{.id = "k", .now = 0.5, .then = 0.25, .equidistant = 0.75}, {.id = "m", .then = 0.125}};
  result.refined = design::Refined{.taken = result.taken, .value = 3.55, .linearizations = 12};
  result.null_directions = {{.parts = {{"k", 1}, {"m", -1}}}};
  return result;
}

TEST(DesignAsJson, HasAMeasurementForEachValueAndARepeatedOneTwice) {
  const json out = json::parse(designs::json({.file = "problem.yaml"}, some_design()));
  EXPECT_EQ(out["status"], "found");
  EXPECT_EQ(out["criterion"], "D");
  ASSERT_EQ(out["measurements"].size(), 4U);
  EXPECT_EQ(out["measurements"][1], (json{{"observable", "y"}, {"experiment", "default"}, {"time", 1.5}}));
  EXPECT_EQ(out["measurements"][3]["observable"], "z");
  EXPECT_EQ(out["value"], 3.5);
  EXPECT_EQ(out["certificate"], (json{{"largest", 1.0}, {"level", 1.0}}));
  EXPECT_EQ(out["errors"]["k"], (json{0.5, 0.25}));
  EXPECT_EQ(out["errors"]["m"], (json{nullptr, 0.125}));
  EXPECT_EQ(out["equidistant"]["k"], 0.75);
  EXPECT_EQ(out["weights"], (json{0.0, 0.0, 0.0, 2.0, 0.0}));
  EXPECT_EQ(out["candidates"].size(), 5U);
  EXPECT_EQ(out["null_directions"][0], (json{{"k", 1.0}, {"m", -1.0}}));
  EXPECT_EQ(out["refined"]["value"], 3.55);
}

TEST(DesignAsJson, OfNothingFoundHasNoValue) {
  const json out = json::parse(designs::json({}, {.status = design::Status::not_identifiable, .message = "No."}));
  EXPECT_TRUE(out["value"].is_null());
  EXPECT_TRUE(out["certificate"]["level"].is_null());
  EXPECT_TRUE(out["measurements"].empty());
}

TEST(DesignTable, IsDataWithoutValues) {
  EXPECT_EQ(
      csv(some_design()),
      "# The samples of the design: write the values, and name the table under 'data'.\n"
      "time,observable,value,experiment\n1.5,y,,\"default\"\n1.5,y,,\"default\"\n4,y,,\"dose=3\"\n4,z,,\"dose=3\"\n");
}

TEST(DesignSummary, FitsATerminal) {
  const std::string text = summary({.title = "Decay"}, some_design(), false);
  for (const char* words : {"error now", "equidistant", "Two samples", "A remark.", "Sensitivity at most 1, level 1"})
    EXPECT_NE(text.find(words), std::string::npos) << words;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_LE(end - begin, 80U);
}

TEST(DesignPage, DrawsTheCurveWithADotAtEachChosenTimeOnItsLevel) {
  const std::string svg = sensitivity_svg(some_design(), "time (h)");
  EXPECT_NE(svg.find("time (h)"), std::string::npos);
  const std::size_t dot = svg.find("class=\"chosen\"");
  ASSERT_NE(dot, std::string::npos);
  EXPECT_EQ(svg.find("class=\"chosen\"", dot + 1), std::string::npos);
  const auto number_after = [&](const std::string& words, std::size_t from) {
    return std::stod(svg.substr(svg.find(words, from) + words.size()));
  };
  const std::size_t level = svg.find("class=\"level\"");
  const std::string line = svg.substr(svg.find("d=\"M", level) + 4, 20);
  EXPECT_NEAR(number_after("cy=\"", dot), std::stod(line.substr(line.find(' ') + 1)), 0.02);
  const std::string html = page({.file = "problem.yaml"}, some_design());
  EXPECT_NE(html.find("Two samples &lt;here&gt;."), std::string::npos);
  EXPECT_EQ(html.find("<here>"), std::string::npos);
}

TEST(DesignFolder, HasAllFilesAtOnce) {
  const auto folder = std::filesystem::temp_directory_path() / ("salvo_design_" + std::to_string(getpid()));
  write({.file = "problem.yaml"}, some_design(), folder.string());
  for (const char* file : {"design.json", "design.csv", "summary.txt", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(folder / file)) << file;
  std::filesystem::remove_all(folder);
}

TEST(DesignDraws, AreThePointsThatAFitHasFound) {
  const auto folder = std::filesystem::temp_directory_path() / ("salvo_draws_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  EXPECT_FALSE(read_draws(folder.string(), model::DesignOver::starts));
  std::ofstream(folder / "fit.json") << R"({"status":"converged","parameters":[],"objective":10,"starts":[
    {"status":"converged","objective":10,"parameters":{"a":1,"b":2}},
    {"status":"converged","objective":12.9,"parameters":{"a":2,"b":2}},
    {"status":"converged","objective":13.1,"parameters":{"a":3,"b":2}},
    {"status":"stalled","objective":10,"parameters":{"a":4,"b":2}}],
    "profiles":[{"id":"a","interval":[0.5,null],"points":[{"value":0.4,"others":{"b":1}},{"value":0.9,"others":{"b":3}}]}]})";
  const auto starts = read_draws(folder.string(), model::DesignOver::starts);
  ASSERT_TRUE(starts);
  ASSERT_EQ(starts->size(), 2U);  // half the 95 % quantile of two degrees of freedom is 2.996
  EXPECT_EQ(starts->at(1).at("a"), 2);
  const auto profiles = read_draws(folder.string(), model::DesignOver::profile);
  ASSERT_TRUE(profiles);
  ASSERT_EQ(profiles->size(), 1U);
  EXPECT_EQ(profiles->at(0).at("b"), 3);
  std::filesystem::remove_all(folder);
}

TEST(DesignPage, HasTheColoursThatTheReadersSystemAsksFor) {
  const std::string html = page({}, some_design());
  const std::size_t dark = html.find("@media (prefers-color-scheme: dark) { :root {");
  ASSERT_NE(dark, std::string::npos);
  EXPECT_NE(html.find("}}", dark), std::string::npos);
  EXPECT_EQ(html.find("data-theme=\"dark\"] {"), std::string::npos);
}

}  // namespace
}  // namespace salvo::report::designs
