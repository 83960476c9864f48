#pragma once

#include <string>
#include <vector>

#include "model/problem.hpp"

namespace salvo::uncertainty {

// A number that follows from the estimates, in one experiment or in all alike (model::Derived).
struct DerivedQuantity {
  std::string id{};    // "auc", or "low:auc" where it differs between experiments
  int derived = 0;     // index in Problem::derived
  int experiment = 0;  // one that has measurements
  bool is_same_everywhere = true;
};
std::vector<DerivedQuantity> derived_quantities(const model::Problem& problem);

// Makes it an observable of its own with one datum, seen at the start before anything has happened: there an initial
// value is the state itself.
void add_datum_of(const DerivedQuantity& quantity, model::Problem& problem);

// Is the formula positive whatever the estimates are within their bounds? Its interval is then formed on a logarithmic
// scale.
bool is_positive(const model::Problem& problem, model::NodeId formula);

}  // namespace salvo::uncertainty
