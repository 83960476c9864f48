#include "integrate/banded_lu.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "helpers/field_problems.hpp"

namespace salvo::integrate {
namespace {

// What is solved is (s I - J) x = b, and its transpose, whether the diagonal serves for pivots or rows must move.
void expect_solved(const compile::CompiledModel& model, const std::vector<double>& nonzeros, double shift) {
  auto lu = BandedLu::of(model);
  ASSERT_TRUE(lu);
  ASSERT_TRUE(lu->factorize(nonzeros.data(), shift, 1));
  for (const bool is_transposed : {false, true}) {
    std::vector<double> b;
    for (int i = 0; i < model.states; ++i) b.push_back(std::cos(1 + 1.3 * i));
    std::vector<double> x = b;
    is_transposed ? lu->solve_transposed(x.data()) : lu->solve(x.data());
    std::vector<double> rest = b;
    double size = 0;
    for (int i = 0; i < model.states; ++i) {
      rest[i] -= shift * x[i];
      size = std::max(size, std::abs(x[i]));
    }
    for (int k = 0; k < model.f_x.size(); ++k) {
      const int row = is_transposed ? model.f_x.column[k] : model.f_x.row[k];
      const int column = is_transposed ? model.f_x.row[k] : model.f_x.column[k];
      rest[row] += nonzeros[k] * x[column];
    }
    for (const double value : rest) EXPECT_NEAR(value, 0, 1e-11 * (1 + size));
  }
}

TEST(BandedLu, SolvesWithThreeDiagonalsAndWithMore) {
  for (const int order : {2, 4}) {
    for (const bool has_tank : {false, true}) {
      test::FieldBuilder builder({.from = 0, .to = 1, .cells = 40}, {.order = order});
      builder.field({"u", has_tank ? "dxx(u) + tank" : "dxx(u)", "x"});
      if (has_tank) builder.state("tank", "integral(u, x) - tank", "1");
      const auto model = compile::compile(builder.build());
      std::vector<double> nonzeros;
      for (int k = 0; k < model->f_x.size(); ++k) nonzeros.push_back(std::sin(3 + 7.7 * k));
      expect_solved(*model, nonzeros, 5);    // the diagonal is the largest
      expect_solved(*model, nonzeros, 0.1);  // it is not
      for (int k = 0; k < model->f_x.size(); ++k)
        if (model->f_x.row[k] == 20 && model->f_x.column[k] == 20) nonzeros[k] = 5;
      expect_solved(*model, nonzeros, 5);  // it is zero far inside
    }
  }
}

}  // namespace
}  // namespace salvo::integrate
