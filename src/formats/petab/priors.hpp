#pragma once

#include <optional>
#include <string>

#include "formats/petab/draft.hpp"

namespace salvo::formats::petab {

// What is wrong with a prior, in words; empty if nothing is.
struct PriorRead {
  std::optional<model::Prior> prior{};
  std::string trouble{};
};

// `type` and `numbers` as they stand in the table; the bounds and the scale of `estimated` are known.
PriorRead read_objective_prior(const std::string& type, const std::string& numbers, const model::Estimated& estimated);
PriorRead read_prior(const std::string& type, const std::string& numbers, const model::Estimated& estimated);

struct StartRead {
  std::optional<model::StartLaw> law{};
  std::string trouble{};
};
StartRead read_initialization_prior(const std::string& type, const std::string& numbers);

}  // namespace salvo::formats::petab
