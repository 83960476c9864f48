#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "compile/accelerate.hpp"
#include "compile/native.hpp"

// Machine code against the tape.
namespace salvo::test {

inline bool has_translator() { return compile::translate({}).trouble.empty(); }
#define SKIP_WITHOUT_TRANSLATOR() \
  if (!test::has_translator()) GTEST_SKIP() << "libsalvo_jit.so is not there: " << compile::translate({}).trouble

template <int W>
std::vector<compile::Kernel> translated(std::vector<compile::Kernel> kernels,
                                        std::vector<std::shared_ptr<const void>>& memory) {
  std::vector<compile::NativeOrder> orders;
  for (const compile::Kernel& kernel : kernels) orders.push_back({&kernel.tape().listing(), W});
  compile::NativeCode code = compile::translate(orders);
  EXPECT_EQ(code.trouble, "");
  memory.push_back(code.memory);
  for (std::size_t n = 0; n < kernels.size(); ++n) kernels[n].set_native<W>(std::move(code.kernels[n]));
  return kernels;
}

inline double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  return largest;
}

// Registers are used again, so that the largest number in them is a lower bound of the largest intermediate value.
template <int W>
void expect_kernels_as_on_tape(const compile::CompiledModel& tape, const compile::CompiledModel& native,
                               Random& random) {
  const auto draw = [&random](std::size_t count) {
    std::vector<double> numbers(count * W);
    for (double& number : numbers) number = 0.2 + random.uniform();
    return numbers;
  };
  const std::vector<double> time = draw(1), x = draw(tape.states), p = draw(tape.parameters);
  const std::vector<double> seed = draw(tape.states + tape.active);
  std::vector<double> f(tape.rhs.output_count() * W);
  std::vector<double> work(std::max(1, tape.largest_work()) * W);
  compile::Arguments arguments{.time = time.data(), .state = x.data(), .parameter = p.data(), .seed = seed.data()};
  tape.rhs.run<W>(arguments, work.data(), f.data());
  arguments.kept = f.data() + tape.states * W;
  const auto compare = [&](const compile::Kernel& a, const compile::Kernel& b, const char* name) {
    std::vector<double> expected(a.output_count() * W), out(a.output_count() * W);
    std::vector<double> sums_expected(tape.active * W, 0.5), sums(tape.active * W, 0.5);
    std::fill(work.begin(), work.end(), 0.0);
    a.run<W>(arguments, work.data(), expected.data());
    const double size = std::max({largest_of(work), largest_of(expected), largest_of(x), largest_of(seed)});
    a.add_sums<W>(arguments, work.data(), {}, 1, sums_expected.data());
    b.run<W>(arguments, work.data(), out.data());
    b.add_sums<W>(arguments, work.data(), {}, 1, sums.data());
    for (std::size_t k = 0; k < out.size(); ++k) ASSERT_NEAR(out[k], expected[k], 1e-13 * size) << name << ' ' << k;
    for (std::size_t k = 0; k < sums.size(); ++k)
      ASSERT_NEAR(sums[k], sums_expected[k], 1e-13 * size) << "sums of " << name << ' ' << k;
  };
  compare(tape.rhs, native.rhs, "rhs");
  compare(tape.jacobian, native.jacobian, "jacobian");
  compare(tape.vjp, native.vjp, "vjp");
  compare(tape.jvp_x, native.jvp_x, "jvp_x");
  compare(tape.jvp, native.jvp, "jvp");
}

// Every kernel of every model.
template <int W>
void expect_as_on_tape(const std::vector<model::Problem>& problems, std::uint64_t seed) {
  std::vector<compile::CompiledModel> tapes;
  std::vector<compile::Kernel> kernels;
  const auto kernels_of = [](auto& model) {
    return std::vector{&model.rhs, &model.jacobian, &model.vjp, &model.jvp_x, &model.jvp};
  };
  for (const model::Problem& problem : problems) {
    tapes.push_back(*compile::compile(problem));
    for (const compile::Kernel* kernel : kernels_of(tapes.back())) kernels.push_back(*kernel);
  }
  std::vector<std::shared_ptr<const void>> memory;
  kernels = translated<W>(std::move(kernels), memory);
  Random random(seed);
  auto next = kernels.begin();
  for (std::size_t n = 0; n < tapes.size(); ++n) {
    compile::CompiledModel native = tapes[n];
    for (compile::Kernel* kernel : kernels_of(native)) *kernel = *next++;
    SCOPED_TRACE(fmt::format("model {} from seed {} with {} lanes", n, seed, W));
    expect_kernels_as_on_tape<W>(tapes[n], native, random);
  }
}

}  // namespace salvo::test
