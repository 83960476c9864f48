#include "formats/problem/write_estimated.hpp"

#include <cmath>

#include "base/words.hpp"
#include "formats/prior_law.hpp"

namespace salvo::formats {
namespace {

using model::PriorLaw;
using model::StartLaw;
using yaml::Value;

Value bound(double value) {
  if (std::isinf(value)) return Value::of(value < 0 ? "-.inf" : ".inf");
  return Value::of(number_text(value));
}

Value law(const model::Prior& prior) {
  const std::string name(model::to_string(prior.law));
  std::vector<std::string> numbers{number_text(prior.spread)};
  if (count_of_numbers(prior.law) == 2) numbers.insert(numbers.begin(), number_text(prior.location));
  const bool is_cut = prior.log_mass != 0;
  if (!prior.on_scale && !is_cut)
    return Value::of(name + "(" + numbers.front() + (numbers.size() == 2 ? ", " + numbers.back() : "") + ")");
  Value map = Value::map();
  Value& list = map.add(name, Value::list());
  for (const std::string& number : numbers) list.items.push_back(Value::of(number));
  if (prior.on_scale) map.add("on", Value::of("scale"));
  if (is_cut) map.add("within", Value::of("bounds"));
  return map;
}

Value starts(const StartLaw& start) {
  model::Prior prior{.location = start.a, .spread = start.b, .on_scale = start.on_scale && !start.of_logarithm};
  switch (start.shape) {
    case StartLaw::Shape::uniform: prior.law = PriorLaw::uniform; break;
    case StartLaw::Shape::normal: prior.law = start.of_logarithm ? PriorLaw::log_normal : PriorLaw::normal; break;
    case StartLaw::Shape::laplace: prior.law = start.of_logarithm ? PriorLaw::log_laplace : PriorLaw::laplace; break;
  }
  return law(prior);
}

}  // namespace

Value write_estimated(const model::Estimated& estimated) {
  Value map = Value::map();
  if (estimated.guess) map.add("guess", Value::of(number_text(*estimated.guess)));
  const bool is_logarithmic = estimated.scale != model::Scale::lin;
  const bool has_lower = std::isfinite(estimated.lower) && !(is_logarithmic && estimated.lower <= 0);
  if (has_lower || std::isfinite(estimated.upper)) {
    Value& bounds = map.add("bounds", Value::list());
    bounds.items = {bound(has_lower ? estimated.lower : -INFINITY), bound(estimated.upper)};
  }
  if (is_logarithmic) map.add("scale", Value::of(std::string(model::to_string(estimated.scale))));
  if (estimated.prior) map.add("prior", law(*estimated.prior));
  if (estimated.start) map.add("starts", starts(*estimated.start));
  return map;
}

}  // namespace salvo::formats
