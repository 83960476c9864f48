#include "cli/progress_line.hpp"

#include <gtest/gtest.h>

namespace salvo::cli {
namespace {

TEST(IterationLine, TellsWhereTheFitStandsAndHowFarTheGapsAreClosed) {
  EXPECT_EQ(iteration_line({.iteration = 7, .objective = -39.2015, .gap = 1e-4, .step = 0.02}, 1, {}, 80),
            "iteration 7   objective -39.2015   gap 1.0e-04   step 2.0e-02  [########.......]");
  EXPECT_EQ(iteration_line({.iteration = 9, .objective = 1, .gap = 1e-12, .step = 1e-9}, 1, {}, 80).back(), ']');
}

TEST(IterationLine, LeavesOutWhatANarrowTerminalHasNoRoomFor) {
  const IterationDone event{.iteration = 123, .objective = -1.23456e-100, .gap = 1e-3, .step = 1e-5};
  for (int width = 0; width <= 200; ++width)
    EXPECT_LE(static_cast<int>(iteration_line(event, 1, {.seconds = 50, .allowed = 60}, width).size()), width);
  EXPECT_EQ(iteration_line(event, 1, {}, 20), "iteration 123");
}

TEST(IterationLine, TellsHowLongItHasTakenAndWhatIsLeft) {
  const IterationDone event{.iteration = 7, .objective = 3, .gap = 1e-4, .step = 0.02};
  EXPECT_EQ(iteration_line(event, 1, {.seconds = 12}, 61),
            "iteration 7   objective 3   gap 1.0e-04   12 s   step 2.0e-02");
  EXPECT_EQ(iteration_line(event, 1, {.seconds = 12, .allowed = 60}, 66),
            "iteration 7   objective 3   gap 1.0e-04   12 s   at most 48 s left");
  EXPECT_EQ(iteration_line(event, 1, {.seconds = 12, .allowed = 10}, 70).find("left") == std::string::npos, false);
}

TEST(CountLine, IsABarAsWideAsTheRoomAllows) {
  const StartDone event{.done = 5, .of = 20, .converged = true};
  EXPECT_EQ(count_line(event, 4, "starts", {.seconds = 1}, 60),
            "5 of 20 starts   4 converged  [#######.....................]");
  EXPECT_EQ(count_line(event, 4, "starts", {.seconds = 60}, 68),
            "5 of 20 starts   4 converged   60 s   about 3 min left  [###.......]");
  EXPECT_EQ(count_line(event, 4, "starts", {.seconds = 60, .allowed = 70}, 55),
            "5 of 20 starts   4 converged   60 s   about 10 s left");
  for (int width = 0; width <= 200; ++width)
    EXPECT_LE(static_cast<int>(count_line(event, 4, "starts", {.seconds = 60}, width).size()), width);
}

TEST(Duration, IsToldInTheUnitThatPeopleWouldUse) {
  EXPECT_EQ(duration_in_words(45.2), "45 s");
  EXPECT_EQ(duration_in_words(180), "3 min");
  EXPECT_EQ(duration_in_words(7200), "2 h");
}

}  // namespace
}  // namespace salvo::cli
