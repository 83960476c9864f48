#pragma once

#include "formats/problem/read.hpp"
#include "fuzz/folder.hpp"
#include "model/faults.hpp"

namespace salvo::fuzz {

// A sound problem of one state, into which a fuzzer puts a section and a table of its own. It is refused with at least
// one Issue, or nothing is missing in it.
inline void try_problem(const Folder& folder, std::string_view section, std::string_view distribution = "normal") {
  const std::string text =
      "equations: {x: -k*x, y: k*x}\ninitial: {x: 1, y: 0}\nparameters: {k: {guess: 1}, F: 0.5}\n"
      "observables: {seen: {formula: x, noise: 0.1}, count: {formula: 10*x, distribution: " +
      std::string(distribution) + ", noise: 0.1}}\ndata: data.csv\n" + std::string(section);
  const auto problem = formats::read_problem(folder.write("problem.yaml", text));
  require(problem ? model::faults(*problem).empty() : !problem.issues().empty());
}

inline void write_good_data(const Folder& folder) { folder.write("data.csv", "time,seen,count\n0.5,0.8,7\n1,NA,3\n"); }

}  // namespace salvo::fuzz
