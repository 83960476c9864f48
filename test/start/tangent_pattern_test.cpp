#include "start/tangent_pattern.hpp"

#include <gtest/gtest.h>

#include "helpers/samples.hpp"

namespace salvo::start {
namespace {

// a -> b -> c: theta = (k, m), v_0 = (a, b, c).
struct Cascade {
  Cascade() {
    test::Builder builder(test::Equations{{"a", "-k*a"}, {"b", "k*a - m*b"}, {"c", "m*b"}});
    builder.parameter("k", test::estimated(2)).parameter("m", test::estimated(3)).observable("see", "c", "0.1");
    builder.experiment("default", {test::estimated(1), test::estimated(1), test::estimated(1)}).measure(0, 0, 1, 1);
    sample.problem = builder.build();
    problem = test::lay_out(sample, {});
  }
  std::vector<std::vector<int>> columns(const std::vector<char>& simulated,
                                        const std::vector<char>& begins_free) const {
    const TangentPattern pattern = tangent_pattern(problem->model(), values(), 2, 5, simulated, begins_free);
    std::vector<std::vector<int>> out;
    for (int i = 0; i < 3; ++i)
      out.emplace_back(pattern.column.begin() + pattern.start[i], pattern.column.begin() + pattern.start[i + 1]);
    return out;
  }
  shooting::ExperimentValues values() const {
    return problem->values_of(0, nlp::Point(problem->layout().unknowns, 1.0), true);
  }
  test::Sample sample{"", {}, model::SingleInterval{}};
  std::unique_ptr<shooting::ShootingProblem> problem;
};

using Columns = std::vector<std::vector<int>>;

TEST(TangentPattern, GrowsDownTheCascadeWhereAllIsSimulated) {
  EXPECT_EQ(Cascade().columns({1, 1, 1}, {1, 1, 1}), (Columns{{0, 2}, {0, 1, 2, 3}, {0, 1, 2, 3, 4}}));
}

TEST(TangentPattern, EndsAtAStateThatACurveGives) {
  EXPECT_EQ(Cascade().columns({1, 0, 1}, {1, 0, 1}), (Columns{{0, 2}, {0, 1, 2}, {1, 4}}));
}

TEST(TangentPattern, KnowsNoInitialValueWhereAStateBeginsOnItsCurve) {
  EXPECT_EQ(Cascade().columns({1, 1, 1}, {0, 0, 0}), (Columns{{0}, {0, 1}, {0, 1}}));
}

// f_x T + f_p at k = m = a = b = 1, with T = 1 in every entry: what its terms add up to, row by row.
TEST(TangentPattern, ItsTermsAreThoseOfTheProduct) {
  const Cascade cascade;
  const TangentPattern pattern =
      tangent_pattern(cascade.problem->model(), cascade.values(), 2, 5, {1, 1, 1}, {1, 1, 1});
  const compile::CompiledModel& model = cascade.problem->model();
  std::vector<double> jacobian(model.f_x.size() + model.f_p.size());
  for (int z = 0; z < model.f_x.size(); ++z)  // -1; 1, -1; 1
    jacobian[z] = model.f_x.row[z] == model.f_x.column[z] ? -1 : 1;
  for (int z = 0; z < model.f_p.size(); ++z)  // a falls by k, b by m; what one loses the next gains
    jacobian[model.f_x.size() + z] = model.f_p.row[z] == model.f_p.column[z] ? -1 : 1;
  std::vector<double> product(pattern.entries(), 0.0);
  for (const auto& term : pattern.products) product[term.to] += jacobian[term.nonzero];
  for (const auto& term : pattern.formulas) product[term.to] += jacobian[term.nonzero] * term.slope;
  const auto at = [&](int state, int unknown) { return product[pattern.place(state, unknown)]; };
  EXPECT_EQ(at(0, 0), -2);  // da/dk: -T - a
  EXPECT_EQ(at(0, 2), -1);
  EXPECT_EQ(at(1, 0), 1);  // db/dk: T_a - T_b + a
  EXPECT_EQ(at(1, 1), -2);
  EXPECT_EQ(at(1, 3), -1);
  EXPECT_EQ(at(2, 1), 2);  // dc/dm: T_b + b
  EXPECT_EQ(at(2, 4), 0);
}

}  // namespace
}  // namespace salvo::start
