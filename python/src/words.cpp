#include "words.hpp"

#include <pybind11/stl.h>

namespace salvo::python {
namespace py = pybind11;
namespace {

bool is_text(const py::handle& value) { return py::isinstance<py::str>(value); }

std::string text_of(const py::handle& value) {
  const bool is_number = !is_text(value) && !py::isinstance<py::bool_>(value);
  if (is_number && PyIndex_Check(value.ptr()) == 0 && py::hasattr(value, "__float__"))
    return py::repr(py::float_(py::reinterpret_borrow<py::object>(value))).cast<std::string>();
  return py::str(value).cast<std::string>();
}

std::string joined(const std::vector<std::string>& texts) {
  std::string whole;
  for (const std::string& text : texts) whole += (whole.empty() ? "" : ",") + text;
  return whole;
}

// Whole numbers in a list are times like all others.
std::string item_text(const py::handle& item) {
  const bool is_whole = !is_text(item) && !py::isinstance<py::bool_>(item) && PyIndex_Check(item.ptr()) != 0;
  return is_whole ? text_of(py::float_(py::reinterpret_borrow<py::object>(item))) : text_of(item);
}

}  // namespace

py::object Words::get(const char* name) const {
  return given_.contains(name) ? py::object(given_[name]) : py::object(py::none());
}

options::Word Words::word(const char* name) const {
  const py::object value = get(name);
  if (value.is_none()) return std::nullopt;
  if (is_text(value) || !py::isinstance<py::iterable>(value)) return text_of(value);
  std::vector<std::string> items;
  for (const py::handle& item : py::iterable(value)) items.push_back(item_text(item));
  return joined(items);
}

std::vector<std::string> Words::list(const char* name) const {
  const py::object value = get(name);
  if (value.is_none()) return {};
  if (is_text(value) || !py::isinstance<py::iterable>(value)) return {text_of(value)};
  std::vector<std::string> items;
  for (const py::handle& item : py::iterable(value)) items.push_back(text_of(item));
  return items;
}

std::vector<std::string> Words::assignments(const char* name) const {
  const py::object value = get(name);
  std::vector<std::string> found;
  if (value.is_none()) return found;
  for (const auto& [key, number] : value.cast<py::dict>()) found.push_back(text_of(key) + "=" + text_of(number));
  return found;
}

std::map<std::string, double> Words::values(const char* name) const {
  const py::object value = get(name);
  return value.is_none() ? std::map<std::string, double>{} : value.cast<std::map<std::string, double>>();
}

bool Words::flag(const char* name) const { return !get(name).is_none() && get(name).cast<bool>(); }

options::FitWords fit_words(const Words& words) {
  options::FitWords fit;
  fit.method = words.word("method");
  fit.derivatives = words.word("derivatives");
  fit.nodes = words.word("nodes");
  fit.start = words.word("start");
  fit.integrator = {words.word("integrator"), words.word("rtol"), words.word("atol")};
  fit.guess = words.assignments("guess");
  fit.fix = words.assignments("fix");
  fit.only = words.list("only");
  fit.until = words.word("until");
  fit.max_iterations = words.word("max_iterations");
  fit.tolerance = words.word("tolerance");
  fit.max_time = words.word("max_time");
  fit.effort = words.word("effort");
  fit.intervals = words.word("intervals");
  fit.memory = words.word("memory");
  fit.starts = words.word("starts");
  fit.seed = words.word("seed");
  fit.threads = words.word("threads");
  fit.cells = words.word("cells");
  fit.accept_grid_error = words.flag("accept_grid_error");
  return fit;
}

}  // namespace salvo::python
