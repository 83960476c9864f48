#pragma once

#include <vector>

namespace salvo {

// An observable of a field over space and time, as pictures show it: one of one experiment.
struct FieldPicture {
  int experiment = 0;
  int observable = 0;
  std::vector<double> place{};
  // Over space, at a time at which something was measured; with a 95 % band where errors are known.
  struct Profile {
    double time = 0;
    std::vector<double> value{}, lower{}, upper{};  // by place
  };
  std::vector<Profile> profiles{};
  // The same profiles at an iteration on the way.
  struct Frame {
    int iteration = 0;
    std::vector<std::vector<double>> value{};
  };
  std::vector<Frame> film{};
  std::vector<double> time{};              // of the map ...
  std::vector<std::vector<double>> map{};  // ... and the values at each of them, by place
};

}  // namespace salvo
