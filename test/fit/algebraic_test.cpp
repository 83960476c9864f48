#include "fit/algebraic.hpp"

#include "fit/sensitivities.hpp"
#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

namespace salvo::fit::algebraic_tests {
namespace {

using test::estimate_of;
using test::fit_of;

constexpr double free_substrate[] = {1.0672, .8164, .6703, .497, .3757, .307, .2248, .1613, .1592, .0446, .0637, .0446};
constexpr double product[] = {.3115,  .5298,  .7856,  .977,   1.2157, 1.3472,
                              1.4219, 1.5899, 1.6429, 1.7787, 1.8047, 1.8362};

std::string enzyme_data() {
  std::string data = "time,S,P\n";
  for (int i = 0; i < 12; ++i)
    data += std::to_string(0.5 * (i + 1)) + "," + std::to_string(free_substrate[i]) + "," + std::to_string(product[i]) +
            "\n";
  return data;
}

model::Problem read(const std::string& yaml, const std::string& data) {
  const formats::Folder folder({{"problem.yaml", yaml}, {"data.csv", data}});
  auto problem = formats::read_problem(folder / "problem.yaml");
  if (problem) return *std::move(problem);
  for (const Issue& issue : problem.issues()) ADD_FAILURE() << to_string(issue);
  return {};
}

// An enzyme that holds so much of its substrate that free and total substrate differ. C by 0 = ..., or by the formula
// of the smaller root.
model::Problem enzyme(const std::string& of_C, const std::string& initial = "", const std::string& guess = "0.5") {
  return read("equations:\n  St: -kcat*C\n" + of_C + "initial:\n  St: 2\n" + initial +
                  "parameters:\n  kcat: {guess: " + guess + "}\n  K: {guess: 1}\n  E0: 1\n" +
                  "observables:\n  S: {formula: St - C, noise: 0.02}\n  P: {formula: 2 - St, noise: 0.02}\n"
                  "data: data.csv\nintegrator: {name: auto, rtol: 1e-10}\n",
              enzyme_data());
}
const char* const by_equation = "algebraic:\n  C: (E0 - C)*(St - C) - K*C\n";
const char* const by_root = "definitions:\n  C: ((E0 + St + K) - sqrt((E0 + St + K)^2 - 4*E0*St))/2\n";

// The numbers are those of a fit by another program.
TEST(AlgebraicFit, FindsTheConstantsOfATightBindingEnzyme) {
  for (const model::Nodes& nodes :
       std::vector<model::Nodes>{model::AutoNodes{}, model::SingleInterval{}, model::NodesAtMeasurements{}}) {
    const FitResult result = fit_of(enzyme(by_equation, "  C: {near: 0.7}\n"), {.nodes = nodes});
    ASSERT_EQ(result.status, Status::converged) << result.message;
    EXPECT_NEAR(estimate_of(result, "kcat").estimate, .8013442652, 1e-8);
    EXPECT_NEAR(estimate_of(result, "K").estimate, .5050924077, 1e-8);
    EXPECT_NEAR(result.chi2, 32.7514616732, 1e-7);
    EXPECT_NEAR(*estimate_of(result, "kcat").standard_error, .017126, 1e-6);
    EXPECT_NEAR(*estimate_of(result, "K").standard_error, .026636, 1e-6);
  }
}

TEST(AlgebraicFit, IsThatOfTheSameProblemWithoutAlgebraicEquations) {
  const FitResult implicit = fit_of(enzyme(by_equation));
  const FitResult plain = fit_of(enzyme(by_root));
  for (const char* id : {"kcat", "K"}) {
    EXPECT_NEAR(estimate_of(implicit, id).estimate, estimate_of(plain, id).estimate, 1e-8);
    EXPECT_NEAR(*estimate_of(implicit, id).standard_error, *estimate_of(plain, id).standard_error, 1e-8);
  }
  EXPECT_NEAR(implicit.chi2, plain.chi2, 1e-8);
}

// A chain of three with its last amount from their sum.
TEST(AlgebraicFit, AConservationLawMayTakeThePlaceOfAnEquation) {
  const std::string data = "time,a,b,c\n0.5,7.9,1.7,0.4\n1,6.1,2.8,1.2\n2,3.6,3.4,2.9\n4,1.4,2.4,6.3\n8,0.2,0.7,9.2\n";
  const auto chain = [&](const std::string& equations) {
    return read(equations +
                    "parameters:\n  k1: {guess: 1}\n  k2: {guess: 1}\n  total: {guess: 8}\n"
                    "observables:\n  a: {formula: A, noise: 0.1}\n  b: {formula: B, noise: 0.1}\n"
                    "  c: {formula: C, noise: 0.1}\ndata: data.csv\nintegrator: {name: auto, rtol: 1e-11}\n",
                data);
  };
  const FitResult plain =
      fit_of(chain("equations:\n  A: -k1*A\n  B: k1*A - k2*B\n  C: k2*B\ninitial: {A: total, B: 0, C: 0}\n"));
  const FitResult disguised = fit_of(chain(
      "equations:\n  A: -k1*A\n  B: k1*A - k2*B\nalgebraic:\n  C: A + B + C - total\ninitial: {A: total, B: 0}\n"));
  for (const char* id : {"k1", "k2", "total"}) {
    EXPECT_NEAR(estimate_of(disguised, id).estimate, estimate_of(plain, id).estimate, 1e-8);
    EXPECT_NEAR(*estimate_of(disguised, id).standard_error, *estimate_of(plain, id).standard_error, 1e-8);
  }
  EXPECT_NEAR(disguised.chi2, plain.chi2, 1e-8);
}

// The isomerisation of alpha-pinene with its published sum of squares: one of five amounts from what they sum up to, by
// a formula and, the sum to the third power, without one.
TEST(AlgebraicFit, APublishedOptimumIsFoundInDisguise) {
  const std::string data =
      "time,a,b,c,d,f\n1230,88.35,7.3,2.3,0.4,1.75\n3060,76.4,15.6,4.5,0.7,2.8\n4920,65.1,23.1,5.3,1.1,5.8\n"
      "7800,50.4,32.9,6,1.5,9.3\n10680,37.5,42.7,6,1.9,12\n15030,25.9,49.1,5.9,2.2,17\n22620,14,57.4,5.1,2.6,21\n"
      "36420,4.5,63.1,3.8,2.9,25.7\n";
  const auto pinene = [&](const std::string& of_y4, const std::string& initial) {
    return read(
        "equations:\n  y1: -(p1 + p2)*y1\n  y2: p1*y1\n  y3: p2*y1 - (p3 + p4)*y3 + p5*y5\n"
        "  y5: p4*y3 - p5*y5\n" +
            of_y4 + "initial: {y1: 100, y2: 0, y3: 0, y5: 0" + initial +
            "}\nparameters:\n"
            "  p1: {guess: 1e-4, bounds: [1e-6, 1e-2], scale: log10}\n  p2: {guess: 1e-4, bounds: [1e-6, 1e-2], scale: "
            "log10}\n"
            "  p3: {guess: 1e-4, bounds: [1e-6, 1e-2], scale: log10}\n  p4: {guess: 1e-4, bounds: [1e-6, 1e-2], scale: "
            "log10}\n"
            "  p5: {guess: 1e-4, bounds: [1e-6, 1e-2], scale: log10}\nobservables:\n  a: {formula: y1, noise: 1}\n"
            "  b: {formula: y2, noise: 1}\n  c: {formula: y3, noise: 1}\n  d: {formula: y4, noise: 1}\n  f: {formula: "
            "y5, noise: 1}\n"
            "data: data.csv\nintegrator: {name: auto, rtol: 1e-11}\n",
        data);
  };
  const FitResult plain = fit_of(pinene("  y4: p3*y3\n", ", y4: 0"));
  EXPECT_NEAR(plain.chi2, 19.872166934, 1e-7);
  for (const char* equation : {"y1 + y2 + y3 + y4 + y5 - 100", "(y1 + y2 + y3 + y4 + y5)^3 - 1e6"}) {
    const FitResult disguised = fit_of(pinene(std::string("algebraic:\n  y4: ") + equation + "\n", ""));
    ASSERT_EQ(disguised.status, Status::converged) << disguised.message;
    EXPECT_NEAR(disguised.chi2, 19.872166934, 1e-7);
    for (const char* id : {"p1", "p2", "p3", "p4", "p5"}) {
      EXPECT_NEAR(estimate_of(disguised, id).estimate / estimate_of(plain, id).estimate, 1, 1e-7) << id;
      EXPECT_NEAR(*estimate_of(disguised, id).standard_error / *estimate_of(plain, id).standard_error, 1, 1e-7) << id;
    }
  }
}

// x = L (sin, cos)(t + 1/2): the force is an algebraic variable at every time.
TEST(AlgebraicFit, FindsTheRadiusOfACircle) {
  std::string data = "time,u,v\n";
  for (int i = 1; i <= 20; ++i)
    data += std::to_string(0.5 * i) + "," + std::to_string(std::sin(0.5 * i + 0.5)) + "," +
            std::to_string(std::cos(0.5 * i + 0.5)) + "\n";
  const model::Problem problem = read(
      "equations:\n  x1: x3\n  x2: x4\n  x3: l*x1\n  x4: l*x2\nalgebraic:\n  l: x3^2 + x4^2 + l*(x1^2 + x2^2)\n"
      "initial:\n  x1: L*sin(0.5)\n  x2: L*cos(0.5)\n  x3: L*cos(0.5)\n  x4: -L*sin(0.5)\n"
      "parameters:\n  L: {guess: 1.7}\nobservables:\n  u: {formula: x1, noise: 0.01}\n  v: {formula: x2, noise: 0.01}\n"
      "data: data.csv\n",
      data);
  EXPECT_EQ(problem.states.size(), 4u) << "the force is a formula";
  const FitResult result = fit_of(problem);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "L").estimate, 1, 1e-5);
}

