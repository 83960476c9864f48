#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "compile/agreement.hpp"
#include "compile/random_graph.hpp"
#include "helpers/problems.hpp"

namespace salvo::compile {
namespace {

using test::expect_kernels_as_on_tape;
using test::Graph;
using test::NodeId;
using test::Op;
using test::RandomGraph;
using test::translated;

bool is_exact(Op op) {
  return op != Op::power && (op < Op::exp || op == Op::sqrt || op == Op::abs || op == Op::sign || op == Op::select);
}

template <int W, class Filter>
void expect_the_bits_of_the_tape(std::uint64_t first_seed, int count, const Filter& can_hold) {
  std::vector<Kernel> tapes;
  for (int n = 0; n < count; ++n) {
    const RandomGraph random_graph(first_seed + n, can_hold);
    tapes.push_back(Kernel(random_graph.graph, random_graph.outputs, random_graph.signature));
  }
  std::vector<std::shared_ptr<const void>> memory;
  const std::vector<Kernel> natives = translated<W>(tapes, memory);
  Random random(first_seed);
  for (int n = 0; n < count; ++n) {
    if (tapes[n].output_count() == 0) continue;
    const test::Lanes<W> lanes(random);
    const std::vector<double> expected = lanes.run(tapes[n]);
    const std::vector<double> out = lanes.run(natives[n]);
    for (std::size_t k = 0; k < out.size(); ++k)
      ASSERT_TRUE(test::same_bits(out[k], expected[k])) << "graph " << first_seed + n << ", " << W << " lanes, number "
                                                        << k << ": " << out[k] << " is not " << expected[k];
  }
}

TEST(MachineCode, HasTheBitsOfTheTapeWithOneLane) {
  SKIP_WITHOUT_TRANSLATOR();
  expect_the_bits_of_the_tape<1>(1, 500, [](Op) { return true; });
}

TEST(MachineCode, HasTheBitsOfTheTapeOnEveryLaneWhereNothingIsRounded) {
  SKIP_WITHOUT_TRANSLATOR();
  expect_the_bits_of_the_tape<4>(1, 300, is_exact);
  expect_the_bits_of_the_tape<8>(301, 300, is_exact);
}

// A comparison that is never true, divided by one that may be: LLVM 19 took that for 0 where it has AVX-512.
TEST(MachineCode, KnowsThatNothingDividedByNothingIsNoNumber) {
  SKIP_WITHOUT_TRANSLATOR();
  Graph graph;
  const NodeId x = graph.symbol("x");
  const NodeId square = graph.make(Op::multiply, x, x);
  const NodeId never = graph.make(Op::less, square, square);
  const NodeId maybe = graph.make(Op::equal, x, graph.constant(0));
  const Kernel tape(graph, std::vector<NodeId>{graph.make(Op::divide, never, maybe)}, {{x, {Bank::state, 0}}});
  std::vector<std::shared_ptr<const void>> memory;
  const std::vector<double> state{0, 1, -0.0, 2};
  std::vector<double> work(4 * tape.tape().listing().work_size), out(4);
  translated<4>({tape}, memory)[0].run<4>({.state = state.data()}, work.data(), out.data());
  EXPECT_EQ(out[0], 0);
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_EQ(out[2], 0);
  EXPECT_TRUE(std::isnan(out[3]));
}

// --- functions of the vector library ---------------------------------------------------------------------------------

double units_in_the_last_place(double a, double b) {
  if ((std::isnan(a) && std::isnan(b)) || a == b) return 0;
  const double unit = std::nextafter(std::abs(b), std::numeric_limits<double>::infinity()) - std::abs(b);
  return std::abs(a - b) / unit;
}

const std::vector<Op>& functions() {
  static const std::vector<Op> all{Op::exp,  Op::log,  Op::log2, Op::log10, Op::sin,  Op::cos,   Op::tan,   Op::asin,
                                   Op::acos, Op::atan, Op::sinh, Op::cosh,  Op::tanh, Op::asinh, Op::acosh, Op::atanh};
  return all;
}

template <int W>
void expect_functions_within_four_units() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  std::vector<Kernel> tapes;
  for (const Op op : functions()) {
    Graph graph;
    const NodeId x = graph.symbol("x");
    tapes.push_back(Kernel(graph, std::vector<NodeId>{graph.make(op, x)}, {{x, {Bank::state, 0}}}));
  }
  std::vector<std::shared_ptr<const void>> memory;
  const std::vector<Kernel> natives = translated<W>(tapes, memory);
  std::vector<double> inputs{0.0, -0.0, 1.0, -1.0, inf, -inf, std::nan(""), 5e-324, 1e-310, 1e300, -1e300, 710, -750};
  Random random(7);
  while (inputs.size() % W != 0 || inputs.size() < 4000)
    inputs.push_back(random.normal() * std::exp(3 * random.normal()));
  for (std::size_t f = 0; f < functions().size(); ++f) {
    for (std::size_t n = 0; n < inputs.size(); n += W) {
      std::vector<double> work(W), expected(W), out(W);
      tapes[f].run<W>({.state = inputs.data() + n}, work.data(), expected.data());
      natives[f].run<W>({.state = inputs.data() + n}, work.data(), out.data());
      for (int l = 0; l < W; ++l)
        ASSERT_LE(units_in_the_last_place(out[l], expected[l]), 4)
            << "operation " << static_cast<int>(functions()[f]) << " of " << inputs[n + l] << " with " << W
            << " lanes: " << out[l] << " is not " << expected[l];
    }
  }
}

TEST(MachineCode, HasFunctionsThatAreExactToFourUnitsInTheLastPlace) {
  SKIP_WITHOUT_TRANSLATOR();
  expect_functions_within_four_units<4>();
  expect_functions_within_four_units<8>();
}

TEST(MachineCode, RaisesToPowersWithinFourUnitsInTheLastPlace) {
  SKIP_WITHOUT_TRANSLATOR();
  Graph graph;
  const NodeId x = graph.symbol("x");
  const NodeId y = graph.symbol("y");
  const Kernel tape(graph, std::vector<NodeId>{graph.make(Op::power, x, y)},
                    {{x, {Bank::state, 0}}, {y, {Bank::state, 1}}});
  std::vector<std::shared_ptr<const void>> memory;
  const Kernel native = translated<4>({tape}, memory)[0];
  Random random(8);
  const std::vector<double> special{0, -0.0, 1, -1, 2, 0.5, -2, 3, std::numeric_limits<double>::infinity(), 1e-310};
  for (int n = 0; n < 3000; ++n) {
    double state[8];
    for (int l = 0; l < 4; ++l) {
      const bool drawn = n > 200;
      state[l] = drawn ? std::exp(3 * random.normal()) : special[random.bits() % special.size()];
      state[4 + l] = drawn ? 5 * random.normal() : special[random.bits() % special.size()];
    }
    double work[4], expected[4], out[4];
    tape.run<4>({.state = state}, work, expected);
    native.run<4>({.state = state}, work, out);
    for (int l = 0; l < 4; ++l)
      ASSERT_LE(units_in_the_last_place(out[l], expected[l]), 4) << state[l] << " to the " << state[4 + l];
  }
}

// --- models ----------------------------------------------------------------------------------------------------------

// Equations as people write them: sums of rates, some of them saturating, periodic or with a switch.
model::Problem random_model(std::uint64_t seed) {
  Random random(seed);
  const auto pick = [&random](int count) { return static_cast<int>(random.bits() % count); };
  const int d = 1 + pick(3);
  const auto x = [&] { return fmt::format("x{}", pick(d)); };
  const auto p = [&] { return fmt::format("p{}", pick(4)); };
  const auto rate = [&]() -> std::string {
    switch (pick(10)) {
      case 0: return fmt::format("{}*{}", p(), x());
      case 1: return fmt::format("{}*{}*{}", p(), x(), x());
      case 2: return fmt::format("{}*{}/({} + {}^2 + 0.1)", p(), x(), p(), x());
      case 3: return fmt::format("{}*exp(-{}*{}^2)", p(), p(), x());
      case 4: return fmt::format("sin({}*t)*{}", p(), x());
      case 5: return fmt::format("tanh({}*{})", p(), x());
      case 6: return fmt::format("({}^2 + 0.5)^{}", x(), p());
      case 7: return fmt::format("max({}, {})", x(), p());
      case 8: return fmt::format("sqrt({}^2 + 1)*log({}^2 + 1.5)", x(), x());
      default: return fmt::format("{}*abs({})", p(), x());
    }
  };
  test::Equations equations;
  for (int i = 0; i < d; ++i) {
    std::string sum = "-" + rate();
    for (int n = pick(2); n >= 0; --n) sum += (pick(2) == 0 ? " + " : " - ") + rate();
    equations.push_back({fmt::format("x{}", i), sum});
  }
  test::Builder builder(equations);
  for (int k = 0; k < 4; ++k) builder.parameter(fmt::format("p{}", k), test::estimated(1));
  const std::vector<std::variant<std::string, model::Estimated>> initial(d, std::string("1"));
  builder.observable("y", "x0*p0", "0.1").experiment(model::default_experiment, initial);
  builder.measure(0, 0, 1, 1);
  return builder.build();
}

template <int W>
void expect_models_as_on_tape(std::uint64_t first_seed, int count) {
  std::vector<model::Problem> problems;
  for (int n = 0; n < count; ++n) problems.push_back(random_model(first_seed + n));
  test::expect_as_on_tape<W>(problems, first_seed);
}

TEST(MachineCode, AgreesWithTheTapeOnAThousandRandomModels) {
  SKIP_WITHOUT_TRANSLATOR();
  expect_models_as_on_tape<1>(1, 334);
  expect_models_as_on_tape<4>(335, 333);
  expect_models_as_on_tape<8>(668, 333);
}

TEST(MachineCode, OfALongModelComesInPieces) {
  SKIP_WITHOUT_TRANSLATOR();
  Graph graph;
  std::vector<NodeId> x;
  Signature signature;
  for (int i = 0; i < 50; ++i) {
    x.push_back(graph.symbol(fmt::format("x{}", i)));
    signature[x[i]] = {Bank::state, i};
  }
  std::vector<NodeId> outputs;
  NodeId early = graph.multiply(x[0], x[1]);
  for (int n = 0; n < 2000; ++n) {
    early = graph.add(graph.multiply(early, graph.constant(0.999)), x[n % 50]);
    if (n % 100 == 0) outputs.push_back(early);
  }
  outputs.push_back(graph.multiply(early, outputs[0]));  // what the first piece computed is read by the last
  const Kernel tape(graph, outputs, signature);
  std::vector<std::shared_ptr<const void>> memory;
  const Kernel native = translated<4>({tape}, memory)[0];
  Random random(3);
  std::vector<double> state(200);
  for (double& number : state) number = random.normal();
  std::vector<double> work(tape.work_size() * 4), expected(tape.output_count() * 4), out(tape.output_count() * 4);
  tape.run<4>({.state = state.data()}, work.data(), expected.data());
  std::fill(work.begin(), work.end(), std::nan(""));
  native.run<4>({.state = state.data()}, work.data(), out.data());
  EXPECT_EQ(out, expected);
}

TEST(MachineCode, NeverStandsInMemoryThatIsWritableAndExecutable) {
  SKIP_WITHOUT_TRANSLATOR();
  const Accelerated native = accelerate(*compile(test::predator_prey()), {.lanes = 4});
  ASSERT_EQ(native.trouble, "");
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) EXPECT_EQ(line.find("rwx"), std::string::npos) << line;
}

