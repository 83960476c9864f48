#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "compile/accelerate.hpp"
#include "flight.hpp"
#include "helpers/differences.hpp"
#include "integrate/rodas5p_tableau.hpp"
#include "stiff_problems.hpp"

namespace salvo::integrate {
namespace {

using test::Flight;
using test::Lane;
using test::Square;
using test::Vector;
using Tableau = Rodas5pTableau;
constexpr int s = Tableau::stages;

// --- the coefficients ------------------------------------------------------------------------------------------------

Square<double> inverse(Square<double> a) {
  const std::size_t n = a.size();
  Square<double> out(n, Vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) out[i][i] = 1;
  for (std::size_t k = 0; k < n; ++k) {  // lower triangular: the diagonal serves as pivot
    for (std::size_t j = 0; j < n; ++j) out[k][j] /= a[k][k];
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i][j] -= a[i][k] * out[k][j];
  }
  return out;
}

// Back from the variables of the code to those of the theory ([HW96] IV.7): alpha_ij, gamma_ij and b_i.
struct Theory {
  Square<double> alpha, gamma, beta;
  Vector<double> b;
  Theory() : alpha(s, Vector<double>(s, 0.0)), beta(alpha), b(s, 0.0) {
    Square<double> inverse_gamma(s, Vector<double>(s, 0.0));
    for (int i = 0; i < s; ++i) {
      inverse_gamma[i][i] = 1 / Tableau::gamma;
      for (int j = 0; j < i; ++j) inverse_gamma[i][j] = -Tableau::c[i][j];
    }
    gamma = inverse(inverse_gamma);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) {
        for (int k = 0; k < i; ++k) alpha[i][j] += Tableau::a[i][k] * gamma[k][j];
        beta[i][j] = alpha[i][j] + gamma[i][j];
        const double m = i == s - 1 ? 1 : Tableau::a[s - 1][i];
        b[j] += m * gamma[i][j];
      }
  }
};

struct Tree {
  std::vector<Tree> children{};
  int order() const {
    int count = 1;
    for (const Tree& child : children) count += child.order();
    return count;
  }
  double density() const {
    double product = order();
    for (const Tree& child : children) product *= child.density();
    return product;
  }
  double weight(const Theory& theory, int j) const {
    double product = 1;
    for (const Tree& child : children) {
      double sum = 0;
      const auto& coefficient = children.size() == 1 ? theory.beta : theory.alpha;
      for (int k = 0; k < s; ++k) sum += coefficient[j][k] * child.weight(theory, k);
      product *= sum;
    }
    return product;
  }
};

// All rooted trees of an order: a root with children in the order in which they were found.
std::vector<Tree> trees_of(int order);
void add_children(Tree& root, int left, int most, std::size_t last, std::vector<Tree>& out) {
  if (left == 0) out.push_back(root);
  for (int size = std::min(left, most); size >= 1; --size) {
    const std::vector<Tree> candidates = trees_of(size);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (size == most && k > last) continue;
      root.children.push_back(candidates[k]);
      add_children(root, left - size, size, k, out);
      root.children.pop_back();
    }
  }
}
std::vector<Tree> trees_of(int order) {
  std::vector<Tree> out;
  Tree root;
  add_children(root, order - 1, order, std::size_t(-1) / 2, out);
  return out;
}

TEST(Rodas5p, MeetsAllConditionsOfOrderFive) {
  const Theory theory;
  const std::vector<std::size_t> counts{1, 1, 2, 4, 9};
  for (int order = 1; order <= 5; ++order) {
    const std::vector<Tree> trees = trees_of(order);
    ASSERT_EQ(trees.size(), counts[order - 1]);
    for (const Tree& tree : trees) {
      double sum = 0;
      for (int j = 0; j < s; ++j) sum += theory.b[j] * tree.weight(theory, j);
      EXPECT_NEAR(sum, 1 / tree.density(), 2e-13) << "order " << order;
    }
  }
}

