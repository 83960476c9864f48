#include "report/field_map.hpp"

#include <gtest/gtest.h>

#include "report/helpers.hpp"

namespace salvo::report {
namespace {

// Two experiments of one observable, one of them with data at two places.
model::Problem seen() {
  model::Problem problem;
  problem.space.push_back({.id = "x", .from = 0, .to = 2, .cells = 20, .axis = {.unit = "mm", .label = "Depth"}});
  problem.observables.push_back({.id = "seen"});
  problem.experiments = {{.id = "default"}, {.id = "cold <5>"}};
  for (const double t : {1.0, 2.0}) {
    model::Measurement m{.observable = 0, .time = t, .value = 0.4 * t};
    m.place[0] = t - 0.5;
    problem.measurements.push_back(m);
  }
  return problem;
}

FitResult drawn() {
  FitResult result;
  FieldPicture picture{.experiment = 0, .observable = 0, .place = {0, 1, 2}, .time = {0, 1, 2}};
  picture.map = {{0, 0.5, 1}, {0.1, 0.5, 0.9}, {0.3, 0.5, 0.7}};
  result.field_pictures = {picture, picture};
  result.field_pictures[1].experiment = 1;
  return result;
}

TEST(FieldMap, HasTheDataOfItsOwnExperiment) {
  const std::vector<FieldMap> maps = field_maps(seen(), drawn());
  ASSERT_EQ(maps.size(), 2u);
  ASSERT_EQ(maps[0].data.size(), 2u);
  EXPECT_EQ(maps[0].data[1].place, 1.5);
  EXPECT_EQ(maps[0].data[1].time, 2);
  EXPECT_EQ(maps[0].data[1].value, 0.8);
  EXPECT_TRUE(maps[1].data.empty());
  EXPECT_EQ(maps[0].place_name, "Depth (mm)");
  EXPECT_EQ(maps[1].name, "cold <5>, seen");
}

TEST(FieldMap, IsDrawnForLightAndDarkWithHostileNamesAsText) {
  const std::string svg = fields_svg("A & B", field_maps(seen(), drawn()));
  EXPECT_EQ(count(svg, "class=\"data\""), 2);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(svg.find("cold &lt;5&gt;, seen"), std::string::npos);
  EXPECT_EQ(svg.find("cold <5>"), std::string::npos);
  EXPECT_NE(svg.find("A &amp; B"), std::string::npos);
}

// The middle row is 0.5 everywhere: one rectangle of one colour, the colour of the middle.
TEST(FieldMap, DrawsWhatIsEqualAsOneRectangle) {
  FitResult result = drawn();
  result.field_pictures.resize(1);
  result.field_pictures[0].map = {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
  const std::string svg = fields_svg("", field_maps(seen(), result));
  EXPECT_EQ(count(svg, "class=\"level\""), 2);
  EXPECT_EQ(count(svg, "z\"") + count(svg, "zM"), 3);
}

TEST(FieldMap, IsNoneWithoutPictures) { EXPECT_TRUE(field_maps(seen(), {}).empty()); }

}  // namespace
}  // namespace salvo::report
