#pragma once

#include <optional>
#include <string>
#include <vector>

// The words of each command as they were typed; option_reader turns them into values.
namespace salvo::cli {

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

struct CheckArguments {
  std::string problem{};
  Word max_time{};
  bool json = false;
};

struct FitArguments {
  std::string command_line{};  // as it was typed
  std::string problem{};
  Word method{};
  Word derivatives{};
  Word nodes{};
  Word start{};
  IntegratorArguments integrator{};
  std::vector<std::string> guess{};
  Word from{};
  std::vector<std::string> fix{};
  std::vector<std::string> only{};
  Word data{};
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
  bool resume = false;
  bool profiles = false;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
};

struct ProfileArguments {
  FitArguments fit{};
  std::vector<std::string> parameters{};
  std::vector<std::string> predict{};
  Word level{};
};

struct StudyArguments {
  FitArguments fit{};
  std::vector<std::string> truth{};
  Word replicates{};
};

struct EvaluateArguments {
  std::string problem{};
  ValueArguments values{};
  IntegratorArguments integrator{};
  Word memory{};
  Word repeat{};
  bool gradient = false;
  bool jacobian = false;
  bool json = false;
};

struct SimulateArguments {
  std::string problem{};
  Word at{};
  Word until{};
  ValueArguments values{};
  IntegratorArguments integrator{};
  bool json = false;
};

struct SimulateSbmlArguments {
  std::string model{};
  Word settings{};
  Word csv{};
  IntegratorArguments integrator{};
};

struct ConvertArguments {
  std::string problem{};
  std::string out{};
  bool replace = false;
};

struct CompareArguments {
  std::vector<std::string> folders{};
  Word out{};
  bool nested = false;
  bool json = false;
};

struct PlotArguments {
  std::string folder{};
  Word out{};
  Word format{};
  Word width{};
  Word height{};
  std::vector<std::string> log{};
  std::vector<std::string> phase{};
  bool common = false;
  bool overlay = false;
};

struct NewArguments {
  Word name{};
  Word from{};
};

struct Arguments {  // one member per command
  FitArguments fit{};
  EvaluateArguments evaluate{};
  SimulateArguments simulate{};
  SimulateSbmlArguments simulate_sbml{};
  StudyArguments study{};
  ProfileArguments profile{};
  ConvertArguments convert{};
  CheckArguments check{};
  CompareArguments compare{};
  NewArguments new_problem{};
  PlotArguments plot{};
  std::string report_folder{};
  std::string formula{};
};

}  // namespace salvo::cli
