#include "compile/compiled_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "helpers/differences.hpp"
#include "helpers/problems.hpp"

namespace salvo::compile {
namespace {

using test::Builder;
using test::estimated;

std::vector<double> run(const Kernel& tape, double time, const std::vector<double>& x, const std::vector<double>& p,
                        const std::vector<double>& seed = {}) {
  std::vector<double> work(tape.work_size());
  std::vector<double> out(tape.output_count());
  tape.run<1>({.time = &time, .state = x.data(), .parameter = p.data(), .seed = seed.data()}, work.data(), out.data());
  return out;
}

// A Jacobian's non-zeros at their places; zero elsewhere.
std::map<std::pair<int, int>, double> places(const Pattern& pattern, const double* values) {
  std::map<std::pair<int, int>, double> out;
  for (int z = 0; z < pattern.size(); ++z) out[{pattern.row[z], pattern.column[z]}] = values[z];
  return out;
}
double entry(const std::map<std::pair<int, int>, double>& jacobian, int row, int column) {
  const auto found = jacobian.find({row, column});
  return found == jacobian.end() ? 0.0 : found->second;
}

struct NamedProblem {
  std::string name;
  model::Problem problem;
  std::vector<double> x;
  std::vector<double> p;
};

std::vector<NamedProblem> problems() {
  return {{"predator and prey", test::predator_prey(), {0.7, 1.3}, {0.9, 1.1, 0.8, 1.2}},
          {"notorious", test::notorious("20").build(), {0.3, 2.1}, {3.0}},
          {"FitzHugh-Nagumo", test::fitzhugh_nagumo().build(), {-0.6, 0.4}, {0.2, 0.3, 2.8}},
          {"driven", test::driven().build(), {0.3, -0.8}, {2.1, 0.3, 1.4, 1.7}},
          {"many functions", test::many_functions().build(), {0.8, 0.6}, {1.3, 0.7, 1}},  // the last is a truth value
          {"neural", test::neural(5), {0.8, 0.6}, test::guesses(test::neural(5))}};
}

// [lambda' f_x, lambda' f_p], through what f keeps.
std::vector<double> pulled_back(const CompiledModel& model, double time, const std::vector<double>& x,
                                const std::vector<double>& p, const std::vector<double>& lambda) {
  const std::vector<double> f = run(model.rhs, time, x, p);
  std::vector<double> work(model.vjp.work_size());
  std::vector<double> out(model.states + model.active, 0.0);
  const Arguments arguments{
      .time = &time, .state = x.data(), .parameter = p.data(), .seed = lambda.data(), .kept = f.data() + model.states};
  model.vjp.run<1>(arguments, work.data(), out.data());
  model.vjp.add_sums<1>(arguments, work.data(), {}, 1, out.data() + model.states);
  return out;
}

TEST(CompiledModel, JacobianIsTheDerivativeOfTheRightHandSide) {
  for (const NamedProblem& named : problems()) {
    SCOPED_TRACE(named.name);
    const auto model = compile(named.problem);
    const int d = model->states;
    const double time = 0.45;
    const std::vector<double> nonzeros = run(model->jacobian, time, named.x, named.p);
    const auto f_x = places(model->f_x, nonzeros.data());
    const auto f_p = places(model->f_p, nonzeros.data() + model->f_x.size());
    for (int c = 0; c < d + model->active; ++c) {
      const auto f = [&](double value) {
        std::vector<double> x = named.x;
        std::vector<double> p = named.p;
        (c < d ? x[c] : p[c - d]) = value;
        return run(model->rhs, time, x, p);
      };
      const std::vector<double> expected = test::difference(f, c < d ? named.x[c] : named.p[c - d]);
      for (int i = 0; i < d; ++i) {
        const double value = c < d ? entry(f_x, i, c) : entry(f_p, i, c - d);
        EXPECT_LE(test::relative_error(value, expected[i]), 1e-9) << "row " << i << ", column " << c;
      }
    }
  }
}

TEST(CompiledModel, TransposedProductIsThatOfTheJacobian) {
  for (const NamedProblem& named : problems()) {
    SCOPED_TRACE(named.name);
    const auto model = compile(named.problem);
    const std::vector<double> lambda{0.7, -1.9};
    const std::vector<double> nonzeros = run(model->jacobian, 0.45, named.x, named.p);
    std::vector<double> expected(model->states + model->active, 0.0);
    for (int z = 0; z < model->f_x.size(); ++z)
      expected[model->f_x.column[z]] += lambda[model->f_x.row[z]] * nonzeros[z];
    for (int z = 0; z < model->f_p.size(); ++z)
      expected[model->states + model->f_p.column[z]] += lambda[model->f_p.row[z]] * nonzeros[model->f_x.size() + z];
    const std::vector<double> product = pulled_back(*model, 0.45, named.x, named.p, lambda);
    ASSERT_EQ(product.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_LE(test::relative_error(product[i], expected[i]), 1e-14) << i;
  }
}

TEST(CompiledModel, PullbackOfANetworkCostsLittleMoreThanTheNetwork) {
  const auto model = compile(test::neural(60));  // 3962 weights
  EXPECT_EQ(model->kept, 120);                   // the units of its hidden layers
  // Forward one product that is added for each weight; backward two of them. No unit is computed again.
  EXPECT_LE(model->rhs.instruction_count(), 1.05 * model->active);
  EXPECT_LE(model->vjp.instruction_count(), 2.1 * model->active);
  EXPECT_LE(model->vjp.work_size(), 300);
}

TEST(CompiledModel, KeepsNothingThatIsCheapToComputeAgain) { EXPECT_EQ(compile(test::predator_prey())->kept, 0); }

TEST(CompiledModel, KnowsWhatTheEquationsUse) {
  Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("sigma", estimated(0.1)).parameter("k", estimated(0.5));
  builder.observable("x", "x", "sigma").experiment("free", {"1"});
  EXPECT_EQ(compile(builder.build())->rhs_uses, (std::vector<bool>{false, true}));
}

TEST(CompiledModel, KnowsWhetherTimeMatters) {
  EXPECT_FALSE(compile(test::predator_prey())->uses_time);
  EXPECT_TRUE(compile(test::driven().build())->uses_time);
  EXPECT_TRUE(compile(test::many_functions().build())->uses_time);
}

TEST(CompiledModel, FoldsConstantsIntoTheFormulas) {
  const auto model = compile(test::notorious("20").build());
  EXPECT_EQ(model->parameters, 1);  // p; mu is a number
  const double p = 3;
  const std::vector<double> f = run(model->rhs, 0.2, {0.5, 1}, {p});
  EXPECT_EQ(f[0], 1);
  EXPECT_NEAR(f[1], 400 * 0.5 - (400 + p * p) * std::sin(p * 0.2), 1e-12);
}

TEST(CompiledModel, ObservablesHaveDerivativesOfTheirNoiseToo) {
  const auto model = compile(test::many_functions().build());
  const ObservableKernel& kernel = model->observables[0];  // u w + t with noise 0.1 + 0.05 u^2 + 0.01 b
  const std::vector<double> x{0.8, 0.6};
  const std::vector<double> p{1.3, 0.7};
  const std::vector<double> value = run(kernel.value, 2.5, x, p);
  EXPECT_NEAR(value[0], 0.8 * 0.6 + 2.5, 1e-15);
  EXPECT_NEAR(value[1], 0.1 + 0.05 * 0.64 + 0.007, 1e-15);
  const std::vector<double> all = run(kernel.derivative, 2.5, x, p);
  EXPECT_EQ(all[0], value[0]);
  EXPECT_EQ(all[1], value[1]);
  const auto by_state = places(kernel.by_state, all.data() + 2);
  const auto by_parameter = places(kernel.by_parameter, all.data() + 2 + kernel.by_state.size());
  EXPECT_NEAR(entry(by_state, 0, 0), 0.6, 1e-15);
  EXPECT_NEAR(entry(by_state, 0, 1), 0.8, 1e-15);
  EXPECT_NEAR(entry(by_state, 1, 0), 0.1 * 0.8, 1e-15);
  EXPECT_EQ(entry(by_state, 1, 1), 0);
  EXPECT_NEAR(entry(by_parameter, 1, 1), 0.01, 1e-17);
  EXPECT_EQ(kernel.by_parameter.size(), 1);
}

// k is estimated; dose is set by number in one experiment and by a formula of k in another; gain is only ever set by
// numbers; rate is a constant that nobody touches.
model::Problem three_experiments() {
  Builder builder(test::Equations{{"x", "gain*dose - k*rate*x"}});
  builder.parameter("gain", 2.0).parameter("rate", 3.0).parameter("dose", 1.0).parameter("k", estimated(0.5));
  builder.observable("x", "x", "0.1");
  builder.experiment("plain", {"dose + k"});
  builder.experiment("numbers", {"dose + k"}, {{2, "7"}, {0, "11"}});
  builder.experiment("formula", {"dose*gain"}, {{2, "k^2 + rate"}});
  return builder.build();
}

TEST(CompiledModel, PutsWhatDependsOnThetaFirst) {
  const auto model = compile(three_experiments());
  EXPECT_EQ(model->thetas, 1);
  EXPECT_EQ(model->active, 2);      // dose (through k) and k, in the order of the file
  EXPECT_EQ(model->parameters, 3);  // and gain, which experiments merely set
  const std::vector<double> f = run(model->rhs, 0, {2.0}, {/*dose*/ 5, /*k*/ 0.5, /*gain*/ 4});
  EXPECT_NEAR(f[0], 4 * 5 - 0.5 * 3 * 2.0, 1e-15);
}

TEST(CompiledModel, ExperimentsSetTheirOwnParametersAndStarts) {
  const auto model = compile(three_experiments());
  const std::vector<double> theta{0.5};
  const std::vector<std::vector<double>> expected{{1, 0.5, 2, /*x0*/ 1.5}, {7, 0.5, 11, 7.5}, {3.25, 0.5, 2, 6.5}};
  for (int e = 0; e < 3; ++e) {
    const std::vector<double> values = run(model->experiments[e].value, 0, {}, theta);
    ASSERT_EQ(values.size(), 4u);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(values[i], expected[e][i], 1e-15) << e << " " << i;
  }
}

TEST(CompiledModel, ExperimentsHaveTheDerivativesOfTheirValues) {
  const auto model = compile(three_experiments());
  for (int e = 0; e < 3; ++e) {
    const ExperimentKernel& kernel = model->experiments[e];
    const std::vector<double> expected = test::difference([&](double k) { return run(kernel.value, 0, {}, {k}); }, 0.5);
    const std::vector<double> nonzeros = run(kernel.derivative, 0, {}, {0.5});
    const auto slope = places(kernel.pattern, nonzeros.data());
    EXPECT_NEAR(entry(slope, 0, 0), expected[0], 1e-11) << e;  // dose
    EXPECT_NEAR(entry(slope, 1, 0), expected[1], 1e-11) << e;  // k
    EXPECT_NEAR(entry(slope, 2, 0), expected[3], 1e-11) << e;  // x0
  }
}

TEST(CompiledModel, AnEstimatedParameterCanBeANumberInOneExperiment) {
  Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", estimated(0.5));
  builder.observable("x", "x", "0.1").experiment("free", {"1"}).experiment("set", {"1/k"}, {{0, "4"}});
  const auto model = compile(builder.build());
  EXPECT_EQ(run(model->experiments[0].value, 0, {}, {0.5}), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(run(model->experiments[1].value, 0, {}, {0.5}), (std::vector<double>{4, 0.25}));
  EXPECT_EQ(model->experiments[1].pattern.size(), 0);
}

TEST(CompiledModel, LargestWorkServesEveryKernel) {
  const auto model = compile(test::many_functions().build());
  for (const Kernel* tape : {&model->rhs, &model->jacobian, &model->vjp, &model->observables[0].derivative})
    EXPECT_GE(model->largest_work(), tape->work_size());
}

// Of a size that takes minutes if what is compiled for one of them grows with the others.
TEST(Compile, TakesManyEventsAndArguments) {
  constexpr int count = 20'000;
  Builder builder = test::decay(estimated(1), std::string("1"));
  for (int i = 0; i < count; ++i) builder.event_when("x < -" + std::to_string(i), {{0, "x + 1"}});
  const auto with_events = compile(builder.measure(0, 0, 1, 1).build());
  EXPECT_EQ(with_events->discontinuities->events.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(with_events->discontinuities->functions[count - 1].first_event, count - 1);

  std::string largest = "max(x";
  for (int i = 1; i < count; ++i) largest += ", x*" + std::to_string(i + 1);
  Builder many({{"x", "-" + largest + ")"}});
  many.experiment("e", {std::string("1")}).observable("y", "x", "1").measure(0, 0, 1, 1);
  const auto with_arguments = compile(many.build());
  EXPECT_EQ(with_arguments->discontinuities->truths, count - 1);
}

// What was told to stop is not half a model.
TEST(CompiledModel, ThatNobodyWaitsForIsNotMade) {
  StopFlag stop;
  EXPECT_NE(compile(test::predator_prey(), &stop), nullptr);
  stop.raise();
  EXPECT_EQ(compile(test::predator_prey(), &stop), nullptr);
  Builder builder = test::decay(test::estimated(1), std::string("1"));
  for (int i = 0; i < 3; ++i) builder.event_at({"0.5"}, {{0, "x + 1"}}).event_when("x < 0.1", {{0, "x + 1"}});
  EXPECT_EQ(compile(builder.build(), &stop), nullptr);
}

// Of a thousand initial values each is that of the one before it, twice over.
TEST(CompiledModel, FollowsAChainOfInitialValues) {
  constexpr int count = 1000;
  test::Equations equations;
  std::vector<std::variant<std::string, model::Estimated>> initial;
  for (int i = 0; i < count; ++i) {
    equations.emplace_back("x" + std::to_string(i), "0");
    initial.emplace_back(i == 0 ? std::string("k") : "initial_x" + std::to_string(i - 1) + " + 1");
  }
  Builder builder(equations);
  builder.parameter("k", estimated(1)).experiment("e", initial);
  const auto model = compile(builder.build());
  const std::vector<double> values = run(model->experiments[0].value, 0, {}, {2.5}, std::vector<double>(count, 0.0));
  ASSERT_EQ(values.size(), 1U + count);
  for (int i = 0; i < count; ++i) EXPECT_EQ(values[1 + i], 2.5 + i);
}

}  // namespace
}  // namespace salvo::compile
