#include "formats/tables/parameter_table.hpp"

#include <gtest/gtest.h>

#include "formats/folder.hpp"

namespace salvo::formats::parameter_table_test {
namespace {

using Values = std::map<std::string, double>;

Result<Values> read(const std::string& text) {
  const Folder folder({{"values.tsv", text}});
  return read_parameter_table(folder / "values.tsv");
}

TEST(ParameterTable, ReadsNamesAndValuesAndIgnoresOtherColumns) {
  const auto values = read("value\tparameterId\tremark\n0.5\tp1\tfirst\n-2e3\tp2\t\n");
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, (Values{{"p1", 0.5}, {"p2", -2000}}));
}

TEST(ParameterTable, ReadsTheEstimatesOfAnEarlierFit) {
  const auto values = read("id\texperiment\testimate\tstandard_error\np1\t\t0.5\t\nx1\tlow\t2\t0.1\n");
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, (Values{{"p1", 0.5}, {"low:x1", 2}}));
}

TEST(ParameterTable, SaysWhichCellIsNotANumber) {
  const auto values = read("parameterId\tvalue\np1\t0.5\np2\thalf\n");
  ASSERT_FALSE(values);
  ASSERT_EQ(values.issues().size(), 1u);
  EXPECT_EQ(values.issues()[0].line, 3);
  EXPECT_EQ(values.issues()[0].column, 4);
}

TEST(ParameterTable, RefusesTheSameNameTwice) {
  const auto values = read("parameterId\tvalue\np1\t0.5\np1\t1\n");
  ASSERT_FALSE(values);
  EXPECT_EQ(values.issues()[0].line, 3);
}

TEST(ParameterTable, NeedsItsHeader) {
  const auto values = read("p1\t0.5\n");
  ASSERT_FALSE(values);
  EXPECT_NE(values.issues()[0].message.find("parameterId"), std::string::npos);
}

TEST(ParameterTable, HintsAtTabsWhereCommasSeparate) {
  const auto values = read("parameterId,value\np1,0.5\n");
  ASSERT_FALSE(values);
  EXPECT_EQ(values.issues().size(), 1u);
  EXPECT_NE(values.issues()[0].message.find("tabs"), std::string::npos);
}

}  // namespace
}  // namespace salvo::formats::parameter_table_test
