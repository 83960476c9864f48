#pragma once

#include "results/profiles.hpp"
#include "statistics/profile.hpp"

namespace salvo::words {

// What the two sides of a profile say, in one word and one sentence.
struct ProfileSides {
  statistics::PathEnd down = statistics::PathEnd::failed;
  statistics::PathEnd up = statistics::PathEnd::failed;
  std::string trouble_down{};  // of a side that could not be followed
  std::string trouble_up{};
  bool is_level = false;      // the objective hardly rises on either side
  bool ends_by_data = false;  // one of them, and not only by a bound that another quantity has met
  bool dips = false;          // it falls again before its end
  bool is_unseen = false;     // it takes part in a direction that the data do not see
  std::string with{};         // what moves along there, by the linearisation: "x2 by -1 %"
};
void add_words(const ProfileSides& sides, double level, const std::vector<std::string>& ids, Profile& profile);

// What is said of a new observation after that; empty if nothing is known.
std::string new_observation_sentence(const Profile& profile);

// All of them in one sentence.
std::string read_together(const std::vector<Profile>& profiles);

}  // namespace salvo::words
