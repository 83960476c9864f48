#include "solve/state/film.hpp"

#include <gtest/gtest.h>

namespace salvo::solve {
namespace {

TEST(Film, KeepsEveryIterationOfAShortRun) {
  Film film;
  for (int k = 0; k < 10; ++k) film.keep({k, 0, {1.0 * k}});
  ASSERT_EQ(film.frames().size(), 10U);
  EXPECT_EQ(film.frames()[7].q, nlp::Point{7.0});
}

TEST(Film, SpreadsAFewFramesOverALongRun) {
  Film film;
  for (int k = 0; k < 1000; ++k) film.keep({k, 0, {0.0}});
  EXPECT_LE(film.frames().size(), Film::most_frames());
  EXPECT_GE(film.frames().size(), Film::most_frames() / 2);
  EXPECT_EQ(film.frames().front().iteration, 0);
  const int stride = film.frames()[1].iteration;
  for (std::size_t i = 0; i < film.frames().size(); ++i)
    EXPECT_EQ(film.frames()[i].iteration, static_cast<int>(i) * stride);
}

TEST(Film, NeverHoldsMoreThanSoManyNumbers) {
  Film film;
  for (int k = 0; k < 8; ++k) film.keep({k, 0, nlp::Point(Film::most_numbers() / 3)});
  std::size_t numbers = 0;
  for (const Frame& frame : film.frames()) numbers += frame.q.size();
  EXPECT_LE(numbers, Film::most_numbers());
  EXPECT_EQ(film.frames().front().iteration, 0);
}

TEST(Film, GoesOnWhereAnotherBegins) {
  Film film;
  for (int k = 0; k <= 3; ++k) film.keep({k, 0, {}});
  Film next;
  for (int k = 0; k <= 2; ++k) next.keep({k, 0, {}});
  next.set_grid(1);
  film.append(std::move(next), 3);
  std::vector<int> iterations;
  std::vector<int> grids;
  for (const Frame& frame : film.frames()) {
    iterations.push_back(frame.iteration);
    grids.push_back(frame.grid);
  }
  EXPECT_EQ(iterations, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(grids, (std::vector<int>{0, 0, 0, 0, 1, 1}));
}

}  // namespace
}  // namespace salvo::solve
