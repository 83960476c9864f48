#pragma once

#include <string>
#include <vector>

#include "formats/problem/draft.hpp"

// One function per section of a problem file. Each expects the names to be declared and reads into the draft.
namespace salvo::formats {

void read_time_axis(Draft& draft, const yaml::Node& section);  // unit, label, and the day from which dates count
void read_equations(Draft& draft, const yaml::Node& section);
void read_parameters(Draft& draft, const yaml::Node& section);
void read_observables(Draft& draft, const yaml::Node& section);
// The distribution of an observable whose noise has been read.
void read_law(Draft& draft, const yaml::Node& node, model::Observable& observable);
void read_constraints(Draft& draft, const yaml::Entry& section);
void read_derived(Draft& draft, const yaml::Node& section);
void read_shooting(Draft& draft, const yaml::Node& section);
void read_integrator(Draft& draft, const yaml::Node& section);

// What states were before the start.
void read_history(Draft& draft, const yaml::Node& section);

// The initial values of one experiment, one per state: as in `defaults` unless the section says otherwise.
std::vector<model::Initial> read_initial(Draft& draft, const yaml::Node& section, std::vector<model::Initial> defaults);
std::vector<model::Initial> estimated_initial(const Draft& draft);

// `root` is the whole file: the experiments need its `start` and `initial` too.
void read_experiments(Draft& draft, const yaml::Node& root);

// The data files of the sections `data` and `validation`.
void read_data(Draft& draft, const yaml::Node& root);

// The tables of the section `inputs`; the experiments must have been read.
void read_inputs(Draft& draft, const yaml::Node& section);

// Measurements at time inf become those of experiments that have come to rest; everything else must have been read.
void part_steady_states(Draft& draft, const yaml::Node& root);

// The tables of the section `doses`; the data must have been read, and events follow.
void read_doses(Draft& draft, const yaml::Node& root);

// The events of the section `events` and of each experiment; the data must have been read.
void read_events(Draft& draft, const yaml::Node& root);

// How far curves and bands go on: to `until` of the file, and to rows without a value; the data must have been read.
void settle_predictions(Draft& draft, const yaml::Node* until);

// Where integration begins if the file does not say: at 0, or at the first measurement where that is certainly meant.
void settle_start(Draft& draft, const yaml::Node& root);

// What could be measured next; all else must have been read.
void read_design(Draft& draft, const yaml::Node& section);

// Noise that is stated nowhere becomes a parameter of its own.
void complete_noise(Draft& draft, const yaml::Node& observables);

}  // namespace salvo::formats
