#include "pump.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

py::object event(const char* kind, py::args arguments) {
  return py::module_::import("salvo.progress").attr(kind)(*arguments);
}

struct AsPython {
  py::object operator()(const IterationDone& done) const {
    return event("Iteration", py::make_tuple(done.iteration, done.objective, done.gap, done.step, done.phase));
  }
  py::object operator()(const StartDone& done) const {
    return event("TaskDone", py::make_tuple(done.done, done.of, done.converged));
  }
  py::object operator()(const Remark& remark) const { return event("Remark", py::make_tuple(remark.text)); }
};

}  // namespace

py::object to_python(const Event& event) { return std::visit(AsPython{}, event); }

}  // namespace salvo::python
