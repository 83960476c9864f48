#pragma once

#include <pybind11/pybind11.h>

#include <span>
#include <vector>

#include "base/matrix.hpp"

namespace salvo::python {

// Numbers that Python sees through the buffer protocol, without copying them: numpy.asarray(...) holds on to this
// object. The extension knows nothing of numpy itself, so that it serves every version of it.
struct Numbers {
  std::vector<double> data{};
  std::vector<pybind11::ssize_t> shape{};
  std::vector<pybind11::ssize_t> strides{};

  Numbers(std::vector<double> numbers);
  Numbers(Matrix matrix);  // column by column
};

// A buffer of doubles, one after the other, as numpy.ascontiguousarray gives them; ValueError if it is anything else.
class Doubles {
 public:
  enum class Use { read, write };
  Doubles(const pybind11::handle& object, Use use = Use::read);
  ~Doubles();
  Doubles(const Doubles&) = delete;
  Doubles& operator=(const Doubles&) = delete;

  std::span<double> all() const { return {static_cast<double*>(view_.buf), static_cast<std::size_t>(view_.len) / 8}; }
  int dimensions() const { return view_.ndim; }
  pybind11::ssize_t extent(int dimension) const { return view_.shape[dimension]; }

 private:
  Py_buffer view_{};
};

void bind_numbers(pybind11::module_& module);

}  // namespace salvo::python