TEST(Rodas5p, HasTimesThatBelongToItsStages) {
  const Theory theory;
  for (int i = 0; i < s; ++i) {
    double alpha = 0;
    double gamma = 0;
    for (int j = 0; j < s; ++j) alpha += theory.alpha[i][j], gamma += theory.gamma[i][j];
    EXPECT_NEAR(alpha, Tableau::alpha[i], 1e-13);
    EXPECT_NEAR(gamma, Tableau::gamma_sum[i], 1e-13);
  }
}

// --- values ----------------------------------------------------------------------------------------------------------

const std::vector<double> robertson_rates{0.04, 3e7, 1e4};

// [HW96] IV.10: reference solution at t = 40 and t = 1e11, as published with the test problems.
TEST(Rodas5p, FollowsRobertsonOverElevenDecades) {
  Flight<1> flight(compile::compile(test::Robertson::problem()), model::Rodas5p{},
                   {{0, {40, 1e11}, {1, 0, 0}, robertson_rates}});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok()) << describe(flight.record.ending[0], flight.model->state_names);
  EXPECT_LT(flight.record.steps[0], 1000);
  const std::vector<double> at_40{0.7158270687, 0.9185534765e-5, 0.2841637458};
  const std::vector<double> at_end{0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(flight.at_stop(0, 0)[i] / at_40[i], 1, 1e-6) << i;
    EXPECT_NEAR(flight.at_stop(0, 1)[i] / at_end[i], 1, 1e-3) << i;
  }
}

// Beyond 1e11 a species that turns negative would run away within one step.
TEST(Rodas5p, KeepsWhatVanishesAboveZero) {
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    Flight<1> flight(compile::compile(test::Robertson::problem()), model::Rodas5p{rtol},
                     {{0, {1e12, 1e16}, {1, 0, 0}, robertson_rates}});
    flight.integrate();
    ASSERT_TRUE(flight.record.ending[0].ok());
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 3; ++i) EXPECT_GE(flight.at_stop(0, k)[i], 0) << rtol;
      EXPECT_NEAR(flight.at_stop(0, k)[0] + flight.at_stop(0, k)[1] + flight.at_stop(0, k)[2], 1, 1e-10) << rtol;
    }
  }
}

TEST(Rodas5p, SaysWhereItFails) {
  Flight<1> pole(compile::compile(test::predator_prey()), model::Rodas5p{},
                 {{0, {10}, {0.4, 1}, {0.5, 0.5, 0.5, -0.2}}});
  pole.integrate();
  EXPECT_EQ(pole.record.ending[0].outcome, Outcome::step_too_small);
  EXPECT_NEAR(pole.record.ending[0].time, 3.3064, 1e-3);
  test::Builder builder(test::Equations{{"calm", "-calm"}, {"x", "log(1 - t)"}});
  builder.observable("x", "x", "1").experiment("default", {"1", "1"});
  Flight<1> undefined(compile::compile(builder.build()), model::Rodas5p{}, {{0, {3}, {1, 1}, {}}});
  undefined.integrate();
  EXPECT_FALSE(undefined.record.ending[0].ok());
  EXPECT_EQ(undefined.record.ending[0].state, 1);
  EXPECT_NEAR(undefined.record.ending[0].time, 1, 0.02);
}

// Against dopri5 at 1e-13. With n steps of a method of order 5 the error falls like n^-5, whatever chose the steps.
TEST(Rodas5p, HasOrderFive) {
  const auto model = compile::compile(test::predator_prey());
  const Lane lane{0, {10}, {0.6, 1.4}, {0.9, 1.1, 0.8, 1.2}};
  Flight<1> reference(model, model::Dopri5{1e-13, 1e-15}, {lane});
  reference.integrate();
  const auto steps_and_error = [&](double rtol) {
    Flight<1> flight(model, model::Rodas5p{rtol, rtol}, {lane});
    flight.integrate();
    const double error = std::hypot(flight.at_stop(0, 0)[0] - reference.at_stop(0, 0)[0],
                                    flight.at_stop(0, 0)[1] - reference.at_stop(0, 0)[1]);
    return std::pair<double, double>{flight.record.steps[0], error};
  };
  const auto [few, large] = steps_and_error(1e-7);
  const auto [many, small] = steps_and_error(1e-10);
  EXPECT_NEAR(std::log(large / small) / std::log(many / few), 5, 0.4);
}

