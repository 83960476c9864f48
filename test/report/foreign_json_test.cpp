#include "report/foreign_json.hpp"

#include <gtest/gtest.h>

#include <string>

namespace salvo::report {
namespace {

TEST(ForeignJson, IsReadUnlessItIsNestedTooDeep) {
  EXPECT_EQ(parse_foreign(R"({"a": [1, {"b": "]]]\"[[["}]})")["a"][1]["b"], "]]]\"[[[");
  EXPECT_TRUE(parse_foreign(std::string(60, '[') + std::string(60, ']')).is_array());
  EXPECT_TRUE(parse_foreign(std::string(100, '[') + std::string(100, ']')).is_discarded());
  EXPECT_TRUE(parse_foreign(std::string(3'000'000, '[')).is_discarded());
  EXPECT_TRUE(parse_foreign("\"" + std::string(100, '[') + "\"").is_string()) << "of words anything may be said";
  EXPECT_TRUE(parse_foreign("{").is_discarded());
}

}  // namespace
}  // namespace salvo::report
