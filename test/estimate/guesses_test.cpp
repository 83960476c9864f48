#include "estimate/starts/guesses.hpp"

#include <algorithm>
#include <limits>

#include "laid_out.hpp"

namespace salvo::estimate {
namespace {

TEST(SpreadGuesses, BeginWithTheFileAndFillEveryStratumOnce) {
  test::Builder builder = test::decay(test::within(3, 1e-2, 1e2), std::string("1"));
  model::Problem problem = builder.build();
  std::get<model::Estimated>(problem.parameters[0].value).scale = model::Scale::log10;
  constexpr int drawn = 8;
  const auto guesses = spread_guesses(problem, drawn + 1, {.seed = 5});
  EXPECT_EQ(guesses[0].at("k"), 3);
  std::vector<int> strata;
  for (int n = 1; n <= drawn; ++n)
    strata.push_back(static_cast<int>(std::floor((std::log10(guesses[n].at("k")) + 2) / 4 * drawn)));
  std::sort(strata.begin(), strata.end());
  for (int n = 0; n < drawn; ++n) EXPECT_EQ(strata[n], n);
}

TEST(SpreadGuesses, HaveBothSignsWhereNothingSaysOtherwise) {
  const auto signs = [](const model::Estimated& k) {
    const auto guesses = spread_guesses(test::decay(k, std::string("1")).build(), 41, {.seed = 5});
    int negative = 0;
    for (std::size_t n = 1; n < guesses.size(); ++n) {
      EXPECT_LE(std::abs(guesses[n].at("k")), 11 * std::abs(*k.guess));
      negative += guesses[n].at("k") < 0 ? 1 : 0;
    }
    return negative;
  };
  EXPECT_EQ(signs(test::estimated(2)), 10);
  EXPECT_EQ(signs(test::estimated(-0.2)), 30);
  EXPECT_EQ(signs(test::estimated(2, model::Scale::log)), 0);
  EXPECT_EQ(signs(test::within(2, 0, std::numeric_limits<double>::infinity())), 0);
  EXPECT_GT(signs(test::within(2, -std::numeric_limits<double>::infinity(), 3)), 0);
}

}  // namespace
}  // namespace salvo::estimate