// One step of length 1 of x' = z x, from 1.
double stability(double z) {
  std::vector<double> u;
  double stage = 1;
  for (int i = 0; i < s; ++i) {
    stage = 1;
    double side = 0;
    for (int j = 0; j < i; ++j) stage += Tableau::a[i][j] * u[j], side += Tableau::c[i][j] * u[j];
    u.push_back((z * stage + side) / (1 / Tableau::gamma - z));
  }
  return stage + u.back();
}

TEST(Rodas5p, ForgetsWhatDecaysAtOnce) {
  EXPECT_NEAR(stability(-0.01), std::exp(-0.01), 1e-12);
  for (const double z : {-1.0, -10.0, -100.0, -1e4}) EXPECT_LT(std::abs(stability(z)), 1) << z;
  EXPECT_LE(std::abs(stability(-1e9)), 1e-6);
}

TEST(Rodas5p, FollowsTheTimeInTheEquations) {
  // x' = -k (x - cos t) - sin t has the solution cos t.
  test::Builder builder(test::Equations{{"x", "-1e6*(x - cos(t)) - sin(t)"}});
  builder.observable("x", "x", "1").experiment("default", {"1"});
  Flight<1> flight(compile::compile(builder.build()), model::Rodas5p{1e-8, 1e-10}, {{0, {1, 10}, {1}, {}}});
  flight.integrate();
  EXPECT_NEAR(flight.at_stop(0, 0)[0], std::cos(1.0), 1e-8);
  EXPECT_NEAR(flight.at_stop(0, 1)[0], std::cos(10.0), 1e-8);
  EXPECT_LT(flight.record.steps[0], 200);
}

TEST(Auto, FindsStiffEquationsAndNoOthers) {
  Flight<1> stiff(compile::compile(test::Robertson::problem()), model::AutoIntegrator{},
                  {{0, {40}, {1, 0, 0}, robertson_rates}});
  stiff.integrate();
  EXPECT_EQ(stiff.record.ending[0].outcome, Outcome::stiff);
  EXPECT_TRUE(turned_out_stiff(stiff.integrator, stiff.record.ending[0], stiff.launch.max_steps));
  const auto calm_model = compile::compile(test::predator_prey());
  const Lane calm{0, {2000}, {0.6, 1.4}, {0.9, 1.1, 0.8, 1.2}};
  for (const double rtol : {1e-4, 1e-8}) {
    Flight<1> by_auto(calm_model, model::AutoIntegrator{rtol}, {calm});
    Flight<1> explicit_steps(calm_model, model::Dopri5{rtol}, {calm});
    by_auto.integrate();
    explicit_steps.integrate();
    EXPECT_TRUE(by_auto.record.ending[0].ok());
    EXPECT_EQ(by_auto.record.x_stop, explicit_steps.record.x_stop);
  }
}

