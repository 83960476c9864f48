#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "report/base64.hpp"
#include "report/figure/convert.hpp"
#include "report/figure/draw.hpp"
#include "report/figure/fit_folder.hpp"
#include "report/figure/layout.hpp"
#include "report/helpers.hpp"
#include "report/pictures_json.hpp"
#include "report/predator_prey.hpp"

namespace salvo::report::figure {
namespace {

// Two experiments of two observables; the second has no data of the first observable.
Fit two_experiments() {
  Fit fit{.time_axis = "time (h)",
          .observables = {{.id = "a", .axis = "A & B (mg)"}, {.id = "b", .axis = "b", .is_logarithmic = true}},
          .experiments = {"low", "high"}};
  for (int e = 0; e < 2; ++e) {
    Fit::Arc arc{.experiment = e, .time = {0, 1, 2, 3}};
    arc.value = {{1, 2, 3, 4}, {8, 4, 2, 1}};
    arc.lower = {{0.5, 1.5, 2.5, nan}, {7, 3, 1.5, 0.5}};
    arc.upper = {{1.5, 2.5, 3.5, nan}, {9, 5, 2.5, 1.5}};
    fit.arcs.push_back(arc);
  }
  fit.data = {{.experiment = 0, .observable = 0, .time = 1, .value = 2.1, .sigma = 0.1},
              {.experiment = 0, .observable = 0, .time = 1, .value = 1.9, .sigma = 0.1},
              {.experiment = 0, .observable = 1, .time = 1, .value = 4.5, .sigma = 0.1},
              {.experiment = 1, .observable = 1, .time = 2, .value = 2, .limit = -1},
              {.experiment = 1, .observable = 1, .time = 3, .value = 1.2, .sigma = 0.1, .fitted = false}};
  return fit;
}

TEST(Figure, HasCurvesBandsAndEveryMeasurementButNoNodes) {
  const std::string svg = svg_of(two_experiments(), {});
  EXPECT_EQ(count(svg, "class=\"curve\""), 4);
  EXPECT_EQ(count(svg, "class=\"band\""), 4);
  EXPECT_EQ(count(svg, "class=\"data\""), 4);  // both replicates
  EXPECT_EQ(count(svg, "class=\"limit\""), 1);
  EXPECT_EQ(count(svg, "class=\"sigma\""), 4);
  EXPECT_EQ(count(svg, "class=\"node\""), 0);
  EXPECT_EQ(count(svg, "fill=\"#fff\""), 1);  // held out
  EXPECT_EQ(count(svg, ">A &amp; B (mg)<"), 2);
  EXPECT_EQ(count(svg, ">low<"), 2);
}

TEST(Figure, HasTheSizeThatIsAskedFor) {
  const std::string svg = svg_of(two_experiments(), {.width = 85, .height = 60});
  EXPECT_NE(svg.find("width=\"85.00mm\" height=\"60.00mm\""), std::string::npos) << svg.substr(0, 200);
}

TEST(Figure, KnowsHowLowItCanBe) {
  const Fit fit = two_experiments();
  EXPECT_LT(least_height(fit, {.overlay = true}), least_height(fit, {}));
  EXPECT_GT(least_height(fit, {.width = 40}), least_height(fit, {}));
  for (const double width : {40.0, 175.0}) {
    const std::string svg = svg_of(fit, {.width = width, .height = least_height(fit, {.width = width})});
    EXPECT_EQ(svg.find("height=\"-"), std::string::npos);
  }
}

TEST(Figure, PutsExperimentsIntoOnePanelInColours) {
  const std::string apart = svg_of(two_experiments(), {});
  const std::string together = svg_of(two_experiments(), {.overlay = true});
  EXPECT_EQ(count(apart, "<clipPath"), 4);
  EXPECT_EQ(count(together, "<clipPath"), 2);
  EXPECT_EQ(count(together, "class=\"curve\""), 4);
  EXPECT_GT(count(together, std::string(colour_of(1))), 0);
  EXPECT_EQ(count(together, ">high<"), 1);  // in the legend
}

TEST(Figure, HasTheSameAxesEverywhereIfAskedTo) {
  const Fit fit = two_experiments();
  // The second observable reaches 8 in both experiments, the first one 4.
  const auto panels_with_an_8 = [&](bool common) { return count(svg_of(fit, {.common = common}), ">8<"); };
  EXPECT_LE(panels_with_an_8(false), 2);
  EXPECT_EQ(panels_with_an_8(true), 4);
}

TEST(Figure, DrawsOnLogarithmicAxes) {
  Fit fit = two_experiments();
  for (Fit::Arc& arc : fit.arcs)
    for (double& value : arc.value[1]) value = std::pow(10.0, value);
  fit.data[2].value = 1e4;
  const std::string svg = svg_of(fit, {.log_values = true});
  EXPECT_NE(svg.find(">10000<"), std::string::npos);
  fit.data[0].value = 1e-320;  // no power of ten that can be written
  EXPECT_EQ(svg_of(fit, {.log_values = true}).find("inf"), std::string::npos);
  // What has no logarithm is left out, and nothing else: the time 0 of every curve.
  const std::string by_time = svg_of(fit, {.log_time = true});
  EXPECT_EQ(by_time.find("nan"), std::string::npos);
  EXPECT_EQ(by_time.find("inf"), std::string::npos);
  EXPECT_EQ(count(by_time, "class=\"curve\""), 4);
}

TEST(Figure, DrawsOneAgainstTheOther) {
  Fit fit = two_experiments();
  fit.phase = {{.experiment = 0, .x = {1, 2, 3}, .y = {8, 4, 2}}, {.experiment = 1, .x = {1, 2}, .y = {8, 4}}};
  const std::string svg = svg_of(fit, {.phase = std::pair<std::string, std::string>{"a", "b"}});
  EXPECT_EQ(count(svg, "<clipPath"), 2);
  EXPECT_EQ(count(svg, "class=\"curve\""), 2);
  EXPECT_EQ(count(svg, "class=\"data\""), 1);  // at t = 1 both were measured; of the replicate there is no partner
  EXPECT_EQ(count(svg, ">time (h)<"), 0);
}

TEST(LogAxis, HasDecadesAndWhatIsBetweenThem) {
  EXPECT_EQ(make_log_axis({0.05, 8}, 9).labels, (std::vector<std::string>{"0.05", "0.1", "0.2", "0.5", "1", "2", "5"}));
  EXPECT_EQ(make_log_axis({1e-6, 1e2}, 5).labels,
            (std::vector<std::string>{"10\u207b\u2076", "10\u207b\u2074", "0.01", "1", "100"}));
}

TEST(Base64, ReadsItsNumbersAgain) {
  const std::vector<double> numbers{0, -1.5, 1e300, inf};
  EXPECT_EQ(doubles_of_base64(base64_of_doubles(numbers)), numbers);
  EXPECT_EQ(floats_of_base64(base64_of_floats(std::vector<double>{0.5, -2})), (std::vector<double>{0.5, -2}));
  EXPECT_EQ(integers_of_base64(base64_of_integers(std::vector<int>{7, -8, 1 << 30})),
            (std::vector<int>{7, -8, 1 << 30}));
  EXPECT_EQ(doubles_of_base64(""), std::vector<double>{});
  for (const char* wrong : {"?", "AAA", "AAAA", "A*==", "===="})
    EXPECT_EQ(doubles_of_base64(wrong), std::nullopt) << wrong;
}

class FitFolder : public testing::Test {
 protected:
  FitFolder() : path_(std::filesystem::temp_directory_path() / ("salvo_figure_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~FitFolder() override { std::filesystem::remove_all(path_); }
  void write(const std::string& text) const { std::ofstream(path_ / "pictures.json") << text; }
  std::filesystem::path path_;
};

TEST_F(FitFolder, HoldsWhatIsDrawn) {
  const auto [problem, result] = test::predator_prey();
  write(pictures_json(problem, result, {}));
  const auto fit = read_fit(path_.string());
  ASSERT_TRUE(fit) << to_string(fit.issues()[0]);
  EXPECT_EQ(fit->experiments.size(), problem.experiments.size());
  EXPECT_EQ(fit->data.size(), problem.measurements.size() + problem.validation.size());
  EXPECT_EQ(fit->arcs.size(), result.solution_arcs.size());
}

TEST_F(FitFolder, IsRefusedWhateverIsWrongWithIt) {
  EXPECT_FALSE(read_fit((path_ / "nowhere").string()));
  EXPECT_FALSE(read_fit(path_.string()));
  const test::Example example = test::predator_prey();
  const std::string whole = pictures_json(example.problem, example.result, {});
  for (std::size_t length : {std::size_t{0}, whole.size() / 3, whole.size() / 2}) {
    write(whole.substr(0, length));
    EXPECT_FALSE(read_fit(path_.string())) << length;
  }
  for (const char* name :
       {"\"time\":\"", "\"lengths\":\"", "\"panel\":\"", "\"at\":\"", "\"experiments\":", "\"solution\":["}) {
    std::string wrong = whole;
    ASSERT_NE(wrong.find(name), std::string::npos) << name;
    for (std::size_t at = wrong.find(name); at != std::string::npos; at = wrong.find(name, at + 2)) wrong[at + 1] = 'X';
    write(wrong);
    EXPECT_FALSE(read_fit(path_.string())) << name;
  }
}

}  // namespace
}  // namespace salvo::report::figure
