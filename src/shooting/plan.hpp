#pragma once

#include <span>
#include <vector>

#include "compile/compiled_model.hpp"
#include "model/problem.hpp"
#include "nlp/problem.hpp"
#include "shooting/experiment_values.hpp"
#include "shooting/grid.hpp"
#include "shooting/rules.hpp"

namespace salvo::shooting {

// A measurement and its rows in its block.
struct LocatedMeasurement {
  int measurement = 0;     // index in Problem::measurements
  int stop = -1;           // inside the interval: index of its stop; -1: at the node itself
  int row = 0;             // first row
  bool sigma_row = false;  // sigma depends on unknowns: one more row
};

// One interval with what is measured at its first node and inside it.
struct PlannedInterval {
  int chain = 0;
  int j = 0;
  double begin = 0;
  std::span<const double> stops{};  // measured times inside, then the end
  std::span<const int> measured{};  // indices in Problem::measurements, by time
  int inner_rows = 0;               // rows of measurements inside
};

// One row of the constraints: where it holds.
struct PlannedConstraint {
  int constraint = 0;  // index in Problem::constraints
  int chain = 0;       // the experiment whose values it takes
  int node = -1;       // -1: of theta alone
};

// What a row of the objective stands for: the mean of a measurement or its noise; neither: a prior.
struct RowMeaning {
  int measurement = -1;
  bool of_noise = false;
};

// How many thetas act on the trajectories of a chain.
struct Acting {
  int from_start = 0;
  int from_nodes = 0;
};

// What problems on other nodes share, made once: long data are sorted once.
struct Subject {
  Subject(const model::Problem& of, const compile::CompiledModel& compiled, const Rules& with,
          bool constraining_nodes = true);
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const model::Problem& problem;
  const compile::CompiledModel& model;
  const Rules rules;
  const bool constrains_nodes;  // false: constraints of states are left out
  const UnknownNames names;
  const std::vector<std::vector<int>> by_time;  // measurements of every experiment
  std::vector<char> sigma_varies{};             // of every observable: with the unknowns
  std::vector<double> small_values{};           // of every observable, against its data
  std::vector<Acting> acting{};                 // of every experiment that is measured
  nlp::Layout thetas{};                         // the part of every layout that has no nodes
  int theta_priors = 0;
};

struct Plan {
  Plan() = default;
  Plan(Plan&&) = default;
  Plan& operator=(Plan&&) = default;

  std::vector<PlannedInterval> intervals{};        // chain by chain
  std::vector<std::span<const int>> final_node{};  // per chain: measured at s_K
  std::vector<std::vector<int>> row_count{};       // per chain and block; priors of initial values included
  std::vector<PlannedConstraint> constraints{};    // those of theta, then by chain and node
  std::vector<Acting> acting{};                    // per chain
  std::vector<double> stops{};                     // of all intervals, one after the other
  // The most of any interval, knots included: what one lane may do does not depend on which others fly beside it.
  std::size_t most_stops = 0;
};

// Finds the rows of the measurements of one block, one after the other: stored for long data, they would take four
// times the memory of the indices.
class RowLocator {
 public:
  RowLocator(const model::Problem& problem, const std::vector<char>& sigma_varies, std::span<const double> stops)
      : problem_(problem), sigma_varies_(sigma_varies), stops_(stops) {}

  LocatedMeasurement next(int measurement) {
    const model::Measurement& m = problem_.measurements[measurement];
    while (stop_ + 1 < std::ssize(stops_) && stops_[stop_ + 1] <= m.seen_at()) ++stop_;
    const bool sigma_row = !m.sigma && sigma_varies_[m.observable] != 0;
    const LocatedMeasurement located{.measurement = measurement, .stop = stop_, .row = rows_, .sigma_row = sigma_row};
    rows_ += sigma_row ? 2 : 1;
    return located;
  }
  int rows() const { return rows_; }  // of those so far

 private:
  const model::Problem& problem_;
  const std::vector<char>& sigma_varies_;
  std::span<const double> stops_;
  int stop_ = -1;
  int rows_ = 0;
};

// Every row has its meaning, chain by chain, block by block; the priors of theta, which follow, are not among them.
std::vector<RowMeaning> row_meanings(const Subject& subject, const Plan& plan);

// Whether the last node of a grid is an unknown. One trajectory needs none: what is measured at its end is measured
// inside. Only a constraint that holds at nodes asks for it.
bool has_end_node(const Subject& subject, const Grid& grid);

Plan make_plan(const Subject& subject, const std::vector<Grid>& grids);

nlp::Layout make_layout(const Subject& subject, const std::vector<Grid>& grids);

}  // namespace salvo::shooting
