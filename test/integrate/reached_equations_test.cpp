#include "integrate/reached_equations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flight.hpp"
#include "helpers/problems.hpp"

// Directions among the states that they reach, and all others at zero.
namespace salvo::integrate {
namespace {

constexpr int links = 9;  // of the cascade, a state each

// Each state acts on the next one alone; state i has the parameters k_i and m_i.
std::shared_ptr<const compile::CompiledModel> cascade() {
  const auto name = [](const char* of, int i) { return of + std::to_string(i); };
  test::Equations equations;
  for (int i = 0; i < links; ++i) {
    const std::string in = i == 0 ? "0.3*cos(t)" : name("x", i - 1) + "^2/(1 + " + name("x", i - 1) + ")";
    equations.push_back({name("x", i), name("k", i) + "*(" + in + ") - " + name("m", i) + "*" + name("x", i) + "^2"});
  }
  test::Builder builder(equations);
  for (const char* of : {"k", "m"})
    for (int i = 0; i < links; ++i) builder.parameter(name(of, i), test::estimated(1));
  builder.observable("o", "x0", "1")
      .experiment("default", std::vector<std::variant<std::string, model::Estimated>>(links, "1"));
  return compile::compile(builder.build());
}

int reached_by(const ColumnGroup& group) {
  return static_cast<int>(std::count(group.reached.begin(), group.reached.end(), true));
}

TEST(ReachedEquations, GroupsHaveColumnsOfLikeReach) {
  const auto model = cascade();
  const int columns = links + model->active;
  const auto groups = group_columns(*model, unit_seeds(*model), columns, 6);
  ASSERT_EQ(groups.size(), 5U);
  std::vector<int> seen;
  for (const ColumnGroup& group : groups) seen.insert(seen.end(), group.columns.begin(), group.columns.end());
  std::sort(seen.begin(), seen.end());
  for (int c = 0; c < columns; ++c) EXPECT_EQ(seen[c], c);
  // Three columns act first on each state, so that a group of six misses two states more than the one before it.
  for (std::size_t g = 0; g < groups.size(); ++g) EXPECT_EQ(reached_by(groups[g]), links - 2 * static_cast<int>(g));
}

TEST(ReachedEquations, LeaveOutWhatNoDirectionMeets) {
  const auto model = cascade();
  const compile::StiffKernels& kernels = model->stiff->kernels();
  const auto of_last = reached_equations(*model, kernels, [] {
    std::vector<bool> reached(links, false);
    reached.back() = true;
    return reached;
  }());
  EXPECT_EQ(of_last.states, std::vector<int>{links - 1});
  EXPECT_EQ(of_last.products.terms.size(), 2U);  // f_x and C on the diagonal
  EXPECT_TRUE(of_last.down.terms.empty());
  EXPECT_TRUE(of_last.up.terms.empty());
  const auto of_all = reached_equations(*model, kernels, std::vector<bool>(links, true));
  EXPECT_EQ(of_all.products.terms.size(),
            static_cast<std::size_t>(model->f_x.size()) + static_cast<std::size_t>(kernels.curvature_rows.size()));
}

// The second method: adjoints of each state at each stop.
TEST(ReachedEquations, TangentsAlongThemAgreeWithAdjoints) {
  const auto model = cascade();
  test::Lane lane{.begin = 0.1, .stops = {0.5, 2.5}};
  for (int i = 0; i < links; ++i) lane.x0.push_back(1 + 0.1 * std::cos(i));
  for (int k = 0; k < model->active; ++k) lane.p.push_back(0.8 + 0.3 * std::sin(2.0 * k));
  test::Flight<1> flight(model, model::Rodas5p{1e-6}, {lane});
  flight.integrate();
  const auto tangents = flight.tangents();
  for (std::size_t stop = 0; stop < 2; ++stop) {
    for (int i = 0; i < links; ++i) {
      std::vector<std::vector<double>> weights(2, std::vector<double>(links, 0.0));
      weights[stop][i] = 1;
      const auto adjoint = flight.adjoints({weights})[0][0];
      for (int c = 0; c < links + model->active; ++c)
        EXPECT_NEAR(tangents[0][stop][i + c * links], adjoint[c], 1e-10 * (1 + std::abs(adjoint[c])))
            << "state " << i << ", column " << c;
    }
  }
}

}  // namespace
}  // namespace salvo::integrate
