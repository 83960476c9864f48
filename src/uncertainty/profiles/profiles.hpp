#pragma once

#include <map>

#include "estimate/ways/way.hpp"
#include "uncertainty/profiles/options.hpp"

namespace salvo::uncertainty {

// Profile likelihoods of quantities and predictions of an answer (docs/mathematics.md, section 20).
struct ProfilesOutcome {
  Profiles profiles{};
  std::string trouble{};                   // why there are none
  std::map<std::string, double> better{};  // a point that lies lower than the answer, if the way led to one
};
ProfilesOutcome follow_profiles(const estimate::Workspace& workspace, const estimate::Found& found,
                                const ProfileOptions& options, const RunContext& context);

// Issues for names and times that the problem does not have.
Issues check_profiles(const model::Problem& problem, const ProfileOptions& options);

}  // namespace salvo::uncertainty
