#include "objective.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <thread>

#include "base/parallel.hpp"
#include "errors.hpp"
#include "interruption.hpp"
#include "numbers.hpp"
#include "options/option_reader.hpp"
#include "problem.hpp"
#include "words.hpp"

namespace salvo::python {
namespace py = pybind11;
namespace {

using Status = fit::Objective::Status;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// What this thread has taken of the processor.
double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// An objective as Python holds it. Where it has no value, because of a bound or because of numbers that do not work
// out, it is infinite, what belongs to it is NaN, and `why` says so.
class Objective {
 public:
  Objective(const Problem& problem, const py::dict& given) : problem_(problem.content), objective_(make(given)) {}

  py::object quantities() const {
    py::list list;
    for (const auto& quantity : objective_.quantities())
      list.append(py::make_tuple(quantity.id, std::string(model::to_string(quantity.scale)), quantity.lower,
                                 quantity.upper, quantity.guess));
    return std::move(list);
  }
  int rows_count() const { return objective_.rows(); }

  double value(const py::handle& theta) {
    const Doubles x(theta);
    double out = infinity;
    run(x, [&] { return objective_.value(x.all(), out); });
    return out;
  }
  double gradient(const py::handle& theta, const py::handle& gradient) {
    const Doubles x(theta);
    const Doubles out(gradient, Doubles::Use::write);
    double value = infinity;
    if (!run(x, [&] { return objective_.gradient(x.all(), value, out.all()); }).ok) {
      value = infinity;
      std::ranges::fill(out.all(), nothing);
    }
    return value;
  }
  Numbers rows(const py::handle& theta) {
    const Doubles x(theta);
    std::vector<double> out;
    if (!run(x, [&] { return objective_.rows(x.all(), out); }).ok) out.assign(rows_count(), infinity);
    return out;
  }
  Numbers jacobian(const py::handle& theta) {
    std::vector<double> rows;
    return matrix(theta, rows_count(),
                  [&](std::span<const double> x, Matrix& out) { return objective_.jacobian(x, rows, out); });
  }
  Numbers fisher(const py::handle& theta) {
    return matrix(theta, count(), [&](std::span<const double> x, Matrix& out) { return objective_.fisher(x, out); });
  }
  Numbers hessian(const py::handle& theta) {
    return matrix(theta, count(), [&](std::span<const double> x, Matrix& out) { return objective_.hessian(x, out); });
  }
  Numbers simulations(const py::handle& theta) {
    const Doubles x(theta);
    std::vector<fit::Objective::Simulation> all;
    const Status done = run(x, [&] { return objective_.simulate(x.all(), all); });
    if (!done.ok) all.assign(problem_->measurements.size(), {nothing, nothing});
    Matrix out(static_cast<int>(all.size()), 2);
    for (int i = 0; i < out.rows; ++i) out(i, 0) = all[i].value, out(i, 1) = all[i].sigma;
    return out;
  }
  py::object why(const py::handle& theta) {
    const Doubles x(theta);
    double out = 0;
    const Status done = run(x, [&] { return objective_.value(x.all(), out); });
    return done.ok ? py::object(py::none()) : py::object(py::str(done.message));
  }

  // Seconds that one gradient takes in C++ alone, on average: what a call from Python is measured against.
  double time_gradient(const py::handle& theta, int repeats) {
    const Doubles x(theta);
    std::vector<double> out(x.all().size());
    double value = 0;
    const double begin = thread_seconds();
    for (int n = 0; n < repeats; ++n) objective_.gradient(x.all(), value, out);
    return (thread_seconds() - begin) / std::max(repeats, 1);
  }

