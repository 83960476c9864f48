#pragma once

#include "design/result.hpp"

namespace salvo::design {

// What was found, in a few sentences.
std::string message_of(const Result& result);

// "log det F", "the trace of F^-1", ...
std::string value_in_words(const Result& result);

// "2.65 (twice), 8.25 and 8.65", or with experiments and observables where there are several
std::string taken_in_words(const std::vector<Taken>& taken);

// "p2 by -1 % and x2 by +1 % together"
std::string direction_in_words(const NullDirection& direction);

}  // namespace salvo::design
