#include "formats/petab/parameters.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/words.hpp"
#include "expression/parse.hpp"
#include "formats/petab/priors.hpp"
#include "formats/petab/words.hpp"
#include "formats/prior_law.hpp"

namespace salvo::formats::petab {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class ParameterReader {
 public:
  explicit ParameterReader(Draft& draft) : draft_(draft), table_(draft.parameters) {
    for (const char* name : {"parameterId", "lowerBound", "upperBound", "nominalValue", "estimate"}) need(name);
    if (draft.version == Version::one) need("parameterScale");
  }

  void read() {
    if (!draft_.log.empty()) return;
    for (const Row& row : table_.rows) read_row(row);
    if (draft_.version == Version::two) spread_uniform_priors();
  }

 private:
  void need(const char* name) {
    if (table_.column(name) < 0 && !table_.files.empty())
      draft_.log.add({.file = table_.files[0],
                      .line = 1,
                      .column = 1,
                      .message = fmt::format("the column '{}' is missing", name)});
  }

  const std::string& text(const Row& row, const char* name) const { return table_.text(row, table_.column(name)); }
  void complain(const Row& row, const char* name, const std::string& message, const std::string& hint = {}) {
    draft_.add(table_, row, table_.column(name), message, hint);
  }

  void read_row(const Row& row) {
    const std::string& id = text(row, "parameterId");
    if (!expression::is_name(id))
      return complain(row, "parameterId", fmt::format("'{}' cannot be a name", id.substr(0, 60)));
    if (!draft_.parameter_ids.insert(id).second)
      return complain(row, "parameterId", fmt::format("the parameter '{}' is there twice", id));
    check_target(row, id);
    model::Parameter parameter{.id = id, .symbol = draft_.model.graph.symbol(id)};
    if (is_estimated(row))
      parameter.value = estimated(row, id);
    else
      parameter.value = number(row, "nominalValue").value_or(0);
    draft_.problem.parameters.push_back(std::move(parameter));
  }

  // The table may give a value to what nothing else gives one.
  void check_target(const Row& row, const std::string& id) {
    const int index = draft_.quantity(id);
    if (index < 0) return;
    const sbml::Quantity& quantity = draft_.model.quantities[index];
    if (quantity.assignment != expression::no_node || quantity.rate != expression::no_node)
      complain(row, "parameterId", fmt::format("'{}' has a rule in the model; it cannot be a parameter too", id));
    for (const sbml::Event& event : draft_.model.events)
      for (const sbml::Setting& setting : event.set)
        if (setting.quantity == index)
          complain(row, "parameterId",
                   fmt::format("an event of the model sets '{}'; it cannot be a parameter too", id));
  }

  bool is_estimated(const Row& row) {
    const std::string& word = text(row, "estimate");
    if (word == "1" || word == "true" || word == "True" || word == "TRUE" || word == "1.0") return true;
    if (word != "0" && word != "false" && word != "False" && word != "FALSE" && word != "0.0")
      complain(row, "estimate",
               fmt::format("'estimate' must be {}, but is '{}'",
                           draft_.version == Version::one ? "0 or 1" : "true or false", word));
    return false;
  }

  std::optional<double> number(const Row& row, const char* name) {
    const auto value = parse_number(text(row, name));
    if (value && std::isfinite(*value)) return value;
    complain(row, name,
             fmt::format("'{}' of {} must be a finite number, but is '{}'", name, text(row, "parameterId"),
                         text(row, name).substr(0, 40)));
    return std::nullopt;
  }

  double bound(const Row& row, const char* name, double otherwise) {
    if (is_missing(text(row, name))) return otherwise;
    const auto value = parse_number(text(row, name));
    if (!value)
      complain(row, name, fmt::format("'{}' must be a number, but is '{}'", name, text(row, name).substr(0, 40)));
    return value.value_or(otherwise);
  }

