#include "base/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace salvo {
namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <class Draw>
Moments moments(const Draw& draw) {
  constexpr int count = 200'000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double value = draw();
    sum += value;
    squares += value * value;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

// The C++ standard fixes the 10,000th number of this engine.
TEST(Random, IsTheSameOnEveryMachine) {
  Random random(5489);
  for (int i = 1; i < 10'000; ++i) random.bits();
  EXPECT_EQ(random.bits(), 9981545732273789042ULL);
}

TEST(Random, RepeatsItselfFromTheSameSeed) {
  Random a(42);
  Random b(42);
  Random other(43);
  EXPECT_EQ(a.normal(), b.normal());
  EXPECT_EQ(a.laplace(), b.laplace());
  EXPECT_NE(a.uniform(), other.uniform());
}

TEST(Random, HasStreamsThatDiffer) {
  std::vector<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t index = 0; index < 30; ++index) first.push_back(Random::stream(seed, index).bits());
  }
  std::sort(first.begin(), first.end());
  EXPECT_EQ(std::unique(first.begin(), first.end()), first.end());
  EXPECT_EQ(Random::stream(7, 3).bits(), Random::stream(7, 3).bits());
}

// Mean and variance of each law in closed form; the bounds are five standard errors of 200,000 draws.
TEST(Random, HasTheMomentsOfItsLaws) {
  Random random(1);
  const Moments uniform = moments([&] { return random.uniform(); });
  EXPECT_NEAR(uniform.mean, 0.5, 5 * std::sqrt(1.0 / 12 / 200'000));
  EXPECT_NEAR(uniform.variance, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / 200'000));
  const Moments normal = moments([&] { return random.normal(); });
  EXPECT_NEAR(normal.mean, 0, 5 * std::sqrt(1.0 / 200'000));
  EXPECT_NEAR(normal.variance, 1, 5 * std::sqrt(2.0 / 200'000));
  const Moments laplace = moments([&] { return random.laplace(); });
  EXPECT_NEAR(laplace.mean, 0, 5 * std::sqrt(2.0 / 200'000));
  EXPECT_NEAR(laplace.variance, 2, 5 * std::sqrt(20.0 / 200'000));
}

TEST(Random, StaysInsideTheUnitInterval) {
  Random random(9);
  for (int i = 0; i < 100'000; ++i) {
    const double value = random.uniform();
    ASSERT_GT(value, 0);
    ASSERT_LT(value, 1);
  }
}

// Normal numbers of neighbouring streams, which the replicates of a study take: the variance of a mean correlation of n
// pairs is 1 / n.
TEST(Random, StreamsAreNotCorrelated) {
  constexpr int streams = 400;
  constexpr int draws = 50;
  const auto drawn = [](std::uint64_t index) {
    Random random = Random::stream(3, index);
    std::vector<double> numbers(draws);
    for (double& number : numbers) number = random.normal();
    return numbers;
  };
  double correlation = 0;
  for (std::uint64_t index = 0; index < streams; ++index) {
    const std::vector<double> one = drawn(index);
    const std::vector<double> next = drawn(index + 1);
    for (int n = 0; n < draws; ++n) correlation += one[n] * next[n];
  }
  correlation /= streams * draws;
  EXPECT_NEAR(correlation, 0, 5 / std::sqrt(streams * draws));
}

}  // namespace
}  // namespace salvo
