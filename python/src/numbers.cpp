#include "numbers.hpp"

#include <utility>

namespace salvo::python {
namespace py = pybind11;

Numbers::Numbers(std::vector<double> numbers)
    : data(std::move(numbers)), shape{static_cast<py::ssize_t>(data.size())}, strides{sizeof(double)} {}

Numbers::Numbers(Matrix matrix)
    : data(std::move(matrix.data)),
      shape{matrix.rows, matrix.cols},
      strides{sizeof(double), static_cast<py::ssize_t>(sizeof(double)) * matrix.rows} {}

Doubles::Doubles(const py::handle& object, Use use) {
  const int wanted = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (use == Use::write ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object.ptr(), &view_, wanted) != 0) throw py::error_already_set();
  if (view_.itemsize == sizeof(double) && view_.format != nullptr && view_.format[0] == 'd' && view_.format[1] == 0)
    return;
  PyBuffer_Release(&view_);
  throw py::value_error("an array of doubles is needed");
}

Doubles::~Doubles() { PyBuffer_Release(&view_); }

void bind_numbers(py::module_& module) {
  py::class_<Numbers>(module, "Numbers", py::buffer_protocol()).def_buffer([](Numbers& numbers) {
    return py::buffer_info(numbers.data.data(), sizeof(double), py::format_descriptor<double>::format(),
                           static_cast<py::ssize_t>(numbers.shape.size()), numbers.shape, numbers.strides);
  });
}

}  // namespace salvo::python
