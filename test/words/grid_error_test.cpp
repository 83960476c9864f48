#include "words/grid_error.hpp"

#include <gtest/gtest.h>

namespace salvo::words {
namespace {

const GridError small{.cells = 100, .largest = 0.05};
const GridError large{.cells = 100, .parameters = {{"k", 0.1, 0.2}, {"D", 0.3, 0.9}}, .largest = 0.9, .order = 2.2};

TEST(WordsOfTheGrid, AreNoneWhereItHardlyMovesAnything) { EXPECT_EQ(about_grid(small, {}), ""); }

TEST(WordsOfTheGrid, NameWhatIsMovedMost) {
  EXPECT_EQ(worst_of_grid(large), "D by 0.9 standard errors");
  EXPECT_NE(about_grid(large, {}).find("estimates of the grid and not of the equations"), std::string::npos);
  GridError accepted = large;
  accepted.is_accepted = true;
  EXPECT_NE(about_grid(accepted, {}).find("moves D by 0.9 standard errors"), std::string::npos);
  EXPECT_EQ(about_grid(accepted, {}).find("estimates of the grid"), std::string::npos);
}

// The error falls with the square: nine times less takes three times as many.
TEST(WordsOfTheGrid, SayHowManyCellsAreEnough) {
  EXPECT_EQ(enough_cells(large), 300);
  GridError slow = large;
  slow.order = 0.9;  // which is taken for the first
  EXPECT_EQ(enough_cells(slow), 900);
}

TEST(WordsOfTheGrid, SayWhatCouldNotBeFoundOut) {
  GridError unknown{.cells = 100};
  unknown.trouble = "on 50 cells, the step became too small";
  EXPECT_NE(about_grid(unknown, {}).find("could not be found out: on 50 cells"), std::string::npos);
}

}  // namespace
}  // namespace salvo::words
