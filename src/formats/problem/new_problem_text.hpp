#pragma once

#include <string_view>

namespace salvo::formats {

inline constexpr std::string_view new_problem_data_name = "measurements.csv";

inline constexpr std::string_view new_problem_yaml =
    R"text(# Hares and foxes: which rates explain how both were counted?
#
#   salvo check FILE      is everything in this file sound?
#   salvo fit FILE        find the parameters
#   salvo simulate FILE   the trajectories at the guesses below
#
# Text after '#' is a comment. Lines that begin with '# ' and a key show what else could be said there.

title: Hares and foxes

# Time at which the integration begins. Measurements may not be earlier.
start: 0

# One line per state: its derivative with respect to time. Formulas know + - * / ^, parentheses, exp, log, sqrt, sin,
# min, max, piecewise and many more; 't' is the time. A formula with a comma in it needs quotes inside { }.
equations:
  hares: birth*hares - caught
  foxes: growth*caught - death*foxes

# Where the states begin. A number or a formula of parameters is known; {guess: ...} is estimated from there.
# A state that is left out is estimated too.
initial:
  hares: {guess: 1}
  foxes: {guess: 0.5}

# What is to be found. A guess is where the search begins; bounds are optional; 'scale: log' searches among positive
# numbers of any size. A plain number is a constant.
parameters:
  birth:  {guess: 0.8, bounds: [0, 10]}
  hunt:   {guess: 0.8, bounds: [0, 10]}
  growth: {guess: 0.8, bounds: [0, 10]}
  death:  {guess: 0.8, scale: log, bounds: [0.001, 10]}
  # death: {guess: 0.8, prior: "normal(1, 0.3)"}    an earlier study said 1, give or take 0.3
  # death: 0.8                                      known, not estimated

# Names for parts of formulas, in any order.
definitions:
  caught: hunt*hares*foxes

# What was measured, as formulas of the states, and how noisy it is (one standard deviation). Noise may be a number, a
# formula such as 0.1*hares_counted, or a parameter; if it is left out, it is estimated.
# 'distribution' is normal, log-normal, laplace, log-laplace, student-t(4), poisson or negative-binomial(k).
observables:
  hares_counted: {formula: hares, noise: 0.05, distribution: normal}
  foxes_counted: {formula: foxes, noise: 0.05}

# A table beside this file: a column 'time' and a column for each observable. Empty cells are fine.
data: measurements.csv
# Columns may have other names, and times may be dates:
# data: {file: field book.csv, time: Date, columns: {hares_counted: Hares, foxes_counted: Foxes}, ignore: [Observer]}
# time: {unit: day, from: 2024-03-01}

# Measurements that are predicted but not fitted:
# validation: later.csv

# Several experiments share the parameters. The data then need a column 'experiment'.
# experiments:
#   meadow: {}
#   island: {set: {hunt: 0.2}, initial: {foxes: 0.1}}

# How to solve it. 'auto' is a good choice everywhere.
shooting:
  nodes: auto       # auto, measurements, single, a number of intervals, or a list of times
  start: auto       # auto, data or simulate
method: auto        # auto, gauss-newton, lagrangian or scalar
integrator: auto    # auto, or {name: dopri5, rtol: 1e-8, atol: 1e-10}, rodas5p for stiff equations, cvodes, or {name: rk4, step: 0.05}
)text";

// Drawn from birth 1.1, hunt 0.9, growth 2/3, death 0.8, hares 1.2 and foxes 0.5 at the start, with noise of 0.05.
inline constexpr std::string_view new_problem_data = R"text(# Hares and foxes on a meadow, in thousands
time,hares_counted,foxes_counted
0,1.2631,0.4575
1,2.2532,0.5083
2,2.9145,1.4906
3,1.4721,2.3858
4,0.5363,1.8413
5,0.3199,1.1958
6,0.6590,0.7082
7,1.1691,0.4890
8,2.1184,0.6248
9,2.9933,1.2517
10,1.5029,2.4509
)text";

}  // namespace salvo::formats
