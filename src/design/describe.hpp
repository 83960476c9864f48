#pragma once

#include "design/exact.hpp"
#include "design/survey.hpp"

namespace salvo::design {

// Fills in what was chosen, how good it is, the errors that it promises, and what equidistant times would give. Where
// the samples do not determine what they are for, the status says so.
void describe(const Survey& survey, const Weights& weights, const Exact& exact, Result& result);

// A sample in names; `lab` has its experiment.
Taken taken(const Survey& survey, const model::Problem& lab, const Sample& sample, int count);

// A loss as people ask for it: large where the design is good, or a variance.
double value_of(model::DesignCriterion criterion, double loss);

// The standard error of a quantity, in user units.
std::optional<double> error_of(const Survey& survey, const Told& told, int k);

}  // namespace salvo::design
