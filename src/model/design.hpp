#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/graph.hpp"
#include "model/choices.hpp"

// Which measurements could be made next, and what is wanted of them: the section `design`, as plain data.
namespace salvo::model {

// One sample is all of these observables at one of the times.
struct Measure {
  std::vector<int> observables{};
  std::vector<double> times{};     // in order
  std::vector<int> experiments{};  // of the problem; none: its experiments, or the new ones where there are factors
  std::optional<int> at_most{};    // samples at any one time; none: any number
  double cost = 1;                 // of a sample
};

// What is varied between the new experiments: a constant parameter, a known initial value, or which experiment's table
// an input takes. All levels of all factors are combined.
struct Factor {
  enum class Of { parameter, initial, input };
  std::string id{};
  Of of = Of::parameter;
  int index = 0;                                     // of the parameter, the state or the input
  std::vector<double> levels{};                      // of an input: experiments whose tables it takes
  std::optional<std::pair<double, double>> range{};  // levels may then be any number in between
};

enum class DesignCriterion { D, A, E, c };
template <>
struct Names<DesignCriterion> {
  static constexpr std::string_view what = "criterion";
  static constexpr std::array<std::pair<DesignCriterion, std::string_view>, 4> all{
      {{DesignCriterion::D, "D"}, {DesignCriterion::A, "A"}, {DesignCriterion::E, "E"}, {DesignCriterion::c, "c"}}};
};

// What c(...) is about: an estimated quantity by its name, or a formula, of states at a time.
struct DesignTarget {
  std::string text{};
  std::optional<expression::NodeId> formula{};  // none: the text names an estimated quantity
  std::optional<double> time{};                 // none: the start, before anything has happened
  int experiment = 0;
};

// The values at which information is computed: one point, or several over which the criterion is averaged.
enum class DesignOver { estimate, prior, starts, profile, file };
template <>
struct Names<DesignOver> {
  static constexpr std::string_view what = "'over'";
  static constexpr std::array<std::pair<DesignOver, std::string_view>, 5> all{{{DesignOver::estimate, "estimate"},
                                                                               {DesignOver::prior, "prior"},
                                                                               {DesignOver::starts, "starts"},
                                                                               {DesignOver::profile, "profile"},
                                                                               {DesignOver::file, "file"}}};
};

struct Design {
  std::vector<Measure> measures{};
  std::vector<Factor> factors{};
  int like = 0;  // the experiment that new ones are like, but for the factors
  DesignCriterion criterion = DesignCriterion::D;
  DesignTarget target{};                // of c
  std::vector<std::string> interest{};  // names of estimated quantities; none: all
  double budget = 0;
  DesignOver over = DesignOver::estimate;
  std::vector<std::map<std::string, double>> draws{};  // those of a file
};

}  // namespace salvo::model
