#include "results/grid_error.hpp"

#include <gtest/gtest.h>

namespace salvo {
namespace {

TEST(GridError, SpoilsAnAnswerThatItMovesByHalfAnErrorUnlessThatIsAccepted) {
  EXPECT_FALSE((GridError{.largest = 0.4}).spoils_answer());
  EXPECT_TRUE((GridError{.largest = 0.6}).spoils_answer());
  EXPECT_FALSE((GridError{.largest = 0.6, .is_accepted = true}).spoils_answer());
}

}  // namespace
}  // namespace salvo
