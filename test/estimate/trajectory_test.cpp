#include "estimate/ways/trajectory.hpp"

#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

TEST(Append, KeepsWhatWasReachedWhereTheNextRunFailsAtItsStart) {
  solve::SolveResult total;
  total.objective = 12;
  total.gap = 0.5;
  total.trace.push_back({.objective = 12, .gap = 0.5});
  append(total, {.ended = solve::Ended::not_computable});
  EXPECT_EQ(total.objective, 12);
  EXPECT_EQ(total.gap, 0.5);
  EXPECT_EQ(total.ended, solve::Ended::not_computable);
}

// So that it is thinned out as it would have been.
TEST(Append, LeavesTheFilmOfTheFirstRunAsItIs) {
  solve::SolveResult first;
  for (int k = 0; k < 100; ++k) {
    first.trace.push_back({.iteration = k});
    first.film.keep({k, 0, {1}});
  }
  solve::SolveResult total;
  append(total, first);
  EXPECT_EQ(total.film.stride(), first.film.stride());
  EXPECT_EQ(total.film.frames().size(), first.film.frames().size());
}

// Each eps a tenth of the one before, down to the last.
TEST(Smoothings, FallFromOneToTheLastWhereALawHasACorner) {
  test::Builder builder = test::decay(test::estimated(1), std::string("1"));
  EXPECT_EQ(smoothings(builder.build(), {}, 1e-3), std::vector<double>{0});
  builder.observable("robust", "x", "0.1", model::Distribution::laplace);
  const std::vector<double> all = smoothings(builder.build(), {}, 1e-3);
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_NEAR(all[k] / std::pow(0.1, static_cast<double>(k)), 1, 1e-12);
}

}  // namespace
}  // namespace salvo::estimate
