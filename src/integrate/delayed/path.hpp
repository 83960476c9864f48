#pragma once

#include <memory>
#include <vector>

namespace salvo::integrate {

// The accepted steps of a trajectory that looks into its own past: the record of its derivatives, and the table that
// later steps read. Step n leads from point n to point n + 1. Points stand still, or move with what is estimated; of
// several at one time each has its own, with steps of length zero between them.
struct DelayedPath {
  struct Point {
    enum class Kind {
      fixed,
      image,     // tau_delay after the point `source`, where something was not smooth
      crossing,  // where a switching function vanishes
    };
    double t = 0;
    Kind kind = Kind::fixed;
    int source = -1;
    int delay = -1;
    int function = -1;   // of a crossing
    int jump_begin = 0;  // what acts here, among the jumps of the trajectory
    int jump_end = 0;
    int stop = -1;           // that is noted here
    bool is_smooth = false;  // f goes on as it was: the first stage of the next step is the last of the step before
    std::shared_ptr<const std::vector<double>> frozen{};  // what stands still in the step from here; null: nothing
  };
  // Between two points at which a derivative of this order (0: the value) jumps and is seen again later.
  struct Segment {
    int point = 0;
    int order = 0;
  };

  int states = 0;
  int stages = 0;  // f at the end of a step is one of them
  std::vector<double> tau{};
  std::vector<Point> points{};
  std::vector<Segment> segments{};
  std::vector<int> segment{};  // [point][delay]: which one each delay reads from there on; -1: history
  std::vector<double> x{};     // [step][state], where it begins
  std::vector<double> k{};     // [step][stage][state]

  int steps() const { return static_cast<int>(x.size()) / (states > 0 ? states : 1); }
  int delays() const { return static_cast<int>(tau.size()); }
  const double* begin_of(int step) const { return x.data() + static_cast<std::size_t>(step) * states; }
  const double* slope_of(int step, int stage) const {
    return k.data() + (static_cast<std::size_t>(step) * stages + stage) * states;
  }
  double length(int step) const { return points[step + 1].t - points[step].t; }
  int segment_at(int point, int delay) const { return segment[static_cast<std::size_t>(point) * tau.size() + delay]; }

  void begin(int of_states, int of_stages) {
    states = of_states;
    stages = of_stages;
    points.clear();
    segments.clear();
    segment.clear();
    x.clear();
    k.clear();
  }
};

}  // namespace salvo::integrate
