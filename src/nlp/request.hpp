#pragma once

#include <algorithm>
#include <string>

namespace salvo::nlp {

// What the rows of the objective are made for. `step`: a square that lies above laws which are none. `information`: the
// expected information. `ratios`: logarithms of predictions beside those of the data, which tell how far apart the two
// are where the stated noise makes everything look hopeless; its objective is another one.
enum class RowsFor { step, information, ratios };

// What is asked of an evaluation besides its point. The same point and the same request give the same bits, from any
// thread: what earlier evaluations have shown is part of the request, and the caller's to pass on.
struct Request {
  double accuracy = 0;   // least relative tolerance of trajectories; 0: that of the integrator
  int max_steps = 0;     // of one trajectory, which counts as failed beyond them; 0: as many as an integrator takes
  bool stiff = false;    // explicit steps have been seen not to serve
  double smoothing = 0;  // of noise laws with a corner, in sigmas
  RowsFor rows = RowsFor::step;

  bool operator==(const Request&) const = default;
};

// Whether a point can be evaluated; if not, where and why, in one sentence.
struct Evaluation {
  bool ok = true;
  std::string trouble{};
  int chain = -1;  // of the link whose trajectory failed, if that is what went wrong
  int link = -1;
  int stiff_intervals = 0;  // in which explicit steps did not serve
  int steps = 0;            // of the longest trajectory
};

// What a linearisation has shown, for those that follow: a trial point at which the flow is many times harder is not
// worth its price.
inline void learn(Request& request, const Evaluation& evaluation) {
  constexpr int harder = 20;
  constexpr int always_allowed = 2'000;
  request.stiff = request.stiff || evaluation.stiff_intervals > 0;
  request.max_steps = std::max(harder * evaluation.steps, always_allowed);
}

}  // namespace salvo::nlp
