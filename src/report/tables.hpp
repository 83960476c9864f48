#pragma once

#include <string>
#include <vector>

#include "fit/places.hpp"
#include "model/problem.hpp"
#include "report/text_sink.hpp"
#include "results/fit_result.hpp"

// Results as tables that pandas and R read without options: a number that is not finite is NaN, Inf or -Inf, one that
// does not exist is NA.
namespace salvo::report {

// id, experiment, estimate, standard_error, lower, upper (95 % interval), scale, at_bound, identifiable
std::string estimates_tsv(const FitResult& result);

// experiment, [interval,] time, one column per state, one column per observable
enum class IntervalColumn { shown, hidden };
std::string trajectories_csv(const model::Problem& problem, const std::vector<Arc>& arcs,
                             IntervalColumn interval_column = IntervalColumn::shown);

// What `salvo simulate` prints. Of a problem with fields: experiment, time, the coordinates, one column per field, with
// `places` one per observable that has another value at each of them, one per other state, one per other observable; a
// row for each place, or for the centre of each cell.
std::string simulation_csv(const model::Problem& problem, const std::vector<Arc>& arcs,
                           const std::vector<fit::Place>& places = {});

// experiment, observable, time, coordinates of fields, value, simulation, sigma, residual, llh, set (fit or
// validation), quantile_residual
void residuals_csv(const model::Problem& problem, const FitResult& result, const TextSink& write);
// Bands around the observables of the solution; empty cells where there is no end to them.
void bands_csv(const model::Problem& problem, const FitResult& result, const TextSink& write);
// Of fields, at the times of the data: experiment, observable, time, the coordinate, value, lower, upper (95 %, empty
// where errors are not known).
std::string fields_csv(const model::Problem& problem, const FitResult& result);

// start, status, objective, optimum (1 is the best one, NA: not converged), gap, iterations, points (looked at within
// the start), seconds, message, one column per parameter for the guess and one for the estimate
std::string starts_csv(const FitResult& result);

// id, value, objective, one column per quantity: every point of every profile
std::string profiles_csv(const Profiles& profiles);

}  // namespace salvo::report
