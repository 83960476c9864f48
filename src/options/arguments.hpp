#pragma once

#include <optional>
#include <string>
#include <vector>

// The words of a run as they were said; option_reader turns them into values.
namespace salvo::options {

using Word = std::optional<std::string>;

struct IntegratorArguments {
  Word integrator{};
  Word rtol{};
  Word atol{};
};

// Where parameter values come from, if not from the problem file.
struct ValueArguments {
  Word parameters{};
  Word from{};
};

// Of a fit, whichever door it comes through.
struct FitWords {
  Word method{};
  Word derivatives{};
  Word nodes{};
  Word start{};
  IntegratorArguments integrator{};
  std::vector<std::string> guess{};
  Word from{};
  std::vector<std::string> fix{};
  std::vector<std::string> only{};
  Word until{};
  Word max_iterations{};
  Word tolerance{};
  Word max_time{};
  Word effort{};
  Word intervals{};
  Word memory{};
  Word starts{};
  Word seed{};
  Word threads{};
  Word out{};
  Word cells{};
  bool accept_grid_error = false;
  bool profiles = false;
};

// Of profiles.
struct ProfileWords {
  std::vector<std::string> parameters{};
  std::vector<std::string> predict{};
  Word level{};
};

// Of a simulation.
struct SimulateWords {
  Word at{};
  Word until{};
  Word places{};
  Word cells{};
  ValueArguments values{};
  IntegratorArguments integrator{};
};

}  // namespace salvo::options