// 0 = S1 + S2 - k1: what S1 gains by a parameter S2 loses, at the start as well.
TEST(AlgebraicFit, SensitivitiesSatisfyTheEquation) {
  for (const char* equation : {"S1 + S2 - k1", "exp(S1 + S2) - exp(k1)"}) {
    const model::Problem problem = read(std::string("equations:\n  S1: k2*S2\nalgebraic:\n  S2: ") + equation +
                                            "\ninitial:\n  S1: 0.5\nparameters:\n  k1: {guess: 1}\n  k2: {guess: 1}\n"
                                            "observables:\n  a: {formula: S1, noise: 1}\n  b: {formula: S2, noise: 1}\n"
                                            "data: data.csv\nintegrator: {name: auto, rtol: 1e-11}\n",
                                        "time,a,b\n0,1,1\n1,1,1\n3,1,1\n");
    const EvaluateResult result = evaluate(problem, {.prediction_jacobian = true});
    ASSERT_TRUE(result.ok) << result.message;
    ASSERT_EQ(result.simulations.size(), 6u);
    for (std::size_t i = 0; i < 6; i += 2) {  // S1 and S2 at one time
      const int a = static_cast<int>(i);
      EXPECT_NEAR(result.prediction_jacobian(a, 0) + result.prediction_jacobian(a + 1, 0), 1, 1e-9);
      EXPECT_NEAR(result.prediction_jacobian(a, 1) + result.prediction_jacobian(a + 1, 1), 0, 1e-9);
    }
    EXPECT_NEAR(result.simulations[2].simulation, .8160602794, 1e-9);
    EXPECT_NEAR(result.prediction_jacobian(2, 0), 1 - std::exp(-1), 1e-8);
    EXPECT_NEAR(result.prediction_jacobian(2, 1), 0.5 * std::exp(-1), 1e-8);
  }
}

