#pragma once

#include "fit/result.hpp"
#include "statistics/profile.hpp"

namespace salvo::fit {

// What the two sides of a profile say, in one word and one sentence.
struct ProfileSides {
  statistics::PathEnd down = statistics::PathEnd::failed;
  statistics::PathEnd up = statistics::PathEnd::failed;
  std::string trouble{};
  bool is_level = false;  // the objective hardly rises on either side
  bool dips = false;      // it falls again before its end
  std::string with{};     // what moves along where nothing is seen: "x2 by -1 %"
};
void add_words(const ProfileSides& sides, double level, Profile& profile);

}  // namespace salvo::fit
