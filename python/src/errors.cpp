#include "errors.hpp"

#include <string_view>

#include "base/broken_contract.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

std::string_view word_for(Issue::Kind kind) {
  switch (kind) {
    case Issue::Kind::unreadable: return "unreadable";
    case Issue::Kind::invalid: return "invalid";
    case Issue::Kind::unsupported: return "unsupported";
    case Issue::Kind::warning: return "warning";
  }
  return {};
}

void raise(const char* kind, const py::object& content) {
  const py::object type = py::module_::import("salvo.errors").attr(kind);
  PyErr_SetObject(type.ptr(), type(content).ptr());
}

void translate(std::exception_ptr caught) {
  try {
    std::rethrow_exception(caught);
  } catch (const IssuesFound& found) {
    raise("ProblemError", to_python(found.issues()));
  } catch (const BrokenContract& broken) {
    raise("InternalError", py::str(broken.what()));
  }
}

}  // namespace

py::list to_python(const Issues& issues) {
  const py::object type = py::module_::import("salvo.errors").attr("Issue");
  py::list list;
  for (const Issue& issue : issues)
    list.append(type(sentence_of(issue), issue.hint, issue.file, issue.line, issue.column, word_for(issue.kind)));
  return list;
}

void bind_errors(py::module_&) {
  static const ContractsThrow as_long_as_the_process;
  py::register_exception_translator(&translate);
}

}  // namespace salvo::python