  // A value for each row of `thetas`; what each of them lacks, in words, empty where it lacks nothing.
  std::vector<std::string> many(const py::handle& thetas, const py::handle& values, int threads) {
    const Doubles x(thetas);
    const Doubles out(values, Doubles::Use::write);
    const auto width = static_cast<std::size_t>(count());
    if (x.dimensions() != 2 || x.extent(1) != count()) refuse_length(x.dimensions() == 2 ? x.extent(1) : x.extent(0));
    const int points = static_cast<int>(x.extent(0));
    std::vector<Status> done(static_cast<std::size_t>(points));
    watch_.run([&] {
      parallel_for(points, threads, [&](int i) {
        const std::span<const double> at = x.all().subspan(static_cast<std::size_t>(i) * width, width);
        double value = infinity;
        done[i] = checked(at, [&] { return objective_.value(at, value); });
        out.all()[i] = done[i].ok ? value : infinity;
      });
      const bool was_stopped = watch_.flag()->is_raised();
      return Status{.ok = !was_stopped, .message = {}};
    });
    std::vector<std::string> reasons;
    for (Status& status : done) reasons.push_back(std::move(status.message));
    return reasons;
  }

 private:
  int count() const { return static_cast<int>(objective_.quantities().size()); }

  fit::Objective make(const py::dict& given) {
    const Words words(given);
    options::OptionReader reader(options::Door::keywords);
    fit::ObjectiveOptions options;
    options.integrator =
        reader.integrator({words.word("integrator"), words.word("rtol"), words.word("atol")}, *problem_);
    options.stop = watch_.flag();
    raise_if_any(reader.issues());
    return value_or_raise(fit::Objective::make(*problem_, options));
  }

  [[noreturn]] void refuse_length(py::ssize_t given) const {
    throw IssuesFound(
        {{.message = fmt::format("{} given, but the objective has {}",
                                 given == 1 ? "1 value is" : fmt::format("{} values are", given), count()),
          .hint = "one for each of its names, on its scale"}});
  }

  // Beyond its bounds a quantity has no probability.
  template <class Compute>
  Status checked(std::span<const double> x, const Compute& compute) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto& quantity = objective_.quantities()[i];
      if (x[i] < quantity.lower) return {false, fmt::format("{} is below its lower bound", quantity.id)};
      if (x[i] > quantity.upper) return {false, fmt::format("{} is above its upper bound", quantity.id)};
    }
    return compute();
  }

  template <class Compute>
  Status run(const Doubles& x, const Compute& compute) {
    if (x.dimensions() != 1 || x.extent(0) != count()) refuse_length(static_cast<py::ssize_t>(x.all().size()));
    return watch_.run([&] { return checked(x.all(), compute); });
  }

  template <class Compute>
  Numbers matrix(const py::handle& theta, int rows, const Compute& compute) {
    const Doubles x(theta);
    Matrix out;
    if (!run(x, [&] { return compute(x.all(), out); }).ok) {
      out.resize(rows, count());
      std::ranges::fill(out.data, nothing);
    }
    return out;
  }

  std::shared_ptr<const model::Problem> problem_;
  Interruptible watch_{};
  fit::Objective objective_;
};

}  // namespace

void bind_objective(py::module_& module) {
  py::class_<Objective>(module, "Objective")
      .def(py::init<const Problem&, const py::dict&>(), py::arg("problem"), py::arg("keywords"))
      .def("quantities", &Objective::quantities)
      .def("row_count", &Objective::rows_count)
      .def("value", &Objective::value, py::arg("theta"))
      .def("gradient", &Objective::gradient, py::arg("theta"), py::arg("out"))
      .def("rows", &Objective::rows, py::arg("theta"))
      .def("jacobian", &Objective::jacobian, py::arg("theta"))
      .def("fisher", &Objective::fisher, py::arg("theta"))
      .def("hessian", &Objective::hessian, py::arg("theta"))
      .def("simulations", &Objective::simulations, py::arg("theta"))
      .def("why", &Objective::why, py::arg("theta"))
      .def("time_gradient", &Objective::time_gradient, py::arg("theta"), py::arg("repeats"))
      .def("many", &Objective::many, py::arg("thetas"), py::arg("out"), py::arg("threads"));
}

}  // namespace salvo::python
