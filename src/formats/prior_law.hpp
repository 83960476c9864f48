#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/problem.hpp"

// What the numbers of a prior mean, whatever the format they are written in.
namespace salvo::formats {

// How many numbers the law takes: one or two.
int count_of_numbers(model::PriorLaw law);

// uniform and log-uniform: their numbers are where they end.
bool has_ends(model::PriorLaw law);

// What is wrong with the numbers, in words; empty if nothing is.
std::string trouble_with(model::PriorLaw law, std::span<const double> numbers);

// The prior of numbers that are right.
model::Prior make_prior(model::PriorLaw law, std::span<const double> numbers);

// The law holds between the bounds only, and all its probability lies there. False if it leaves nothing there.
bool cut_at_bounds(model::Prior& prior, const model::Estimated& estimated);

// Where a prior leaves no probability there is nothing to look for.
void keep_within(const model::Prior& prior, model::Estimated& estimated);

// Starts drawn from such a law; none where starts cannot be drawn from it.
std::optional<model::StartLaw> start_law(const model::Prior& prior);

}  // namespace salvo::formats