// A state of size 1e-6 beside one of size 1e3: both to the same relative accuracy, unless a tolerance is given.
TEST(Tolerances, AreMeasuredByTheSizeOfEachState) {
  test::Builder builder(test::Equations{{"small", "-small"}, {"large", "-large"}});
  builder.observable("seen", "small", "1").experiment("default", {"1e-6", "1e3"});
  const auto model = compile::compile(builder.build());
  for (const bool is_given : {false, true}) {
    for (model::Integrator integrator : {model::Integrator(model::Dopri5{}), model::Integrator(model::Rodas5p{})}) {
      std::visit(
          [&](auto& choice) {
            if constexpr (requires { choice.atol; })
              if (is_given) choice.atol = 1e-6;
          },
          integrator);
      Flight<1> flight(model, integrator, {{0, {3}, {1e-6, 1e3}, {}}});
      flight.integrate();
      const double error = std::abs(flight.at_stop(0, 0)[0] / (1e-6 * std::exp(-3)) - 1);
      EXPECT_LE(error, is_given ? 1e-4 : 2e-8);
      EXPECT_LE(std::abs(flight.at_stop(0, 0)[1] / (1e3 * std::exp(-3)) - 1), 2e-8);
    }
  }
}

TEST(Tolerances, DoNotChaseTheRoundingOfAStateThatStaysZero) {
  test::Builder builder(test::Equations{{"x", "-x + y"}, {"y", "x - y"}, {"zero", "(x - (x + y)) + y - zero"}});
  builder.observable("seen", "x", "1").experiment("default", {"0.3", "0.7", "0"});
  const auto model = compile::compile(builder.build());
  for (const model::Integrator& integrator :
       {model::Integrator(model::Dopri5{}), model::Integrator(model::Rodas5p{})}) {
    Flight<1> flight(model, integrator, {{0, {100}, {0.3, 0.7, 0}, {}}});
    flight.integrate();
    ASSERT_TRUE(flight.record.ending[0].ok());
    EXPECT_LT(flight.record.steps[0], 300);
    EXPECT_NEAR(flight.at_stop(0, 0)[2], 0, 1e-12);
  }
}

// --- derivatives -----------------------------------------------------------------------------------------------------

