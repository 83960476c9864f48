#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/problem/draft.hpp"
#include "model/design.hpp"

// Parts of the section `design`, each in a file of its own.
namespace salvo::formats {

// `measure`: what could be measured, and when.
std::vector<model::Measure> read_measures(Draft& draft, const yaml::Node& list);

// `experiments` of the section: what is varied between new experiments.
std::vector<model::Factor> read_factors(Draft& draft, const yaml::Node& map);

// `criterion`, with what c(...) is about.
void read_criterion(Draft& draft, const yaml::Node& node, model::Design& design);

// Points over which the criterion is averaged: a table with a column for each quantity.
std::vector<std::map<std::string, double>> read_draws(Draft& draft, const yaml::Node& name);

// Is it a name under which an estimate is reported: "k", "x1", "low:x1"?
bool names_an_estimate(const Draft& draft, std::string_view name);
std::vector<std::string> names_of_estimates(const Draft& draft);

// The experiment of that name; -1, and an Issue, if there is none.
int read_experiment_name(Draft& draft, const yaml::Node& node);

}  // namespace salvo::formats
