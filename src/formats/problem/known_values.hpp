#pragma once

#include <optional>
#include <unordered_map>

#include "formats/problem/draft.hpp"

namespace salvo::formats {

// What formulas of parameters are worth in one experiment before anything is estimated.
class KnownValues {
 public:
  enum class Estimates { unknown, at_their_guess };
  KnownValues(const model::Problem& problem, int experiment, Estimates estimates);

  // Nothing where the formula depends on what is not known.
  std::optional<double> of(NodeId formula) const;

 private:
  const expression::Graph& graph_;
  std::unordered_map<NodeId, double> symbols_;
};

}  // namespace salvo::formats
