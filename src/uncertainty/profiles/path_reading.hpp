#pragma once

#include "uncertainty/profiles/profiles.hpp"
#include "uncertainty/profiles/subjects.hpp"

namespace salvo::uncertainty {

// What the two paths of a subject say, for the user.
Profile described(const ProfileOrigin& from, const Subject& subject, const statistics::ProfilePath& down,
                  const statistics::ProfilePath& up);
// Adds the paths of a prediction's observation to its profile.
void add_new_observation(const Subject& observation, const statistics::ProfilePath& down,
                         const statistics::ProfilePath& up, Profile& profile);
// `is_walds`: the path is one fit, at the end that the standard error gives.
IntervalEnd end_of(const ProfileOrigin& from, const Subject& subject, const statistics::ProfilePath& path,
                   bool is_walds);

}  // namespace salvo::uncertainty
