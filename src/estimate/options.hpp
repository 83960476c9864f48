#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/spelling.hpp"
#include "estimate/rules.hpp"
#include "model/problem.hpp"

namespace salvo::estimate {

// Which intervals a fit reports: those of standard errors, each end followed along the likelihood where that is not
// what its parabola says; or all of one kind.
enum class Intervals { automatic, wald, profile };

// Whose word a guess in the options is: the user's is obeyed to the letter; one that repeats the file may be improved;
// one that the program drew, one of many, may be repaired.
enum class GuessFrom { user, file, draw };

// What a caller can say beyond the problem file. What is missing follows the file.
struct Options {
  std::optional<model::Method> method{};
  std::optional<model::Derivatives> derivatives{};
  std::optional<model::Nodes> nodes{};
  std::optional<model::StartValues> start{};
  std::optional<model::Integrator> integrator{};
  std::optional<int> max_iterations{};  // default 200, scalar 500
  double tolerance = 1e-8;
  double effort = 1;  // times the account of a fit
  std::optional<double> max_seconds{};
  std::optional<double> memory{};  // bytes for the steps of trajectories; beyond them steps are taken again
  int threads = 1;
  int starts = 1;
  std::uint64_t seed = 1;
  std::map<std::string, double> guess{};  // by id: parameters, initial values ("x1" or "experiment:x1")
  GuessFrom guess_from = GuessFrom::user;
  bool is_one_of_many = false;   // starts or replicates, which are each other's remedy for doubt
  std::optional<int> planned{};  // starts or replicates that a run began with, if some were added since: machine code
                                 // is made for so many, so that the first ones stay as they are
  int expected_reuse = 1;        // fits of this model, this one included: together they may be worth machine code
  Intervals intervals = Intervals::automatic;
  bool accept_grid_error = false;  // whoever says so takes an answer of too few cells for what it is
  Spelling spelling{};             // how messages name what can be changed; empty: as in C++
  Rules rules{};
};

}  // namespace salvo::estimate
