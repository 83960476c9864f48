#include "report/svg.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "report/helpers.hpp"
#include "report/predator_prey.hpp"

namespace salvo::report {
namespace {

// Is every element closed in order, every attribute quoted, and nothing left unescaped? Empty if so.
std::string fault_in_xml(const std::string& text) {
  static const std::regex tag(R"re(<(/?)([A-Za-z][A-Za-z0-9]*)((?:\s+[A-Za-z:-]+="[^"<]*")*)\s*(/?)>)re");
  std::vector<std::string> open;
  std::size_t at = text.find("?>") + 2;
  while (at < text.size()) {
    if (text[at] != '<') {
      if (text[at] == '&' &&
          !std::regex_search(text.begin() + static_cast<long>(at), text.end(), std::regex("^&(amp|lt|gt|quot|#39);")))
        return "a bare & near " + text.substr(at, 40);
      ++at;
      continue;
    }
    std::smatch match;
    const auto begin = text.cbegin() + static_cast<long>(at);
    if (!std::regex_search(begin, text.cend(), match, tag, std::regex_constants::match_continuous))
      return "no tag at " + text.substr(at, 60);
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != match[2].str()) return "closes what is not open: " + match[2].str();
      open.pop_back();
    } else if (match[4].length() == 0) {
      open.push_back(match[2].str());
    }
    at += static_cast<std::size_t>(match.length());
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

std::vector<std::vector<std::string>> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::vector<std::string>> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.push_back({match->begin(), match->end()});
  return found;
}

