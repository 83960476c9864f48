#include "base/spelling.hpp"

namespace salvo {
namespace {

std::string in_cpp(Hint hint) {
  switch (hint) {
    case Hint::iterations: return "Options::max_iterations";
    case Hint::time: return "Options::max_seconds";
    case Hint::effort: return "Options::effort";
    case Hint::go_on: return "Options::guess";
    case Hint::hold: return "fix_values";
    case Hint::guess: return "Options::guess";
    case Hint::starts: return "Options::starts";
    case Hint::nodes: return "Options::nodes";
    case Hint::at_measurements: return "Options::nodes = NodesAtMeasurements{}";
    case Hint::accuracy:
    case Hint::tolerance: return "Options::integrator";
    case Hint::cells: return "Space::cells =";
    case Hint::accept_grid: return "Options::accept_grid_error";
  }
  return {};
}

}  // namespace

std::string spelled(const Spelling& door, Hint hint) {
  const auto found = door.find(hint);
  return found == door.end() ? in_cpp(hint) : found->second;
}

}  // namespace salvo
