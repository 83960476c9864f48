#pragma once

#include <string>
#include <string_view>

#include "base/exact_text.hpp"
#include "base/result.hpp"
#include "estimate/answer/answer.hpp"

namespace salvo::estimate {

// Exact: hexadecimal numbers, a name for each, and a checksum (base/exact_text.hpp). What follows from the point is not
// written; ways/resume.hpp brings it back.
std::string write(const Answer& answer);
// A text that is damaged or of another kind gives an Issue that says so.
Result<Answer> read(std::string_view text);

// Without what follows from the point and is not written.
Answer as_written(Answer answer);

// Whether all that is written of them has the same bits.
bool operator==(const Answer& a, const Answer& b);

}  // namespace salvo::estimate

template <>
struct salvo::Parts<salvo::shooting::WorkCount> {
  static auto of(auto& work) { return std::tie(work.trajectories, work.tangents, work.adjoints, work.rhs); }
};
// The same without names and checksum, for lines that have their own.
template <>
struct salvo::Parts<salvo::estimate::Answer> {
  static void pass(const estimate::Answer& answer, WordWriter& words);
  static void pass(estimate::Answer& answer, WordReader& words);
};
