#include "base/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>

namespace salvo {
namespace {

TEST(Machine, HasAsManyCoresAsTheSchedulerAllows) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(usable_cores(), CPU_COUNT(&before));
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores(), 1);
  sched_setaffinity(0, sizeof before, &before);
}

TEST(Machine, HasANameThatFitsIntoThatOfAFile) {
  EXPECT_FALSE(host_name().empty());
  EXPECT_EQ(host_name().find('/'), std::string::npos);
}

TEST(Machine, SaysWhatArithmeticRestsOn) {
  EXPECT_NE(instruction_set().find("C library"), std::string::npos) << instruction_set();
}

}  // namespace
}  // namespace salvo
