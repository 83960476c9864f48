#pragma once

#include <pybind11/pybind11.h>

#include <stdexcept>
#include <utility>

#include "salvo/issue.hpp"

namespace salvo::python {

// Becomes salvo.ProblemError, which carries every issue.
class IssuesFound : public std::exception {
 public:
  explicit IssuesFound(Issues issues) : issues_(std::move(issues)) {}
  const char* what() const noexcept override { return "the problem has issues"; }
  const Issues& issues() const { return issues_; }

 private:
  Issues issues_;
};

template <class T>
T value_or_raise(Result<T> result) {
  if (!result) throw IssuesFound(result.issues());
  return *std::move(result);
}
inline void raise_if_any(const Issues& issues) {
  if (!issues.empty()) throw IssuesFound(issues);
}

pybind11::list to_python(const Issues& issues);

// Exceptions of C++ become those of salvo.errors. A broken contract raises too, where the program would end.
void bind_errors(pybind11::module_& module);

}  // namespace salvo::python
