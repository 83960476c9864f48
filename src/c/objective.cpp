#include "salvo/objective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/words.hpp"
#include "c/border.hpp"
#include "c/words.hpp"
#include "estimate/quantities.hpp"
#include "options/prepare.hpp"

namespace salvo::c {
namespace {

using options::Door;

int told(const Objective::Status& status) { return status ? SALVO_OK : refuse(SALVO_NO_NUMBER, status.message); }

// What is wrong with the point, as a code; SALVO_OK if nothing is.
int check_point(const salvo_objective* objective, const double* x, size_t count) {
  if (objective == nullptr) return refuse_null("objective");
  if (x == nullptr && count > 0) return refuse_null("x");
  const size_t wanted = objective->objective.quantities().size();
  if (count == wanted) return SALVO_OK;
  return refuse(SALVO_WRONG_USE, fmt::format("the length of x is {}, but the objective has {}", count,
                                             counted(static_cast<long>(wanted), "quantity", "quantities")));
}

int check_rows(const salvo_objective* objective, size_t row_count) {
  const int wanted = objective->objective.rows();
  if (row_count == static_cast<size_t>(wanted)) return SALVO_OK;
  return refuse(SALVO_WRONG_USE,
                fmt::format("room for {} rows is given, but the objective has {}", row_count, counted(wanted, "row")));
}

}  // namespace
}  // namespace salvo::c

using namespace salvo;

int salvo_make_objective(const salvo_problem* problem, const char* options, salvo_objective** objective) {
  return c::guarded([&] {
    if (objective == nullptr) return c::refuse_null("objective");
    *objective = nullptr;
    if (problem == nullptr) return c::refuse_null("problem");
    const auto words = c::objective_words(options);
    if (!words) return c::refuse(words.issues());
    auto prepared = options::prepare_fit(*words, problem->problem, c::Door::object);
    if (!prepared) return c::refuse(prepared.issues());
    c::remember_warnings(c::lines_of(prepared->warnings));
    estimate::set_guesses(prepared->problem, prepared->options.guess);
    const ObjectiveOptions how{.integrator = prepared->options.integrator,
                               .memory = prepared->options.memory.value_or(0)};
    const auto made = Objective::make(prepared->problem, how);
    if (!made) return c::refuse(made.issues());
    *objective = new salvo_objective{*made};
    return static_cast<int>(SALVO_OK);
  });
}

size_t salvo_quantity_count(const salvo_objective* objective) {
  return objective == nullptr ? 0 : objective->objective.quantities().size();
}

size_t salvo_row_count(const salvo_objective* objective) {
  return objective == nullptr ? 0 : static_cast<size_t>(objective->objective.rows());
}

int salvo_get_quantity(const salvo_objective* objective, size_t index, salvo_quantity* quantity) {
  return c::guarded([&] {
    if (objective == nullptr) return c::refuse_null("objective");
    if (quantity == nullptr) return c::refuse_null("quantity");
    const auto& all = objective->objective.quantities();
    if (index >= all.size())
      return c::refuse(SALVO_WRONG_USE,
                       fmt::format("there is no quantity {}: they count from 0, and there are {}", index, all.size()));
    const Objective::Quantity& one = all[index];
    *quantity = {one.id.c_str(), model::to_string(one.scale).data(), one.lower, one.upper, one.guess};
    return static_cast<int>(SALVO_OK);
  });
}

int salvo_value(const salvo_objective* objective, const double* x, size_t count, double* value) {
  return c::guarded([&] {
    if (value == nullptr) return c::refuse_null("value");
    if (const int code = c::check_point(objective, x, count); code != SALVO_OK) return code;
    return c::told(objective->objective.value({x, count}, *value));
  });
}

int salvo_gradient(const salvo_objective* objective, const double* x, size_t count, double* value, double* gradient) {
  return c::guarded([&] {
    if (gradient == nullptr && count > 0) return c::refuse_null("gradient");
    if (const int code = c::check_point(objective, x, count); code != SALVO_OK) return code;
    double unwanted = 0;
    return c::told(objective->objective.gradient({x, count}, value == nullptr ? unwanted : *value, {gradient, count}));
  });
}

int salvo_rows(const salvo_objective* objective, const double* x, size_t count, double* rows, size_t row_count) {
  return c::guarded([&] {
    if (rows == nullptr && row_count > 0) return c::refuse_null("rows");
    if (const int code = c::check_point(objective, x, count); code != SALVO_OK) return code;
    if (const int code = c::check_rows(objective, row_count); code != SALVO_OK) return code;
    std::vector<double> r;
    const Objective::Status status = objective->objective.rows({x, count}, r);
    if (status) std::copy(r.begin(), r.end(), rows);
    return c::told(status);
  });
}

int salvo_jacobian(const salvo_objective* objective, const double* x, size_t count, double* rows, double* jacobian,
                   size_t row_count) {
  return c::guarded([&] {
    if (jacobian == nullptr && row_count * count > 0) return c::refuse_null("jacobian");
    if (const int code = c::check_point(objective, x, count); code != SALVO_OK) return code;
    if (const int code = c::check_rows(objective, row_count); code != SALVO_OK) return code;
    std::vector<double> r;
    Matrix J;
    const Objective::Status status = objective->objective.jacobian({x, count}, r, J);
    if (!status) return c::told(status);
    if (rows != nullptr) std::copy(r.begin(), r.end(), rows);
    for (int k = 0; k < J.cols; ++k)
      for (int i = 0; i < J.rows; ++i) *jacobian++ = J(i, k);
    return static_cast<int>(SALVO_OK);
  });
}

void salvo_free_objective(salvo_objective** objective) {
  if (objective == nullptr) return;
  delete *objective;
  *objective = nullptr;
}
