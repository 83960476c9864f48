#include "model/choices.hpp"

#include <gtest/gtest.h>

namespace salvo::model {
namespace {

template <class Choice>
void expect_names_read_back() {
  for (const auto& [value, name] : Names<Choice>::all) {
    EXPECT_EQ(to_string(value), name);
    EXPECT_EQ(from_name<Choice>(name), value);
  }
  EXPECT_EQ(from_name<Choice>("nonsense"), std::nullopt);
  EXPECT_EQ(known_names<Choice>().size(), Names<Choice>::all.size());
}

TEST(Choices, NamesReadBack) {
  expect_names_read_back<StartValues>();
  expect_names_read_back<Method>();
  expect_names_read_back<Derivatives>();
  expect_names_read_back<Geometry>();
  expect_names_read_back<Advection>();
  expect_names_read_back<BoundaryKind>();
  expect_names_read_back<Scale>();
  expect_names_read_back<Distribution>();
  EXPECT_EQ(to_string(Method::gauss_newton), "gauss-newton");
}

}  // namespace
}  // namespace salvo::model
