#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "salvo/fit.hpp"
#include "salvo/issue.hpp"
#include "salvo/problem.hpp"

namespace salvo::python {

// The keyword arguments of a call as values. One that is missing or None gives nothing; what is wrong is collected, so that
// a person sees all of it at once.
class Keywords {
 public:
  explicit Keywords(pybind11::dict given) : given_(std::move(given)) {}

  std::optional<double> number(const char* name);    // finite
  std::optional<double> positive(const char* name);  // finite and above 0
  std::optional<double> between(const char* name, double least, double most);
  std::optional<int> count(const char* name, int least, int most = std::numeric_limits<int>::max());
  std::optional<std::uint64_t> seed(const char* name);
  std::optional<std::string> word(const char* name);
  std::vector<std::string> words(const char* name);
  std::optional<std::vector<double>> times(const char* name);  // in order, each once
  std::map<std::string, double> values(const char* name);
  std::optional<model::Nodes> nodes(const char* name);
  std::optional<estimate::Intervals> intervals(const char* name);
  // That of the problem with what `integrator`, `rtol` and `atol` say otherwise; nothing if they say nothing.
  std::optional<model::Integrator> integrator(const model::Integrator& of_problem);
  bool flag(const char* name);

  template <class Choice>
  std::optional<Choice> choice(const char* name) {
    const auto text = word(name);
    if (!text) return std::nullopt;
    const auto value = model::from_name<Choice>(*text);
    if (!value) complain_about_word(name, *text, model::known_names<Choice>());
    return value;
  }

  void complain(std::string message, std::string hint = {});
  // Raises ProblemError if anything was wrong.
  void raise_if_wrong() const;

 private:
  pybind11::object get(const char* name) const;  // None if it is missing
  std::optional<double> finite(const pybind11::handle& value) const;
  void refuse(const char* name, std::string_view wants, const pybind11::handle& value);
  void complain_about_word(const char* name, const std::string& word, const std::vector<std::string>& known);

  pybind11::dict given_;
  Issues issues_{};
};

// All that a call says about fitting, with hints in the words of this door.
fit::Options fit_options(Keywords& keywords, const model::Problem& problem);

// What messages ask to change, as keyword arguments.
Spelling as_keywords();

}  // namespace salvo::python
