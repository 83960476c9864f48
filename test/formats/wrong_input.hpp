#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace salvo::formats {

using Files = std::map<std::string, std::string>;

// A problem with exactly one mistake, and what the one Issue about it must say.
struct WrongInput {
  std::string name{};
  Files files{};          // problem.yaml and, unless another is given, data.csv
  std::string in_file{};  // where the Issue is
  int line = 0;
  int column = 0;
  std::string message{};  // words in the message
  std::string hint{};     // words in the hint
};
inline void PrintTo(const WrongInput& wrong, std::ostream* out) { *out << wrong.name; }

// The predator-prey problem, right in every respect:
//  1 title: ...
//  2 equations:
//  3   x1: -p1*x1 + p2*x1*x2
//  4   x2: p3*x2 - p4*x1*x2
//  5 initial:
//  6   x1: {guess: 0.4}
//  7 parameters:
//  8   p1: {guess: 0.5, bounds: [-2, 5]}
//  9   p2: {guess: 0.5}
// 10   p3: 0.5
// 11   p4: {value: 0.2}
// 12 observables:
// 13   predator: {formula: x1, noise: 0.05}
// 14   prey: {formula: x2, noise: 0.05}
// 15 data: data.csv
std::string good_problem();
std::string good_data();

// The good problem with the first occurrence of `what` replaced.
std::string changed(const std::string& what, const std::string& by);
// The good problem and more lines after it, from line 16 on.
std::string longer(const std::string& more);
// A mistake in the problem file itself.
WrongInput in_problem(std::string name, std::string problem, int line, int column, std::string message,
                      std::string hint = {});

std::vector<WrongInput> wrong_yaml();
std::vector<WrongInput> wrong_problems();
std::vector<WrongInput> wrong_settings();
std::vector<WrongInput> wrong_events();
std::vector<WrongInput> wrong_doses();
std::vector<WrongInput> wrong_data();
std::vector<WrongInput> wrong_designs();
std::vector<WrongInput> wrong_algebra();
std::vector<WrongInput> wrong_delays();
std::vector<WrongInput> wrong_fields();

}  // namespace salvo::formats
