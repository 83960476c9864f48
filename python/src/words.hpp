#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>
#include <vector>

#include "options/arguments.hpp"

namespace salvo::python {

// The keyword arguments of a call as the words that other doors hand on, so that all doors check them alike. Numbers
// are written so that they read back as the same doubles; None is no word.
class Words {
 public:
  explicit Words(pybind11::dict given) : given_(std::move(given)) {}

  options::Word word(const char* name) const;                    // "0.5", "gauss-newton", "0,2.5,5"
  std::vector<std::string> list(const char* name) const;         // a name, or several
  std::vector<std::string> assignments(const char* name) const;  // "p1=0.5"
  std::map<std::string, double> values(const char* name) const;  // numbers that need no check: names with floats
  bool flag(const char* name) const;

 private:
  pybind11::object get(const char* name) const;  // None if it is missing

  pybind11::dict given_;
};

options::FitWords fit_words(const Words& words);

}  // namespace salvo::python
