#pragma once

#include <map>

#include "estimate/ways/way.hpp"
#include "uncertainty/profiles/options.hpp"

namespace salvo::uncertainty {

// One end of an interval of a quantity, on its scale.
struct IntervalEnd {
  enum class Kind {
    unknown,     // not looked at, or it could not be followed
    wald,        // there the likelihood is what the standard error says
    likelihood,  // where the path along the likelihood ended
    none         // the likelihood does not end it within the bounds
  };
  Kind kind = Kind::unknown;
  double value = 0;
  std::string limited_by{};  // the other quantity whose bound makes this end, if one does
  bool is_too_near = false;  // that of the standard error, where this one is unknown
};
struct QuantityInterval {
  IntervalEnd lower{};
  IntervalEnd upper{};
};
struct IntervalsOutcome {
  std::vector<QuantityInterval> of{};       // every quantity in its order; empty: nothing could be looked at
  std::vector<QuantityInterval> derived{};  // in the order of derived_quantities
  // By the inverse Hessian, on the scales; empty where that is not positive definite. `inflation`: by how much the
  // variance of each quantity is larger for noise that was estimated.
  Matrix observed{};
  std::vector<double> inflation{};
  std::map<std::string, double> better{};  // a point that lies lower than the answer, if the way led to one
};
// Profile likelihoods of quantities and predictions of an answer (docs/mathematics.md, section 20).
struct ProfilesOutcome {
  Profiles profiles{};
  std::string trouble{};                   // why there are none
  IntervalsOutcome intervals{};            // the ends of quantities, where the level is that of intervals
  std::map<std::string, double> better{};  // a point that lies lower than the answer, if the way led to one
};
ProfilesOutcome follow_profiles(const estimate::Workspace& workspace, const estimate::Found& found,
                                const ProfileOptions& options, const RunContext& context);

// The likelihood's intervals of all quantities. With `Intervals::automatic`, one fit checks each end that the standard
// error gives, and only those are followed where the likelihood is not what its parabola says. All of it within a share
// of the fit's account: what that does not pay for is unknown.
IntervalsOutcome likelihood_intervals(const estimate::Workspace& workspace, const estimate::Found& found,
                                      estimate::Intervals how, const RunContext& context);

// Issues for names and times that the problem does not have.
Issues check_profiles(const model::Problem& problem, const ProfileOptions& options);

}  // namespace salvo::uncertainty
