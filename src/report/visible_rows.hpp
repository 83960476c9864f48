#pragma once

#include <vector>

#include "model/problem.hpp"

namespace salvo::report {

// Of long data the rows that a picture shows: those of one panel that fall into one cell of a fine net over time and
// value are one dot. Few data are all there, and those of which hardly any lie on each other.
struct VisibleRows {
  std::vector<int> rows{};
  std::vector<int> weights{};  // how many each stands for; empty if all are there
};
VisibleRows visible_rows(const std::vector<model::Measurement>& measurements);

}  // namespace salvo::report