// Over eleven powers of ten; the numbers are those of the test set of initial value problems. y3 by a formula, and as a
// root that is integrated with the states.
TEST(AlgebraicFit, RobertsonsReactionsAreFollowedToTheirEnd) {
  for (const std::string equation : {"y1 + y2 + y3 - 1", "(y1 + y2 + y3)^2 - 1"}) {
    const model::Problem problem = read(
        "equations:\n  y1: -0.04*y1 + 1e4*y2*y3\n  y2: 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2\nalgebraic:\n  y3: " + equation +
            "\ninitial: {y1: k, y2: 0, y3: {near: 0.1}}\nparameters: {k: {guess: 1}}\n"
            "observables: {a: {formula: y1, noise: 1}, b: {formula: y2, noise: 1}}\n"
            "data: data.csv\nintegrator: {name: rodas5p, rtol: 1e-10, atol: 1e-16}\n",
        "time,a,b\n1e11,0,0\n");
    const EvaluateResult result = evaluate(problem, {});
    ASSERT_TRUE(result.ok) << result.message;
    EXPECT_NEAR(result.simulations[0].simulation, .2083340149701255e-7, 1e-6 * .2083340149701255e-7) << equation;
    EXPECT_NEAR(result.simulations[1].simulation, .8333360770334713e-13, 1e-6 * .8333360770334713e-13) << equation;
  }
}

