#include <cmath>

#include "fits.hpp"

// Where everything is known, there is nothing to solve, and a point of one trajectory has no numbers.
namespace salvo::fit {
namespace {

TEST(NothingEstimated, IsJudgedByTheDataAllTheSame) {
  test::Builder builder(test::Equations{{"x", "-k*x"}});
  builder.parameter("k", 1.0).observable("seen", "x", "0.05");
  builder.experiment(model::default_experiment, {std::string("1")});
  double chi2 = 0;
  double llh = 0;
  for (const auto& [time, seen] : {std::pair{0.5, 0.80}, {1.0, 0.58}, {2.0, 0.38}, {3.0, 0.24}}) {
    builder.measure(0, 0, time, seen);
    const double residual = (seen - std::exp(-time)) / 0.05;
    chi2 += residual * residual;
    llh -= 0.5 * residual * residual + std::log(0.05 * std::sqrt(2 * std::acos(-1.0)));
  }
  for (const model::Nodes& nodes : {model::Nodes{model::AutoNodes{}}, model::Nodes{model::SingleInterval{}}}) {
    const FitResult result = test::fit_of(builder.build(), {.nodes = nodes});
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_NEAR(result.chi2, chi2, 1e-5);
    EXPECT_NEAR(result.llh, llh, 1e-5);
  }
}

}  // namespace
}  // namespace salvo::fit