  model::Estimated estimated(const Row& row, const std::string& id) {
    model::Estimated out{.lower = bound(row, "lowerBound", -infinity), .upper = bound(row, "upperBound", infinity)};
    if (out.lower > out.upper) complain(row, "lowerBound", fmt::format("the bounds of {} are not in order", id));
    out.scale = scale(row, out);
    out.guess = is_missing(text(row, "nominalValue")) ? middle(row, out) : number(row, "nominalValue");
    if (out.scale != model::Scale::lin && out.guess == 0 && out.lower > 0 && out.upper >= out.lower) {
      // The value is a guess alone, which may be any other.
      out.guess = out.lower;
      draft_.problem.remarks.push_back(
          fmt::format("the nominal value of {} is 0, which has no logarithm; its guess is the lower bound, {}", id,
                      number_text(out.lower)));
    }
    if (out.scale != model::Scale::lin && out.guess && !(*out.guess > 0))
      complain(row, "nominalValue",
               fmt::format("the value of {} has no logarithm, but its scale is {}", id, model::to_string(out.scale)));
    if (out.scale != model::Scale::lin && out.lower < 0) out.lower = 0;
    read_priors(row, out);
    return out;
  }

  model::Scale scale(const Row& row, const model::Estimated& bounds) {
    if (draft_.version == Version::two) return scale_between(bounds.lower, bounds.upper);
    const auto word = model::from_name<model::Scale>(text(row, "parameterScale"));
    if (!word)
      complain(row, "parameterScale", fmt::format("unknown scale '{}'", text(row, "parameterScale").substr(0, 40)),
               "known: lin, log, log10");
    return word.value_or(model::Scale::lin);
  }

  double middle(const Row& row, const model::Estimated& bounds) {
    const double lower = model::to_scale(bounds.scale, bounds.lower);
    const double upper = model::to_scale(bounds.scale, bounds.upper);
    const double value = model::from_scale(bounds.scale, 0.5 * (lower + upper));
    if (!std::isfinite(value)) complain(row, "nominalValue", "there is neither a nominal value nor two finite bounds");
    return value;
  }

  void read_priors(const Row& row, model::Estimated& out) {
    const bool one = draft_.version == Version::one;
    const char* type = one ? "objectivePriorType" : "priorDistribution";
    const char* numbers = one ? "objectivePriorParameters" : "priorParameters";
    if (!is_missing(text(row, type))) {
      const PriorRead prior = one ? read_objective_prior(text(row, type), text(row, numbers), out)
                                  : read_prior(text(row, type), text(row, numbers), out);
      if (!prior.trouble.empty()) complain(row, numbers, prior.trouble);
      out.prior = prior.prior;
      if (prior.prior) keep_within(*prior.prior, out);
    }
    if (!one || is_missing(text(row, "initializationPriorType"))) return;
    const StartRead start =
        read_initialization_prior(text(row, "initializationPriorType"), text(row, "initializationPriorParameters"));
    if (!start.trouble.empty()) complain(row, "initializationPriorType", start.trouble);
    out.start = start.law;
  }

  // If one parameter has a prior, the others have one too: what lies between their bounds is equally likely.
  void spread_uniform_priors() {
    bool any = false;
    for (const model::Parameter& parameter : draft_.problem.parameters)
      any |= parameter.is_estimated() && std::get<model::Estimated>(parameter.value).prior.has_value();
    if (!any) return;
    for (model::Parameter& parameter : draft_.problem.parameters) {
      auto* estimated = std::get_if<model::Estimated>(&parameter.value);
      if (estimated == nullptr || estimated->prior || !std::isfinite(estimated->lower) ||
          !std::isfinite(estimated->upper))
        continue;
      if (estimated->lower < estimated->upper)
        estimated->prior = {.law = model::PriorLaw::uniform, .location = estimated->lower, .spread = estimated->upper};
    }
  }

  Draft& draft_;
  const Table& table_;
};

}  // namespace

model::Scale scale_between(double lower, double upper) {
  constexpr double wide_range = 100;
  return lower > 0 && upper >= wide_range * lower ? model::Scale::log10 : model::Scale::lin;
}

void read_parameters(Draft& draft) { ParameterReader(draft).read(); }

}  // namespace salvo::formats::petab