template <class Number>
Vector<Number> solved(Square<Number> a, Vector<Number> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
    std::swap(a[k], a[best]);
    std::swap(b[k], b[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Number factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// A second implementation for any kind of number: x after the recorded steps up to `last`.
template <class System, class Number>
Vector<Number> repeated(const Record<1>& record, Vector<Number> x, const Vector<Number>& p, int last) {
  const std::size_t d = x.size();
  for (int n = 0; n < last; ++n) {
    const double t = record.t[n];
    const double h = record.h[n];
    Square<Number> matrix = System::f_x(x, t, p);
    const Vector<Number> f_t = System::f_t(x, t, p);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) matrix[i][j] = (i == j ? 1 / (Tableau::gamma * h) : 0.0) - matrix[i][j];
    Square<Number> u;
    Vector<Number> stage;
    for (int i = 0; i < s; ++i) {
      stage = x;
      for (int j = 0; j < i; ++j)
        for (std::size_t k = 0; k < d; ++k) stage[k] += Tableau::a[i][j] * u[j][k];
      Vector<Number> side = System::f(stage, t + Tableau::alpha[i] * h, p);
      for (std::size_t k = 0; k < d; ++k) {
        for (int j = 0; j < i; ++j) side[k] += Tableau::c[i][j] / h * u[j][k];
        side[k] += Tableau::gamma_sum[i] * h * f_t[k];
      }
      u.push_back(solved(matrix, side));
    }
    for (std::size_t k = 0; k < d; ++k) x[k] = stage[k] + u[s - 1][k];
  }
  return x;
}

template <class System>
void expect_derivatives_of_the_steps(const Lane& lane, double rtol) {
  using Complex = std::complex<double>;
  Flight<1> flight(compile::compile(System::problem()), model::Rodas5p{rtol}, {lane});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok());
  const int d = flight.model->states;
  const int columns = d + flight.model->active;
  const int stops = static_cast<int>(lane.stops.size());
  const auto tangents = flight.tangents();
  std::vector<std::vector<double>> expected(stops, std::vector<double>(d * columns));
  for (int k = 0; k < stops; ++k) {
    const int last = flight.record.stop_slot[0][k];
    const Vector<double> x = repeated<System>(flight.record, lane.x0, lane.p, last);
    for (int i = 0; i < d; ++i) EXPECT_LE(test::relative_error(flight.at_stop(0, k)[i], x[i], 1e-12), 1e-9) << k << i;
    for (int c = 0; c < columns; ++c) {
      Vector<Complex> x0(lane.x0.begin(), lane.x0.end());
      Vector<Complex> p(lane.p.begin(), lane.p.end());
      const double tiny = 1e-30;
      (c < d ? x0[c] : p[c - d]) += Complex(0, tiny);
      const Vector<Complex> moved = repeated<System>(flight.record, x0, p, last);
      double largest = 0;
      for (int i = 0; i < d; ++i) {
        expected[k][i + c * d] = moved[i].imag() / tiny;
        largest = std::max(largest, std::abs(expected[k][i + c * d]));
      }
      for (int i = 0; i < d; ++i)
        EXPECT_LE(test::relative_error(tangents[0][k][i + c * d], expected[k][i + c * d], 1e-6 * largest), 1e-7)
            << "stop " << k << ", state " << i << ", column " << c;
    }
  }
  // One scalar and four: by formulas, and by the Jacobian that they share.
  for (const int scalars : {1, 4}) {
    std::vector<std::vector<std::vector<double>>> weights(
        scalars, std::vector<std::vector<double>>(stops, std::vector<double>(d)));
    for (int n = 0; n < scalars; ++n)
      for (int k = 0; k < stops; ++k)
        for (int i = 0; i < d; ++i) weights[n][k][i] = std::cos(1 + n + 2.3 * k + 1.7 * i);
    const auto adjoints = flight.adjoints(weights);
    for (int n = 0; n < scalars; ++n) {
      for (int c = 0; c < columns; ++c) {
        double sum = 0;
        double size = 0;
        for (int k = 0; k < stops; ++k)
          for (int i = 0; i < d; ++i) {
            sum += weights[n][k][i] * tangents[0][k][i + c * d];
            size += std::abs(weights[n][k][i] * tangents[0][k][i + c * d]);
          }
        EXPECT_LE(std::abs(adjoints[0][n][c] - sum), 1e-10 * size) << "scalar " << n << ", column " << c;
      }
    }
  }
}

TEST(Rodas5p, HasTheDerivativesOfItsStepsOnRobertson) {
  expect_derivatives_of_the_steps<test::Robertson>({0, {0.4, 40, 4e5}, {1, 0, 0}, robertson_rates}, 1e-6);
  expect_derivatives_of_the_steps<test::Robertson>({0, {1e-3, 40}, {0.9, 1e-5, 0.1}, {0.1, 1e7, 3e4}}, 1e-3);
}

TEST(Rodas5p, HasTheDerivativesOfItsStepsWithTimeInTheEquations) {
  for (const double rtol : {1e-3, 1e-8})
    expect_derivatives_of_the_steps<test::Follower>({0.2, {0.9, 2}, {0.3, 0.8}, {1e4, 2, 0.5}}, rtol);
}

TEST(Rodas5p, HasTheSameDerivativesWithStagesKeptAndComputedAgain) {
  const auto model = compile::compile(test::Robertson::problem());
  const std::vector<Lane> lanes{{0, {0.4, 40}, {1, 0, 0}, robertson_rates}, {0, {1}, {0.5, 0, 0.5}, {1, 1e3, 1e2}}};
  Flight<4> kept(model, model::Rodas5p{}, lanes);
  Flight<4> again(model, model::Rodas5p{}, lanes);
  again.record.stage_budget = 0;
  kept.integrate();
  again.integrate();
  EXPECT_TRUE(kept.record.stages_kept);
  EXPECT_FALSE(again.record.stages_kept);
  EXPECT_EQ(kept.tangents(), again.tangents());
  const std::vector<std::vector<std::vector<double>>> weights{{{1, 2, 3}, {-1, 0.5, 0.2}}};
  EXPECT_EQ(kept.adjoints(weights), again.adjoints(weights));
}

// Sums, products and quotients have the same bits interpreted and as machine code.
TEST(Rodas5p, IsTheSameAsMachineCode) {
  const auto model = compile::compile(test::Robertson::problem());
  const compile::Accelerated native =
      compile::accelerate(*model, {.lanes = 4, .jacobian = true, .vjp = true, .directions = true, .stiff = true});
  if (!native.model) GTEST_SKIP() << native.trouble;
  EXPECT_TRUE(native.model->stiff->kernels().elimination.solve.is_native<4>());
  const std::vector<Lane> lanes{{0, {0.4, 40}, {1, 0, 0}, robertson_rates},
                                {0, {1}, {0.5, 0, 0.5}, {1, 1e3, 1e2}},
                                {0, {4e5}, {1, 0, 0}, {0.1, 1e7, 3e4}}};
  Flight<4> tape(model, model::Rodas5p{}, lanes);
  Flight<4> code(native.model, model::Rodas5p{}, lanes);
  tape.integrate();
  code.integrate();
  EXPECT_EQ(tape.record.x_stop, code.record.x_stop);
  EXPECT_EQ(tape.tangents(), code.tangents());
  const std::vector<std::vector<std::vector<double>>> weights{{{1, 2, 3}, {-1, 0.5, 0.2}}};
  EXPECT_EQ(tape.adjoints(weights), code.adjoints(weights));
}

// A Hill function of a state that starts from zero, with exponents whose second derivatives have a pole there.
TEST(Rodas5p, HasDerivativesWherePowersStartFromZero) {
  test::Builder builder(test::Equations{{"x", "a - x"}, {"y", "x^n/(k^n + x^n) - y"}});
  builder.parameter("a", test::estimated(1)).parameter("k", test::estimated(1)).parameter("n", test::estimated(1));
  builder.observable("y", "y", "1").experiment("default", {"0", "0"});
  const auto model = compile::compile(builder.build());
  for (const double n : {1.0, 1.5, 2.0, 3.3}) {
    const Lane lane{0, {0.5, 3}, {0, 0}, {1.2, 0.6, n}};
    Flight<1> implicit(model, model::Rodas5p{1e-9}, {lane});
    Flight<1> explicit_steps(model, model::Dopri5{1e-11, 1e-13}, {lane});
    implicit.integrate();
    explicit_steps.integrate();
    const auto ours = implicit.tangents()[0];
    const auto expected = explicit_steps.tangents()[0];
    for (int k = 0; k < 2; ++k)
      for (int entry = 2 * 2; entry < 2 * 5; ++entry)  // by the parameters
        EXPECT_NEAR(ours[k][entry], expected[k][entry], 1e-6) << "n = " << n << ", entry " << entry;
  }
}

// A driven oscillator without damping has zeros on the diagonal of its Jacobian: long steps ask for pivots.
TEST(Rodas5p, PivotsWhereAFixedOrderWouldLoseDigits) {
  test::Builder builder(test::Equations{{"x", "1e7*y"}, {"y", "-1e7*x"}, {"z", "x - z"}});
  builder.observable("z", "z", "1").experiment("default", {"0", "0", "1"});
  const auto model = compile::compile(builder.build());
  Flight<1> flight(model, model::Rodas5p{1e-4, 1e-6}, {{0, {5}, {0, 0, 1}, {}}});
  flight.integrate();
  ASSERT_TRUE(flight.record.ending[0].ok());
  EXPECT_NEAR(flight.at_stop(0, 0)[2], std::exp(-5.0), 1e-5);
  const auto tangents = flight.tangents()[0][0];
  for (const double entry : tangents) EXPECT_TRUE(std::isfinite(entry));
  EXPECT_NEAR(tangents[2 + 2 * 3], std::exp(-5.0), 1e-5);
}

}  // namespace
}  // namespace salvo::integrate