// The transistor amplifier of the test set of initial value problems, whose capacitors join derivatives in pairs: M has
// rank 5 of 8, and no row of zeros. The numbers at t = 0.2 are those of the test set.
TEST(AlgebraicFit, ATransistorAmplifierIsWhatItsCapacitorsSay) {
  const std::string yaml = R"(
equations:
  y1: (y1 - ue)/R0
  y2: y2*(1/R + 1/R) - Ub/R + (1 - alpha)*g1
  y3: y3/R - g1
  y4: (y4 - Ub)/R + alpha*g1
  y5: y5*(1/R + 1/R) - Ub/R + (1 - alpha)*g2
  y6: y6/R - g2
  y7: (y7 - Ub)/R + alpha*g2
  y8: y8/R
mass:
  y1: {y1: -C1, y2: C1}
  y2: {y1: C1, y2: -C1}
  y3: {y3: -C2}
  y4: {y4: -C3, y5: C3}
  y5: {y4: C3, y5: -C3}
  y6: {y6: -C4}
  y7: {y7: -C5, y8: C5}
  y8: {y7: C5, y8: -C5}
definitions:
  ue: 0.1*sin(200*pi*t)
  g1: beta*(exp((y2 - y3)/0.026) - 1)
  g2: beta*(exp((y5 - y6)/0.026) - 1)
initial: {y1: 0, y2: Ub/2, y3: Ub/2, y4: Ub, y5: Ub/2, y6: Ub/2, y7: Ub, y8: 0}
parameters:
  C1: {guess: 1e-6}
  C2: 2e-6
  C3: 3e-6
  C4: 4e-6
  C5: 5e-6
  Ub: 6
  R0: 1000
  R: 9000
  alpha: {guess: 0.99}
  beta: 1e-6
observables: {a: {formula: y1, noise: 1}, b: {formula: y2, noise: 1}, c: {formula: y3, noise: 1}, d: {formula: y4, noise: 1}, e1: {formula: y5, noise: 1}, f: {formula: y6, noise: 1}, h: {formula: y7, noise: 1}, i: {formula: y8, noise: 1}}
data: data.csv
integrator: {name: auto, rtol: 1e-10}
)";
  const model::Problem problem = read(yaml.substr(1), "time,a,b,c,d,e1,f,h,i\n0.2,0,0,0,0,0,0,0,0\n");
  EXPECT_EQ(std::count_if(problem.states.begin(), problem.states.end(), [](const auto& s) { return !s.is_algebraic; }),
            5);
  const EvaluateResult result = evaluate(problem, {.prediction_jacobian = true});
  ASSERT_TRUE(result.ok) << result.message;
  const double expected[] = {-.5562145012262709e-2, 3.006522471903042, 2.849958788608128, 2.926422536206241,
                             2.704617865010554,     2.761837778393145, 4.770927631616772, 1.236995868091548};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(result.simulations[i].simulation, expected[i], 1e-7) << i;
  // By a parameter that stands in M alone.
  for (const auto& [id, column, h] : {std::tuple{"C1", 0, 1e-9}, std::tuple{"alpha", 1, 1e-5}}) {
    const double middle = column == 0 ? 1e-6 : 0.99;
    const EvaluateResult up = evaluate(problem, {.values = {{id, middle + h}}});
    const EvaluateResult down = evaluate(problem, {.values = {{id, middle - h}}});
    for (int i = 0; i < 8; ++i) {
      const double difference = (up.simulations[i].simulation - down.simulations[i].simulation) / (2 * h);
      EXPECT_NEAR(result.prediction_jacobian(i, column), difference, 1e-4 * std::max(std::abs(difference), 1.0))
          << id << i;
    }
  }
}

TEST(AlgebraicFit, TheOtherRootIsTold) {
  const model::Problem problem = enzyme(by_equation, "  C: 5\n");
  bool is_told = false;
  for (const Finding& finding : check(problem, {}))
    is_told = is_told || finding.text.find("C begins at") != std::string::npos;
  EXPECT_TRUE(is_told);
  const FitResult once = fit_of(problem);
  const FitResult again = fit_of(problem);
  EXPECT_EQ(once.chi2, again.chi2);
  EXPECT_NE(once.message.find("looked for near 5"), std::string::npos) << once.message;
}

// Where x falls through zero there is no root any more; the fit goes on from other values.
TEST(AlgebraicFit, SurvivesParametersWithoutARoot) {
  std::string data = "time,y\n";
  for (int i = 0; i <= 10; ++i)
    data += std::to_string(0.2 * i) + "," + std::to_string(std::sqrt(1 - 0.4 * 0.2 * i)) + "\n";
  const model::Problem problem = read(
      "equations:\n  x: -k\nalgebraic:\n  z: z^2 - x\ninitial: {x: 1}\nparameters:\n  k: {guess: 0.9}\n"
      "observables:\n  y: {formula: z, noise: 0.01}\ndata: data.csv\n",
      data);
  const FitResult result = fit_of(problem);
  ASSERT_EQ(result.status, Status::converged) << result.message;
  EXPECT_NEAR(estimate_of(result, "k").estimate, 0.4, 1e-5);
  const EvaluateResult at_fold = evaluate(problem, {});
  EXPECT_FALSE(at_fold.ok);
  EXPECT_NE(at_fold.message.find("two roots of z meet"), std::string::npos) << at_fold.message;
}

TEST(AlgebraicFit, CheckSaysHowEquationsAreSolved) {
  std::string all;
  for (const Finding& finding : check(enzyme(by_equation), {})) all += finding.text + "\n";
  EXPECT_NE(all.find("0 = (E0 - C)*(St - C) - K*C determines C, which is integrated with the states"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("C begins at 0.58579 (looked for near 1); the condition of the algebraic equations is 1.0e+00"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("integrator rodas5p"), std::string::npos) << all;
}

}  // namespace
}  // namespace salvo::fit::algebraic_tests
