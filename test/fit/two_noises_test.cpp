#include <fmt/format.h>

#include "fits.hpp"
#include "formats/folder.hpp"
#include "formats/problem/read.hpp"

// Data that scatter with two noises that are both estimated, as concentrations of drugs do: one that is the same for
// all and one in proportion to what is measured.
namespace salvo::fit {
namespace {

using test::estimate_of;

// x = 10 exp(-0.6 t), drawn with 0.05 and a tenth of x, and with 0.05 alone.
const std::string with_both =
    "time,o\n0.3,8.43195\n0.6,7.85111\n0.9,5.28273\n1.2,5.35311\n1.5,3.95954\n1.8,3.30619\n2.1,3.38371\n2.4,2.40742\n2."
    "7,1.97023\n3,1.77897\n3.3,1.54616\n3.6,1.14937\n3.9,1.02709\n4.2,0.71236\n4.5,0.64133\n4.8,0.52841\n5.1,0."
    "37756\n5.4,0.29583\n5.7,0.22992\n6,0.25964\n";
const std::string with_one =
    "time,o\n0.3,8.35744\n0.6,7.03926\n0.9,5.78091\n1.2,4.91714\n1.5,4.05274\n1.8,3.38288\n2.1,2.93153\n2.4,2.37715\n2."
    "7,1.97684\n3,1.68946\n3.3,1.43704\n3.6,1.15171\n3.9,0.99268\n4.2,0.75591\n4.5,0.65372\n4.8,0.53944\n5.1,0."
    "40226\n5.4,0.31621\n5.7,0.24578\n6,0.2613\n";

FitResult decay(const std::string& noise, const std::string& scale, const std::string& data) {
  const auto guess = [&](double value) { return fmt::format("{{guess: {}, scale: {}}}", value, scale); };
  const std::string second = noise.find("sb") == std::string::npos ? "" : ", sb: " + guess(0.1);
  const formats::Folder folder(
      {{"problem.yaml", "equations: {x: -k*x}\ninitial: {x: A}\nparameters: {k: " + guess(0.4) + ", A: " + guess(8) +
                            ", sa: " + guess(0.1) + second + "}\nobservables: {o: {formula: x, noise: \"" + noise +
                            "\"}}\ndata: data.csv\n"},
       {"data.csv", data}});
  return test::fit_of(*formats::read_problem(folder / "problem.yaml"));
}

// The error of k is close to that of its likelihood, whose interval has two ends.
TEST(TwoNoises, LeaveEverythingIdentifiable) {
  for (const std::string scale : {"lin", "log", "log10"})
    for (const std::string noise : {"sqrt(sa^2 + (sb*x)^2)", "sa + sb*x"}) {
      const FitResult result = decay(noise, scale, with_both);
      ASSERT_EQ(result.status, Status::converged) << result.message;
      EXPECT_EQ(result.message.find("ot identifiable"), std::string::npos) << result.message;
      for (const std::string id : {"k", "A", "sb"}) {
        const Estimate& estimate = estimate_of(result, id);
        EXPECT_TRUE(estimate.identifiable) << id;
        ASSERT_TRUE(estimate.standard_error && estimate.standard_error_observed && estimate.interval) << id;
        EXPECT_NEAR(*estimate.standard_error / *estimate.standard_error_observed, 1, 0.2) << id;
        EXPECT_TRUE(std::isfinite(estimate.interval->first) && std::isfinite(estimate.interval->second)) << id;
      }
      EXPECT_NEAR(estimate_of(result, "k").interval->first, 0.59, 0.01);
      EXPECT_NEAR(estimate_of(result, "k").interval->second, 0.68, 0.015);
    }
}

// Where one of them vanishes, the others have the errors that they have without it.
TEST(TwoNoises, OfWhichOneVanishesKeepTheErrorsOfTheOther) {
  for (const std::string scale : {"lin", "log"}) {
    const FitResult without = decay("sa", scale, with_one);
    const FitResult result = decay("sqrt(sa^2 + (sb*x)^2)", scale, with_one);
    ASSERT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LT(std::abs(estimate_of(result, "sb").estimate), 1e-4);
    for (const std::string id : {"k", "A"}) {
      EXPECT_TRUE(estimate_of(result, id).identifiable);
      ASSERT_TRUE(estimate_of(result, id).standard_error);
      EXPECT_NEAR(*estimate_of(result, id).standard_error / *estimate_of(without, id).standard_error, 1, 0.03) << id;
    }
    ASSERT_TRUE(estimate_of(result, "sb").interval);
    EXPECT_NEAR(estimate_of(result, "sb").interval->second, 0.0139, 0.001);  // of its profile
  }
}

}  // namespace
}  // namespace salvo::fit
