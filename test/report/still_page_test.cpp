#include "report/still_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace salvo::report {
namespace {

TEST(StillPage, IsDarkWhereTheSystemIs) {
  const std::string styles = styles_of_still_page();
  const std::size_t asked_for = styles.find("@media (prefers-color-scheme: dark) { :root {");
  ASSERT_NE(asked_for, std::string::npos);
  EXPECT_NE(styles.find("color-scheme: dark;\n}}", asked_for), std::string::npos);
}

TEST(StillPage, ClosesWhatItOpens) {
  const std::string styles = styles_of_still_page();
  EXPECT_EQ(std::count(styles.begin(), styles.end(), '{'), std::count(styles.begin(), styles.end(), '}'));
}

}  // namespace
}  // namespace salvo::report