double largest_coordinate(const std::string& svg) {
  static const std::regex path(R"re( d="([^"]*)")re");
  static const std::regex number(R"re(-?[0-9.]+)re");
  double largest = 0;
  for (std::sregex_iterator p(svg.begin(), svg.end(), path), end; p != end; ++p) {
    const std::string data = (*p)[1];
    for (std::sregex_iterator n(data.begin(), data.end(), number); n != end; ++n)
      largest = std::max(largest, std::abs(std::stod(n->str())));
  }
  return largest;
}

std::string start_picture(const test::Example& example) {
  return shooting_svg(example.problem, example.result, example.result.start_arcs, "Start");
}
std::string solution_picture(const test::Example& example) {
  return shooting_svg(example.problem, example.result, example.result.solution_arcs, "Solution");
}

TEST(Picture, IsWellFormed) {
  EXPECT_EQ(fault_in_xml(start_picture(test::predator_prey())), "");
  EXPECT_EQ(fault_in_xml(solution_picture(test::predator_prey())), "");
}

TEST(Picture, ShowsEveryDatumWithItsErrorBarAndEveryIntervalWithItsNode) {
  const std::string svg = solution_picture(test::predator_prey());
  EXPECT_EQ(count(svg, "class=\"data\""), 22 + 1) << "one in the legend";
  EXPECT_EQ(count(svg, "class=\"sigma\""), 22 + 1);
  EXPECT_EQ(count(svg, "class=\"arc\""), 20);
  EXPECT_EQ(count(svg, "class=\"node\""), 20 + 1);
  EXPECT_EQ(count(svg, "<clipPath"), 2);
  EXPECT_NE(svg.find(">predator</text>"), std::string::npos);
  EXPECT_NE(svg.find(">prey</text>"), std::string::npos);
  EXPECT_NE(svg.find(">time</text>"), std::string::npos);
}

TEST(Picture, ShowsGapsOnlyWhileThereAreAny) {
  EXPECT_GT(count(start_picture(test::predator_prey()), "stroke-dasharray"), 10);
  EXPECT_EQ(count(solution_picture(test::predator_prey()), "stroke-dasharray"), 0);
}

TEST(Picture, KeepsHostileNamesAsText) {
  auto example = test::predator_prey();
  example.problem.title = "</text><script>alert('1')</script>&\x01";
  example.problem.observables[0].id = "\"/><image href='http://x'/>";
  example.problem.experiments.push_back({.id = "<b>&amp;\xFF"});
  const std::string svg = start_picture(example);
  EXPECT_EQ(fault_in_xml(svg), "");
  EXPECT_EQ(count(svg, "<script"), 0);
  EXPECT_EQ(count(svg, "<image"), 0);
  EXPECT_EQ(count(svg, "\x01"), 0);
  EXPECT_GE(count(svg, "&lt;script&gt;"), 1);
}

TEST(Picture, BreaksTheLineWherePointsAreNotFinite) {
  auto example = test::predator_prey();
  auto& arc = example.result.solution_arcs[2];
  arc.observables(0, 10) = nan;
  arc.observables(0, 20) = inf;
  example.problem.measurements[3].value = nan;
  const std::string whole = solution_picture(test::predator_prey());
  const std::string broken = solution_picture(example);
  EXPECT_EQ(fault_in_xml(broken), "");
  EXPECT_EQ(count(broken, "nan"), 0);
  EXPECT_EQ(count(broken, "inf"), 0);
  const std::regex three_pieces(R"re(class="arc" d="M[^M"]*M[^M"]*M[^M"]*")re");
  EXPECT_FALSE(std::regex_search(whole, three_pieces));
  EXPECT_TRUE(std::regex_search(broken, three_pieces));
}

TEST(Picture, ClipsARunawayAndKeepsTheDataLarge) {
  auto example = test::predator_prey();
  auto& arc = example.result.start_arcs[4];
  for (int i = 0; i < arc.observables.cols; ++i) arc.observables(0, i) = std::exp(2.0 * i);
  const std::string svg = start_picture(example);
  EXPECT_EQ(fault_in_xml(svg), "");
  EXPECT_LT(largest_coordinate(svg), 3000);
  EXPECT_EQ(count(svg, "e30"), 0);
  // The predator data lie between 0.4 and 2.1; ticks of a half can only be there if the axis follows them.
  EXPECT_GE(count(svg, ">0.5</text>"), 1);
}

TEST(Picture, GivesEachExperimentItsColourAndName) {
  auto example = test::predator_prey();
  example.problem.experiments = {{.id = "low"}, {.id = "high"}};
  for (auto arc : test::predator_prey().result.solution_arcs) {
    arc.experiment = 1;
    example.result.solution_arcs.push_back(arc);
  }
  const std::string svg = solution_picture(example);
  EXPECT_EQ(fault_in_xml(svg), "");
  EXPECT_NE(svg.find(">low</text>"), std::string::npos);
  EXPECT_NE(svg.find(">high</text>"), std::string::npos);
  EXPECT_GE(count(svg, "stroke=\"#0072B2\" stroke-width=\"2\""), 20);
  EXPECT_GE(count(svg, "stroke=\"#D55E00\" stroke-width=\"2\""), 20);
}

TEST(Picture, SaysHowManyObservablesItLeavesOut) {
  auto example = test::predator_prey();
  for (int k = 2; k < 15; ++k) example.problem.observables.push_back({.id = fmt::format("y{}", k)});
  for (auto& arc : example.result.start_arcs) arc.observables = Matrix(15, arc.observables.cols);
  const std::string svg = start_picture(example);
  EXPECT_EQ(fault_in_xml(svg), "");
  EXPECT_EQ(count(svg, "<clipPath"), 12);
  EXPECT_NE(svg.find("3 more panels not shown"), std::string::npos);
}

// Thirty lines in seven colours would be told apart by nobody.
TEST(Picture, GivesManyExperimentsPanelsOfTheirOwn) {
  auto example = test::predator_prey();
  const auto arcs = example.result.solution_arcs;
  const auto measurements = example.problem.measurements;
  for (int e = 1; e < 30; ++e) {
    example.problem.experiments.push_back({.id = fmt::format("well{}", e)});
    for (auto arc : arcs) {
      arc.experiment = e;
      example.result.solution_arcs.push_back(arc);
    }
    for (auto measurement : measurements) {
      measurement.experiment = e;
      example.problem.measurements.push_back(measurement);
    }
  }
  const std::string svg = solution_picture(example);
  EXPECT_EQ(fault_in_xml(svg), "");
  EXPECT_EQ(count(svg, "<clipPath"), 24);
  EXPECT_EQ(count(svg, "class=\"arc\""), 24 * 10) << "each panel shows one experiment";
  EXPECT_EQ(count(svg, "class=\"data\""), 24 * 11 + 1);
  EXPECT_NE(svg.find(">well5, predator</text>"), std::string::npos);
  EXPECT_NE(svg.find("36 more panels not shown"), std::string::npos);
}

TEST(Picture, WritesUnitsAndLabelsOnItsAxes) {
  auto example = test::predator_prey();
  example.problem.time_axis = {.unit = "year", .label = "Time since release"};
  example.problem.observables[0].axis = {.unit = "1000", .label = "Foxes"};
  const std::string svg = solution_picture(example);
  EXPECT_NE(svg.find(">Foxes (1000)</text>"), std::string::npos);
  EXPECT_NE(svg.find(">Time since release (year)</text>"), std::string::npos);
}

TEST(Picture, CanBeMadeOfNothing) {
  const model::Problem problem{.observables = {{.id = "y"}}, .experiments = {{.id = "default"}}};
  EXPECT_EQ(fault_in_xml(shooting_svg(problem, {}, {}, "Nothing")), "");
}

TEST(Picture, DrawsErrorBarsOfLogNormalDataAsFactors) {
  model::Problem problem{.observables = {{.id = "y", .distribution = model::Distribution::log_normal}},
                         .experiments = {{.id = "default"}}};
  problem.measurements = {{0, 0, 0, 1, std::log(4.0)}, {0, 0, 1, 8, std::log(2.0)}};
  const std::string svg = shooting_svg(problem, {}, {}, "Factors");
  // 4 to 16 around 8: the upper half of the bar is twice as long as the lower one.
  const auto bars = matches(svg, R"re(class="sigma" d="M[0-9.]+ ([0-9.]+)V([0-9.]+))re");
  const auto dots = matches(svg, R"re(class="data" cx="[0-9.]+" cy="([0-9.]+)")re");
  ASSERT_EQ(bars.size(), 3) << "legend and two data";
  ASSERT_EQ(dots.size(), 3);
  const double top = std::stod(bars[2][1]);
  const double bottom = std::stod(bars[2][2]);
  const double middle = std::stod(dots[2][1]);
  EXPECT_NEAR((middle - top) / (bottom - middle), 2, 0.02);
}

TEST(Picture, OfVeryManyDataStaysSmall) {
  model::Problem problem{.observables = {{.id = "y"}}, .experiments = {{.id = "default"}}};
  for (int k = 0; k < 50'000; ++k) problem.measurements.push_back({0, 0, 1e-3 * k, std::sin(1e-3 * k), 0.1});
  problem.measurements.push_back({0, 0, 1, 1e140, 0.1});
  const std::string svg = shooting_svg(problem, {}, {}, "Many");
  EXPECT_EQ(fault_in_xml(svg), "");
  EXPECT_GT(count(svg, "<circle class=\"data\""), 400) << "the line of the data is still there";
  EXPECT_LT(svg.size(), 1'000'000U);
}

}  // namespace
}  // namespace salvo::report
