#pragma once

#include <pybind11/pybind11.h>

#include <exception>

namespace salvo::python {

// Runs `work`, which must not touch Python, while other Python threads go on. The lock is not taken again in a
// destructor: an interpreter that is shutting down ends the thread right there, by unwinding its stack.
template <class Work>
void without_gil(const Work& work) {
  PyThreadState* const state = PyEval_SaveThread();
  std::exception_ptr trouble;
  try {
    work();
  } catch (...) {
    trouble = std::current_exception();
  }
  PyEval_RestoreThread(state);
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace salvo::python
