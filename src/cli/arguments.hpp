#pragma once

#include <string>
#include <vector>

#include "options/arguments.hpp"

namespace salvo::runs {
class Team;
}

// The words of each command as they were typed; options turns them into values.
namespace salvo::cli {

using options::IntegratorArguments;
using options::ValueArguments;
using options::Word;

struct CheckArguments {
  std::string problem{};
  Word cells{};
  Word max_time{};
  bool json = false;
};

struct FitArguments : options::FitWords {
  std::string command_line{};  // as it was typed
  std::string problem{};
  Word data{};
  bool resume = false;
  bool prepare = false;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  runs::Team* team = nullptr;  // processes that share the work; null: this one is alone
};

struct WorkArguments {
  std::string folder{};
  Word share{};
  Word task{};
  Word max_time{};
  Word threads{};
  bool quiet = false;
};

struct StatusArguments {
  std::string folder{};
  bool json = false;
};

struct GatherArguments {
  std::string folder{};
  bool json = false;
  bool quiet = false;
};

struct ProfileArguments : options::ProfileWords {
  FitArguments fit{};
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
  Word cells{};
  Word repeat{};
  Word max_time{};
  bool gradient = false;
  bool jacobian = false;
  bool json = false;
};

struct SimulateArguments : options::SimulateWords {
  std::string problem{};
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

struct DesignArguments {
  std::string problem{};
  ValueArguments values{};
  Word design{};
  IntegratorArguments integrator{};
  Word seed{};
  Word out{};
  bool json = false;
  bool quiet = false;
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
  DesignArguments design{};
  CompareArguments compare{};
  WorkArguments work{};
  StatusArguments status{};
  GatherArguments gather{};
  NewArguments new_problem{};
  PlotArguments plot{};
  std::string report_folder{};
  std::string formula{};
};

}  // namespace salvo::cli
