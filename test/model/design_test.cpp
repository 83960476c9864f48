#include "model/design.hpp"

#include <gtest/gtest.h>

namespace salvo::model {
namespace {

TEST(DesignChoices, HaveTheNamesThatUsersWrite) {
  for (const char* name : {"D", "A", "E", "c"}) EXPECT_EQ(to_string(*from_name<DesignCriterion>(name)), name);
  for (const char* name : {"estimate", "prior", "starts", "profile", "file"})
    EXPECT_EQ(to_string(*from_name<DesignOver>(name)), name);
  EXPECT_FALSE(from_name<DesignCriterion>("G"));
}

}  // namespace
}  // namespace salvo::model