TEST(MachineCode, IsGivenUpOnceARunIsStoppedAndCanBeMadeLater) {
  SKIP_WITHOUT_TRANSLATOR();
  const auto tape = compile(test::predator_prey());
  StopFlag stop;
  stop.raise();
  const Accelerated given_up = tape->accelerator->accelerated(*tape, {.lanes = 4}, &stop);
  EXPECT_EQ(given_up.model, nullptr);
  EXPECT_EQ(given_up.trouble, "it was stopped");
  stop.lower();
  EXPECT_NE(tape->accelerator->accelerated(*tape, {.lanes = 4}, &stop).model, nullptr);
}

TEST(MachineCode, SumsOverStagesAsTheTapeDoes) {
  SKIP_WITHOUT_TRANSLATOR();
  const auto tape = compile(test::predator_prey());
  const Accelerated native = accelerate(*tape, {.lanes = 4});
  ASSERT_EQ(native.trouble, "");
  constexpr int stages = 6;
  Random random(4);
  const auto draw = [&random](std::size_t count) {
    std::vector<double> numbers(count * 4);
    for (double& number : numbers) number = random.normal();
    return numbers;
  };
  const std::size_t registers = tape->vjp.work_size();
  const auto x = draw(2 * stages), p = draw(4), seed = draw(2 * stages), kept = draw(std::max(1, tape->kept) * stages);
  const Strides strides{.state = 8, .seed = 8, .kept = static_cast<std::size_t>(tape->kept) * 4, .work = registers * 4};
  const auto sums_of = [&](const Kernel& kernel) {
    std::vector<double> work(registers * 4 * stages), out(8), sums(tape->active * 4, 1.0);
    const auto at = [&](int i) {
      return Arguments{.state = x.data() + i * strides.state,
                       .parameter = p.data(),
                       .seed = seed.data() + i * strides.seed,
                       .kept = kept.data() + i * strides.kept};
    };
    for (int i = 0; i < stages; ++i) kernel.run<4>(at(i), work.data() + i * strides.work, out.data());
    kernel.add_sums<4>(at(0), work.data(), strides, stages, sums.data());
    return sums;
  };
  EXPECT_EQ(sums_of(native.model->vjp), sums_of(tape->vjp));
}

}  // namespace
}  // namespace salvo::compile
