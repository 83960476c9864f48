#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/design.hpp"
#include "results/estimates.hpp"

// What a design says, as plain data.
namespace salvo::design {

// Observables at one time of an experiment.
struct Taken {
  std::vector<std::string> observables{};
  std::string experiment{};
  double time = 0;
  int count = 1;
};

// A candidate of the continuous design.
struct Candidate {
  int measure = 0;  // entry of `measure`
  std::vector<std::string> observables{};
  std::string experiment{};
  double time = 0;
  double cost = 1;
  double weight = 0;
  double sensitivity = 0;  // per unit of cost
  int chosen = 0;          // how many are in the exact design
};

// Standard errors, in user units; missing where nothing determines the quantity.
struct Error {
  std::string id{};
  std::optional<double> now{};
  std::optional<double> then{};
  std::optional<double> equidistant{};
  std::optional<double> refined{};
};

struct Refined {
  std::vector<Taken> taken{};
  double value = 0;
  int linearizations = 0;  // what it cost: exact Jacobians that were computed
};

enum class Status {
  found,
  not_identifiable,  // no candidate can, or the budget is too small
  failed,            // nothing can be computed at the point
  interrupted
};
std::string_view to_string(Status status);

struct Result {
  Status status = Status::failed;
  std::string message{};
  std::vector<std::string> remarks{};
  model::DesignCriterion criterion = model::DesignCriterion::D;
  std::string about{};                  // c(...): what it is about
  std::vector<std::string> interest{};  // `for`
  double budget = 0;
  int points = 1;  // over how many the criterion is averaged
  std::vector<Taken> taken{};
  double value = 0;             // log det F, tr F^-1, the least eigenvalue of F, c'F^-1c: of the exact design
  double continuous_value = 0;  // of the weights
  double efficiency = 0;        // of the exact design, at least
  double level = 0;             // of the sensitivities ...
  double largest = 0;           // ... and the largest of them
  std::vector<Candidate> candidates{};
  std::vector<Error> errors{};
  std::vector<Taken> equidistant{};
  std::optional<double> equidistant_value{};
  std::optional<double> equidistant_efficiency{};  // against the exact design
  std::optional<Refined> refined{};
  std::vector<NullDirection> null_directions{};  // what is not seen now ...
  std::vector<NullDirection> still_unseen{};     // ... and not then either
};

}  // namespace salvo::design
