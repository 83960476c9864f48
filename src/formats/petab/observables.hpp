#pragma once

#include <string>
#include <vector>

#include "formats/petab/draft.hpp"
#include "formats/petab/runs.hpp"

namespace salvo::formats::petab {

// A row of the observable table. Placeholders stand for what each measurement puts in for them.
struct ObservableRow {
  std::string id{};
  NodeId formula = expression::no_node;
  NodeId noise = expression::no_node;
  std::vector<NodeId> observable_placeholders{};
  std::vector<NodeId> noise_placeholders{};
  model::Distribution distribution = model::Distribution::normal;
  double noise_unit = 1;
};

std::vector<ObservableRow> read_observables(Draft& draft);

// Reads the measurements, and makes an observable of the problem for every different way in which they fill the
// placeholders.
void read_measurements(Draft& draft, const std::vector<ObservableRow>& observables, const Runs& runs,
                       sbml::Resolver& resolver);

}  // namespace salvo::formats::petab
