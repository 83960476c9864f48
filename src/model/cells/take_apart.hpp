#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/cells/near_cell.hpp"

namespace salvo::model::cells {

using Position = std::array<double, 2>;  // the second number is for rectangles

inline constexpr double small_enough = 2;  // Peclet numbers below which no central difference oscillates

// The equation of a field as transport and the rest. What cannot be told apart is in `faults`, in words.
FieldEquation take_apart(const Problem& problem, Algebra& algebra, int field, std::vector<std::string>& faults);

// How the field is carried by one of its transports: the sign of the velocity, and whether cells are small enough for
// what is central.
Carriage carriage_of(const Problem& problem, Algebra& algebra, const FieldEquation& equation, int field,
                     std::size_t transport);

// The formula as a number at the guess, at the start of an experiment, and at a position; none if that is not known.
double number_at_guess(const Problem& problem, Algebra& algebra, NodeId formula, const Position& position,
                       int experiment);

// |v| dx/D of one transport, the largest over space and experiments; 0 where nothing is carried.
double peclet(const Problem& problem, Algebra& algebra, const FieldEquation& equation, int field,
              std::size_t transport);

}  // namespace salvo::model::cells
